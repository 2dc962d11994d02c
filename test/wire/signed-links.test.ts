import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from '../../src/domain/account.ts';
import type { Screenshot } from '../../src/domain/captures.ts';
import { answerJson, answerParts } from '../../src/wire/answer/answer-json.ts';
import { createLinkUrlOf, linkKeyOf, verifyLink, withLinks } from '../../src/wire/answer/signed-links.ts';
import { recordJson } from '../../src/wire/record/record-json.ts';
import { toRecord } from '../../src/wire/record/to-record.ts';
import fc from '../helpers/fast-check.ts';
import { ID, sampleScrape } from './sample-scrape.ts';

const NOW = Date.UTC(2026, 0, 2);
const key = linkKeyOf('a secret of some length');
const urlOf = createLinkUrlOf({ key, baseUrl: () => 'http://s.test/p', ttlMs: 3_600_000, now: () => NOW });
const linkOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const [id, , number = '0'] =
    pathname.split('/').slice(-3)[1] === 'screenshot'
      ? pathname.split('/').slice(-3)
      : [...pathname.split('/').slice(-2)];
  const { expires, signature } = Object.fromEntries(searchParams) as { expires: string; signature: string };
  return { kind: 'picture' as const, id: id!, number: Number(number), expires, signature };
};
const screenshotUrlIn = (answer: string): unknown => JSON.parse(answerParts(answer).body).screenshot_url;
const picture: Screenshot = {
  bytes: Uint8Array.of(1, 2, 3),
  type: 'image/webp',
  width: 2,
  height: 3,
};
const principal: Principal = {
  ...{ userId: 'u', role: 'user', concurrency: 5, keyId: 'k', keyConcurrency: null },
  ...{ scopes: ['scrape'], domains: [], dailyBudget: null },
};

describe('links to pictures', () => {
  test('are valid until the second in which they expire', () => {
    const link = linkOf(urlOf('picture', ID, 0)!);
    assert.equal(link.id, ID);
    assert.equal(Number(link.expires), NOW / 1_000 + 3_600);
    assert.equal(verifyLink(key, link, NOW / 1_000), 'good');
    assert.equal(verifyLink(key, link, NOW / 1_000 + 3_599.9), 'good');
    assert.equal(verifyLink(key, link, NOW / 1_000 + 3_600), 'expired');
  });

  test('are invalid after any change', () => {
    const link = linkOf(urlOf('picture', ID, 3)!);
    assert.equal(link.number, 3);
    const other = linkKeyOf('another secret of some length');
    assert.equal(verifyLink(other, link, 0), 'wrong');
    for (const change of [
      { id: ID.replace('0', '1') },
      { number: 0 },
      { number: 33 },
      { kind: 'file' as const },
      { expires: `${Number(link.expires) + 1}` },
      { expires: `0${link.expires}` },
      { expires: '9e99' },
      { signature: '' },
      { signature: `${link.signature}=` },
      { signature: link.signature.slice(1) },
    ])
      assert.equal(verifyLink(key, { ...link, ...change }, 0), 'wrong', JSON.stringify(change));
    fc.assert(
      fc.property(fc.string(), (signature) => verifyLink(key, { ...link, signature }, 0) === 'wrong'),
    );
  });
});

describe('a picture in an answer', () => {
  const scrapeWith = (retain: string) => {
    const plain = sampleScrape({ request: { router: { retain } } });
    const delivery = plain.delivered!;
    return { ...plain, delivered: { ...delivery, page: { ...delivery.page, screenshot: picture } } };
  };

  test('has its URL in place of a placeholder, which no page can forge', () => {
    const scrape = scrapeWith('full');
    const answer = answerJson(scrape);
    assert.equal(screenshotUrlIn(answer), `picture:${ID}:0`);
    assert.equal(screenshotUrlIn(withLinks(answer, ID, urlOf)), urlOf('picture', ID, 0));
    const record = toRecord(scrape, principal, answer);
    assert.deepEqual([record.hasScreenshot, record.pictures], [true, [{ type: 'image/webp', bytes: 3 }]]);
    const again = JSON.parse(recordJson(record, record.content, urlOf, { withUser: false }).toString());
    assert.equal(again.screenshot_url, urlOf('picture', ID, 0));
    const other = ID.replace(/^./, 'f');
    const forged = JSON.stringify([`picture:${other}:0`, `x picture:${ID}:0`, `"picture:${ID}:0"`]);
    assert.equal(withLinks(forged, ID, urlOf), forged);
  });

  test('that was deleted has no URL', () => {
    const scrape = scrapeWith('full');
    const record = { ...toRecord(scrape, principal, answerJson(scrape)), pictures: [], hasScreenshot: false };
    assert.equal(
      JSON.parse(recordJson(record, null, urlOf, { withUser: false }).toString()).screenshot_url,
      null,
    );
  });

  test('that is not retained is in the response itself, and is not stored', () => {
    for (const retain of ['metadata', 'none']) {
      const scrape = scrapeWith(retain);
      const answer = answerJson(scrape);
      assert.equal(screenshotUrlIn(answer), 'data:image/webp;base64,AQID');
      const record = toRecord(scrape, principal, answer);
      assert.deepEqual([record.hasScreenshot, record.pictures], [false, []]);
      assert.ok(!JSON.stringify(record).includes('AQID'));
      assert.equal(
        JSON.parse(recordJson(record, null, urlOf, { withUser: false }).toString()).screenshot_url,
        null,
      );
    }
  });

  test('of a scrape that could not be stored has no URL', () => {
    assert.equal(screenshotUrlIn(answerJson({ ...scrapeWith('full'), id: null })), null);
  });
});
