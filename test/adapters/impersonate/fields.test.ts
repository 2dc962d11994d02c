import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brandList } from '../../../src/scrapers/impersonate/browser-headers.ts';
import { fetchWith, type JobChange } from '../../contracts/fetch-order.ts';
import {
  type Fields,
  type FingerprintListener,
  startFingerprintListener,
} from '../../helpers/fingerprint/listener.ts';
import { impersonateScraper, noBinding } from './kit.ts';

const CHROME_ACCEPT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const SAFARI_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const CHROME_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const SAFARI_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Safari/605.1.15';
const IOS_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Mobile/15E148 Safari/604.1';

/** What Chromium sends of itself, in its order; `brands` and `agent` tell its kinds apart. */
const chromium = (brands: string, agent: string) => ({
  second: `
sec-ch-ua: ${brands}
sec-ch-ua-mobile: ?0
sec-ch-ua-platform: "Windows"
upgrade-insecure-requests: 1
user-agent: ${agent}
accept: ${CHROME_ACCEPT}
sec-fetch-site: none
sec-fetch-mode: navigate
sec-fetch-user: ?1
sec-fetch-dest: document
accept-encoding: gzip, deflate, br, zstd
accept-language: en-US,en;q=0.9
priority: u=0, i`,
  first: `
Host: HOST
Connection: keep-alive
sec-ch-ua: ${brands}
sec-ch-ua-mobile: ?0
sec-ch-ua-platform: "Windows"
Upgrade-Insecure-Requests: 1
User-Agent: ${agent}
Accept: ${CHROME_ACCEPT}
Sec-Fetch-Site: none
Sec-Fetch-Mode: navigate
Sec-Fetch-User: ?1
Sec-Fetch-Dest: document
Accept-Encoding: gzip, deflate, br, zstd
Accept-Language: en-US,en;q=0.9`,
  plain: `
Host: HOST
Connection: keep-alive
Upgrade-Insecure-Requests: 1
User-Agent: ${agent}
Accept: ${CHROME_ACCEPT}
Accept-Encoding: gzip, deflate
Accept-Language: en-US,en;q=0.9`,
});
const safari = (agent: string) => {
  const secure = (host: string, each: string) => `${host}
Sec-Fetch-Dest: document
User-Agent: ${agent}
Accept: ${SAFARI_ACCEPT}
Sec-Fetch-Site: none
Sec-Fetch-Mode: navigate
Accept-Language: en-US,en;q=0.9
Priority: u=0, i
Accept-Encoding: gzip, deflate, br${each}`;
  return {
    second: secure('', '').replace(/^[^:]+/gm, (name) => name.toLowerCase()),
    first: secure('\nHost: HOST', '\nConnection: keep-alive'),
    plain: `
Host: HOST
Upgrade-Insecure-Requests: 1
Accept: ${SAFARI_ACCEPT}
User-Agent: ${agent}
Accept-Language: en-US,en;q=0.9
Accept-Encoding: gzip, deflate
Connection: keep-alive`,
  };
};

const PROFILES = {
  chrome_143: chromium('"Google Chrome";v="143", "Chromium";v="143", "Not A(Brand";v="24"', CHROME_AGENT),
  edge_143: chromium(
    '"Microsoft Edge";v="143", "Chromium";v="143", "Not A(Brand";v="24"',
    `${CHROME_AGENT} Edg/143.0.0.0`,
  ),
  safari_26_2: safari(SAFARI_AGENT),
  safari_ios_26_2: safari(IOS_AGENT),
};

const textOf = (fields: Fields) =>
  `\n${fields
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${name}: ${/^host$/i.test(name) ? 'HOST' : value}`)
    .join('\n')}`;

describe('the fields of http_impersonate', { skip: noBinding }, () => {
  let listener: FingerprintListener;
  before(async () => {
    listener = await startFingerprintListener();
  });
  after(() => listener[Symbol.asyncDispose]());

  const seen = async (
    t: Parameters<typeof impersonateScraper>[0],
    impersonate: string,
    change: JobChange = {},
  ) => {
    const scraper = impersonateScraper(t);
    for (const url of [listener.fieldsUrl, listener.http1Url, listener.plainUrl]) {
      const http2 = url === listener.http1Url ? false : 'auto';
      const options = { impersonate, verifyTls: false, http2, ...change.options } as const;
      const { failure } = await fetchWith(scraper, url, { ...change, options });
      assert.equal(failure, null);
    }
    const { fields, http1Fields, plainFields } = listener.take();
    return { second: textOf(fields), first: textOf(http1Fields), plain: textOf(plainFields) };
  };

  for (const [profile, expected] of Object.entries(PROFILES))
    test(`${profile}: names, values, order and case, over HTTP/2, HTTP/1.1 and in the clear`, async (t) => {
      assert.deepEqual(await seen(t, profile), expected);
    });

  test('the brands are those that Chromium had in its versions', () => {
    // As they were seen in the wild.
    for (const [version, list] of [
      [140, '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"'],
      [141, '"Google Chrome";v="141", "Not?A_Brand";v="8", "Chromium";v="141"'],
      [142, '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"'],
      [143, '"Google Chrome";v="143", "Chromium";v="143", "Not A(Brand";v="24"'],
    ] as const)
      assert.equal(brandList('Google Chrome', version), list);
  });

  /** Fields of a caller: two that browsers have, in other spellings, and three of his own, one of them twice. */
  const CALLERS: JobChange = {
    headers: [
      ['X-First', '1'],
      ['X-First', '3'],
      ['ACCEPT', 'text/mine'],
      ['x-Second', '2'],
      ['user-AGENT', 'Mine/1.0'],
      ['Referer', 'https://a.example/'],
    ],
    cookies: [],
  };
  const OWN = (lower: boolean) =>
    ['X-First: 1', 'X-First: 3', 'x-Second: 2']
      .map((line) => (lower ? line.replace(/^[^:]+/, (name) => name.toLowerCase()) : line))
      .join('\n');

  test('chrome: a field of the caller takes the place of the browser’s own, others stand before Accept', async (t) => {
    const got = await seen(t, 'chrome_143', CALLERS);
    const base = PROFILES.chrome_143;
    const merged = (text: string, lower: boolean) => {
      const spelt = (name: string) => (lower ? name.toLowerCase() : name);
      return text
        .replace(/^user-agent: .*$/im, `${spelt('user-AGENT')}: Mine/1.0`)
        .replace(/^accept: .*$/im, `${OWN(lower)}\n${spelt('ACCEPT')}: text/mine`)
        .replace(/^accept-encoding/im, (name) => `${spelt('Referer')}: https://a.example/\n${name}`);
    };
    assert.deepEqual(got, {
      second: merged(base.second, true),
      first: merged(base.first, false),
      plain: merged(base.plain, false),
    });
  });

  test('safari: the same at its places', async (t) => {
    const got = await seen(t, 'safari_26_2', CALLERS);
    const base = PROFILES.safari_26_2;
    const merged = (text: string, lower: boolean) => {
      const spelt = (name: string) => (lower ? name.toLowerCase() : name);
      const more = `${OWN(lower)}\n${spelt('Referer')}: https://a.example/`;
      return text
        .replace(/^user-agent: .*$/im, `${spelt('user-AGENT')}: Mine/1.0`)
        .replace(/^accept: .*$/im, `${spelt('ACCEPT')}: text/mine\n${more}`);
    };
    assert.deepEqual(got, {
      second: merged(base.second, true),
      first: merged(base.first, false),
      plain: merged(base.plain, false),
    });
  });

  test('chrome: what a body and cookies bring stands where Chromium has it', async (t) => {
    const bytes = Buffer.from('{"a":1}');
    const got = await seen(t, 'chrome_143', {
      method: 'POST',
      body: { type: 'json', bytes, contentType: 'application/json' },
      cookies: [
        {
          name: 'a',
          value: 'b',
          domain: null,
          path: '/',
          secure: false,
          httpOnly: false,
          sameSite: null,
          expires: null,
        },
      ],
      headers: [
        ['Origin', 'https://a.example'],
        ['Authorization', 'Bearer x'],
        ['Cache-Control', 'no-cache'],
      ],
    });
    const names = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => line.slice(0, line.indexOf(':')));
    assert.deepEqual(
      names(got.first),
      (
        'Host Connection Content-Length Cache-Control sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform Upgrade-Insecure-Requests ' +
        'Content-Type User-Agent Origin Authorization Accept Sec-Fetch-Site Sec-Fetch-Mode Sec-Fetch-User Sec-Fetch-Dest ' +
        'Accept-Encoding Accept-Language Cookie'
      ).split(' '),
    );
    const second = names(got.first).filter((name) => !/^(?:host|connection)$/i.test(name));
    assert.deepEqual(names(got.second), [...second.map((name) => name.toLowerCase()), 'priority']);
    for (const text of Object.values(got)) {
      assert.match(text, /\ncontent-length: 7\n/i);
      assert.match(text, /\ncontent-type: application\/json\n/i);
      assert.match(text, /\ncookie: a=b(?:\n|$)/i);
    }
  });

  test('user_agent of the options is the one that is sent, unless a field names another', async (t) => {
    const options = { userAgent: 'Asked/1.0' };
    for (const [headers, agent] of [
      [[], 'Asked/1.0'],
      [[['User-Agent', 'Field/1.0']], 'Field/1.0'],
    ] as const)
      for (const text of Object.values(await seen(t, 'chrome', { options, headers })))
        assert.deepEqual(/^user-agent: (.*)$/im.exec(text)?.[1], agent);
  });
});
