import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper, LOOPBACK } from '../../../adapters/browser/kit.ts';
import { type RawPages, type RawSite, rawSite, reply } from '../../../adapters/browser/raw-pages.ts';
import { chromiums } from '../../../adapters/browser/stage.ts';
import { fetchWith, pageOf, textOf } from '../../../contracts/fetch-order.ts';
import {
  type Authority,
  type CertificateOptions,
  createAuthority,
  type KeyPair,
} from '../../../helpers/certificates.ts';
import { selfSigned } from '../../../site/certificate.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const HTML = 'Content-Type: text/html';
const PAGES: RawPages = {
  '/': reply('200 OK', `${HTML}\r\nSet-Cookie: a=1; Secure`, '<p id=p>x</p><script src="/s.js"></script>'),
  '/s.js': reply(
    '200 OK',
    'Content-Type: text/javascript',
    'p.textContent = "made by script " + isSecureContext',
  ),
  '/cut': reply('200 OK', `${HTML}\r\nContent-Length: 900`, '<p>came'),
};
const NAMES = 'DNS:localhost';
/** A busy machine may take more than the default of 10 s to start a browser. */
const PATIENT = { timeoutMs: 60_000 };

describe('TLS in a browser', { skip }, () => {
  let ours: Authority;
  let theirs: Authority;
  let trusting: Scraper;
  let plain: Scraper;
  const ends: (() => unknown)[] = [];
  const sites: RawSite[] = [];
  const t = { after: (end: unknown) => void ends.push(end as () => unknown) };
  const siteWith = async (pair: KeyPair) => {
    const site = await rawSite(PAGES, pair);
    sites.push(site);
    return site;
  };
  const issued = (by: Authority, change: Partial<CertificateOptions> = {}) =>
    siteWith(by.issue({ names: NAMES, ...change }));
  before(async () => {
    ours = createAuthority();
    theirs = createAuthority();
    trusting = await browserScraper(t, LOOPBACK, [ours.cert]);
    plain = await browserScraper(t);
  });
  after(async () => {
    for (const site of sites) await site[Symbol.asyncDispose]();
    for (const end of ends) await end();
    ours[Symbol.dispose]();
    theirs[Symbol.dispose]();
  });

  test("a page under the operator's authority is a page like any other", async () => {
    const site = await issued(ours);
    const fetched = await pageOf(trusting, `${site.url}/`, PATIENT);
    assert.match(textOf(fetched), /made by script true/);
    assert.ok(fetched.timing.tls !== null && fetched.timing.connect !== null);
    assert.equal(fetched.remoteIp, '127.0.0.1');
    assert.ok(fetched.bytesIn > 500 && fetched.bytesOut > 500);
    assert.deepEqual(
      fetched.page.cookies.map(({ name, secure }) => [name, secure]),
      [['a', true]],
    );
    assert.equal((await pageOf(trusting, `${site.url}/cut`, PATIENT)).page.cut?.code, 'content.incomplete');
    // One that does not know the authority is shown nothing, and sends nothing.
    site.asked.length = 0;
    const refused = await fetchWith(plain, `${site.url}/`, PATIENT);
    assert.deepEqual(
      [refused.failure?.code, refused.failure?.details?.reason, refused.sent],
      ['tls.invalid', 'untrusted', false],
    );
    assert.deepEqual(site.asked, []);
  });

  test('what is wrong with a certificate is told, whoever trusts whom', async () => {
    const own = selfSigned();
    for (const [site, reason, url] of [
      [await issued(theirs), 'untrusted', null],
      [await siteWith(own), 'self_signed', null],
      // A certificate that is trusted beside one that is not vouches for nothing.
      [await siteWith({ key: own.key, cert: `${own.cert}\n${ours.cert}` }), 'self_signed', null],
      [await issued(ours, { years: -0.1 }), 'expired', null],
      [await issued(ours, { names: 'DNS:other.example' }), 'hostname', null],
      [await issued(ours), 'hostname', (url: string) => url.replace('localhost', '127.0.0.1')],
    ] as const) {
      const at = url === null ? site.url : url(site.url);
      const refused = await fetchWith(trusting, `${at}/`, PATIENT);
      assert.deepEqual(
        [refused.failure?.code, refused.failure?.details?.reason, refused.sent],
        ['tls.invalid', reason, false],
      );
      assert.deepEqual(site.asked, [], reason);
      const waived = await pageOf(trusting, `${at}/`, { ...PATIENT, options: { verifyTls: false } });
      assert.match(textOf(waived), /made by script/, reason);
    }
  });

  test('sub-resources are held to the same', async () => {
    const good = await issued(ours);
    const bad = await issued(theirs);
    const page = (script: string) =>
      siteWith(ours.issue({ names: NAMES })).then(() =>
        rawSite({ '/': reply('200 OK', HTML, `<p id=p>x</p><script src="${script}"></script>`) }),
      );
    for (const [{ url }, made] of [
      [good, true],
      [bad, false],
    ] as const) {
      await using site = await page(`${url}/s.js`);
      assert.equal(/made by script/.test(textOf(await pageOf(trusting, `${site.url}/`, PATIENT))), made);
    }
    assert.deepEqual(bad.asked, []);
  });
});
