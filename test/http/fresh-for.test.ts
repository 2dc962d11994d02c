import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ttlCache } from '../../src/http/core/ttl-cache.ts';

/** A cache of 1,000 ms with a clock that the test sets. `computed` has the keys whose values were computed, in order. */
function testCache() {
  const clock = { ms: 5 };
  const computed: string[] = [];
  const cached = ttlCache<string>(1_000, { now: () => 0, monotonic: () => clock.ms });
  const get = (key: string) =>
    cached(key, async () => {
      computed.push(key);
      if (key === 'bad') throw new Error('no');
      return `${key} ${computed.length}`;
    });
  return { clock, computed, get };
}

test('a value is computed once for all calls with its key until it expires', async () => {
  const { clock, computed, get } = testCache();
  assert.deepEqual(await Promise.all([get('a'), get('a'), get('b')]), ['a 1', 'a 1', 'b 2']);
  clock.ms += 999;
  assert.equal(await get('a'), 'a 1');
  clock.ms += 1;
  assert.equal(await get('a'), 'a 3');
  assert.deepEqual(computed, ['a', 'b', 'a']);
});

test('a failed computation is not cached', async () => {
  const { computed, get } = testCache();
  await assert.rejects(get('bad'));
  await assert.rejects(get('bad'));
  assert.equal(computed.length, 2);
});

test('the cache has at most 1,000 values; when it is full, only expired ones are replaced', async () => {
  const { clock, computed, get } = testCache();
  for (let n = 0; n < 1_500; n++) await get(`k${n}`);
  await get('k0');
  await get('k1400');
  assert.equal(computed.length, 1_501, 'new values are not kept while the cache is full');
  clock.ms += 1_000;
  await get('k1400');
  await get('k1400');
  assert.equal(computed.length, 1_502);
});
