import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading } from './reading.ts';

// The first of this process that needs each of the packages: so there must be no other test in this file before it.
test('a page whose time is up at once does not spoil those after it', () => {
  reading('', { kind: 'json' });
  for (let ms = 1; ms <= 5; ms++) {
    reading('<p>a', { selector: 'p', formats: ['text'] }, ms);
    reading('<a/>', { kind: 'xml', selector: 'a' }, ms);
    reading('{"a":1}', { kind: 'json', jsonPath: '$.a' }, ms);
  }
  assert.equal(reading('<p>a', { selector: 'p' }).selectorMet, true);
  assert.equal(reading('<a/>', { kind: 'xml', selector: 'a' }).selectorMet, true);
  assert.equal(reading('{"a":1}', { kind: 'json', jsonPath: '$.a' }).jsonPathMet, true);
});
