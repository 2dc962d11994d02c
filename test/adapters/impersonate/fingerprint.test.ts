import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { fetchWith } from '../../contracts/fetch-order.ts';
import { findChromium } from '../../dashboard/chromium.ts';
import { type ClientHello, isGrease, ja3, ja3Text, ja4 } from '../../helpers/fingerprint/client-hello.ts';
import { akamaiText, type H2Opening } from '../../helpers/fingerprint/h2-opening.ts';
import { type FingerprintListener, startFingerprintListener } from '../../helpers/fingerprint/listener.ts';
import { httpScraper } from '../http-scraper/kit.ts';
import { impersonateScraper, noBinding } from './kit.ts';

interface Looks {
  readonly hello: ClientHello;
  readonly opening: H2Opening;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Trust anchor identifiers and ML-DSA came to Chromium after version 149, the newest that the library knows: they may be
 * there in the real one.
 */
const NEWER_EXTENSIONS = [0xca34];
const NEWER_SIGNATURES = [0x0904, 0x0905, 0x0906];

/** What the library sent when this was written: there is none of these browsers here to compare with. */
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
const names = (looks: Looks) =>
  looks.fields.map(([name]) => name).filter((name) => name !== 'accept-language');
const http2 = (looks: Looks) => akamaiText(looks.opening, pseudo(looks));

describe('fingerprints', { skip: noBinding }, () => {
  let listener: FingerprintListener;
  let browser: Looks;
  let version: string;

  const looks = (): Looks => {
    const { hello, opening, fields } = listener.take();
    assert.ok(hello !== null && opening !== null && fields.length > 0, 'everything was seen');
    return { hello, opening, fields };
  };
  before(async () => {
    listener = await startFingerprintListener();
    const { executablePath, env } = await findChromium();
    const running = await chromium.launch({ executablePath, env, args: ['--no-sandbox'] });
    try {
      version = running.version();
      const context = await running.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      await page.goto(listener.framesUrl);
      await page.goto(listener.fieldsUrl);
    } finally {
      await running.close();
    }
    browser = looks();
  });
  after(() => listener[Symbol.asyncDispose]());

  const impersonated = async (t: Parameters<typeof impersonateScraper>[0], profile: string) => {
    const scraper = impersonateScraper(t);
    for (const url of [listener.framesUrl, listener.fieldsUrl]) {
      const options = { impersonate: profile, verifyTls: false };
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
    assert.deepEqual(names(ours), names(browser));
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

  for (const [profile, tls, frames] of KNOWN)
    test(`${profile}: as it was`, async (t) => {
      const ours = await impersonated(t, profile);
      t.diagnostic(`${ja4(ours.hello)} ${ja3(ours.hello)} ${http2(ours)}`);
      assert.deepEqual([ja4(ours.hello), http2(ours)], [tls, frames]);
    });

  test('nothing is left of Node and its clients', async (t) => {
    const plain = httpScraper(t);
    for (const url of [listener.framesUrl, listener.fieldsUrl])
      await fetchWith(plain, url, { options: { verifyTls: false } });
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
