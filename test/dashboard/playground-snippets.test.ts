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

const URL_WITH_ALL = 'https://it\'s.example/$(id)/`id`/\\/"!!/api/v1/scrape/';
const KEY = 'a key with $HOME and "quotes"';

/** Texts of all characters, with those often that mean something to a shell or a language. */
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
/** As it arrives: lone surrogates and -0 are no different after a trip through JSON. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** What a shell makes of commands: the arguments of each, with NUL between. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf 'END\\0'; }\n${commands.join('\n')}\n`;
  const { stdout, stderr, status } = spawnSync('sh', ['-s'], {
    input: script,
    env: { SLUICE_API_KEY: KEY },
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, String(stderr));
  const found = String(stdout).split('\0END\0');
  return found.slice(0, -1).map((one) => one.split('\0'));
}

describe('a request as code', () => {
  test('a quoted text is one word of the shell, whatever it holds', () => {
    const texts = fc
      .sample(text, { numRuns: 500, seed: 7 })
      .map((one) => one.toWellFormed().replaceAll('\0', ''));
    const found = argumentsOf(texts.map((one) => `curl ${shellQuote(one)}`));
    assert.deepEqual(
      found,
      texts.map((one) => [one]),
    );
  });

  test('curl gets exactly the request, and the key from the environment', () => {
    const requests = samples(300);
    const found = argumentsOf(requests.map((one) => curlCommand(URL_WITH_ALL, one)));
    assert.equal(found.length, requests.length);
    for (const [index, words] of found.entries()) {
      assert.deepEqual(words.slice(0, -1), [
        '-sS',
        URL_WITH_ALL,
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
    // Each program as a function of what it calls, all in one process.
    const programs = requests
      .map((one) => `await (async (fetch) => {\n${nodeProgram(URL_WITH_ALL, one)}})(called);`)
      .join('\n');
    const script = `const called = async (...call) => { process.stdout.write(JSON.stringify(call) + '\\n'); return { json: async () => ({}) }; };
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
      assert.equal(url, URL_WITH_ALL);
      assert.equal(headers.authorization, `Api-Key ${KEY}`);
      assert.deepEqual(JSON.parse(body), asJson(requests[index]));
    }
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  test('Python reads exactly the request', { skip: !python && 'no python3 here' }, () => {
    const requests = samples(300);
    const script =
      'import ast, json, sys\nprint(json.dumps([ast.literal_eval(one) for one in json.load(sys.stdin)]))';
    const { stdout, stderr, status } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(requests.map((one) => pythonLiteral(one))),
      maxBuffer: 1 << 28,
    });
    assert.equal(status, 0, String(stderr));
    assert.deepEqual(JSON.parse(String(stdout)), asJson(requests));
  });
});
