import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { turnFor } from '../../src/base/turns.ts';

test('small texts wait for nothing, large ones for a turn of their own', async () => {
  assert.equal(turnFor(65_536), null);
  const order: string[] = [];
  const large = Promise.all([1, 2, 3].map((n) => turnFor(65_537)!.then(() => order.push(`text ${n}`))));
  for (const n of [1, 2, 3]) {
    await setImmediate();
    order.push(`turn ${n}`);
  }
  await large;
  const between = order.filter((entry) => entry.startsWith('text')).length;
  assert.equal(between, 3);
  assert.ok(!/text \d,text/.test(order.join()), order.join());
});
