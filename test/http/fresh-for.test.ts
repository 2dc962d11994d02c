import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ttlCache } from '../../src/http/ttl-cache.ts';

function counting() {
  const time = { at: 5 };
  const made: string[] = [];
  const fresh = ttlCache<string>(1_000, { now: () => 0, monotonic: () => time.at });
  const ask = (key: string) =>
    fresh(key, async () => {
      made.push(key);
      if (key === 'bad') throw new Error('no');
      return `${key} ${made.length}`;
    });
  return { time, made, ask };
}

test('it is made once for all who ask while it is fresh, each key for itself', async () => {
  const { time, made, ask } = counting();
  assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('b')]), ['a 1', 'a 1', 'b 2']);
  time.at += 999;
  assert.equal(await ask('a'), 'a 1');
  time.at += 1;
  assert.equal(await ask('a'), 'a 3');
  assert.deepEqual(made, ['a', 'b', 'a']);
});

test('what could not be made is made again', async () => {
  const { made, ask } = counting();
  await assert.rejects(ask('bad'));
  await assert.rejects(ask('bad'));
  assert.equal(made.length, 2);
});

test('it forgets what is old, and never holds more than so many', async () => {
  const { time, made, ask } = counting();
  for (let n = 0; n < 1_500; n++) await ask(`k${n}`);
  await ask('k0');
  await ask('k1400');
  assert.equal(made.length, 1_501, 'the last ones were not kept');
  time.at += 1_000;
  await ask('k1400');
  await ask('k1400');
  assert.equal(made.length, 1_502);
});
