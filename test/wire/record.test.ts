import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from '../../src/domain/account.ts';
import { failure } from '../../src/domain/failure.ts';
import type { NewRecord } from '../../src/domain/record.ts';
import { answerJson } from '../../src/wire/answer/answer-json.ts';
import { parseDateTime } from '../../src/wire/date-time.ts';
import { recordJson, recordPieces } from '../../src/wire/record/record-json.ts';
import { listJson } from '../../src/wire/record/record-list.ts';
import { decodeCursor, encodeCursor, filterHash, LIST_QUERY } from '../../src/wire/record/record-query.ts';
import { toRecord } from '../../src/wire/record/to-record.ts';
import { parseQuery, type Viewer } from '../../src/wire/schema/query-reader.ts';
import { responseValidator } from '../helpers/openapi.ts';
import { binaryContent, delivered, ID, sampleScrape, textContent } from './sample-scrape.ts';

const principal: Principal = {
  userId: 'user-1',
  role: 'user',
  concurrency: 50,
  keyId: 'key-1',
  keyConcurrency: null,
  scopes: ['scrape', 'read'],
  domains: [],
  dailyBudget: null,
};
const fits = (body: unknown) => assert.deepEqual(responseValidator('getScrape', 200)(body), []);
const noUrl = (): null => null;
const stored = (scrape: ReturnType<typeof sampleScrape>): NewRecord =>
  toRecord(scrape, principal, answerJson(scrape));

describe('retain', () => {
  test('full', () => {
    const scrape = sampleScrape({ request: { router: { tags: { team: 'x' } } } });
    const record = stored(scrape);
    const { requestJson, answerJson: answer, content, ...line } = record;
    assert.deepEqual(line, {
      id: ID,
      userId: 'user-1',
      keyId: 'key-1',
      createdAt: Date.UTC(2026, 0, 31, 12),
      url: 'http://site.test/page',
      host: 'site.test',
      method: 'GET',
      requestedScraper: 'http',
      scraper: 'http',
      proxyType: 'datacenter:direct',
      httpStatus: 200,
      statusCode: 200,
      outcome: 'ok',
      errorCode: null,
      durationMs: 13,
      contentBytes: 21,
      requestCost: null,
      tags: { team: 'x' },
      hasScreenshot: false,
      contentEncoding: 'utf-8',
      contentInBlob: false,
      pictures: [],
      files: [],
    });
    assert.equal(JSON.parse(requestJson!).scraper, 'http');
    assert.equal(answer, answerJson(scrape));
    const body = JSON.parse(recordJson(record, content, noUrl, { withUser: false }).toString());
    fits(body);
    assert.equal(body.content, '<title>Hällo</title>');
    assert.equal(body.router.created_at, '2026-01-31T12:00:00.000Z');
    assert.equal(body.router.http_status, 200);
    assert.equal(body.router.key_id, record.keyId);
  });

  test('metadata: no content, no headers; the request is kept', () => {
    const record = stored(sampleScrape({ request: { router: { retain: 'metadata' } } }));
    assert.equal(record.content, null);
    assert.equal(record.contentEncoding, null);
    assert.equal(record.contentInBlob, false);
    assert.ok(record.requestJson);
    const body = JSON.parse(recordJson(record, null, noUrl, { withUser: false }).toString());
    fits(body);
    assert.deepEqual(body.headers, {});
    assert.equal(body.content, null);
    assert.equal(body.content_encoding, null);
    assert.equal(body.status_code, 200);
    assert.equal(body.final_url, 'http://site.test/page?x=1#top');
    assert.doesNotMatch(JSON.stringify(record), /llo/);
  });

  test('none: id, time, host, outcome, cost, duration', () => {
    const scrape = sampleScrape({
      request: { router: { retain: 'none', tags: { a: 'b' } } },
      errors: [failure('content.incomplete', 'x')],
      cost: 500_000,
    });
    const record = stored(scrape);
    const kept = Object.entries(record).filter(
      ([, value]) => value !== null && value !== false && JSON.stringify(value) !== '{}',
    );
    assert.deepEqual(Object.fromEntries(kept), {
      id: ID,
      userId: 'user-1',
      createdAt: Date.UTC(2026, 0, 31, 12),
      host: 'site.test',
      outcome: 'ok',
      durationMs: 13,
      requestCost: 0.5,
      pictures: [],
      files: [],
    });
    const body = JSON.parse(recordJson(record, null, noUrl, { withUser: false }).toString());
    fits(body);
    assert.deepEqual(Object.keys(body), [
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
    ]);
    assert.equal(body.router.timing.total, 13);
    assert.equal(body.router.http_status, null);
  });

  test('a caller that hung up, and a plan', () => {
    const cancelled = stored(
      sampleScrape({
        httpStatus: null,
        outcome: 'failed',
        delivered: null,
        errors: [failure('request.cancelled', 'Hung up.')],
      }),
    );
    assert.equal(cancelled.httpStatus, null);
    assert.equal(cancelled.errorCode, 'request.cancelled');
    fits(JSON.parse(recordJson(cancelled, null, noUrl, { withUser: false }).toString()));
    const planned = stored(
      sampleScrape({ outcome: 'planned', delivered: null, scraper: null, proxyType: null }),
    );
    fits(JSON.parse(recordJson(planned, null, noUrl, { withUser: false }).toString()));
  });

  test('above 256 KiB the content goes to a blob', () => {
    const storedWith = (length: number) =>
      stored(sampleScrape({ delivered: delivered(textContent('x'.repeat(length))) }));
    assert.equal(storedWith(262_144).contentInBlob, false);
    assert.equal(storedWith(262_144).content?.length, 262_144);
    assert.equal(storedWith(262_145).contentInBlob, true);
    assert.equal(storedWith(262_145).content, null);
    assert.equal(storedWith(262_145).contentBytes, 262_145);
  });
});

test('stored text and bytes are returned complete, in pieces', () => {
  for (const text of ['', 'a', '\ufeffäöü€\u{1f600}"\\\n'.repeat(60_000), `${'a'.repeat(42_999)}\u{1f600}`]) {
    const content = textContent(text);
    const record = stored(sampleScrape({ delivered: delivered(content) }));
    const pieces = [...recordPieces(record, content.bytes, noUrl, { withUser: false })];
    assert.ok(pieces.every((piece) => piece.length <= 256 * 1024));
    assert.equal(JSON.parse(Buffer.from(pieces.join(''), 'latin1').toString()).content, text);
  }
  const bytes = Buffer.alloc(400_001, 'xyz');
  const record = stored(sampleScrape({ delivered: delivered(binaryContent(bytes)) }));
  assert.equal(
    JSON.parse(recordJson(record, bytes, noUrl, { withUser: false }).toString()).content,
    bytes.toString('base64'),
  );
});

test('a record that an early build of 0.1.0 stored as one object', () => {
  const { router, ...rest } = {
    ...{
      id: ID,
      status_code: 200,
      final_url: 'http://a.test/',
      headers: { b: '1' },
      content_encoding: 'utf-8',
    },
    ...{ cookies: [], errors: [], screenshot_url: null, scraper_data: {}, router: { outcome: 'ok' } },
  };
  const record = { ...stored(sampleScrape()), answerJson: JSON.stringify({ ...rest, router }) };
  const body = JSON.parse(recordJson(record, Buffer.from('x'), noUrl, { withUser: false }).toString());
  const { created_at, http_status, key_id, ...restOfRouter } = body.router;
  assert.deepEqual({ ...body, router: restOfRouter }, { ...rest, content: 'x', router });
  assert.deepEqual([created_at, http_status, key_id], ['2026-01-31T12:00:00.000Z', 200, 'key-1']);
});

test('the list', () => {
  const record = stored(sampleScrape());
  const body = JSON.parse(listJson([record], 'c', false));
  assert.deepEqual(responseValidator('listScrapes', 200)(body), []);
  assert.equal(body.next_cursor, 'c');
  assert.deepEqual(
    Object.keys(body.items[0]).join(' '),
    [
      'id created_at url host method requested_scraper scraper proxy_type direct http_status status_code outcome error_code',
      'duration_ms content_bytes request_cost tags key_id has_screenshot screenshot_bytes',
    ].join(' '),
  );
  const bare = stored(sampleScrape({ request: { router: { retain: 'none' } } }));
  assert.deepEqual(responseValidator('listScrapes', 200)(JSON.parse(listJson([bare], null, false))), []);
});

const reader = (userId = 'u') => ({ userId, role: 'user', keyId: null }) as const;
const ADMIN = { userId: 'u', role: 'admin', keyId: null } as const;

test('only sessions of administrators see the records of all users, with their ids', () => {
  const filterFor = (viewer: Viewer, query = {}) => parseQuery(LIST_QUERY, query, viewer).value?.filter;
  assert.equal(filterFor(ADMIN)?.userId, null);
  assert.equal(filterFor(ADMIN, { user_id: 'v' })?.userId, 'v');
  assert.equal(filterFor({ ...ADMIN, keyId: 'k' })?.userId, 'u');
  assert.equal(filterFor(reader())?.userId, 'u');
  for (const viewer of [{ ...ADMIN, keyId: 'k' }, reader()])
    assert.deepEqual(
      parseQuery(LIST_QUERY, { user_id: 'u' }, viewer).problems?.map(({ pointer }) => pointer),
      ['/user_id'],
    );
  const body = JSON.parse(listJson([stored(sampleScrape())], null, true));
  assert.equal(body.items[0].user_id, 'user-1');
  assert.deepEqual(responseValidator('listScrapes', 200)(body), []);
});

describe('the query of the list', () => {
  const none = {
    from: null,
    to: null,
    host: null,
    origins: null,
    path: null,
    ids: null,
    status: null,
    outcome: null,
    scraper: null,
    errorCode: null,
    keyId: null,
    tag: null,
    oldestFirst: false,
  };
  test('defaults', () => {
    assert.deepEqual(parseQuery(LIST_QUERY, {}, reader()).value, {
      filter: { userId: 'u', ...none },
      limit: 50,
      cursor: null,
    });
  });
  test('everything', () => {
    const { value } = parseQuery(
      LIST_QUERY,
      {
        limit: '200',
        order: 'asc',
        cursor: 'c',
        from: '2026-01-31T12:00:00Z',
        to: '2026-01-31T13:00:00.5+01:00',
        host: 'Site.TEST',
        path: '/Straße?a=1 %',
        ids: '01890000-0000-7000-8000-000000000001,01890000-0000-7000-8000-000000000002',
        status: '404',
        outcome: 'target_error',
        scraper: 'http',
        error_code: 'dns.failed',
        key_id: 'k',
        tag: 'team:a:b',
        user_id: 'v',
      },
      ADMIN,
    );
    assert.deepEqual(value, {
      filter: {
        userId: 'v',
        from: Date.UTC(2026, 0, 31, 12),
        to: Date.UTC(2026, 0, 31, 12, 0, 0, 500),
        host: 'site.test',
        origins: null,
        path: '/Stra%C3%9Fe?a=1%20%',
        ids: ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'],
        status: 404,
        outcome: 'target_error',
        scraper: 'http',
        errorCode: 'dns.failed',
        keyId: 'k',
        tag: { name: 'team', value: 'a:b' },
        oldestFirst: true,
      },
      limit: 200,
      cursor: 'c',
    });
  });
  const wrong: readonly (readonly [Record<string, string | string[]>, string])[] = [
    [{ limit: '0' }, '/limit'],
    [{ limit: '201' }, '/limit'],
    [{ limit: '5.5' }, '/limit'],
    [{ limit: 'x' }, '/limit'],
    [{ limit: ['1', '2'] }, '/limit'],
    [{ page: '2' }, '/page'],
    [{ from: 'yesterday' }, '/from'],
    [{ to: '2026-02-30T00:00:00Z' }, '/to'],
    [{ status: 'ok' }, '/status'],
    [{ path: 'x'.repeat(501) }, '/path'],
    [{ ids: 'x' }, '/ids'],
    [{ ids: Array(201).fill('01890000-0000-7000-8000-000000000001').join(',') }, '/ids'],
    [{ order: 'newest' }, '/order'],
    [{ outcome: 'good' }, '/outcome'],
    [{ scraper: 'auto' }, '/scraper'],
    [{ error_code: 'x.y' }, '/error_code'],
    [{ tag: 'team' }, '/tag'],
    [{ tag: ':x' }, '/tag'],
    [{ user_id: 'v' }, '/user_id'],
  ];
  for (const [query, pointer] of wrong) {
    test(`refused: ${JSON.stringify(query)}`, () => {
      assert.deepEqual(
        parseQuery(LIST_QUERY, query, reader()).problems?.map((problem) => problem.pointer),
        [pointer],
      );
    });
  }
});

test('times', () => {
  assert.equal(parseDateTime('2026-01-31t12:00:00z'), Date.UTC(2026, 0, 31, 12));
  assert.equal(parseDateTime('2024-02-29T23:59:60.123456Z'), Date.UTC(2024, 1, 29, 23, 59, 59, 123));
  for (const text of [
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-13-01T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1',
    '',
  ]) {
    assert.equal(parseDateTime(text), null, text);
  }
});

test('cursors are bound to the user, the filters and the secret', () => {
  const hashOf = (query: Record<string, string>, user: string) =>
    filterHash(parseQuery(LIST_QUERY, query, reader(user)).value!.filter);
  const bound = hashOf({ host: 'a' }, 'u');
  const cursor = encodeCursor(ID, bound, 'secret');
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  assert.equal(decodeCursor(cursor, bound, 'secret'), ID);
  assert.equal(decodeCursor(cursor, hashOf({ host: 'a', limit: '5' }, 'u'), 'secret'), ID);
  for (const [other, secret] of [
    [hashOf({ host: 'b' }, 'u'), 'secret'],
    [hashOf({ host: 'a', order: 'asc' }, 'u'), 'secret'],
    [hashOf({ host: 'a' }, 'v'), 'secret'],
    [bound, 'other'],
  ] as const) {
    assert.equal(decodeCursor(cursor, other, secret), null);
  }
  for (const bad of [
    '',
    'x',
    `${cursor}x`,
    cursor.slice(1),
    `${cursor}=`,
    cursor.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
  ]) {
    assert.equal(decodeCursor(bad, bound, 'secret'), null, bad);
  }
});
