import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useTarget } from '../../end-to-end/text-target.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const PAGE = `<!doctype html><html lang=en><title>t</title><x-card><a href=/light>light</a></x-card><script>
customElements.define('x-inner', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<b>innermost</b>'; }
});
customElements.define('x-card', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML =
      '<p id=price>12 EUR</p><a href=/shadow>shadow</a><slot></slot><x-inner></x-inner>';
  }
});
</script></html>`;

describe('open shadow roots, in a browser', { skip }, () => {
  const service = useService();
  const target = useTarget({ '/': ['text/html', PAGE] });
  before(async () => void (await service.scrape({ url: `${target.url}/none`, scraper: 'browser' })));

  test('are in the content as declarative ones, and all formats read them', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/`,
      scraper: 'browser',
      wait_for_selector: '#price',
      scraper_options: {
        formats: ['text', 'links'],
        extract: { price: '#price', inner: 'x-card x-inner b' },
      },
    });
    assert.deepEqual([body.errors, body.router.outcome], [[], 'ok']);
    assert.equal(body.router.verdict?.kind, 'ok');
    assert.match(
      body.content!,
      /^<!DOCTYPE html><html lang="en"><head><title>t<\/title><\/head><body><x-card><template shadowrootmode="open"><p id="price">12 EUR<\/p>.*<x-inner><template shadowrootmode="open"><b>innermost<\/b><\/template><\/x-inner><\/template><a href="\/light">/,
    );
    assert.match(body.content!, /<\/script><\/body><\/html>$/);
    const { text, links, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.equal(text, '12 EUR\n\nshadowlightinnermost');
    assert.deepEqual(
      links.map(({ url }: { url: string }) => url),
      [`${target.url}/shadow`, `${target.url}/light`],
    );
    assert.deepEqual(extract, { price: '12 EUR', inner: 'innermost' });
  });

  test('are read by the action `extract`, too', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/`,
      scraper: 'browser',
      page_actions: [{ extract: { price: '#price' } }],
    });
    const { actions } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.deepEqual([body.errors, actions[0].result], [[], { price: '12 EUR' }]);
  });
});
