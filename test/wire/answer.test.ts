import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import { answerJson } from '../../src/wire/answer/answer-json.ts';
import { problemJson, replyBody, replyBytes, replyPieces } from '../../src/wire/answer/reply.ts';
import { responseValidator } from '../helpers/openapi.ts';
import { binaryContent, delivered, ID, sampleScrape, textContent } from './sample-scrape.ts';

const BASE = 'https://sluice.test';
type Scrape = Parameters<typeof answerJson>[0];

function reply(scrape: Scrape): string {
  const bytes = replyBytes(scrape, answerJson(scrape), BASE);
  const text = replyBody(scrape, answerJson(scrape), BASE);
  assert.equal(text, bytes.toString('latin1'));
  assert.equal([...replyPieces(scrape, answerJson(scrape), BASE)].join(''), text);
  return bytes.toString();
}
const fits = (status: number, body: unknown) =>
  assert.deepEqual(responseValidator('createScrape', status)(body), []);

const FIELDS = [
  'id',
  'status_code',
  'final_url',
  'headers',
  'content',
  'content_encoding',
  'cookies',
  'errors',
  'screenshot_url',
  'scraper_data',
  'router',
];

describe('200', () => {
  test('every member, in the order of the interface', () => {
    const body = JSON.parse(reply(sampleScrape()));
    fits(200, body);
    assert.deepEqual(Object.keys(body), FIELDS);
    const { router, ...rest } = body;
    assert.deepEqual(rest, {
      id: ID,
      status_code: 200,
      final_url: 'http://site.test/page?x=1#top',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        vary: 'accept, cookie',
        'set-cookie': 'a=1; Path=/\nb=2, 3',
      },
      content: '<title>Hällo</title>',
      content_encoding: 'utf-8',
      cookies: [
        {
          name: 'a',
          value: '1',
          domain: 'site.test',
          path: '/',
          expires: null,
          secure: false,
          http_only: true,
          same_site: 'lax',
        },
      ],
      errors: [],
      screenshot_url: null,
      scraper_data: { charset: { name: 'UTF-8', source: 'http' } },
    });
    assert.deepEqual(Object.keys(router), [
      'scraper',
      'request_headers',
      'request_cost',
      'proxy_type',
      'direct',
      'outcome',
      'warnings',
      'requested_scraper',
      'started_at',
      'attempts',
      'candidates',
      'stopped',
      'explanation',
      'verdict',
      'cost_unit',
      'cost_details',
      'model',
      'robots',
      'cache',
      'timing',
      'redirects',
      'remote_ip',
      'body_type',
    ]);
    assert.deepEqual(router.request_headers, {
      host: 'site.test',
      'user-agent': 'Sluice/0.1.0',
      cookie: 'sid=***; theme=***',
      authorization: '***',
    });
    assert.deepEqual(router.attempts, [
      {
        n: 1,
        scraper: 'http',
        proxy_type: 'datacenter',
        direct: true,
        country: null,
        outcome: 'ok',
        verdict: 'ok',
        status_code: 200,
        error_code: null,
        duration_ms: 12,
        bytes_out: 120,
        bytes_in: 3456,
        cost: null,
        reason: 'the scraper that was named',
        reused: ['connection'],
      },
    ]);
    assert.deepEqual(router.timing, {
      queue: 0,
      pause: null,
      dns: null,
      connect: 1,
      tls: null,
      ttfb: 6,
      download: 0,
      load: null,
      wait: null,
      actions: null,
      read: null,
      total: 13,
    });
    assert.deepEqual(router.warnings, [
      {
        code: 'proxy.direct',
        message: 'Sent directly.',
        level: 'warning',
        source: 'proxy',
        retryable: false,
      },
    ]);
    assert.deepEqual(router.redirects, [{ url: 'http://site.test/page', status_code: 302 }]);
  });

  test('trace: false', () => {
    const body = JSON.parse(reply(sampleScrape({ request: { router: { trace: false } } })));
    fits(200, body);
    assert.deepEqual(Object.keys(body.router), [
      'scraper',
      'request_headers',
      'request_cost',
      'proxy_type',
      'direct',
      'outcome',
      'warnings',
    ]);
  });

  test('bytes as base64', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => i);
    const body = JSON.parse(reply(sampleScrape({ delivered: delivered(binaryContent(bytes)) })));
    fits(200, body);
    assert.equal(body.content_encoding, 'base64');
    assert.deepEqual(Buffer.from(body.content, 'base64'), Buffer.from(bytes));
    assert.deepEqual(body.scraper_data, {});
  });

  test('a response that has no body by definition', () => {
    const body = JSON.parse(reply(sampleScrape({ delivered: delivered(textContent('')) })));
    assert.equal(body.content, '');
    assert.equal(body.content_encoding, 'utf-8');
  });

  test('a plan only', () => {
    const body = JSON.parse(
      reply(
        sampleScrape({
          outcome: 'planned',
          delivered: null,
          attempts: [],
          verdict: null,
          redirects: [],
          requestHeaders: null,
          remoteIp: null,
          scraper: null,
          proxyType: null,
        }),
      ),
    );
    fits(200, body);
    for (const name of ['status_code', 'final_url', 'content', 'content_encoding'])
      assert.equal(body[name], null);
    assert.deepEqual(body.headers, {});
    assert.deepEqual(body.router.request_headers, {});
  });

  test('errors: source and retryable from the table; not retryable once the target may have acted', () => {
    const errors = [failure('content.incomplete', 'It broke off.', { attempt: 1, details: { bytes: 5 } })];
    const text = reply(sampleScrape({ outcome: 'partial', errors }));
    fits(200, JSON.parse(text));
    assert.deepEqual(JSON.parse(text).errors, [
      {
        code: 'content.incomplete',
        message: 'It broke off.',
        level: 'error',
        source: 'target',
        retryable: true,
        attempt: 1,
        details: { bytes: 5 },
      },
    ]);
    assert.equal(JSON.parse(reply(sampleScrape({ errors, sentOnce: true }))).errors[0].retryable, false);
  });

  test('headers with any names', () => {
    const headers = [
      ['b', '},"content_encoding":"x"'],
      ['content_encoding', 'y'],
      ['},"content_encoding":', 'z'],
      ['1', 'one'],
      ['__proto__', 'p'],
      ['0', '\u0000"\\'],
    ] as const;
    const finalUrl = 'http://site.test/},"content_encoding":';
    const base = delivered(textContent('content'), headers);
    const text = reply(sampleScrape({ delivered: { ...base, page: { ...base.page, finalUrl } } }));
    const body = JSON.parse(text);
    fits(200, body);
    assert.deepEqual(Object.keys(body), FIELDS);
    assert.equal(body.final_url, finalUrl);
    assert.deepEqual(Object.entries(body.headers).sort(), [...headers].map(([k, v]) => [k, v]).sort());
    assert.ok(text.indexOf('"b":') < text.indexOf('"1":'));
  });

  test('many headers, most of them repeated', () => {
    const headers = Array.from({ length: 100 }, (_, i) => [`h${i % 40}`, String(i)] as const);
    const body = JSON.parse(reply(sampleScrape({ delivered: delivered(textContent(''), headers) })));
    assert.equal(Object.keys(body.headers).length, 40);
    assert.equal(body.headers.h0, '0, 40, 80');
    assert.equal(body.headers.h39, '39, 79');
  });
});

describe('other statuses', () => {
  test('a problem first, then every member of the response', () => {
    const body = JSON.parse(
      reply(
        sampleScrape({
          httpStatus: 502,
          outcome: 'failed',
          delivered: null,
          errors: [
            failure('connect.refused', 'Nothing listens on 192.0.2.7:80.'),
            failure('dns.failed', 'x', { attempt: 1 }),
          ],
        }),
      ),
    );
    fits(502, body);
    assert.deepEqual(Object.keys(body), [
      'type',
      'title',
      'status',
      'detail',
      'code',
      'request_id',
      'retryable',
      ...FIELDS,
    ]);
    assert.equal(body.type, 'https://sluice.test/api/v1/errors/#connect.refused');
    assert.equal(body.status, 502);
    assert.equal(body.detail, 'Nothing listens on 192.0.2.7:80.');
    assert.equal(body.code, 'connect.refused');
    assert.equal(body.request_id, 'req-1');
    assert.equal(body.retryable, true);
    assert.equal(body.errors[0].code, body.code);
    assert.equal(body.errors[0].message, body.detail);
    assert.equal(body.content, null);
  });

  test('a 502 with the page', () => {
    const text = reply(
      sampleScrape({
        httpStatus: 502,
        outcome: 'blocked',
        errors: [failure('target.blocked', 'A captcha.')],
      }),
    );
    fits(502, JSON.parse(text));
    assert.equal(JSON.parse(text).content, '<title>Hällo</title>');
  });

  test('nothing is stored: no id, no content, but status and attempts', () => {
    const lost = sampleScrape({
      id: null,
      httpStatus: 503,
      outcome: 'failed',
      delivered: delivered(null),
      errors: [failure('service.storage', 'Not stored.')],
    });
    const body = JSON.parse(reply(lost));
    fits(503, body);
    assert.equal(body.id, null);
    assert.equal(body.content, null);
    assert.equal(body.content_encoding, null);
    assert.equal(body.status_code, 200);
    assert.equal(body.router.attempts.length, 1);
    assert.equal(body.retryable, true);
    assert.equal(JSON.parse(reply({ ...lost, sentOnce: true })).retryable, false);
  });

  test('a refusal before the scrape', () => {
    const errors = [
      failure('request.validation', '`/url` is required', { pointer: '/url' }),
      failure('request.validation', '`/x` is unknown', { pointer: '/x' }),
    ];
    const body = JSON.parse(problemJson({ errors, requestId: 'r"1', baseUrl: BASE }));
    fits(400, body);
    assert.equal(body.type, `${BASE}/api/v1/errors/#request.validation`);
    assert.equal(body.request_id, 'r"1');
    assert.equal(body.errors[1].pointer, '/x');
    assert.equal('candidates' in body, false);
    const none = problemJson({
      errors: [failure('route.none', 'Nothing fits.')],
      requestId: 'r',
      baseUrl: BASE,
      candidates: [
        {
          scraper: 'browser',
          proxyType: 'mobile',
          estCost: null,
          estSuccess: null,
          estMs: null,
          selected: false,
          excludedBy: 'unavailable',
        },
      ],
    });
    fits(422, JSON.parse(none));
    assert.equal(JSON.parse(none).candidates[0].excluded_by, 'unavailable');
  });
});

test('large content comes in pieces of at most 256 KiB', () => {
  const worst = [
    '\u0001'.repeat(300_000),
    'ä€\u{1f600}'.repeat(100_000),
    '\ufffd'.repeat(100_000),
    `x${'\u{1f600}'.repeat(100_000)}`,
  ];
  for (const text of worst) {
    const scrape = sampleScrape({ delivered: delivered(textContent(text)) });
    const pieces = [...replyPieces(scrape, answerJson(scrape), BASE)];
    assert.ok(pieces.every((piece) => piece.length <= 256 * 1024));
    assert.equal(JSON.parse(Buffer.from(pieces.join(''), 'latin1').toString()).content, text);
    assert.equal(pieces.join(''), replyBody(scrape, answerJson(scrape), BASE));
  }
  for (const length of [196_607, 196_608, 196_609, 500_000]) {
    const bytes = Buffer.alloc(length, 'abcdefg');
    const scrape = sampleScrape({ delivered: delivered(binaryContent(bytes)) });
    const pieces = [...replyPieces(scrape, answerJson(scrape), BASE)];
    assert.ok(pieces.every((piece) => piece.length <= 256 * 1024));
    assert.equal(JSON.parse(pieces.join('')).content, bytes.toString('base64'));
  }
});
