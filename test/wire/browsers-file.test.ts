import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBrowsers } from '../../src/wire/browsers-file.ts';

const one = { name: 'a', kind: 'cdp', url: 'http://chrome.internal:9222' };
const problemsOf = (file: unknown, hasGuard = true): string => {
  const { problems } = readBrowsers(typeof file === 'string' ? file : JSON.stringify(file), hasGuard);
  assert.ok(problems !== null, 'it was accepted');
  return problems.join('\n');
};

describe('the file of remote browsers', () => {
  test('YAML and JSON, with defaults', () => {
    const text = `
- name: pool-a
  kind: playwright
  url: wss://browsers.internal/?token=geheim
  headers: { Authorization: Bearer geheim }
  slots: 20
  types: [chromium, chrome]
- { name: b, kind: cdp, url: 'http://chrome:9222', network: direct, allow_unguarded: true, users: [Ada@Example.test] }
`;
    const { settings, problems } = readBrowsers(text, true);
    assert.equal(problems, null);
    assert.deepEqual(settings, [
      {
        name: 'pool-a',
        kind: 'playwright',
        url: 'wss://browsers.internal/?token=geheim',
        headers: { Authorization: 'Bearer geheim' },
        slots: 20,
        types: ['chromium', 'chrome'],
        network: 'proxied',
        users: 'all',
        auto: true,
      },
      {
        name: 'b',
        kind: 'cdp',
        url: 'http://chrome:9222',
        headers: {},
        slots: 4,
        types: ['chromium'],
        network: 'direct',
        users: ['ada@example.test'],
        auto: false,
      },
    ]);
    assert.deepEqual(readBrowsers(JSON.stringify([one]), true).problems, null);
  });

  test('each problem has its place, and no value', () => {
    const direct = { ...one, network: 'direct', allow_unguarded: true, users: 'admins' };
    const cases: readonly (readonly [unknown, RegExp])[] = [
      ['- {name: a', /^line 1 is not YAML/],
      [{ browsers: [] }, /^must be a list of browsers$/],
      [[{ ...one, kind: 'webdriver' }], /^`\/0\/kind` must be/],
      [[{ ...one, slots: 0 }], /^`\/0\/slots` must be/],
      [[{ ...one, proxy: 'x' }], /^`\/0\/proxy` /],
      [[one, one], /^`\/1\/name` is already the name of another browser$/],
      [[{ ...one, types: ['firefox'] }], /^`\/0\/types\/0` must be one of/],
      [[{ ...one, url: 'chrome:9222' }], /^`\/0\/url` must be a URL that begins with one of http:\/\//],
      [[{ ...one, url: 'http://u:geheim@a' }], /^`\/0\/url` must not have a user or password/],
      [[{ ...one, kind: 'playwright' }], /^`\/0\/url` must be a URL that begins with one of ws:\/\//],
      [[{ ...one, headers: { 'a b': 'geheim' } }], /^`\/0\/headers` has a name/],
      [[{ ...one, headers: { a: 'geheim\n' } }], /^`\/0\/headers\/a` must be visible ASCII/],
      [[{ ...direct, allow_unguarded: false }], /^`\/0\/allow_unguarded` must be true for `network: direct`/],
      [[{ ...direct, users: undefined }], /^`\/0\/users` is needed for `network: direct`/],
      [[{ ...direct, users: ['ada'] }], /^`\/0\/users/],
      [[{ ...one, allow_unguarded: true }], /^`\/0\/allow_unguarded` is only for `network: direct`/],
    ];
    for (const [file, expected] of cases) {
      const text = problemsOf(file);
      assert.match(text, expected);
      assert.doesNotMatch(text, /geheim/);
    }
  });

  test('a guarded browser needs the URL of the guard, a direct one does not', () => {
    assert.match(problemsOf([one], false), /^`\/0` needs SLUICE_GUARD_URL/);
    const direct = { ...one, network: 'direct', allow_unguarded: true, users: 'admins' };
    assert.equal(readBrowsers(JSON.stringify([direct]), false).problems, null);
  });
});
