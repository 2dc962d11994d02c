import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../adapters/browser/raw-pages.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** As old libraries do it: every value says by itself what its JSON is, and says it as a text. */
const CHANGED = `<p>here<script>
  for (const kind of [Array, String, Number, Boolean, Object, Date])
    kind.prototype.toJSON = function () { return '"changed"'; };
  const own = () => Object.keys(Array.prototype).join() + (typeof [].toJSON);
</script>`;

describe('scripts on a page that has changed its built-ins', { skip }, () => {
  const service = useService();
  let site: RawSite;
  before(async () => {
    site = await rawSite({ '/': reply('200 OK', 'Content-Type: text/html', CHANGED) });
  });
  after(async () => await site?.[Symbol.asyncDispose]());

  test('give their results as they are, and leave the page as it is', async () => {
    const script =
      "({ list: [1, 'a', true, null], object: { a: {} }, date: new Date(0), none: new Date(NaN) })";
    const { body } = await service.scrape({
      url: site.url,
      scraper: 'browser',
      page_actions: [
        { type: 'evaluate', script },
        { type: 'evaluate', script: 'own()' },
        { type: 'evaluate', script: '({ toJSON: () => ({ own: 1 }) })' },
      ],
    });
    assert.deepEqual(
      (body.scraper_data as { actions?: { result: unknown }[] }).actions?.map(({ result }) => result),
      [
        { list: [1, 'a', true, null], object: { a: {} }, date: '1970-01-01T00:00:00.000Z', none: null },
        'toJSONfunction',
        { own: 1 },
      ],
      JSON.stringify(body.errors),
    );
  });
});
