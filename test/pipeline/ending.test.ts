import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureCode } from '../../src/domain/failure.ts';
import { NO_TIMING } from '../../src/domain/fetch-result.ts';
import type { VerdictKind } from '../../src/domain/verdict.ts';
import type { AttemptResult } from '../../src/pipeline/attempt-result.ts';
import { endingOf, sentOnce } from '../../src/pipeline/scrape-ending.ts';
import { task } from '../helpers/task.ts';

const step = { scraper: 'http', proxyType: 'datacenter' } as const;
const verdictOf = (kind: VerdictKind) => ({
  kind,
  confidence: 1,
  signals: ['status'],
  missing: null,
  wall: null,
});

/** An attempt that gave a page; `errors` are what is wrong with it, a `content.*` or `timeout.*` one cuts it. */
function page(verdict: VerdictKind, status: number, ...errors: FailureCode[]): AttemptResult {
  const failures = errors.map((code) => ({ code, message: code }));
  const cut = failures.find(({ code }) => code !== 'accept.unmet') ?? null;
  return {
    step,
    code: null,
    verdict,
    missing: null,
    unmet: errors.includes('accept.unmet'),
    satisfied: verdict === 'ok' && errors.length === 0,
    sent: true,
    fullVerdict: verdictOf(verdict),
    fetched: null,
    errors: failures,
    warnings: [],
    modelTask: null,
    exit: null,
    waitedMs: 0,
    attempt: line(failures[0] ?? null, errors.length === 0 ? 'ok' : 'rejected', status),
    delivered: {
      attempt: 0,
      charset: null,
      data: [],
      rules: [],
      found: null,
      content: { encoding: 'utf-8', bytes: Buffer.from(`${status}`) },
      page: {
        statusCode: status,
        headers: [],
        finalUrl: 'http://example.com/',
        method: 'GET',
        body: Buffer.from(`${status}`),
        cut,
        undecoded: false,
        cookies: [],
      },
    },
  };
}

/** An attempt that gave none. */
function nothing(code: FailureCode, sent = true): AttemptResult {
  const failure = { code, message: code };
  return {
    step,
    code,
    verdict: 'net',
    missing: null,
    unmet: false,
    satisfied: false,
    sent,
    fullVerdict: verdictOf('net'),
    fetched: null,
    delivered: null,
    errors: [failure],
    warnings: [],
    modelTask: null,
    exit: null,
    waitedMs: 0,
    attempt: line(failure, 'failed', null),
  };
}

function line(
  failure: AttemptResult['attempt']['failure'],
  outcome: 'ok' | 'rejected' | 'failed',
  status: number | null,
) {
  return {
    ...step,
    n: 0,
    direct: true,
    country: null,
    outcome,
    verdict: null,
    statusCode: status,
    failure,
    startedAt: 0,
    durationMs: 1,
    queuedMs: 0,
    timing: NO_TIMING,
    cost: null,
    bytesOut: 120,
    bytesIn: 3456,
    costItems: [],
    reason: '',
    reused: [],
  } as const;
}

const numbered = (tried: readonly AttemptResult[]): AttemptResult[] =>
  tried.map((t, i) => ({ ...t, attempt: { ...t.attempt, n: i + 1 } }));

const rows: [string, AttemptResult[], number | null, string, string[], number | null][] = [
  ['a page', [page('ok', 200)], 200, 'ok', [], 200],
  ['an honest 404', [page('ok', 404)], 200, 'target_error', [], 404],
  ['a 500', [page('error_page', 500)], 200, 'target_error', [], 500],
  ['a 429', [page('rate', 429)], 200, 'target_error', [], 429],
  ['not accepted', [page('ok', 200, 'accept.unmet')], 200, 'unaccepted', ['accept.unmet'], 200],
  [
    'not accepted goes before partial',
    [page('ok', 200, 'content.incomplete', 'accept.unmet')],
    200,
    'unaccepted',
    ['content.incomplete', 'accept.unmet'],
    200,
  ],
  ['broken off', [page('ok', 200, 'content.incomplete')], 200, 'partial', ['content.incomplete'], 200],
  [
    'broken off goes before target_error',
    [page('error_page', 500, 'content.incomplete')],
    200,
    'partial',
    ['content.incomplete'],
    500,
  ],
  ['blocked', [page('block', 403)], 200, 'blocked', [], 403],
  [
    'no page: the code of the last attempt',
    [nothing('connect.reset'), nothing('connect.timeout')],
    502,
    'failed',
    ['connect.timeout', '1:connect.reset'],
    null,
  ],
  ['time spent', [nothing('timeout.total')], 504, 'failed', ['timeout.total'], null],
  [
    'no memory in time',
    [nothing('service.unavailable', false)],
    503,
    'failed',
    ['service.unavailable'],
    null,
  ],
  [
    'a page after a failure: nothing went wrong',
    [nothing('connect.reset'), page('ok', 200)],
    200,
    'ok',
    [],
    200,
  ],
  [
    'a poor page after a failure: both are told',
    [nothing('connect.reset'), page('rate', 429)],
    200,
    'target_error',
    ['1:connect.reset'],
    429,
  ],
  [
    'a failure after a poor page: the page is delivered',
    [page('error_page', 503), nothing('connect.reset')],
    200,
    'target_error',
    ['2:connect.reset'],
    503,
  ],
  ['the last good one wins', [page('ok', 200), page('ok', 201)], 200, 'ok', [], 201],
  ['error_page before rate', [page('error_page', 500), page('rate', 429)], 200, 'target_error', [], 500],
  ['rate before block', [page('block', 403), page('rate', 429)], 200, 'target_error', [], 429],
  [
    'the same verdict: whole before cut',
    [page('error_page', 500), page('error_page', 502, 'content.incomplete')],
    200,
    'target_error',
    ['2:content.incomplete'],
    500,
  ],
  [
    'the same verdict, both whole: the later',
    [page('error_page', 500), page('error_page', 502)],
    200,
    'target_error',
    [],
    502,
  ],
  [
    'an address refused ends all: nothing of an earlier page',
    [page('error_page', 500), nothing('policy.address', false)],
    403,
    'failed',
    ['policy.address'],
    null,
  ],
  [
    'the same verdict: what the caller accepts before what is whole',
    [page('ok', 200, 'accept.unmet'), page('ok', 201, 'content.truncated')],
    200,
    'partial',
    ['content.truncated', '1:accept.unmet'],
    201,
  ],
  ['the caller hung up', [nothing('request.cancelled')], null, 'failed', ['request.cancelled'], null],
];

for (const [name, tried, status, outcome, codes, delivered] of rows)
  test(name, () => {
    const ending = endingOf(numbered(tried), 'return');
    assert.equal(ending.httpStatus, status);
    assert.equal(ending.outcome, outcome);
    assert.deepEqual(
      ending.errors.map(({ code, attempt }) => (attempt === undefined ? code : `${attempt}:${code}`)),
      codes,
    );
    assert.equal(ending.deliveredAttempt?.delivered?.page.statusCode ?? null, delivered);
  });

const before = (code: FailureCode) => ({ code, message: code });

test('who hangs up before a further attempt gets nothing of what had come', () => {
  const ending = endingOf(numbered([page('rate', 429)]), 'return', before('request.cancelled'));
  assert.deepEqual([ending.deliveredAttempt, ending.httpStatus, ending.outcome], [null, null, 'failed']);
  assert.deepEqual(
    ending.errors.map(({ code }) => code),
    ['request.cancelled'],
  );
});

test('time that was spent in a queue for a further attempt is told, unless there is a page', () => {
  const none = endingOf(numbered([nothing('connect.reset')]), 'return', before('service.unavailable'));
  assert.deepEqual([none.deliveredAttempt, none.httpStatus], [null, 503]);
  assert.deepEqual(
    none.errors.map(({ code, attempt }) => [code, attempt]),
    [
      ['service.unavailable', undefined],
      ['connect.reset', 1],
    ],
  );
  const paced = endingOf(numbered([nothing('connect.reset')]), 'return', before('route.paced'));
  assert.deepEqual([paced.httpStatus, paced.errors[0]?.code], [502, 'connect.reset']);
  const some = endingOf(numbered([page('error_page', 500)]), 'return', before('service.unavailable'));
  assert.deepEqual([some.httpStatus, some.errors], [200, []]);
});

test('on_blocked: fail answers 502 where a wall stood before the page, and nowhere else', () => {
  const walled = [page('error_page', 503), page('captcha', 403, 'target.blocked')];
  const error = endingOf(numbered(walled), 'fail');
  assert.equal(error.httpStatus, 200);
  assert.equal(error.outcome, 'target_error');
  const ending = endingOf(numbered(walled.slice(1)), 'fail');
  assert.equal(ending.httpStatus, 502);
  assert.equal(ending.outcome, 'blocked');
  assert.equal(ending.errors[0]?.code, 'target.blocked');
  assert.equal(ending.deliveredAttempt?.delivered?.page.statusCode, 403);
  assert.equal(endingOf(numbered(walled.slice(1)), 'return').httpStatus, 200);
  assert.equal(endingOf(numbered([page('ok', 200)]), 'fail').httpStatus, 200);
});

test('nothing is to be sent again when a method that is sent once may have reached the target', () => {
  assert.equal(sentOnce(task({ method: 'POST' }), [nothing('connect.reset')]), true);
  assert.equal(sentOnce(task({ method: 'POST' }), [nothing('connect.refused', false)]), false);
  assert.equal(sentOnce(task({ method: 'GET' }), [nothing('connect.reset')]), false);
});
