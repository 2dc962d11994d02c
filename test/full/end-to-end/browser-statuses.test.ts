import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../../adapters/browser/raw-pages.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** Statuses with a standard phrase, with an uncommon one and without, and the first and last of each hundred. */
const SOME = [200, 206, 218, 247, 299, 306, 399, 404, 418, 499, 599, 998];
const STATUSES = process.env.LONG === '1' ? all(200, 999) : SOME;
/** By path: status line and Content-Type of the response. */
const KINDS = {
  phrase: (status: number) =>
    reply(`${status} Some Words`, 'Content-Type: text/html', page('phrase', status)),
  bare: (status: number) => reply(`${status}`, 'Content-Type: text/html', page('bare', status)),
  untyped: (status: number) => reply(`${status} `, 'X-Is: untyped', page('untyped', status)),
};
type Kind = keyof typeof KINDS;
const BESIDE = 6;
/** The verdict is ignored here: a rule takes status 999 for a block. */
const OTHER = 'target.blocked';

const page = (kind: string, status: number) =>
  `<html><body><div id=root></div><script>document.querySelector('#root').innerHTML = '<p>made of ${kind} ${status}</p>'</script></body></html>`;
const SHELL = '<html><body><div id=root></div><script src="/app.js"></script></body></html>';
const APP =
  "document.querySelector('#root').innerHTML = '<h1>Shop</h1><p>' + 'made by the script '.repeat(20) + '</p>'";

describe('answers of every status, in a browser', { skip }, () => {
  const service = useService();
  let site: RawSite;
  before(async () => {
    const pages: Record<string, string> = {
      '/shell': reply('247', 'Content-Type: text/html', SHELL),
      '/app.js': reply('200 OK', 'Content-Type: text/javascript', APP),
    };
    for (const status of STATUSES)
      for (const [kind, of] of Object.entries(KINDS)) pages[`/${kind}/${status}`] = of(status);
    site = await rawSite(pages);
  });
  after(async () => await site?.[Symbol.asyncDispose]());

  test('are shown in a browser after an HTTP scraper has fetched them', async () => {
    const { body } = await service.scrape({ url: `${site.url}/shell`, scraper: 'auto' });
    assert.deepEqual([body.status_code, body.errors], [247, []]);
    assert.match(body.content ?? '', /<h1>Shop/);
    assert.deepEqual(body.router.attempts?.at(-1)?.reused, ['document']);
  });

  for (const [driver, options, kinds] of [
    ['cdp', {}, ['phrase', 'bare', 'untyped']],
    ['playwright', { color_scheme: 'dark' }, ['bare', 'untyped']],
  ] as const)
    test(`are shown and read, in the driver ${driver}`, async () => {
      // By turns in one of the drivers, and in both with LONG=1.
      const ofDriver = (place: number) =>
        process.env.LONG === '1' || (place % 2 === 0) === (driver === 'cdp');
      const left = kinds.flatMap((kind, k) =>
        STATUSES.filter((_, n) => ofDriver(n + k)).map((status): [Kind, number] => [kind, status]),
      );
      const wrong: unknown[] = [];
      const read = async ([kind, status]: [Kind, number]) => {
        const url = `${site.url}/${kind}/${status}`;
        const { body } = await service.scrape({ url, scraper: 'browser', scraper_options: options });
        const codes = body.errors.map(({ code }) => code).filter((code) => code !== OTHER);
        assert.deepEqual([url, body.status_code, codes], [url, status, []]);
        assert.match(body.content ?? '', new RegExp(`<p>made of ${kind} ${status}</p>`), url);
      };
      const turns = Array.from({ length: BESIDE }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          await read(next).catch((error: unknown) => void wrong.push(error));
      });
      await Promise.all(turns);
      if (wrong.length > 0) throw new AggregateError(wrong);
    });
});
