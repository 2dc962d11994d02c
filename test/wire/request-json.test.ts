// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretHeader, maskHeaders } from '../../src/wire/answer/headers-json.ts';
import { maskedRequestJson } from '../../src/wire/request/masked-request.ts';
import { jobOf } from './job-of.ts';

test('the request as received, with secrets masked', () => {
  const task = jobOf({
    url: 'http://us:geheim@site.test/a?b=c',
    headers: {
      Accept: '*/*',
      authorization: 'Bearer geheim',
      Cookie: 'sid=geheim; x=geheim',
      'X-Api-Key': ['geheim', 'geheim'],
      'X-Client-Secret': 'geheim',
    },
    cookies: [{ name: 'n', value: 'geheim', httpOnly: true }, 'm=geheim'],
    page_actions: [
      { goto: 'http://u:geheim@x.test/' },
      { if: { selector: 'a', then: [{ type: 'goto', url: 'http://geheim@y.test' }] } },
      { fill: { selector: 'input[type=password]', value: 'geheim' } },
      { type: 'type', selector: { type: 'css', value: '#user_PIN' }, text: 'geheim' },
      { type: 'fill', selector: '#q', value: 'open' },
    ],
    scraper_options: {
      storage_state: {
        cookies: [{ name: 'n', value: 'geheim', domain: 'site.test', path: '/' }],
        origins: [{ origin: 'http://site.test', localStorage: [{ name: 'n', value: 'geheim' }] }],
      },
    },
    timeout_ms: 5000,
    data: { a: [1] },
  });
  const text = task.requestJson();
  assert.doesNotMatch(text, /geheim/);
  assert.deepEqual(JSON.parse(text), {
    url: 'http://***:***@site.test/a?b=c',
    headers: {
      Accept: '*/*',
      authorization: '***',
      Cookie: 'sid=***; x=***',
      'X-Api-Key': ['***', '***'],
      'X-Client-Secret': '***',
    },
    cookies: [{ name: 'n', value: '***', httpOnly: true }, 'm=***'],
    page_actions: [
      { goto: 'http://***:***@x.test/' },
      { if: { selector: 'a', then: [{ type: 'goto', url: 'http://***@y.test/' }] } },
      { fill: { selector: 'input[type=password]', value: '***' } },
      { type: 'type', selector: { type: 'css', value: '#user_PIN' }, text: '***' },
      { type: 'fill', selector: '#q', value: 'open' },
    ],
    scraper_options: { storage_state: '***' },
    timeout_ms: 5000,
    data: { a: [1] },
  });
});

test('passwords of proxies are masked', () => {
  const masked = (proxy: unknown) => JSON.parse(maskedRequestJson({ url: 'http://a/', proxy })).proxy;
  assert.equal(masked('http://u:geheim@p:8000'), 'http://***:***@p:8000/');
  assert.equal(masked('socks5://u:geheim@p:8000'), 'socks5://***:***@p:8000');
  assert.equal(masked('nonsense geheim@'), '***');
  assert.deepEqual(masked({ server: 'http://u:geheim@p', username: 'u', password: 'geheim' }), {
    server: 'http://***:***@p/',
    username: 'u',
    password: '***',
  });
  assert.deepEqual(JSON.parse(maskedRequestJson({ url: 'http://a/', cookies: { sid: 'geheim' } })).cookies, {
    sid: '***',
  });
});

test('a proxy without a scheme is read as http, and masked as such', () => {
  for (const server of [
    'bob:geheim@gate.test:8000',
    'bob-cc-de:geheim@gate',
    'u+1:geheim@[::1]:80',
    'u_s:geheim@g:1',
  ])
    for (const proxy of [{ server }, { type: 'custom', server }]) {
      const text = jobOf({ proxy }).requestJson();
      assert.doesNotMatch(text, /geheim/);
      assert.match(text, /"server":"http:\/\/\*\*\*:\*\*\*@/);
    }
  assert.match(jobOf({ proxy: { server: 'gate.test:8000' } }).requestJson(), /"server":"gate\.test:8000"/);
});

test('typed text is masked, unless the focus is known to be in a field that is not secret', () => {
  const typed = (...page_actions: readonly object[]) =>
    JSON.parse(
      jobOf({ page_actions: [...page_actions, { type: 'type', text: 'words' }] }).requestJson(),
    ).page_actions.at(-1).text;
  assert.equal(typed(), '***');
  assert.equal(typed({ click: 'input[type=password]' }), '***');
  assert.equal(typed({ type: 'fill', selector: '#pw', value: 'x' }, { wait: 5 }), '***');
  assert.equal(typed({ click: '#q' }), 'words');
  assert.equal(typed({ click: { type: 'css', value: '#q' } }, { type: { text: 'more ' } }), 'words');
  assert.equal(typed({ action: 'click', selector: '#q' }, { wait: 5 }), 'words');
  assert.equal(typed({ click: '#q' }, { press: 'Tab' }), '***');
  assert.equal(typed({ click: '#q' }, { click: { x: 1, y: 2 } }), '***');
  assert.equal(typed({ fill: { selector: '#q', value: 'x' } }, { evaluate: 'f()' }), '***');
  const inside = { if: { selector: '#a', then: [{ type: { text: 'words' } }] } };
  const masked = JSON.parse(jobOf({ page_actions: [{ click: '#pass' }, inside] }).requestJson());
  assert.equal(masked.page_actions[1].if.then[0].type.text, '***');
  const fill = { fill: { selector: '#pw', value: 'geheim' } };
  assert.doesNotMatch(jobOf({ page_actions: [fill] }).requestJson(), /geheim/);
});

test('which headers are secret', () => {
  for (const name of [
    'authorization',
    'x-api-key',
    'api-key',
    'apikey',
    'x-auth-token',
    'x-csrf-token',
    'x-secret',
    'password',
    'x-auth',
    'x-auth-key',
    'x-access-key',
    'x_api_key',
    'x-session-id',
    'ocp-apim-subscription-key',
  ]) {
    assert.ok(isSecretHeader(name), name);
  }
  for (const name of ['accept', 'user-agent', 'referer', 'host', 'x-request-id', 'keyboard']) {
    assert.ok(!isSecretHeader(name), name);
  }
  assert.deepEqual(
    maskHeaders([
      ['cookie', 'a=1; b=2; c'],
      ['x-token', 't'],
      ['accept', '*/*'],
    ]),
    [
      ['cookie', 'a=***; b=***; ***'],
      ['x-token', '***'],
      ['accept', '*/*'],
    ],
  );
});

test('a proxy in the notation of a list becomes a URL with masked secrets', () => {
  for (const text of [
    'user:geheim@gate.test:8000',
    'gate.test:8000:user:geheim',
    'http://gate.test:8000:user:geheim',
  ])
    for (const proxy of [text, { server: text }])
      assert.match(jobOf({ proxy }).requestJson(), /"http:\/\/\*\*\*:\*\*\*@gate\.test:8000\/"/);
});
