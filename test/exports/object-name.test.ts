import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filledName, keyProblem, placeholderProblem } from '../../src/exports/object-name.ts';

const at = Date.parse('2026-01-31T23:05:09Z');

describe('names of exported objects', () => {
  test('placeholders are filled in', () => {
    const parts = { at, name: 'Prices of shop', run: '7' };
    assert.equal(
      filledName('a/{name}/{date}-{time}-{run}.csv', parts),
      'a/Prices-of-shop/2026-01-31-230509-7.csv',
    );
  });

  test('a name leads into no other folder', () => {
    for (const [name, safe] of [
      ['../../etc/passwd', 'etc-passwd'],
      ['..', 'export'],
      ['a/../b', 'a-..-b'],
      ['/absolute', 'absolute'],
      ['a\\b\0c?d#e%2e', 'a-b-c-d-e-2e'],
      ['=cmd|calc', 'cmd-calc'],
      ['{date}', 'date'],
      ['', 'export'],
      ['Größe ①', 'Größe-①'],
      ['x'.repeat(500), 'x'.repeat(100)],
    ] as const)
      assert.equal(filledName('{name}', { at, name, run: '1' }), safe);
  });

  test('keys that lead out of a folder, or have unknown placeholders, are problems', () => {
    for (const key of ['a/b.csv', '{name}/{date}.csv', 'ä b+c.csv']) assert.equal(keyProblem(key), null);
    for (const key of [
      '',
      '/a',
      'a//b',
      '../a',
      'a/..',
      './a',
      'a\\b',
      'a\nb',
      'x'.repeat(1_025),
      '{nme}',
      '{}',
    ])
      assert.notEqual(keyProblem(key), null, key);
    assert.match(placeholderProblem('{user}')!, /\{user\}; known are \{date\}/);
  });
});
