import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { httpScraper } from '../../../adapters/http-scraper/kit.ts';
import { impersonateScraper, noBinding } from '../../../adapters/impersonate/kit.ts';
import { fetchWith } from '../../../contracts/fetch-order.ts';
import { findChromium } from '../../../dashboard/chromium.ts';
import { type ClientHello, isGrease, ja3, ja3Text, ja4 } from '../../../helpers/fingerprint/client-hello.ts';
import { findFirefox, UNTRUSTED_HOST, visitWithFirefox } from '../../../helpers/fingerprint/firefox.ts';
import { akamaiText, type H2Opening } from '../../../helpers/fingerprint/h2-opening.ts';
import {
  type Fields,
  type FingerprintListener,
  startFingerprintListener,
} from '../../../helpers/fingerprint/listener.ts';

interface Looks {
  readonly hello: ClientHello;
  readonly opening: H2Opening;
  readonly fields: Fields;
  readonly http1Fields: Fields;
  readonly plainFields: Fields;
}

/**
 * Trust anchor identifiers and ML-DSA came to Chromium after version 149, the newest that the library knows: they may be
 * there in the real one.
 */
const NEWER_EXTENSIONS = [0xca34];
const NEWER_SIGNATURES = [0x0904, 0x0905, 0x0906];

/** Firefox offered it up to the newest version that the library knows, 151, and in 153 no more: ECDHE_ECDSA_AES_128_CBC_SHA. */
const GONE_CIPHERS = [0xc009];

/** What the library sent when this was written: of these only Firefox may be here to compare with. */
const KNOWN: readonly (readonly [profile: string, ja4: string, akamai: string])[] = [
  ['edge', 't13d1516h2_8daaf6152771_d8a2da3f94cd', '1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p'],
  ['firefox', 't13d1717h2_5b57614c22b0_3cbfd9057e0d', '1:65536;2:0;4:131072;5:16384|12517377|0|m,p,a,s'],
  ['safari', 't13d2014h2_a09f3c656075_e42f34c56612', '2:0;3:100;4:2097152;9:1|10420225|0|m,s,a,p'],
  ['safari_ios_26_2', 't13d2013h2_a09f3c656075_7f0f34a4126d', '2:0;3:100;4:2097152;9:1|10420225|0|m,s,a,p'],
];

const real = (values: readonly number[]) => values.filter((value) => !isGrease(value));
const without = (values: readonly number[], some: readonly number[]) =>
  real(values).filter((value) => !some.includes(value));
const ordered = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const pseudo = (looks: Looks) => looks.fields.map(([name]) => name).filter((name) => name.startsWith(':'));
/** A Chromium without windows has no language of its own, and says none. */
const names = (fields: Fields) =>
  fields.map(([name]) => name).filter((name) => name.toLowerCase() !== 'accept-language');
/** A field without where it was sent to, and without version and system of the sender. */
const timeless = ([name, value]: Fields[number]) => {
  if (/^(?:host|:authority)$/i.test(name)) return [name, ''];
  return [name, value.replace(/\((?:Windows|X11)[^)]*; rv:[\d.]+\)|(?<=Firefox\/)[\d.]+/g, '')];
};
const http2 = (looks: Looks) => akamaiText(looks.opening, pseudo(looks));

const firefox = findFirefox();
const noFirefox = firefox === null && 'there is no Firefox (SLUICE_TEST_FIREFOX may name one)';

describe('fingerprints', { skip: noBinding }, () => {
  let listener: FingerprintListener;
  let browser: Looks;
  let version: string;

  const looks = (): Looks => {
    const { hello, opening, ...fields } = listener.take();
    assert.ok(hello !== null && opening !== null, 'connections were seen');
    for (const [name, list] of Object.entries(fields)) assert.ok(list.length > 0, `${name} were seen`);
    return { hello, opening, ...fields };
  };
  before(async () => {
    listener = await startFingerprintListener();
    const { executablePath, env } = await findChromium();
    const running = await chromium.launch({ executablePath, env, args: ['--no-sandbox'] });
    try {
      version = running.version();
      const context = await running.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      for (const url of listener.urls) await page.goto(url);
    } finally {
      await running.close();
    }
    browser = looks();
  });
  after(() => listener[Symbol.asyncDispose]());

  const impersonated = async (t: Parameters<typeof impersonateScraper>[0], profile: string) => {
    const scraper = impersonateScraper(t);
    for (const url of listener.urls) {
      const http2 = url === listener.http1Url ? false : 'auto';
      const options = { impersonate: profile, verifyTls: false, http2 } as const;
      const { failure } = await fetchWith(scraper, url, { options });
      assert.equal(failure, null);
    }
    return looks();
  };

  test('chrome, beside a real Chromium', async (t) => {
    const ours = await impersonated(t, 'chrome');
    t.diagnostic(`Chromium ${version}: ${ja4(browser.hello)} ${ja3Text(browser.hello)} ${http2(browser)}`);
    t.diagnostic(`chrome: ${ja4(ours.hello)} ${ja3Text(ours.hello)} ${http2(ours)}`);
    assert.equal(http2(ours), http2(browser));
    assert.equal(ours.opening.headersPriority, browser.opening.headersPriority);
    assert.deepEqual(names(ours.fields), names(browser.fields));
    assert.deepEqual(names(ours.http1Fields), names(browser.http1Fields));
    for (const part of ['ciphers', 'groups', 'pointFormats', 'versions', 'shares'] as const)
      assert.deepEqual(real(ours.hello[part]), real(browser.hello[part]), part);
    assert.deepEqual(ours.hello.alpn, browser.hello.alpn);
    assert.deepEqual(
      ordered(real(ours.hello.extensions)),
      ordered(without(browser.hello.extensions, NEWER_EXTENSIONS)),
    );
    assert.deepEqual(real(ours.hello.signatures), without(browser.hello.signatures, NEWER_SIGNATURES));
    for (const { hello } of [ours, browser]) {
      const { ciphers, extensions, groups } = hello;
      for (const value of [ciphers[0], extensions[0], extensions.at(-1), groups[0]])
        assert.ok(isGrease(value!));
    }
  });

  test('firefox, beside a real Firefox', { skip: noFirefox }, async (t) => {
    const urls = listener.urls.map((url) => url.replace('http://localhost', `http://${UNTRUSTED_HOST}`));
    const version = await visitWithFirefox(firefox!, urls);
    const real = looks();
    const ours = await impersonated(t, 'firefox');
    for (const [name, one] of [
      [`Firefox ${version}`, real],
      ['firefox', ours],
    ] as const)
      t.diagnostic(`${name}: ${ja4(one.hello)} ${ja3(one.hello)} ${http2(one)}`);
    assert.equal(http2(ours), http2(real));
    assert.deepEqual(ours.opening, real.opening);
    const { ciphers, ...hello } = ours.hello;
    const { ciphers: realCiphers, ...realHello } = real.hello;
    assert.deepEqual(hello, realHello);
    assert.deepEqual(without(ciphers, GONE_CIPHERS), without(realCiphers, GONE_CIPHERS));
    assert.ok(ciphers.includes(GONE_CIPHERS[0]!));
    for (const kind of ['fields', 'http1Fields', 'plainFields'] as const)
      assert.deepEqual(ours[kind].map(timeless), real[kind].map(timeless), kind);
  });

  test('firefox weighs languages as its version does', async (t) => {
    for (const [profile, weight] of [
      ['firefox_146', '0.5'],
      ['firefox_147', '0.9'],
    ] as const) {
      const { fields } = await impersonated(t, profile);
      assert.equal(new Map(fields).get('accept-language'), `en-US,en;q=${weight}`);
    }
  });

  for (const [profile, tls, frames] of KNOWN)
    test(`${profile}: as it was`, async (t) => {
      const ours = await impersonated(t, profile);
      t.diagnostic(`${ja4(ours.hello)} ${ja3(ours.hello)} ${http2(ours)}`);
      assert.deepEqual([ja4(ours.hello), http2(ours)], [tls, frames]);
    });

  test('nothing is left of Node and its clients', async (t) => {
    const plain = httpScraper(t);
    for (const url of listener.urls) await fetchWith(plain, url, { options: { verifyTls: false } });
    const node = looks();
    for (const profile of ['chrome', 'firefox', 'safari', 'edge']) {
      const ours = await impersonated(t, profile);
      assert.notEqual(ja4(ours.hello), ja4(node.hello));
      assert.notEqual(http2(ours), http2(node));
      const fields = new Map(ours.fields);
      assert.equal(fields.get('sec-fetch-mode'), 'navigate');
      assert.notEqual(fields.get('accept-language'), '*');
      assert.notEqual(fields.get('accept'), '*/*');
      assert.doesNotMatch(fields.get('user-agent')!, /node|undici|sluice|headless/i);
      assert.ok(!fields.has('connection') && !fields.has('host'));
    }
  });
});
