import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import { jobOf, problemsOf, refused } from './job-of.ts';

const NOT_AVAILABLE = /not available in this version/;

describe('scraper and scraper_options', () => {
  test('scrapers', () => {
    for (const scraper of ['auto', 'http', 'http_impersonate', 'browser', 'browser_stealth'] as const) {
      assert.equal(jobOf({ scraper }).scraper, scraper);
    }
    refused(
      { scraper: 'curl' },
      '/scraper',
      /auto, http, http_impersonate, browser, browser_stealth, got "curl"/,
    );
    refused({ scraper: 5 }, '/scraper');
  });

  test('values that are available', () => {
    const task = jobOf({
      scraper_options: {
        max_content_bytes: 1,
        verify_tls: false,
        max_redirects: 0,
        http2: false,
        impersonate: 'safari_26_4',
        user_agent: 'Me/1',
        content_encoding: 'base64',
      },
    });
    assert.deepEqual(task.options, {
      ...DEFAULT_SCRAPER_OPTIONS,
      maxContentBytes: 1,
      verifyTls: false,
      maxRedirects: 0,
      http2: false,
      impersonate: 'safari_26_4',
      userAgent: 'Me/1',
      contentEncoding: 'base64',
    });
    assert.equal(jobOf({ scraper_options: { http2: true } }).options.http2, true);
    assert.equal(jobOf({ scraper_options: { http2: 'auto' } }).options.http2, 'auto');
    assert.equal(
      jobOf({ scraper_options: { max_content_bytes: 52_428_800 } }).options.maxContentBytes,
      52_428_800,
    );
  });

  const wrong: readonly (readonly [options: object, member: string])[] = [
    [{ max_content_bytes: 0 }, 'max_content_bytes'],
    [{ max_content_bytes: 52_428_801 }, 'max_content_bytes'],
    [{ max_content_bytes: 1.5 }, 'max_content_bytes'],
    [{ verify_tls: 'no' }, 'verify_tls'],
    [{ max_redirects: -1 }, 'max_redirects'],
    [{ http2: 'yes' }, 'http2'],
    [{ http2: 1 }, 'http2'],
    [{ user_agent: 'a\r\nb' }, 'user_agent'],
    [{ content_encoding: 'utf-8' }, 'content_encoding'],
    [{ formats: 'html' }, 'formats'],
    [{ formats: ['word'] }, 'formats/0'],
    [{ pdf: true }, 'pdf'],
    [{ pdf: { scale: 3 } }, 'pdf/scale'],
    [{ pdf: { margin: { top: '1em' } } }, 'pdf/margin/top'],
    [{ pdf: { page_ranges: '5-2' } }, 'pdf/page_ranges'],
    [{ extract: ['h1'] }, 'extract'],
    [{ extract: { a: 5 } }, 'extract/a'],
    [
      { extract: { a: { selector: 'x', output: { b: { selector: 'y', type: 'z' } } } } },
      'extract/a/output/b/type',
    ],
    [{ extract: { a: { selector: 'x', output: 'json' } } }, 'extract/a/output'],
    [{ only_main_content: 1 }, 'only_main_content'],
    [{ main_content: ['main'] }, 'main_content'],
    [{ main_content: { include: 'main' } }, 'main_content/include'],
    [{ main_content: { exclude: [''] } }, 'main_content/exclude/0'],
    [{ main_content: { only: [] } }, 'main_content/only'],
    [{ main_content: { links_from: 'frame' } }, 'main_content/links_from'],
    [{ markdown: 'inline' }, 'markdown'],
    [{ markdown: { links: 'all' } }, 'markdown/links'],
    [{ markdown: { images: true } }, 'markdown/images'],
    [{ markdown: { html: 'no' } }, 'markdown/html'],
    [{ markdown: { front_matter: 1 } }, 'markdown/front_matter'],
    [{ markdown: { max_chars: 0 } }, 'markdown/max_chars'],
    [{ markdown: { content_offset: -1 } }, 'markdown/content_offset'],
    [{ impersonate: true }, 'impersonate'],
    [{ impersonate: 'netscape' }, 'impersonate'],
    [{ unknown: 1 }, 'unknown'],
  ];
  for (const [scraper_options, member] of wrong) {
    test(`refused: ${JSON.stringify(scraper_options)}`, () => {
      refused({ scraper_options }, `/scraper_options/${member}`);
      assert.doesNotMatch(problemsOf({ scraper_options })[0]!.message, NOT_AVAILABLE);
    });
  }
  test('not an object', () =>
    refused({ scraper_options: [] }, '/scraper_options', /an object, got an array/));

  test('json needs a schema; false and empty values ask for nothing', () => {
    const needsSchema = /json needs `\/scraper_options\/json` with a schema or prompt/;
    refused({ scraper_options: { formats: ['text', 'json'] } }, '/scraper_options/formats/1', needsSchema);
    jobOf({ scraper_options: { formats: [], main_content: { site_boilerplate: false }, extract: {} } });
  });
});

describe('proxy', () => {
  test('types', () => {
    for (const type of ['datacenter', 'residential', 'mobile'] as const) {
      assert.equal(jobOf({ proxy: type }).proxyType, type);
      assert.equal(jobOf({ proxy: { type } }).proxyType, type);
    }
    assert.equal(jobOf({ proxy: {} }).proxyType, 'datacenter');
    assert.equal(jobOf({ proxy: { type: 'none' } }).proxyType, 'none');
    jobOf({
      proxy: { type: 'mobile', rotate: 'per_attempt', session_ttl_s: 600, bypass: [], country: null },
    });
  });

  test('a proxy of the caller', () => {
    const rows = [
      ['http://p', 'http', 'p', 80],
      ['https://u:p%40%25@p.example', 'https', 'p.example', 443],
      ['socks5://[::1]', 'socks5', '[::1]', 1080],
      ['SOCKS5H://0x7f.1:80', 'socks5h', '127.0.0.1', 80],
    ] as const;
    for (const [text, kind, host, port] of rows) {
      for (const proxy of [text, { server: text }, { type: 'custom', server: text }]) {
        const task = jobOf({ proxy });
        const { server } = task.proxy;
        assert.deepEqual(
          [task.proxyType, server?.kind, server?.host, server?.port],
          ['custom', kind, host, port],
        );
        assert.equal(server?.checkAddress, true);
      }
    }
    const read = (proxy: unknown) => jobOf({ proxy }).proxy.server?.credentials?.read();
    assert.deepEqual(read('https://u:p%40%25@p'), { username: 'u', password: 'p@%' });
    assert.deepEqual(read({ server: 'p:8080', username: 'a', password: 'b' }), {
      username: 'a',
      password: 'b',
    });
    assert.equal(read('http://p'), undefined);
  });

  test('credentials appear nowhere', () => {
    const task = jobOf({ proxy: 'http://user:geheim@p:1' });
    assert.doesNotMatch(JSON.stringify(task), /geheim/);
    assert.doesNotMatch(inspect(task, { depth: 9, showHidden: true }), /geheim/);
  });

  test('requirements on pools', () => {
    const { proxy } = jobOf({
      proxy: {
        type: 'mobile',
        pool: 'a',
        country: 'de',
        region: 'r',
        city: 'São Paulo',
        session: 'a_B-1',
        session_ttl_s: 5,
        rotate: 'on_block',
        bypass: ['*.x'],
      },
    });
    assert.deepEqual(proxy, {
      server: null,
      bypass: ['*.x'],
      pool: 'a',
      country: 'DE',
      region: 'r',
      city: 'São Paulo',
      session: 'a_B-1',
      sessionTtlMs: 5000,
      rotate: 'on_block',
    });
  });

  test('hosts in `bypass` are normalised as in URLs', () => {
    const bypass = ['BÜCHER.example', '*.Bücher.example:8443', '.x', '[0:0::1]:80', '*', '*:443', '127.1'];
    assert.deepEqual(jobOf({ proxy: { bypass } }).proxy.bypass, [
      'xn--bcher-kva.example',
      '*.xn--bcher-kva.example:8443',
      '.x',
      '[::1]:80',
      '*',
      '*:443',
      '127.0.0.1',
    ]);
  });

  const wrong: readonly (readonly [proxy: unknown, pointer: string])[] = [
    ['', '/proxy'],
    ['none', '/proxy'],
    ['Datacenter', '/proxy'],
    ['ftp://p', '/proxy'],
    ['http://', '/proxy'],
    [5, '/proxy'],
    [['datacenter'], '/proxy'],
    [{ type: 'isp' }, '/proxy/type'],
    [{ kind: 'mobile' }, '/proxy/kind'],
    [{ session: 'a b' }, '/proxy/session'],
    [{ session: 'x'.repeat(65) }, '/proxy/session'],
    [{ session_ttl_s: 3601 }, '/proxy/session_ttl_s'],
    [{ country: 'deu' }, '/proxy/country'],
    [{ country: '12' }, '/proxy/country'],
    [{ rotate: 'often' }, '/proxy/rotate'],
    [{ bypass: 'x' }, '/proxy/bypass'],
    [{ bypass: ['a b'] }, '/proxy/bypass/0'],
    [{ bypass: ['x', 'a?b'] }, '/proxy/bypass/1'],
    [{ bypass: ['a:70000'] }, '/proxy/bypass/0'],
    [{ bypass: ['[:::]'] }, '/proxy/bypass/0'],
    [{ type: 'custom' }, '/proxy/server'],
    [{ server: '' }, '/proxy/server'],
    [{ server: '', username: 'u' }, '/proxy/server'],
    [{ type: 'mobile', server: 'http://p' }, '/proxy/type'],
    [{ server: 'http://p', session: 'a' }, '/proxy/session'],
    [{ server: 'ftp://p' }, '/proxy/server'],
    [{ username: 'u' }, '/proxy/username'],
    [{ type: 'none', country: 'de' }, '/proxy/country'],
    [{ session_ttl_s: 5 }, '/proxy/session_ttl_s'],
    ['http://p/path', '/proxy'],
    ['socks5://p:1?a', '/proxy'],
  ];
  for (const [proxy, pointer] of wrong) {
    test(`refused: ${JSON.stringify(proxy)}`, () => {
      refused({ proxy }, pointer);
      assert.doesNotMatch(problemsOf({ proxy })[0]!.message, NOT_AVAILABLE);
    });
  }
});

test('the message about an unknown proxy scheme names the known ones', () => {
  for (const proxy of ['ftp://p', { server: 'ftp://p' }])
    assert.match(problemsOf({ proxy })[0]!.message, /http:\/\/.*https:\/\/.*socks5:\/\/.*socks5h:\/\//);
});

describe('router', () => {
  test('values that are available', () => {
    const { router } = jobOf({
      router: {
        sort: 'cheapest',
        escalate_proxy: ['residential', 'mobile'],
        order: ['http', 'browser/mobile'],
        only: ['http_impersonate/none'],
        ignore: ['browser_stealth/custom'],
        allow_fallbacks: false,
        max_attempts: 10,
        on_blocked: 'fail',
        dry_run: true,
        trace: false,
        tags: { team: 'news', ['ä'.repeat(64)]: '' },
        retain: 'metadata',
        accept: {
          status: [200, 404],
          selector: 'h1',
          contains: 'x',
          not_contains: 'y',
          min_bytes: 5,
          json_path: '$.a',
        },
      },
    });
    assert.deepEqual(router, {
      sort: 'cheapest',
      escalateProxy: ['residential', 'mobile'],
      order: [
        { scraper: 'http', proxyType: null },
        { scraper: 'browser', proxyType: 'mobile' },
      ],
      only: [{ scraper: 'http_impersonate', proxyType: 'none' }],
      ignore: [{ scraper: 'browser_stealth', proxyType: 'custom' }],
      allowFallbacks: false,
      maxAttempts: 10,
      notify: null,
      onBlocked: 'fail',
      forwardCredentials: false,
      maxCost: null,
      robots: 'ignore',
      dryRun: true,
      trace: false,
      tags: { team: 'news', ['ä'.repeat(64)]: '' },
      retain: 'metadata',
      webhook: null,
      compareTo: null,
      accept: {
        status: [200, 404],
        selector: 'h1',
        contains: 'x',
        notContains: 'y',
        minBytes: 5,
        jsonPath: '$.a',
      },
    });
  });

  test('defaults have no effect', () => {
    const { router } = jobOf({
      router: {
        sort: 'balanced',
        order: [],
        only: [],
        ignore: [],
        max_cost: null,
        escalate_proxy: false,
        accept: { status: [], selector: '', contains: '', not_contains: '', min_bytes: 0, json_path: '' },
        on_blocked: 'return',
        robots: 'ignore',
        cache: { mode: 'off', max_age_ms: 0 },
        tags: {},
        archive: 'none',
      },
    });
    assert.equal(router.accept, null);
    for (const sort of ['balanced', 'cheapest', 'fastest', 'reliable'])
      assert.equal(jobOf({ router: sort }).router.sort, sort);
    jobOf({ router: { escalate_proxy: [], accept: {} } });
  });

  test('not available yet', () => {
    const unavailable: readonly (readonly [object, string])[] = [
      [{ cache: { mode: 'use' } }, 'cache/mode'],
      [{ cache: { max_age_ms: 5 } }, 'cache/max_age_ms'],
      [{ archive: 'har' }, 'archive'],
    ];
    for (const [router, member] of unavailable) refused({ router }, `/router/${member}`, NOT_AVAILABLE);
  });

  const wrong: readonly (readonly [router: unknown, pointer: string])[] = [
    ['quick', '/router'],
    [5, '/router'],
    [{ sort: 'quick' }, '/router/sort'],
    [{ max_costs: 1 }, '/router/max_costs'],
    [{ max_cost: '1' }, '/router/max_cost'],
    [{ max_cost: -1 }, '/router/max_cost'],
    [{ order: 'http' }, '/router/order'],
    [{ order: ['curl'] }, '/router/order/0'],
    [{ only: ['auto'] }, '/router/only/0'],
    [{ only: ['http', 'http/x'] }, '/router/only/1'],
    [{ ignore: ['http/mobile/x'] }, '/router/ignore/0'],
    [{ ignore: [5] }, '/router/ignore/0'],
    [{ max_attempts: 0 }, '/router/max_attempts'],
    [{ max_attempts: 11 }, '/router/max_attempts'],
    [{ max_attempts: 1.5 }, '/router/max_attempts'],
    [{ escalate_proxy: true }, '/router/escalate_proxy'],
    [{ escalate_proxy: ['none'] }, '/router/escalate_proxy/0'],
    [{ retain: 'all' }, '/router/retain'],
    [{ trace: 'no' }, '/router/trace'],
    [{ dry_run: 1 }, '/router/dry_run'],
    [{ tags: { a: 5 } }, '/router/tags/a'],
    [{ tags: { a: 'x'.repeat(65) } }, '/router/tags/a'],
    [{ tags: { ['x'.repeat(65)]: 'a' } }, `/router/tags/${'x'.repeat(65)}`],
    [{ tags: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`t${i}`, ''])) }, '/router/tags'],
    [{ accept: { status: [99] } }, '/router/accept/status/0'],
    [{ accept: { status: 200 } }, '/router/accept/status'],
    [{ accept: { min_bytes: -1 } }, '/router/accept/min_bytes'],
    [{ accept: { contain: 'x' } }, '/router/accept/contain'],
    [{ cache: { mode: 'yes' } }, '/router/cache/mode'],
    [{ cache: 'off' }, '/router/cache'],
  ];
  for (const [router, pointer] of wrong) {
    test(`refused: ${JSON.stringify(router).slice(0, 80)}`, () => {
      refused({ router }, pointer);
      assert.doesNotMatch(problemsOf({ router })[0]!.message, NOT_AVAILABLE);
    });
  }
});
