import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_QUERY } from '../../src/wire/record/record-query.ts';
import { parseQuery } from '../../src/wire/schema/query-reader.ts';

const USER = { userId: 'u', role: 'user', keyId: 'k' } as const;

test('the filter `host` accepts every notation', () => {
  const cases: readonly (readonly [text: string, host: string, origins?: readonly string[]])[] = [
    ['Site.TEST', 'site.test'],
    ['b\u00fccher.example', 'xn--bcher-kva.example'],
    ['127.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['::1', '[::1]'],
    ['FE80::A', '[fe80::a]'],
    ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
    ['Site.test:8080', 'site.test', ['http://site.test:8080/', 'https://site.test:8080/']],
    ['site.test:80', 'site.test', ['http://site.test/', 'https://site.test:80/']],
    ['site.test:443', 'site.test', ['http://site.test:443/', 'https://site.test/']],
    ['[::1]:81', '[::1]', ['http://[::1]:81/', 'https://[::1]:81/']],
  ];
  for (const [text, host, origins = null] of cases) {
    const { filter } = parseQuery(LIST_QUERY, { host: text }, USER).value!;
    assert.deepEqual([filter.host, filter.origins], [host, origins], text);
  }
});

test('text that is not a host is refused, rather than finding nothing', () => {
  for (const host of [
    'http://site.test/',
    'site.test/a',
    'a b',
    'site.test:99999',
    'u@site.test',
    'a\\b',
    '[::1',
    ':',
  ])
    assert.deepEqual(
      parseQuery(LIST_QUERY, { host }, USER).problems?.map(({ pointer }) => pointer),
      ['/host'],
      host,
    );
});
