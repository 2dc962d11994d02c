import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { cmdWords, isForCmd } from '../../../src/wire/import/cmd-words.ts';
import { shellWords } from '../../../src/wire/import/shell-words.ts';

const LINES = [
  `curl http://a/ -H 'A: b c' -d "x=1&y=2"`,
  `a "b\\"c" 'd\\e' f\\ g`,
  `a \\\n  b \\\n c`,
  `a $'tab\\there' $'it\\'s' $'\\x41\\u00e9\\101'`,
  `a '' "" b''c`,
  `a "\\$5" '$HOME' "\\\\" "\\n" $ "$"`,
  `a "two\nlines" b # a comment`,
  `a b#c '#d'`,
];

test('words are those of bash', () => {
  for (const line of LINES) {
    const script = `set -- ${line}\nfor word in "$@"; do printf '%s\\0' "$word"; done`;
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
    assert.deepEqual(shellWords(line), printed.split('\0').slice(0, -1), line);
  }
});

test('what only a shell can do is told', () => {
  for (const [line, part] of [
    ['curl a | jq .', 'a pipe'],
    ['curl "$URL"', '$URL'],
    ['curl $(cat a)', '$('],
    ['curl `cat a`', 'back quotes'],
    ['curl "a', 'does not end'],
    [`curl $'a`, 'does not end'],
    ['curl a > b', 'a redirection'],
    ['curl a; rm b', 'a second command'],
  ] as const) {
    const words = shellWords(line);
    assert.ok('problem' in words && words.problem.includes(part), `${line}: ${JSON.stringify(words)}`);
  }
});

const FOR_CMD: readonly (readonly [line: string, ...words: string[]])[] = [
  [
    'curl ^"https://a/?x=1^&y=^%^20z^" ^\r\n  -H ^"accept: text/html^" ^\r\n  --compressed',
    'https://a/?x=1&y=%20z',
    '-H',
    'accept: text/html',
    '--compressed',
  ],
  ['curl "https://a/?x=1&y=2" ^\n  -H "a: b c"', 'https://a/?x=1&y=2', '-H', 'a: b c'],
  [
    'curl https://a/ ^\n  -d ^"^{^\\^"a^\\^":^\\^"b ^\\^\\^\\^"c^\\^"^}^"',
    'https://a/',
    '-d',
    '{"a":"b \\"c"}',
  ],
  ['curl.exe ^"https://a/^" --data-raw ^"one^\n\ntwo^"', 'https://a/', '--data-raw', 'one\ntwo'],
  ['curl ^"https://a/^" --data-raw ^"one^\r\n\r\ntwo^"', 'https://a/', '--data-raw', 'one\r\ntwo'],
  ['curl ^"https://a/^" -H ^"x: C:^\\^\\dir^\\^\\^"', 'https://a/', '-H', 'x: C:\\\\dir\\'],
  ['curl ^"https://a/it\'s^" -b ^"a=1; b=^!2^"', "https://a/it's", '-b', 'a=1; b=!2'],
  ['curl ^"https://a/^" -d ""', 'https://a/', '-d', ''],
];

test('words for cmd.exe of Windows, as browsers copy a request there', () => {
  for (const [line, ...words] of FOR_CMD) {
    assert.ok(isForCmd(line), line);
    assert.deepEqual((cmdWords(line) as readonly string[]).slice(1), words, line);
  }
  for (const line of LINES) assert.ok(!isForCmd(line), line);
  for (const line of ["curl -d 'a^\n b' http://a/", 'curl http://a/^x', 'curl "http://a/?q=^"'])
    assert.equal(isForCmd(line), line.includes('^"'), line);
  assert.deepEqual(cmdWords('curl ^"https://a/^" & del x'), { problem: 'a second command (`&`)' });
});
