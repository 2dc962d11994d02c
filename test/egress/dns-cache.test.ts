import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../src/egress/dns-client.ts';
import { createDnsCache } from '../../src/egress/resolver.ts';

test('holds at most its limit, and lets go of what was not used for longest', () => {
  const cache = createDnsCache(3);
  for (const name of ['a', 'b', 'c']) cache.set(name, notFound(name), 100);
  assert.ok(cache.get('a', 0));
  cache.set('d', notFound('d'), 100);
  assert.equal(cache.size, 3);
  assert.equal(cache.get('b', 0), null);
  for (const name of ['a', 'c', 'd']) assert.equal(cache.get(name, 0)?.error?.reason, name);
});

test('an entry ends with its time', () => {
  const cache = createDnsCache(3);
  cache.set('a', notFound('a'), 100);
  assert.ok(cache.get('a', 99));
  assert.equal(cache.get('a', 100), null);
  assert.equal(cache.size, 0);
});
