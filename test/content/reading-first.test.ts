import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PACKAGES_OF_READERS } from '../../src/content/formats/read-document.ts';
import { reading } from './reading.ts';

// Own process: it is the first that needs each of the packages, so there must be no other test in this file before it.
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

test('no package is loaded first while a time limit runs', () => {
  const files = globSync('src/content/**/*.ts').filter((file) => !file.endsWith('validate-json.ts'));
  const loaded = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/loadPackage\('([^']+)'\)/g)].map(([, name]) => name!),
  );
  assert.ok(loaded.length > 5);
  assert.deepEqual(
    loaded.filter((name) => !PACKAGES_OF_READERS.includes(name)),
    [],
  );
});
