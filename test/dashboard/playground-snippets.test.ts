import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../dashboard/src/pages/playground/model/json.ts';
import {
  curlCommand,
  nodeProgram,
  pythonLiteral,
  shellQuote,
} from '../../dashboard/src/pages/playground/snippets.ts';
import fc from '../helpers/fast-check.ts';

/** Contains characters that mean something to shells, JavaScript or Python. */
const HOSTILE_URL = 'https://it\'s.example/$(id)/`id`/\\/"!!/api/v1/scrape/';
const KEY = 'a key with $HOME and "quotes"';

/** Texts of any characters, many of which mean something to a shell or a language. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...'\'"`$\\!\n\r\t #&|;<>(){}[]*?~%@=-', "'\\''", '$(id)', '$HOME', '\ud800'),
  }),
  fc.constantFrom('__proto__', '@/etc/passwd', '-X', '\u2028', '\u0000', 'True', '{name}', '%s', ''),
);
const request = fc.dictionary(
  text,
  fc.oneof(fc.jsonValue(), text, fc.array(text), fc.dictionary(text, text)),
) as fc.Arbitrary<JsonObject>;

const samples = (count: number) => fc.sample(request, { numRuns: count, seed: 20261120 });
/** What a server receives: JSON turns -0 into 0. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** The arguments that a POSIX shell passes to curl, for each command. A shell function named `curl` prints them, ended by NUL. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf 'END\\0'; }\n${commands.join('\n')}\n`;
  const { stdout, stderr, status } = spawnSync('sh', ['-s'], {
    input: script,
    env: { SLUICE_API_KEY: KEY },
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, String(stderr));
  const calls = String(stdout).split('\0END\0');
  return calls.slice(0, -1).map((call) => call.split('\0'));
}

describe('a request as code', () => {
  test('any quoted text is one word of the shell', () => {
    const texts = fc
      .sample(text, { numRuns: 500, seed: 7 })
      .map((sample) => sample.toWellFormed().replaceAll('\0', ''));
    const calls = argumentsOf(texts.map((sample) => `curl ${shellQuote(sample)}`));
    assert.deepEqual(
      calls,
      texts.map((sample) => [sample]),
    );
  });

  test('curl gets exactly the request, and the key from the environment', () => {
    const requests = samples(300);
    const calls = argumentsOf(requests.map((sample) => curlCommand(HOSTILE_URL, sample)));
    assert.equal(calls.length, requests.length);
    for (const [index, words] of calls.entries()) {
      assert.deepEqual(words.slice(0, -1), [
        '-sS',
        HOSTILE_URL,
        '-H',
        `Authorization: Api-Key ${KEY}`,
        '-H',
        'Content-Type: application/json',
        '--data-raw',
      ]);
      assert.deepEqual(JSON.parse(words.at(-1)!), asJson(requests[index]));
    }
  });

  test('a module for Node sends exactly the request', () => {
    const requests = samples(150);
    // All programs run in one process, each in a function whose parameter `fetch` records the call.
    const programs = requests
      .map((sample) => `await (async (fetch) => {\n${nodeProgram(HOSTILE_URL, sample)}})(record);`)
      .join('\n');
    const script = `const record = async (...call) => { process.stdout.write(JSON.stringify(call) + '\\n'); return { json: async () => ({}) }; };
console.log = () => {};\n${programs}`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module'], {
      input: script,
      env: { SLUICE_API_KEY: KEY },
      maxBuffer: 1 << 28,
    });
    assert.equal(status, 0, String(stderr));
    const calls = String(stdout).trimEnd().split('\n');
    assert.equal(calls.length, requests.length);
    for (const [index, line] of calls.entries()) {
      const [url, { headers, body }] = JSON.parse(line) as [
        string,
        { headers: { authorization: string }; body: string },
      ];
      assert.equal(url, HOSTILE_URL);
      assert.equal(headers.authorization, `Api-Key ${KEY}`);
      assert.deepEqual(JSON.parse(body), asJson(requests[index]));
    }
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  test('Python reads exactly the request', { skip: !hasPython && 'python3 is not installed' }, () => {
    const requests = samples(300);
    const script =
      'import ast, json, sys\nprint(json.dumps([ast.literal_eval(literal) for literal in json.load(sys.stdin)]))';
    const { stdout, stderr, status } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(requests.map((sample) => pythonLiteral(sample))),
      maxBuffer: 1 << 28,
    });
    assert.equal(status, 0, String(stderr));
    assert.deepEqual(JSON.parse(String(stdout)), asJson(requests));
  });
});
