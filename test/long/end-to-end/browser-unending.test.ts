import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RawSite, rawSite, reply } from '../../adapters/browser/raw-pages.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { useOwnService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const LONG = process.env.LONG === '1';
const BESIDE = 2;
/** On a busy machine, a page may not even have come by then: then it is tried again, alone and with more time. */
const [FIRST_MS, ...MORE_MS] = LONG ? [4_000, 30_000] : [2_500, 8_000, 30_000];

const HTML = 'Content-Type: text/html; charset=utf-8';
const script = (text: string) =>
  `<!DOCTYPE html><p id=before>Zürich<script>${text}</script><p id=after>after`;
const page = (text: string, fields = HTML) =>
  reply('200 OK', fields, Buffer.from(script(text)).toString('latin1'));
const zipped = gzipSync(script('for (;;) document.write("x")')).toString('latin1');

/** What keeps a page's thread from coming back, in different ways. */
const PAGES = {
  '/loop': page('for (;;);'),
  '/promises': page('(function f() { Promise.resolve().then(f) })()'),
  '/observer': page(
    'new MutationObserver(() => document.body.append("x")).observe(document, { childList: true, subtree: true }); document.body.append("y")',
  ),
  '/written': page('for (;;) document.write("x")'),
  '/zipped': reply('200 OK', `${HTML}\r\nContent-Encoding: gzip`, zipped),
  '/waiting': page('const x = new XMLHttpRequest(); x.open("GET", "/never", false); x.send()'),
  // No script runs here that could be stopped.
  '/native': page(
    'document.body.innerHTML = "<i></i>".repeat(30_000); document.evaluate("//*[count(//*[count(//i) > 1]) > 2]", document, null, 6, null)',
  ),
  '/half': (socket: import('node:net').Socket) =>
    void socket.write(
      Buffer.from(`HTTP/1.1 200 OK\r\n${HTML}\r\n\r\n${script('for (;;) document.write("x")')}`),
    ),
  '/never': () => {},
  '/calm': reply('200 OK', HTML, 'calm'),
};
const OF_PLAYWRIGHT = ['/written', '/waiting'];
const PATHS = Object.keys(PAGES).filter((path) => path !== '/never' && path !== '/calm');

describe('pages whose scripts never end', { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: '4' });
  let site: RawSite;
  let secure: RawSite;
  let authority: Authority;
  before(async () => {
    authority = createAuthority();
    site = await rawSite(PAGES);
    secure = await rawSite(PAGES, authority.issue({ names: 'DNS:localhost' }));
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await secure[Symbol.asyncDispose]();
    authority[Symbol.dispose]();
  });

  /** Why it is not; null: it is. */
  async function undelivered(url: string, options: object, timeoutMs: number): Promise<string | null> {
    const ask = { url, scraper: 'browser', scraper_options: options, timeout_ms: timeoutMs };
    const { status, body } = await service.scrape(ask);
    const codes = body.errors.map(({ code }) => code);
    const { content, router } = body;
    const is = status === 200 && router.outcome === 'partial' && codes.includes('timeout.total');
    if (is && /<p id="?before"?>Zürich/.test(content ?? '')) return null;
    return `${url}: ${status} ${router.outcome} ${codes} ${content?.slice(0, 100)} ${router.timing?.total} ms`;
  }

  for (const [driver, more] of [
    ['cdp', {}],
    ['playwright', { color_scheme: 'dark' }],
  ] as const)
    test(`are delivered as they stand, or as they were fetched, in the driver ${driver}`, async () => {
      // Each keeps a processor busy until its time is up, so it takes both drivers with LONG=1 only.
      const paths = LONG
        ? PATHS
        : PATHS.filter((path) => OF_PLAYWRIGHT.includes(path) === (driver === 'playwright'));
      const cases: [string, object][] = paths.map((path) => [site.url + path, more]);
      const coded = driver === 'playwright' || LONG ? paths : [];
      for (const path of coded) cases.push([secure.url + path, { ...more, verify_tls: false }]);
      // A browser of the driver has started before times count.
      await service.scrape({ url: `${site.url}/calm`, scraper: 'browser', scraper_options: more });
      const left = [...cases];
      const again: [string, object][] = [];
      const turns = Array.from({ length: BESIDE }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          if ((await undelivered(...next, FIRST_MS!)) !== null) again.push(next);
      });
      await Promise.all(turns);
      for (const one of again) {
        let why: string | null = '';
        for (const ms of MORE_MS) if (why !== null) why = await undelivered(...one, ms);
        assert.equal(why, null);
      }
    });
});
