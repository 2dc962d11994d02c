import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import type { WebhookAnswer } from '../../src/ports/webhooks.ts';
import { endOf } from '../../src/webhooks/dispatcher.ts';

const NOW = 1_000_000;
const answered = (status: number): WebhookAnswer => ({ status, answer: Buffer.from('x') });
const SECONDS = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400];

test('a failed try is repeated after the pauses of the contract, and then given up', () => {
  for (const [index, seconds] of SECONDS.entries()) {
    const end = endOf({ tries: index + 1, source: 'job' }, answered(500), NOW, 0);
    assert.equal(end.result, 'retry');
    assert.equal(end.nextAt - NOW, seconds * 1_000);
    const latest = endOf({ tries: index + 1, source: 'job' }, answered(500), NOW, 1);
    assert.equal(latest.nextAt - NOW, seconds * 1_100, 'with jitter');
  }
  assert.equal(endOf({ tries: 9, source: 'job' }, answered(500), NOW, 0).result, 'failed');
});

test('what an answer means', () => {
  const first = { tries: 1, source: 'job' } as const;
  for (const status of [200, 204, 299])
    assert.equal(endOf(first, answered(status), NOW, 0).result, 'delivered');
  assert.equal(endOf(first, answered(410), NOW, 0).result, 'gone');
  assert.match(endOf(first, answered(302), NOW, 0).error!, /redirects are not followed/);
  const refused = failure('connect.refused', 'Nothing listens there.');
  assert.partialDeepStrictEqual(endOf(first, refused, NOW, 0), {
    result: 'retry',
    status: null,
    answer: null,
    error: 'Nothing listens there.',
  });
  assert.equal(endOf({ tries: 1, source: 'test' }, answered(500), NOW, 0).result, 'failed');
  assert.equal(endOf(first, 'deleted', NOW, 0).result, 'dropped');
  assert.equal(endOf(first, 'disabled', NOW, 0).result, 'dropped');
});
