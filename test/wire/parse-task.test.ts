import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_BROWSER_OPTIONS, readReserveMs } from '../../src/domain/browser-options.ts';
import { DEFAULT_PROXY_OPTIONS } from '../../src/domain/proxy.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';
import { jobOf, problemsOf, refused } from './job-of.ts';

describe('the request as a whole', () => {
  test('defaults', () => {
    const { task } = parseTask({ url: 'http://site.test' });
    assert.ok(task);
    const { requestJson, browser, options, ...rest } = task;
    assert.deepEqual(browser, DEFAULT_BROWSER_OPTIONS);
    assert.deepEqual(options, {
      ...DEFAULT_SCRAPER_OPTIONS,
      maxContentBytes: 10_485_760,
      verifyTls: true,
      http2: 'auto',
      impersonate: null,
      maxRedirects: 20,
      userAgent: null,
      contentEncoding: 'auto',
      formats: [],
      extract: null,
      javascript: true,
      waitForSelectorState: 'visible',
    });
    assert.deepEqual(rest, {
      url: 'http://site.test/',
      host: 'site.test',
      method: 'GET',
      finds: null,
      isProxied: false,
      isRelayed: false,
      headers: [],
      cookies: [],
      body: null,
      timeoutMs: 60_000,
      allowRedirects: true,
      requested: [],
      scraper: 'auto',
      template: null,
      proxyType: 'datacenter',
      proxy: DEFAULT_PROXY_OPTIONS,
      router: {
        sort: 'balanced',
        escalateProxy: [],
        order: [],
        only: [],
        ignore: [],
        allowFallbacks: true,
        maxAttempts: null,
        accept: null,
        notify: null,
        onBlocked: 'return',
        forwardCredentials: false,
        maxCost: null,
        robots: 'ignore',
        dryRun: false,
        trace: true,
        tags: {},
        retain: 'full',
        webhook: null,
        compareTo: null,
      },
    });
    assert.equal(requestJson(), '{"url":"http://site.test"}');
    assert.ok(Object.isFrozen(task));
  });

  test('a body that is not an object', () => {
    for (const body of [null, [], 'x', 5, true, undefined]) {
      const { problems } = parseTask(body);
      assert.equal(problems?.length, 1);
      assert.equal(problems[0]!.pointer, '');
      assert.match(problems[0]!.message, /JSON object/);
    }
  });

  test('a missing url, an unknown member, ten problems at most', () => {
    assert.equal(parseTask({}).problems?.[0]?.pointer, '/url');
    refused({ timeoutms: 5000 }, '/timeoutms', /unknown.*timeout_ms/);
    for (const [name, place] of [
      ['formats', '/scraper_options/formats'],
      ['extract', '/scraper_options/extract'],
      ['viewport', '/scraper_options/viewport'],
      ['max_attempts', '/router/max_attempts'],
      ['country', '/proxy/country'],
    ])
      refused({ [name!]: [] }, `/${name}`, new RegExp(`did you mean \`${place}\`\\? Known here are url, `));
    refused({ constructor: 1 }, '/constructor', /unknown \("constructor"\); known here are url, /);
    refused({ 'a/b~c': 1 }, '/a~1b~0c');
    refused(JSON.parse('{"__proto__": {}}'), '/__proto__');
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, 1]));
    assert.equal(problemsOf(many).length, 10);
  });

  test('null for an optional member is the same as omitting it', () => {
    const names = [
      'method headers query data cookies timeout_ms allow_redirects browser_type headless wait_for_selector',
      'wait_for_timeout_ms wait_for_load_state page_actions screenshot scraper scraper_options proxy router',
    ].join(' ');
    const task = jobOf(Object.fromEntries(names.split(' ').map((name) => [name, null])));
    assert.equal(task.scraper, 'auto');
    assert.deepEqual(task.requested, []);
    assert.equal(task.body, null);
    jobOf({
      scraper_options: { locale: null, viewport: { width: null } },
      router: { sort: null, accept: null },
    });
    jobOf({ proxy: { type: null, server: null }, cookies: [{ name: 'a', value: 'b', path: null }] });
    refused({ unknown: null }, '/unknown', /unknown/);
    refused({ router: { unknown: null } }, '/router/unknown', /unknown/);
    refused({ scraper_options: { viewport: { w: null } } }, '/scraper_options/viewport/w', /unknown/);
    assert.equal(parseTask({ url: null }).problems?.[0]?.pointer, '/url');
  });

  test('nothing is coerced or clamped', () => {
    refused({ timeout_ms: '5000' }, '/timeout_ms', /must be a number, got "5000"/);
    refused({ allow_redirects: 1 }, '/allow_redirects', /boolean, got 1/);
    refused({ headless: 'true' }, '/headless');
    refused(
      { scraper_options: { max_redirects: 51 } },
      '/scraper_options/max_redirects',
      /between 0 and 50, got 51/,
    );
    refused({ query: 5 }, '/query', /an object or an array, got 5/);
    refused({ headers: { A: {} } }, '/headers/A', /a string, a number, a boolean, null or an array/);
  });

  test('secrets are not quoted', () => {
    const messagesOf = (request: object) => JSON.stringify(problemsOf(request));
    assert.doesNotMatch(messagesOf({ url: 'http://user:geheim@' }), /geheim/);
    assert.doesNotMatch(messagesOf({ url: 'http:\\\\us\ter:geheim@:x' }), /geheim/);
    assert.doesNotMatch(messagesOf({ proxy: 'geheim://geheim' }), /geheim/);
    assert.doesNotMatch(messagesOf({ proxy: { password: { a: 1 }, type: 'geheim' } }), /geheim/);
    assert.doesNotMatch(messagesOf({ headers: { Authorization: 'geheim\n' } }), /geheim/);
    assert.doesNotMatch(messagesOf({ cookies: { a: 'geheim\n' } }), /geheim/);
    assert.doesNotMatch(messagesOf({ cookies: [{ name: 'a', value: 'b', secure: 'geheim' }] }), /geheim/);
    for (const request of [
      { proxy: { server: 'http://a:1', username: 'a', password: 914_327 } },
      { cookies: 914_327 },
      { scraper_options: { storage_state: 914_327 } },
    ]) {
      assert.match(messagesOf(request), /got a number/);
      assert.doesNotMatch(messagesOf(request), /914327/);
    }
  });
});

describe('url and query', () => {
  const cases: readonly (readonly [url: string, query: unknown, expected: string])[] = [
    ['HTTP://Site.TEST:80/a/../b', undefined, 'http://site.test/b'],
    [' http://site.test/\t', undefined, 'http://site.test/'],
    ['http://si\nte.test/a b', undefined, 'http://site.test/a%20b'],
    ['http://bücher.test/', undefined, 'http://xn--bcher-kva.test/'],
    ['http://site.test/#frag', { a: 1 }, 'http://site.test/?a=1#frag'],
    ['http://site.test/?b=2+3%20x', { a: 'c d' }, 'http://site.test/?b=2+3%20x&a=c%20d'],
    ['http://site.test/?', { a: 1 }, 'http://site.test/?a=1'],
    ['http://site.test/?b&', { a: 1 }, 'http://site.test/?b&a=1'],
    [
      'http://site.test/',
      { a: ['x', 'y'], b: null, c: true, d: false, e: 1.5 },
      'http://site.test/?a=x&a=y&c=true&d=false&e=1.5',
    ],
    ['http://site.test/', { a: ['x', null] }, 'http://site.test/?a=x'],
    ['http://site.test/', {}, 'http://site.test/'],
    ['http://site.test/', [], 'http://site.test/'],
    [
      'http://site.test/',
      [
        ['b', 1],
        ['a', 2],
        ['b', null],
      ],
      'http://site.test/?b=1&a=2',
    ],
    [
      'http://site.test/',
      [
        { name: 'b', value: 1 },
        { name: 'a', value: '' },
      ],
      'http://site.test/?b=1&a=',
    ],
    ['http://site.test/', { 'ä&=': "'#?/" }, 'http://site.test/?%C3%A4%26%3D=%27%23%3F%2F'],
    ['http://site.test/', { a: '\ud800' }, 'http://site.test/?a=%EF%BF%BD'],
    ['http://[::1]:8080/', undefined, 'http://[::1]:8080/'],
    ['http://0x7f.1/', undefined, 'http://127.0.0.1/'],
  ];
  for (const [url, query, expected] of cases) {
    test(`${JSON.stringify(url)} and ${JSON.stringify(query)}`, () => {
      const task = jobOf({ url, ...(query === undefined ? {} : { query }) });
      assert.equal(task.url, expected);
      assert.equal(new URL(task.url).href, expected);
      assert.equal(task.host, new URL(expected).hostname);
    });
  }

  for (const url of [
    '',
    'site.test',
    '/path',
    'http://',
    'http:///',
    'ftp://site.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'about:blank',
    'http://a b/',
    'http://site.test:99999/',
    'http://[::1',
    'ws://site.test/',
  ]) {
    test(`refused: ${url}`, () => {
      refused({ url }, '/url');
    });
  }

  test('8,192 characters, query included', () => {
    const base = 'http://site.test/?a=';
    assert.equal(jobOf({ url: base + 'x'.repeat(8192 - base.length) }).url.length, 8192);
    refused({ url: base + 'x'.repeat(8193 - base.length) }, '/url', /8193.*8192/);
    refused({ query: { a: 'x'.repeat(8192) } }, '/query', /at most 8192/);
    refused({ url: `http://site.test/${'ä'.repeat(1500)}` }, '/url', /at most 8192/);
    refused({ url: 'x'.repeat(1_000_000) }, '/url', /at most 8192/);
  });

  test('the shapes of query', () => {
    refused({ query: { a: { b: 1 } } }, '/query/a');
    refused({ query: [['a']] }, '/query/0');
    refused({ query: [['a', 1, 2]] }, '/query/0');
    refused({ query: [{ name: 'a' }] }, '/query/0/value');
    refused({ query: [{ name: 'a', value: 1, x: 1 }] }, '/query/0/x');
    refused({ query: ['a'] }, '/query/0', /name=value/);
  });

  test('credentials become Authorization, and leave the URL', () => {
    const task = jobOf({ url: 'http://us%40er:p%C3%A4ss%zz@site.test/', headers: { A: '1' } });
    assert.equal(task.url, 'http://site.test/');
    assert.deepEqual(task.headers, [
      ['A', '1'],
      ['Authorization', `Basic ${Buffer.from('us@er:päss%zz').toString('base64')}`],
    ]);
    assert.equal(task.requestJson().includes('ss%'), false);
    const own = jobOf({ url: 'http://u:p@site.test/', headers: { authorization: 'Bearer x' } });
    assert.deepEqual(own.headers, [['authorization', 'Bearer x']]);
    assert.deepEqual(jobOf({ url: 'http://u@site.test/' }).headers[0]?.[1], `Basic ${btoa('u:')}`);
    const bytes = Buffer.from(jobOf({ url: 'http://%ff:x@site.test/' }).headers[0]![1].slice(6), 'base64');
    assert.deepEqual([...bytes], [0xff, 0x3a, 0x78]);
  });
});

describe('method and headers', () => {
  test('methods in any letter case', () => {
    for (const method of ['GET', 'head', 'Post', 'put', 'PATCH', 'delete', 'options']) {
      assert.equal(jobOf({ method }).method, method.toUpperCase());
    }
    for (const method of ['TRACE', 'CONNECT', '', 'GE T', 'BREW'])
      refused({ method }, '/method', /GET, HEAD/);
    refused({ method: 5 }, '/method');
  });

  test('order, arrays, names that differ in letter case', () => {
    const task = jobOf({ headers: { 'X-B': '1', 'x-a': ['2', '3'], 'X-b': '4', Empty: '', None: [] } });
    assert.deepEqual(task.headers, [
      ['X-B', '1'],
      ['x-a', '2'],
      ['x-a', '3'],
      ['X-b', '4'],
      ['Empty', ''],
    ]);
  });

  test('forbidden names', () => {
    const names =
      'connection keep-alive proxy-authorization proxy-connection proxy-x te trailer transfer-encoding upgrade expect host content-length';
    for (const name of names.split(' ')) {
      refused({ headers: { [name]: 'x' } }, `/headers/${name}`, /cannot be set/);
      refused({ headers: { [name.toUpperCase()]: 'x' } }, `/headers/${name.toUpperCase()}`);
    }
  });

  test('names and values that cannot be sent', () => {
    for (const name of ['', 'a b', 'a:', 'ä', 'a\r\nb', '(a)', 'a\0']) {
      refused({ headers: { [name]: 'x' } }, `/headers/${name}`, /not a header name/);
    }
    refused({ headers: { 'a/b~c': 'x' } }, '/headers/a~1b~0c');
    for (const value of ['a\rb', 'a\nb', 'a\0b', 'a\r\n b', '\u0001', '\u007f', '€', '\u{1f600}']) {
      refused({ headers: { A: value } }, '/headers/A');
      refused({ headers: { A: ['x', value] } }, '/headers/A');
    }
    assert.equal(
      jobOf({ headers: { A: ' ü\tx ' } }).headers[0]?.[1],
      'ü\tx',
      'spaces around a value do not belong to it',
    );
  });
});

describe('query, headers and cookies', () => {
  const SHAPES: readonly (readonly [shape: unknown, sent: readonly (readonly [string, string])[]])[] = [
    [
      { a: '1', b: 2, c: true, d: null, e: 0, f: '' },
      [
        ['a', '1'],
        ['b', '2'],
        ['c', 'true'],
        ['e', '0'],
        ['f', ''],
      ],
    ],
    [
      { a: ['1', 2, false, null], b: [] },
      [
        ['a', '1'],
        ['a', '2'],
        ['a', 'false'],
      ],
    ],
    [
      [
        ['a', '1'],
        ['b', 1.5],
        ['c', null],
        ['a', false],
      ],
      [
        ['a', '1'],
        ['b', '1.5'],
        ['a', 'false'],
      ],
    ],
    [
      [
        { name: 'a', value: '1' },
        { name: 'b', value: 2 },
        { name: 'c', value: null },
      ],
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      ['a=1', ['b', '2'], { name: 'c', value: true }, 'd='],
      [
        ['a', '1'],
        ['b', '2'],
        ['c', 'true'],
        ['d', ''],
      ],
    ],
    [{}, []],
    [[], []],
  ];
  for (const [shape, sent] of SHAPES)
    test(`all take ${JSON.stringify(shape)}`, () => {
      const headers = Array.isArray(shape)
        ? shape.map((entry) => (typeof entry === 'string' ? entry.replace('=', ': ') : entry))
        : shape;
      assert.deepEqual(jobOf({ headers }).headers, sent);
      assert.deepEqual(
        jobOf({ cookies: shape }).cookies.map(({ name, value }) => [name, value]),
        sent,
      );
      assert.deepEqual([...new URL(jobOf({ query: shape }).url).searchParams], sent);
    });

  test('what has another shape is refused by its pointer', () => {
    for (const name of ['query', 'headers', 'cookies'])
      for (const [shape, pointer] of [
        [{ a: {} }, '/a'],
        [{ a: [['b']] }, '/a/0'],
        [['lonely'], '/0'],
        [[['a']], '/0'],
        [[{ name: 'a' }], '/0/value'],
        [[{ name: 'a', value: [1] }], '/0/value'],
        [[5], '/0'],
        ['a=1', ''],
      ] as const)
        assert.equal(
          parseTask({ url: 'http://a.test/', [name]: shape }).problems?.[0]?.pointer,
          `/${name}${pointer}`,
        );
  });

  test('secrets are masked in every shape', () => {
    const shown = (members: object): string => jobOf(members).requestJson();
    for (const headers of [
      { Authorization: 777, 'x-api-key': ['geheim', 777] },
      [
        ['authorization', 'geheim'],
        ['X-Api-Key', 777],
      ],
      [{ name: 'Authorization', value: 'geheim' }],
      ['Authorization: Bearer geheim', 'cookie: a=geheim'],
    ])
      assert.doesNotMatch(shown({ headers }), /geheim|777/);
    for (const cookies of [
      { a: 777, b: ['geheim'] },
      [['a', 'geheim']],
      [{ name: 'a', value: 777 }],
      ['a=geheim'],
    ])
      assert.doesNotMatch(shown({ cookies }), /geheim|777/);
  });
});

describe('cookies', () => {
  const plain = { domain: null, path: null, secure: false, httpOnly: false, sameSite: null, expires: null };

  test('all forms', () => {
    assert.deepEqual(jobOf({ cookies: { Sid: 'a=b', e: '' } }).cookies, [
      { name: 'Sid', value: 'a=b', ...plain },
      { name: 'e', value: '', ...plain },
    ]);
    assert.deepEqual(jobOf({ cookies: ['a=b=c', ' x = y '] }).cookies, [
      { name: 'a', value: 'b=c', ...plain },
      { name: 'x', value: 'y', ...plain },
    ]);
    const full = { name: 'n', value: 'v', domain: '.Site.TEST', path: '/a', secure: true, expires: 5 };
    const read = { name: 'n', value: 'v', domain: 'site.test', path: '/a', secure: true, expires: 5 };
    for (const spelling of [
      { http_only: true, same_site: 'strict' },
      { httpOnly: true, sameSite: 'Strict' },
    ]) {
      assert.deepEqual(jobOf({ cookies: [{ ...full, ...spelling }] }).cookies, [
        { ...read, httpOnly: true, sameSite: 'strict' },
      ]);
    }
    assert.equal(jobOf({ cookies: [{ name: 'n', value: 'v', expires: -1 }] }).cookies[0]?.expires, null);
  });

  test('the Cookie header is merged; `cookies` takes precedence', () => {
    const task = jobOf({ headers: { Cookie: 'a=1; b=2;; c="x y"', X: '1' }, cookies: { b: '3' } });
    assert.deepEqual(
      task.cookies.map(({ name, value }) => [name, value]),
      [
        ['a', '1'],
        ['c', '"x y"'],
        ['b', '3'],
      ],
    );
    assert.deepEqual(task.headers, [['X', '1']]);
    refused({ headers: { Cookie: 'a=1;'.repeat(301) } }, '/headers/Cookie', /more than 300/);
    refused({ headers: { Cookie: `a=1${';'.repeat(601)}b=1` } }, '/headers/Cookie', /more than 300/);
    refused({ headers: { Cookie: 'lonely' } }, '/headers/Cookie', /name=value/);
  });

  test('limits, and values that cannot be sent', () => {
    const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`c${i}`, 'x']));
    assert.equal(jobOf({ cookies: many(300) }).cookies.length, 300);
    refused({ cookies: many(301) }, '/cookies', /at most 300/);
    refused({ cookies: many(300), headers: { Cookie: 'y=1' } }, '/cookies', /at most 300/);
    assert.equal(jobOf({ cookies: { a: 'x'.repeat(4095) } }).cookies.length, 1);
    refused({ cookies: { a: 'x'.repeat(4096) } }, '/cookies/a', /at most 4096/);
    refused({ cookies: { a: 'ü'.repeat(2048) } }, '/cookies/a', /4097 bytes/);
    assert.equal(jobOf({ cookies: { ä: 'Zürich €' } }).cookies[0]?.value, 'Zürich €');
    for (const value of ['a;b', 'a\nb', 'a\0', '\ud800']) refused({ cookies: { a: value } }, '/cookies/a');
    for (const name of ['', 'a=b', 'a;b', 'a\n', ' a'])
      refused({ cookies: { [name]: 'x' } }, `/cookies/${name}`);
    refused({ cookies: 'a=b' }, '/cookies');
    refused({ cookies: ['nope'] }, '/cookies/0');
    refused({ cookies: [5] }, '/cookies/0', /an object, an array or a string/);
    refused({ cookies: [{ name: 'a' }] }, '/cookies/0/value', /required/);
    refused({ cookies: [{ name: 'a', value: 'b', host: true }] }, '/cookies/0/host', /unknown/);
    refused({ cookies: [{ name: 'a', value: 'b', path: 'x' }] }, '/cookies/0/path');
    refused({ cookies: [{ name: 'a', value: 'b', domain: 'a/b' }] }, '/cookies/0/domain');
    refused({ cookies: [{ name: 'a', value: 'b', same_site: 'x' }] }, '/cookies/0/same_site');
    refused({ cookies: [{ name: 'a', value: 'b', expires: 'x' }] }, '/cookies/0/expires');
    refused({ cookies: [{ name: 'a', value: 'b', httpOnly: true, http_only: true }] }, '/cookies/0/httpOnly');
    for (const flags of [
      { httpOnly: true, http_only: null },
      { httpOnly: null, http_only: true },
    ])
      assert.equal(jobOf({ cookies: [{ name: 'a', value: 'b', ...flags }] }).cookies[0]!.httpOnly, true);
    refused({ cookies: [{ name: 'a', value: 'b', path: '/é' }] }, '/cookies/0/path', /ASCII/);
  });
});

describe('times', () => {
  test('timeout_ms', () => {
    assert.equal(jobOf({ timeout_ms: 1000 }).timeoutMs, 1000);
    assert.equal(jobOf({ timeout_ms: 1000.2 }).timeoutMs, 1001);
    assert.equal(jobOf({ timeout_ms: 300_000 }).timeoutMs, 300_000);
    for (const timeout_ms of [999, 999.9, 300_000.1, 300_001, 0, -1]) {
      refused({ timeout_ms }, '/timeout_ms', /between 1000 and 300000/);
    }
    refused({ timeout_ms: Number.POSITIVE_INFINITY }, '/timeout_ms');
  });

  test('the reserve for reading the page', () => {
    const cases = [
      [1000, 1000 / 3],
      [3000, 1000],
      [10_000, 1000],
      [20_000, 2000],
      [50_000, 5000],
      [300_000, 5000],
    ] as const;
    for (const [timeout, reserve] of cases) assert.equal(readReserveMs(timeout), reserve);
  });

  test('wait_for_timeout_ms leaves time for reading the page', () => {
    assert.deepEqual(jobOf({ wait_for_timeout_ms: 55_000 }).requested, ['/wait_for_timeout_ms']);
    refused({ wait_for_timeout_ms: 55_001 }, '/wait_for_timeout_ms', /at most 55000/);
    refused({ wait_for_timeout_ms: 60_001, timeout_ms: 300_000 }, '/wait_for_timeout_ms', /60000/);
    refused({ wait_for_timeout_ms: -1 }, '/wait_for_timeout_ms');
    assert.deepEqual(jobOf({ wait_for_timeout_ms: 60_000, timeout_ms: 65_000 }).timeoutMs, 65_000);
  });
});

describe('browser-only members', () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ browser_type: 'chromium' }, '/browser_type'],
    [{ browser_type: 'edge' }, '/browser_type'],
    [{ headless: false }, '/headless'],
    [{ wait_for_selector: '#a' }, '/wait_for_selector'],
    [{ wait_for_load_state: 'load' }, '/wait_for_load_state'],
    [{ wait_for_load_state: 'networkidle2' }, '/wait_for_load_state'],
    [{ page_actions: [{ reload: true }] }, '/page_actions'],
    [{ screenshot: true }, '/screenshot'],
    [{ scraper_options: { locale: 'de' } }, '/scraper_options/locale'],
    [{ scraper_options: { timezone: 'Europe/Berlin' } }, '/scraper_options/timezone'],
    [{ scraper_options: { viewport: { width: 800 } } }, '/scraper_options/viewport'],
    [{ scraper_options: { device: 'Pixel 7' } }, '/scraper_options/device'],
    [{ scraper_options: { color_scheme: 'dark' } }, '/scraper_options/color_scheme'],
    [{ scraper_options: { geolocation: { latitude: 1, longitude: 0 } } }, '/scraper_options/geolocation'],
    [{ scraper_options: { javascript: false } }, '/scraper_options/javascript'],
    [{ scraper_options: { block: { resource_types: ['image'] } } }, '/scraper_options/block'],
    [{ scraper_options: { screenshot: { full_page: true } } }, '/scraper_options/screenshot'],
    [{ scraper_options: { wait_for_selector_state: 'hidden' } }, '/scraper_options/wait_for_selector_state'],
    [{ scraper_options: { capture: [{ url: '**' }] } }, '/scraper_options/capture'],
    [
      { scraper_options: { storage_state: { origins: [{ origin: 'http://a', localStorage: [] }] } } },
      '/scraper_options/storage_state',
    ],
    [{ scraper_options: { geolocation: { latitude: 0, longitude: 0 } } }, '/scraper_options/geolocation'],
  ];
  for (const [request, pointer] of cases) {
    test(`${JSON.stringify(request)} needs a browser`, () => {
      assert.deepEqual(jobOf(request).requested, [pointer]);
    });
  }

  test('values that need no browser', () => {
    const task = jobOf({
      headless: true,
      wait_for_selector: '',
      wait_for_timeout_ms: 0,
      page_actions: [],
      screenshot: false,
      scraper_options: {
        locale: '',
        javascript: true,
        block: { resource_types: [], ads: false },
        screenshot: { full_page: false },
        capture: [],
        storage_state: {},
        viewport: {},
      },
    });
    assert.deepEqual(task.requested, []);
  });

  test('invalid values', () => {
    refused({ browser_type: 'opera' }, '/browser_type', /chromium, firefox/);
    refused({ wait_for_load_state: 'idle' }, '/wait_for_load_state', /networkidle/);
    refused({ wait_for_selector: 'x'.repeat(2001) }, '/wait_for_selector', /2000/);
    refused({ wait_for_selector: 5 }, '/wait_for_selector');
    refused({ screenshot: {} }, '/screenshot');
    refused({ scraper_options: { viewport: { w: 1 } } }, '/scraper_options/viewport/w');
    refused({ scraper_options: { capture: [{}] } }, '/scraper_options/capture/0/url');
    refused(
      { scraper_options: { capture: Array(11).fill({ url: '*' }) } },
      '/scraper_options/capture',
      /at most 10/,
    );
    refused(
      { scraper_options: { geolocation: { latitude: 91, longitude: 0 } } },
      '/scraper_options/geolocation/latitude',
    );
  });
});
