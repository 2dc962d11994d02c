import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeContent } from '../../../../src/content/charset/decode-content.ts';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper } from '../../../adapters/browser/kit.ts';
import { chromiums } from '../../../adapters/browser/stage.ts';
import { startTarget, type Target } from '../../../adapters/browser/target.ts';
import { pageOf, textOf } from '../../../contracts/fetch-order.ts';
import { CHARSET_SAMPLES } from '../../../site/charset-samples.ts';
import { type Site, startSite } from '../../../site/site.ts';

const root = process.env.CONFORMANCE_DATA;
const folder = join(root ?? '', 'encoding');
const noBrowser = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
/** Every twelfth page is tested, because all of them take long; LONG=1: all. */
const STEP = process.env.LONG === '1' ? 1 : 12;

interface Row {
  readonly file: string;
  readonly encoding: string;
}

/** The body as the scraper `http` decodes it. */
function decodedByHttp(body: Buffer, type: string): string {
  const { content } = decodeContent({
    body,
    headers: [['content-type', type]],
    undecoded: false,
    cutAtLimit: false,
    noBody: false,
    want: 'auto',
  });
  return Buffer.from(content.bytes).toString('utf8');
}

/** Code point and text of each element `<span data-cp=…>`, which contains one character. */
const characters = (html: string) =>
  [...html.matchAll(/<span data-cp="([^"]*)"[^>]*>([^<]*)/g)].map(([, cp, text]) => `${cp} ${text}`);

describe('pages in other charsets', { skip: noBrowser }, () => {
  let site: Site;
  let target: Target;
  let scraper: Scraper;
  const cleanups: (() => unknown)[] = [];
  before(async () => {
    site = await startSite();
    target = await startTarget({
      '/wpt': (request, response) => {
        const path = join(folder, 'wpt', new URL(request.url!, 'http://a').searchParams.get('file')!);
        response.writeHead(200, { 'content-type': typeOf(path) }).end(readFileSync(path));
      },
    });
    scraper = await browserScraper({ after: (cleanup) => void cleanups.push(cleanup as () => unknown) });
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
    await target[Symbol.asyncDispose]();
    await site.close();
  });

  test('are delivered as UTF-8, decoded by the charset in the header or in the meta element', async () => {
    for (const [label, { text }] of Object.entries(CHARSET_SAMPLES))
      for (const place of ['header', 'meta']) {
        // A meta element cannot declare UTF-16: to read it, the page must have been decoded as UTF-16 already.
        if (place === 'meta' && label.startsWith('utf-16')) continue;
        const fetched = await pageOf(scraper, `${site.url}/charset/${label}?in=${place}`);
        assert.ok(textOf(fetched).includes(text), `${label} in ${place}: ${textOf(fetched)}`);
        assert.equal(fetched.page.contentTypeOverride, 'text/html; charset=utf-8');
      }
  });

  test('have the same characters as with the scraper http', {
    skip: root === undefined && 'CONFORMANCE_DATA is not set',
  }, async (t) => {
    const rows: Row[] = JSON.parse(readFileSync(join(folder, 'wpt-chars-manifest.json'), 'utf8'));
    let compared = 0;
    for (const { file } of rows.filter((_, n) => n % STEP === 0)) {
      const path = join(folder, 'wpt', file);
      const expected = characters(decodedByHttp(readFileSync(path), typeOf(path)));
      const fetched = await pageOf(scraper, `${target.url}/wpt?file=${encodeURIComponent(file)}`, {
        timeoutMs: 60_000,
      });
      assert.deepEqual(characters(textOf(fetched)), expected, file);
      compared += expected.length;
    }
    assert.ok(compared > 0);
    t.diagnostic(`${compared} characters compared`);
  });
});

function typeOf(path: string): string {
  if (!existsSync(`${path}.headers`)) return 'text/html';
  return /^content-type:\s*(.*?)\s*$/im.exec(readFileSync(`${path}.headers`, 'latin1'))?.[1] ?? 'text/html';
}
