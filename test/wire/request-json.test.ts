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
  const text = task.requestJson(['/page_actions/4']);
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

test('typed text is masked, unless a browser says that the field is not for secrets', () => {
  const actions = [
    { fill: { selector: '#q', value: 'words' } },
    { type: 'type', text: 'words' },
    { action: 'fill', selector: '#q', value: 'words' },
    { if: { selector: '#a', then: [{ type: { text: 'words' } }], else: [{ type: 'wait', ms: 1 }] } },
    { type: 'if', selector: '#a', then: [{ fill: { selector: '#q', value: 'words' } }] },
    { select: { selector: '#s', value: 'words' } },
  ];
  const task = jobOf({ page_actions: actions });
  assert.deepEqual(JSON.parse(task.requestJson()).page_actions, [
    { fill: { selector: '#q', value: '***' } },
    { type: 'type', text: '***' },
    { action: 'fill', selector: '#q', value: '***' },
    { if: { selector: '#a', then: [{ type: { text: '***' } }], else: [{ type: 'wait', ms: 1 }] } },
    { type: 'if', selector: '#a', then: [{ fill: { selector: '#q', value: '***' } }] },
    { select: { selector: '#s', value: 'words' } },
  ]);
  const pointers = [0, 1, 2, '3/then/0', '4/then/0'].map((at) => `/page_actions/${at}`);
  assert.deepEqual(JSON.parse(task.requestJson(pointers)).page_actions, actions);
});

test('without a run, selectors tell as far as they can', () => {
  const masked = (page_actions: readonly object[]) =>
    JSON.parse(maskedRequestJson({ url: 'http://a/', page_actions }, 'by_selector')).page_actions;
  const plain = { fill: { selector: '#q', value: 'words' } };
  assert.deepEqual(masked([plain]), [plain]);
  assert.equal(masked([{ fill: { selector: '#pw', value: 'geheim' } }])[0].fill.value, '***');
  assert.equal(masked([{ type: { text: 'geheim' } }])[0].type.text, '***');
});

test('members of data and query with the names of secrets are masked', () => {
  const names = [
    ...['password', 'Password', 'userPassword', 'user[password]', 'passwd', 'pass', 'pwd', 'j_password'],
    ...[
      'new-password',
      'passwort',
      'kennwort',
      'mdp',
      'contraseña',
      'senha',
      'client_secret',
      'access_token',
    ],
    ...['refreshToken', 'api_key', 'apiKey', 'otp', 'otp_code', 'totp', 'pin', 'card_pin', 'cvv', 'cvc2'],
    ...['cardNumber', 'card[number]', 'creditCard', 'sig', 'X-Signature'],
  ];
  for (const name of names) {
    const form = `a=1&${encodeURIComponent(name)}=geheim&b=2`;
    const multipart = `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\ngeheim\r\n--x--\r\n`;
    const bodies: readonly unknown[] = [
      { [name]: 'geheim', a: 1 },
      { user: { [name]: 'geheim' } },
      [{ [name]: 'geheim' }],
      JSON.stringify({ variables: { [name]: 'geheim' } }),
      form,
      { $form: { [name]: 'geheim' } },
      { $form: [[name, 'geheim']] },
      { $json: { [name]: 'geheim' } },
      { $raw: form },
      { $base64: Buffer.from(form).toString('base64') },
      { $multipart: [{ name, value: 'geheim' }] },
      multipart,
      [{ name, value: 'geheim' }],
    ];
    for (const data of bodies) {
      const text = maskedRequestJson({ url: 'http://a/', data });
      assert.doesNotMatch(text, /geheim|Z2VoZWlt/, `${name}: ${text}`);
    }
    for (const query of [
      { [name]: 'geheim' },
      [[name, 'geheim']],
      [{ name, value: 'geheim' }],
      [`${name}=geheim`],
    ])
      assert.doesNotMatch(maskedRequestJson({ url: 'http://a/', query }), /geheim/, name);
  }
  assert.doesNotMatch(
    maskedRequestJson({ url: 'http://a/', data: '<s:Body><u:Password t="x">geheim</u:Password></s:Body>' }),
    /geheim/,
  );
});

test('a long text is masked as a whole', () => {
  const long = `q=${'a'.repeat(300_000)}&x=geheim`;
  for (const data of [long, { $raw: long }, { $base64: Buffer.from(long).toString('base64') }])
    assert.doesNotMatch(maskedRequestJson({ url: 'http://a/', data }), /geheim|aaaa/);
});

test('other members of data and query stay as they are', () => {
  const names = [
    'passenger',
    'compass',
    'shipping',
    'keyboard',
    'author',
    'spin',
    'tank',
    'user',
    'q',
    'page',
  ];
  for (const name of names) {
    const form = `${name}=open&b=2`;
    const bodies = [
      { [name]: 'open' },
      JSON.stringify({ [name]: 'open' }),
      form,
      { $multipart: [{ name, value: 'open' }] },
    ];
    for (const data of bodies) {
      const request = { url: 'http://a/', data, query: { [name]: 'open' } };
      assert.deepEqual(JSON.parse(maskedRequestJson(request)), request, name);
    }
  }
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
