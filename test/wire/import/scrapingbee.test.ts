import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { importScrapingBee } from '../../../src/wire/import/scrapingbee.ts';
import { PARAMETERS } from '../../../src/wire/import/scrapingbee-parameters.ts';
import { parseTask } from '../../../src/wire/request/parse-task.ts';
import { ROOT } from '../../helpers/repository.ts';

const TARGET = 'https://shop.example/a?x=1&y=2';

const translated = (parameters: Readonly<Record<string, string>>): Record<string, unknown> => {
  const result = importScrapingBee(String(new URLSearchParams({ url: TARGET, ...parameters })));
  assert.ok('request' in result, JSON.stringify(result));
  const { problems } = parseTask(result.request);
  assert.deepEqual(problems ?? [], []);
  assert.equal(result.request.url, TARGET);
  return result.request;
};

/** The members of a request that a parameter changed, compared with the same call without it. */
const PLAIN = { timeout_ms: 70_000, router: { only: ['http', 'http_impersonate'] } };

describe('calls of ScrapingBee and its like as scrape requests', () => {
  test('the name of the key, or a name of one API alone, says what the defaults are', () => {
    for (const [parameters, scraper, timeout] of [
      [{}, 'browser', 140_000],
      [{ api_key: 'k' }, 'browser', 140_000],
      [{ api_key: 'k', premium: 'true' }, 'auto', 70_000],
      [{ 'x-api-key': 'k' }, 'browser', 60_000],
      [{ token: 't' }, 'auto', 60_000],
      [{ customWait: '5', render: 'true' }, 'browser', 70_000],
      [{ token: 't', render: 'true' }, 'browser', 60_000],
      [{ 'x-api-key': 'k', timeout: '20' }, 'browser', 20_000],
      [{ api_key: 'k', timeout: '20000' }, 'browser', 20_000],
    ] as const) {
      const request = translated(parameters);
      assert.deepEqual([request.scraper, request.timeout_ms], [scraper, timeout], JSON.stringify(parameters));
    }
  });

  test('synonyms lead to the same member', () => {
    const cases: readonly (readonly [
      readonly Readonly<Record<string, string>>[],
      Readonly<Record<string, unknown>>,
    ])[] = [
      [
        [{ country_code: 'de' }, { 'x-api-key': 'k', proxy_country: 'DE' }, { token: 't', geoCode: 'de' }],
        { proxy: { country: 'DE' } },
      ],
      [[{ render: 'false', country_code: 'uk' }], { proxy: { country: 'GB' }, ...PLAIN }],
      [
        [
          { premium_proxy: 'true' },
          { token: 't', super: 'true' },
          { 'x-api-key': 'k', proxy_type: 'residential' },
        ],
        { proxy: { type: 'residential' } },
      ],
      [
        [{ session_id: '7' }, { api_key: 'k', session_number: '7' }, { token: 't', sessionId: '7' }],
        { proxy: { session: '7', session_ttl_s: 300 } },
      ],
      [[{ wait: '500' }, { token: 't', render: 'true', customWait: '500' }], { wait_for_timeout_ms: 500 }],
      [
        [{ wait_browser: 'networkidle2' }, { token: 't', render: 'true', waitUntil: 'networkidle2' }],
        { wait_for_load_state: 'networkidle2' },
      ],
      [[{ cookies: 'a=1;b=2' }, { token: 't', setCookies: 'a=1; b=2' }], { cookies: { a: '1', b: '2' } }],
      [[{ render: 'false', follow_redirect: 'false' }], { allow_redirects: false }],
      [
        [{ own_proxy: 'http://u:p@proxy.example:8080' }],
        { proxy: { server: 'http://u:p@proxy.example:8080' } },
      ],
      [[{ tag: 'mine' }], { router: { tags: { tag: 'mine' } } }],
      [[{ device: 'mobile', render_js: 'false' }], { scraper: 'http_impersonate' }],
      [[{ max_cost: '2.5' }], { router: { max_cost: 2.5, only: ['http', 'http_impersonate'] } }],
    ];
    for (const [calls, members] of cases)
      for (const call of calls) {
        const request = translated(call);
        const picked = Object.fromEntries(Object.keys(members).map((name) => [name, request[name]]));
        assert.deepEqual(picked, members, JSON.stringify(call));
      }
  });

  test('images and style sheets are blocked as theirs does, but not for screenshots', () => {
    const blocked = (parameters: Readonly<Record<string, string>>) =>
      (translated(parameters).scraper_options as Record<string, unknown> | undefined)?.block;
    const types = { resource_types: ['image', 'stylesheet'] };
    assert.deepEqual(blocked({}), types);
    assert.deepEqual(blocked({ token: 't', render: 'true' }), types);
    assert.equal(blocked({ screenshot: 'true' }), undefined);
    assert.equal(blocked({ block_resources: 'false' }), undefined);
    assert.equal(blocked({ 'x-api-key': 'k' }), undefined);
  });

  test('no name has two meanings in an API', () => {
    for (const api of ['scrapingbee', 'scraperapi', 'scrapingant', 'scrapedo'] as const) {
      const names = PARAMETERS.flatMap((parameter) => parameter.names[api] ?? []);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
    }
  });

  test('the guide has every parameter', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/from-scrapingbee.md'), 'utf8');
    const names = PARAMETERS.flatMap((parameter) => Object.values(parameter.names));
    // A slip of the pen in a client library.
    assert.deepEqual(
      names.filter((name) => name !== 'scaper_sdk' && !guide.includes(`\`${name}\``)),
      [],
    );
  });

  test('says what is wrong, and with which parameter', () => {
    for (const [text, words] of [
      ['', 'no parameter `url`'],
      ['https://app.scrapingbee.com/api/v1/', 'no parameter `url`'],
      [`url=${TARGET}`, '`y`, which is not known here; if it belongs to the target URL, encode that URL'],
      ['url=u&wait=1&wait=2', '`wait`, which is given more than once'],
      ['url=u&cookies=abc', '`cookies`, which must be'],
      ['url=u&js_snippet=%3F', '`js_snippet`, which must be a script in Base64'],
      ['url=u&js_scenario={"instructions":[{"infinite_scroll":{"end_click":{}}}]}', 'end_click'],
      ['url=u&render_js=false&screenshot=true', '`screenshot`, which needs a browser'],
    ] as const) {
      const result = importScrapingBee(text);
      assert.ok('problem' in result, text);
      assert.ok(result.problem.includes(words), `${text}: ${result.problem}`);
    }
  });
});
