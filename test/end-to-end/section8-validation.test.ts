import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { post, refusing, SCRAPE } from './refusing.ts';

describe('contract §8: 400 request.validation', () => {
  const site = useSite();
  const service = useService();
  const { refused } = refusing(service);

  const url = 'http://127.0.0.1:9/';
  const cases: [string, unknown, string][] = [
    ['no object', [], ''],
    ['no URL', {}, '/url'],
    ['a null URL', { url: null }, '/url'],
    ['a relative URL', { url: '/x' }, '/url'],
    ['another scheme', { url: 'ftp://example.com/' }, '/url'],
    ['a URL of 8,193 characters', { url: `${url}${'a'.repeat(8193 - url.length)}` }, '/url'],
    ['an unknown member', { url, urls: 'x' }, '/urls'],
    ['an unknown member that needs escaping', { url, 'a/b~c': 1 }, '/a~1b~0c'],
    ['an unknown method', { url, method: 'TRACE' }, '/method'],
    ['a number as text', { url, timeout_ms: '5000' }, '/timeout_ms'],
    ['a boolean as text', { url, allow_redirects: 'true' }, '/allow_redirects'],
    ['a header with a line break', { url, headers: { 'X-A': 'a\r\nb' } }, '/headers/X-A'],
    ['a header with an invalid name', { url, headers: { 'X A': 'a' } }, '/headers/X A'],
    ['a header value that is an object', { url, headers: { 'X-A': {} } }, '/headers/X-A'],
    ['an unknown scraper', { url, scraper: 'curl' }, '/scraper'],
    ['an unknown option', { url, scraper_options: { max_bytes: 1 } }, '/scraper_options/max_bytes'],
    [
      'content beyond 50 MiB',
      { url, scraper_options: { max_content_bytes: 52_428_801 } },
      '/scraper_options/max_content_bytes',
    ],
    ['51 redirects', { url, scraper_options: { max_redirects: 51 } }, '/scraper_options/max_redirects'],
    ['an unknown proxy type', { url, proxy: 'satellite' }, '/proxy'],
    ['a proxy URL with a path', { url, proxy: 'http://proxy.example:8080/x' }, '/proxy'],
    ['a custom proxy without a server', { url, proxy: { type: 'custom' } }, '/proxy/server'],
    ['a country of an own proxy', { url, proxy: { server: 'http://a:1', country: 'DE' } }, '/proxy/country'],
    ['on_blocked with a word of its own', { url, router: { on_blocked: 'retry' } }, '/router/on_blocked'],
    ['a negative cost cap', { url, router: { max_cost: -1 } }, '/router/max_cost'],
    ['a cost cap as text', { url, router: { max_cost: '1' } }, '/router/max_cost'],
    ['an unknown router member', { url, router: { max_costs: 1 } }, '/router/max_costs'],
    ['11 attempts', { url, router: { max_attempts: 11 } }, '/router/max_attempts'],
    ['an unknown scraper in order', { url, router: { order: ['http', 'curl'] } }, '/router/order/1'],
    [
      'credentials of a proxy in two places',
      { url, proxy: { server: 'http://me@127.0.0.1:1', password: 'p' } },
      '/proxy/password',
    ],
    ['a selector that is none', { url, router: { accept: { selector: 'a[' } } }, '/router/accept/selector'],
    ['a JSONPath that is none', { url, router: { accept: { json_path: '$[' } } }, '/router/accept/json_path'],
    [
      '11 tags',
      { url, router: { tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, 'x'])) } },
      '/router/tags',
    ],
    ['an unknown action', { url, page_actions: [{ type: 'dance' }] }, '/page_actions/0/type'],
    [
      'an action without its selector',
      { url, page_actions: [{ type: 'wait', ms: 1 }, { type: 'click' }] },
      '/page_actions/1/selector',
    ],
    [
      '301 cookies',
      { url, cookies: Array.from({ length: 301 }, (_, n) => ({ name: `c${n}`, value: '' })) },
      '/cookies',
    ],
  ];
  for (const [name, body, pointer] of cases)
    test(`${name} → ${pointer || 'the whole'}`, async () => {
      const reply = await refused('POST', SCRAPE, 400, 'request.validation', post(body));
      assert.equal(reply.body.errors[0]?.pointer, pointer, reply.text);
    });

  test('the error for an unknown scraper lists the known ones', async () => {
    const { body } = await refused('POST', SCRAPE, 400, 'request.validation', post({ url, scraper: 'curl' }));
    for (const name of ['http', 'http_impersonate', 'browser', 'browser_stealth', 'auto'])
      assert.ok(body.detail.includes(name), body.detail);
    assert.ok(body.detail.includes('curl'), 'and what was given');
  });

  test('a value that this version lacks is refused as not available', async () => {
    const { body } = await refused(
      'POST',
      SCRAPE,
      400,
      'request.validation',
      post({ url, router: { archive: 'har' } }),
    );
    assert.match(body.detail, /not available in this version/);
  });

  test('error messages list only values that are allowed', async () => {
    const { body } = await refused(
      'POST',
      SCRAPE,
      400,
      'request.validation',
      post({ url, method: 'POST', data: { $form: 'a=b' } }),
    );
    assert.match(body.detail, /\$form` must be an object or an array of pairs .*\$raw.*, got a string$/);
  });

  test('one response lists all errors, at most ten', async () => {
    const three = await refused(
      'POST',
      SCRAPE,
      400,
      'request.validation',
      post({ method: 1, timeout_ms: 1, screenshot: 'x' }),
    );
    const pointers = three.body.errors.map((error) => error.pointer).sort();
    assert.deepEqual(pointers, ['/method', '/screenshot', '/timeout_ms', '/url']);
    const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`unknown_${n}`, n]));
    const many = await refused('POST', SCRAPE, 400, 'request.validation', post({ url, ...unknown }));
    assert.equal(many.body.errors.length, 10);
  });

  test('null counts as omitted', async () => {
    const fields = [
      'method',
      'headers',
      'query',
      'data',
      'cookies',
      'timeout_ms',
      'allow_redirects',
      'browser_type',
      'headless',
      'wait_for_selector',
      'wait_for_timeout_ms',
      'wait_for_load_state',
      'page_actions',
      'screenshot',
      'scraper',
      'scraper_options',
      'proxy',
      'router',
    ];
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    const { status } = await service.scrape({ url: `${site.url}/text`, ...nulls });
    assert.equal(status, 200);
  });

  test('a browser-only field whose value requests nothing needs no browser', async () => {
    const nothing = { headless: true, wait_for_timeout_ms: 0, page_actions: [], screenshot: false };
    const { status } = await service.scrape({ url: `${site.url}/text`, ...nothing, scraper: 'http' });
    assert.equal(status, 200);
  });
});
