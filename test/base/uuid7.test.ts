import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuid7, uuid7Time, uuidBytes, uuidText } from '../../src/base/uuid7.ts';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the form of version 7, with its time; to bytes and back', () => {
  const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
  for (let i = 0; i < 2_000; i++) {
    const id = uuid7(now + i);
    assert.match(id, FORM);
    assert.equal(uuid7Time(id), now + i);
    assert.equal(uuidText(uuidBytes(id)!), id);
  }
});

test('strictly increasing within a millisecond, past 4,096 of them, and when the clock goes back a little', () => {
  const now = Date.UTC(2030, 0, 1);
  let before = uuid7(now);
  for (let i = 0; i < 10_000; i++) {
    const id = uuid7(i % 3 === 0 ? now - 1_000 : now);
    assert.match(id, FORM);
    assert.ok(id > before, `${before} then ${id}`);
    before = id;
  }
});

test('no two share what is left to chance, and all four variants come', () => {
  const tails = new Set<string>();
  const variants = new Set<string>();
  for (let i = 0; i < 5_000; i++) {
    const id = uuid7(Date.UTC(2031, 0, 1) + i);
    tails.add(id.slice(19));
    variants.add(id[19]!);
  }
  assert.equal(tails.size, 5_000);
  assert.deepEqual([...variants].sort(), ['8', '9', 'a', 'b']);
});
