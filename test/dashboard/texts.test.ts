import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  integerIn,
  listIn,
  oneOfIn,
  parseSearch,
  stringifySearch,
  textIn,
} from '../../dashboard/src/app/urls.ts';
import { reasonText } from '../../dashboard/src/i18n/reason-text.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatRelative,
  formatShare,
  formatShortCount,
  formatUtc,
} from '../../dashboard/src/ui/format.ts';
import { hostText, urlText } from '../../dashboard/src/ui/host-text.ts';
import { strengthOf } from '../../dashboard/src/ui/password-strength.ts';
import { againAfter, nextAfter, REASONS } from '../../src/router/reasons.ts';

test('numbers and times are formatted for people', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const cases: readonly (readonly [actual: string, expected: string])[] = [
    [formatCount(1234567), '1,234,567'],
    [formatShortCount(9_999), '9,999'],
    [formatShortCount(1_234_567), '1.2M'],
    [formatShare(1, 3), '33.3 %'],
    [formatShare(0, 7), '0 %'],
    [formatShare(0, 0), '–'],
    [formatBytes(null), '–'],
    [formatBytes(0), '0 B'],
    [formatBytes(999), '999 B'],
    [formatBytes(999_500), '1.0 MB'],
    [formatBytes(15_321), '15.3 KB'],
    [formatBytes(2_500_000_000), '2.5 GB'],
    [formatDuration(null), '–'],
    [formatDuration(0.42), '0.4 ms'],
    [formatDuration(999), '999 ms'],
    [formatDuration(1_530), '1.53 s'],
    [formatDuration(59_990), '1 min 0 s'],
    [formatDuration(3_700_000), '1 h 1 min'],
    [formatUtc('2026-11-20T12:00:00.123Z'), '2026-11-20 12:00:00 UTC'],
    [formatRelative('2026-11-20T11:59:58Z', now), 'just now'],
    [formatRelative('2026-11-20T11:57:00Z', now), '3 minutes ago'],
    [formatRelative('2026-11-22T12:00:00Z', now), 'in 2 days'],
  ];
  for (const [actual, expected] of cases) assert.equal(actual, expected);
});

test('the state of a page is read back from its URL, without invalid values', () => {
  const state = { host: 'a&b=c d', tag: ['x:1', 'y:2'], none: undefined, empty: '', limit: 20 };
  const text = stringifySearch(state);
  assert.equal(text, '?host=a%26b%3Dc+d&tag=x%3A1&tag=y%3A2&limit=20');
  const read = parseSearch(text);
  assert.deepEqual(read, { host: 'a&b=c d', tag: ['x:1', 'y:2'], limit: '20' });
  assert.equal(stringifySearch({}), '');
  assert.equal(textIn(read, 'host'), 'a&b=c d');
  assert.deepEqual(listIn(read, 'tag'), ['x:1', 'y:2']);
  assert.deepEqual(listIn(read, 'host'), ['a&b=c d']);
  assert.equal(listIn(read, 'nothing'), undefined);
  assert.equal(textIn(read, 'tag'), 'y:2');
  assert.equal(integerIn(read, 'limit', 1, 200), 20);
  assert.equal(integerIn(read, 'limit', 1, 10), undefined);
  assert.equal(integerIn({ limit: '1e3' }, 'limit', 1, 2000), undefined);
  assert.equal(oneOfIn({ outcome: 'ok' }, 'outcome', ['ok', 'failed']), 'ok');
  assert.equal(oneOfIn({ outcome: 'other' }, 'outcome', ['ok', 'failed']), undefined);
  // Members of `Object.prototype` are names like any other.
  assert.deepEqual(Object.keys(parseSearch('?__proto__=1&constructor=2')), ['__proto__', 'constructor']);
});

test('passwords that are easy to guess are weak', () => {
  const levelOf = (password: string) => strengthOf(password, 'maria@example.com').level;
  assert.deepEqual(['', 'short', 'aaaaaaaaaaaa', '12345678', 'maria123'].map(levelOf), [0, 1, 1, 1, 1]);
  assert.ok(levelOf('tr4ffic-Lamp') >= 2);
  assert.equal(levelOf('correct horse battery staple'), 4);
});

test('hosts are shown in their own script, unless they may imitate another one', () => {
  const cases = [
    ['example.com:8080', 'example.com:8080'],
    ['www.xn--bcher-kva.example:8080', 'www.bücher.example:8080'],
    ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    // аpple with a Cyrillic а; аррӏе, all Cyrillic.
    ['xn--pple-43d.com', 'xn--pple-43d.com'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com'],
    ['xn--a-ecp.example', 'xn--a-ecp.example'],
  ] as const;
  for (const [host, text] of cases) assert.equal(hostText(host), text);
  assert.equal(urlText('https://xn--bcher-kva.example/a?b#c'), 'https://bücher.example/a?b#c');
  assert.equal(urlText('https://аpple.com/'), 'https://xn--pple-43d.com/');
  assert.equal(urlText('no URL'), 'no URL');
});

test('reasons of the router are translated part by part', () => {
  const german: Readonly<Record<string, string>> = {
    'again after {0}': 'noch einmal nach {0}',
    'after {0}: {1}': 'nach {0}: {1}',
    'an error ({0})': 'einem Fehler ({0})',
    'a timeout': 'einer Zeitüberschreitung',
    'an access-denied page': 'einer Absage',
    'the address was refused': 'die Adresse wurde abgelehnt',
    [REASONS.ordered]: 'der Nächste',
  };
  const ended = { code: null, verdict: 'block', unmet: false, missing: 'ip' } as const;
  const cases: readonly (readonly [reason: string, expected: string])[] = [
    [REASONS.ordered, 'der Nächste'],
    [againAfter({ ...ended, code: 'timeout.attempt' }), 'noch einmal nach einer Zeitüberschreitung'],
    [againAfter({ ...ended, code: 'http.protocol' }), 'noch einmal nach einem Fehler (http.protocol)'],
    [nextAfter(ended, REASONS.ordered), 'nach einer Absage (die Adresse wurde abgelehnt): der Nächste'],
    [nextAfter({ ...ended, missing: null }, 'not known'), 'nach einer Absage: not known'],
    ['a text of a later version', 'a text of a later version'],
  ];
  for (const [reason, expected] of cases)
    assert.equal(
      reasonText(reason, (text) => german[text] ?? text),
      expected,
    );
});
