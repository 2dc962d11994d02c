import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuarantineList } from '../../../src/browser/engine/linux-page-governor.ts';

describe('QuarantineList', () => {
  it('remembers a user and a host for ten minutes after they were noted last', () => {
    let now = 5_000;
    const table = new QuarantineList(() => now);
    assert.equal(table.has('a', 'x.test'), false);
    assert.deepEqual([table.add('a', 'x.test'), table.add('a', 'x.test')], [true, false]);
    now += 599_999;
    assert.deepEqual(
      [table.has('a', 'x.test'), table.has('b', 'x.test'), table.has('a', 'y.test')],
      [true, false, false],
    );
    assert.equal(table.add('a', 'x.test'), false);
    now += 599_999;
    assert.equal(table.has('a', 'x.test'), true);
    now += 1;
    assert.equal(table.has('a', 'x.test'), false);
    assert.equal(table.add('a', 'x.test'), true);
  });

  it('forgets the first of too many', () => {
    const table = new QuarantineList(() => 0);
    for (let n = 0; n < 5_000; n++) table.add('a', `${n}.test`);
    table.add('a', '0.test');
    assert.equal(table.has('a', '1.test'), true);
    table.add('b', 'new.test');
    assert.deepEqual(
      ['0', '1', '2', '4999'].map((n) => table.has('a', `${n}.test`)),
      [true, false, true, true],
    );
    assert.equal(table.has('b', 'new.test'), true);
  });
});
