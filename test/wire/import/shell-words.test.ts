import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
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
