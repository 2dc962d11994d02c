import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, textOf } from '../../contracts/fetch-order.ts';
import { startSite } from '../../site/site.ts';
import { browserScraper } from './kit.ts';
import { chromiums } from './stage.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

test("the caller's fields go out as written, each name once, text beyond ASCII as UTF-8", {
  skip,
}, async (t) => {
  await using site = await startSite();
  const scraper = await browserScraper(t);
  const headers = [
    ['X-Zed', '1'],
    ['x-lower', '2'],
    ['X-Twice', 'a'],
    ['X-Twice', 'b'],
    ['X-Latin', 'caf\xe9'],
    ['X-Far', '\u010d'],
    ['Accept-Language', 'xx'],
    ['Referer', 'https://from.example/a?b'],
    ['User-Agent', 'mine/1'],
  ] as const;
  const fetched = await pageOf(scraper, `${site.url}/headers`, { headers });
  const sent: [string, string][] = JSON.parse(textOf(fetched)).headers;
  const own = sent.filter(([name]) => name.toLowerCase().startsWith('x-'));
  assert.deepEqual(own, [
    ['X-Zed', '1'],
    ['x-lower', '2'],
    ['X-Twice', 'a, b'],
    ['X-Latin', 'caf\xc3\xa9'],
    ['X-Far', '\xc4\x8d'],
  ]);
  const field = (name: string) =>
    sent.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  assert.deepEqual(['accept-language', 'referer', 'user-agent'].map(field), [
    ['xx'],
    ['https://from.example/a?b'],
    ['mine/1'],
  ]);
  assert.ok(fetched.requestHeaders!.some(([name, value]) => name === 'x-twice' && value === 'a, b'));
  assert.ok(fetched.requestHeaders!.every(([name]) => name === name.toLowerCase()));
});
