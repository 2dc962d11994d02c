import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { firecrawlProgram } from '../../dashboard/src/pages/playground/code/firecrawl.ts';
import { proxyPortCommand } from '../../dashboard/src/pages/playground/code/proxy-port.ts';
import { parseMembers } from '../../src/cli/core/members.ts';
import { commandLine } from '../../src/snippets/command-line.ts';
import { curlCommand } from '../../src/snippets/curl.ts';
import {
  ExactNumber,
  type ExactJson as Json,
  type ExactJsonObject as JsonObject,
} from '../../src/snippets/json.ts';
import { pythonLiteral, shellQuote } from '../../src/snippets/quoting.ts';
import { pythonProgram, typeScriptProgram } from '../../src/snippets/sdk.ts';
import fc from '../helpers/fast-check.ts';

/** Contains characters that mean something to shells, JavaScript or Python. */
const HOSTILE_URL = 'https://it\'s.example/$(id)/`id`/\\/"!!';
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

/** The arguments that a POSIX shell passes to a program, for each command. A shell function prints them, ended by NUL. */
function argumentsOf(commands: readonly string[], program = 'curl'): string[][] {
  const script = `${program}() { printf '%s\\0' "$@"; printf 'END\\0'; }\n${commands.join('\n')}\n`;
  const { stdout, stderr, status } = spawnSync('sh', ['-s'], {
    input: script,
    env: { SLUICE_KEY: KEY },
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, String(stderr));
  const calls = String(stdout).split('\0END\0');
  return calls.slice(0, -1).map((call) => call.split('\0'));
}

/** Runs programs for a client in one process. Each is a function whose client records its options and its calls. */
function recordedCalls(
  programs: readonly string[],
  client: string,
): [options: unknown, ...call: unknown[]][] {
  const bodies = programs.map(
    (program) => `await (async () => {\n${program.replace(/^import .*\n/, '')}})();`,
  );
  const script = `const page = { router: {} };
class ${client} {
  constructor(options) { this.options = options; }
  async scrape(...call) { process.stdout.write(JSON.stringify([this.options, ...call]) + '\\n'); return page; }
}
console.log = () => {};\n${bodies.join('\n')}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module-typescript'], {
    input: script,
    env: { SLUICE_KEY: KEY },
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, String(stderr));
  const lines = String(stdout).trimEnd().split('\n');
  assert.equal(lines.length, programs.length);
  return lines.map((line) => JSON.parse(line));
}

const codeOf = ({ code }: { readonly code: string | null }): string => {
  assert.ok(code !== null);
  return code;
};

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
        `${HOSTILE_URL}/api/v1/scrape/`,
        '-H',
        `Authorization: Api-Key ${KEY}`,
        '-H',
        'Content-Type: application/json',
        '--data-raw',
      ]);
      assert.deepEqual(JSON.parse(words.at(-1)!), asJson(requests[index]));
    }
  });

  test('the TypeScript client gets exactly the request, and the key from the environment', () => {
    const requests = samples(150);
    const calls = recordedCalls(
      requests.map((sample) => codeOf(typeScriptProgram(HOSTILE_URL, sample))),
      'Sluice',
    );
    for (const [index, [options, body]] of calls.entries()) {
      assert.deepEqual(options, { baseUrl: HOSTILE_URL, apiKey: KEY });
      assert.deepEqual(body, asJson(requests[index]));
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

  test('the command line reads its options as exactly the request', async () => {
    const values = fc.oneof(fc.jsonValue(), text) as fc.Arbitrary<Json>;
    const withMembers = fc.record({
      scraper: fc.constant('http'),
      data: values,
      headers: fc.dictionary(text, text),
      router: fc.dictionary(fc.constantFrom('max_cost', 'tags', 'a.b', '__proto__'), values),
    }) as fc.Arbitrary<JsonObject>;
    // A shell cannot pass NUL, and encodes lone surrogates.
    const requests = fc
      .sample(withMembers, { numRuns: 200, seed: 9 })
      .filter((sample) => JSON.stringify(sample).isWellFormed() && !JSON.stringify(sample).includes('\\u'));
    const commands = requests.map((sample) =>
      codeOf(commandLine(HOSTILE_URL, { url: HOSTILE_URL, ...sample })),
    );
    const calls = argumentsOf(commands, 'sluice');
    assert.ok(calls.length > 50);
    for (const [index, [command, url, ...options]] of calls.entries()) {
      assert.deepEqual([command, url], ['scrape', HOSTILE_URL]);
      assert.deepEqual(asJson(await membersOf(options)), asJson(requests[index]), commands[index]!);
    }
  });

  test('a command cannot have a URL that it would take for something else', () => {
    for (const url of ['-', '--json', '@file', undefined])
      assert.deepEqual(commandLine('', url === undefined ? {} : { url }), {
        code: null,
        missing: ['/url'],
      });
  });

  test("Firecrawl's client gets what its options can say, and the rest is named", () => {
    const ours: JsonObject = {
      url: HOSTILE_URL,
      headers: { 'x-a': '"\'' },
      timeout_ms: 5000,
      wait_for_timeout_ms: 10,
      screenshot: true,
      page_actions: [
        { type: 'click', selector: 'a' },
        { type: 'wait', ms: 5 },
      ],
      scraper_options: {
        formats: ['markdown', 'html', 'metadata'],
        only_main_content: true,
        screenshot: { full_page: true },
        json: { schema: { type: 'object' } },
        http2: true,
      },
      proxy: { type: 'residential', country: 'DE', city: 'Berlin' },
      router: { sort: 'fastest', max_cost: 1 },
    };
    const snippet = firecrawlProgram('http://sluice.example', ours);
    assert.deepEqual(snippet.missing, ['/scraper_options/http2', '/proxy/city', '/router/max_cost']);
    const [options, url, sent] = recordedCalls([codeOf(snippet)], 'Firecrawl')[0]!;
    assert.deepEqual(options, { apiUrl: 'http://sluice.example', apiKey: KEY });
    assert.equal(url, HOSTILE_URL);
    assert.deepEqual(sent, {
      formats: [
        { type: 'screenshot', fullPage: true },
        'markdown',
        'rawHtml',
        { type: 'json', schema: { type: 'object' } },
      ],
      onlyMainContent: true,
      skipTlsVerification: false,
      headers: { 'x-a': '"\'' },
      timeout: 5000,
      waitFor: 10,
      actions: [
        { type: 'click', selector: 'a' },
        { type: 'wait', milliseconds: 5 },
      ],
      proxy: 'enhanced',
      location: { country: 'DE' },
      fastMode: true,
    });
  });

  test("what Firecrawl's client cannot say is never left out in silence", () => {
    const members = [
      'scraper',
      'method',
      'data',
      'cookies',
      'page_actions',
      'screenshot',
      'headers',
      'constructor',
    ];
    for (const name of members) {
      const { missing } = firecrawlProgram('', { url: 'http://a.test/', [name]: { strange: [1] } });
      if (name !== 'headers') assert.deepEqual(missing, [`/${name}`]);
      else assert.deepEqual(missing, ['/headers']);
    }
  });

  test('the proxy port gets method, headers, cookies and body by curl, and the rest as its password', () => {
    const snippet = proxyPortCommand('http://sluice.example', {
      url: 'https://a.test/?a=1#f',
      method: 'POST',
      headers: { 'X-It': "it's", 'X-Two': ['a', 'b'], 'X-None': '' },
      query: { q: ['x y', 'z'], none: null },
      cookies: { a: 'b', c: 'd' },
      data: { a: "'" },
      scraper_options: { http2: false, formats: ['text'] },
      router: 'cheapest',
    });
    assert.deepEqual(snippet.missing, ['/scraper_options/formats']);
    const [authority, words] = argumentsOf([codeOf(snippet)]);
    assert.deepEqual(authority, ['-sS', '-o', 'sluice-ca.pem', 'http://sluice.example/api/v1/proxy-ca.pem']);
    const user = words![words!.indexOf('--proxy-user') + 1]!;
    assert.ok(user.startsWith(`${KEY}:`));
    assert.deepEqual(JSON.parse(user.slice(KEY.length + 1)), {
      scraper_options: { http2: false },
      router: { sort: 'cheapest' },
      scraper: 'auto',
      allow_redirects: true,
    });
    assert.deepEqual(
      words!.filter((word) => word !== user),
      [
        ...[
          '-sS',
          '-g',
          'https://a.test/?a=1&q=x%20y&q=z#f',
          '--proxy',
          'http://sluice.example:8081',
          '--proxy-user',
        ],
        ...[
          '--cacert',
          'sluice-ca.pem',
          '-X',
          'POST',
          '-H',
          "X-It: it's",
          '-H',
          'X-Two: a',
          '-H',
          'X-Two: b',
        ],
        ...['-H', 'X-None;', '-H', 'Content-Type: application/json', '-H', 'User-Agent:', '-H', 'Accept:'],
        ...['-H', 'Cookie: a=b; c=d', '--data-raw', `{"a":"'"}`],
      ],
    );
  });

  test('numbers that a language would round are named instead of written', () => {
    const long = { data: { id: new ExactNumber('12345678901234567890') } };
    const huge = { data: [new ExactNumber('1e400')] };
    assert.deepEqual(typeScriptProgram('', long), { code: null, missing: ['/data/id'] });
    assert.deepEqual(typeScriptProgram('', huge), { code: null, missing: ['/data/0'] });
    assert.match(codeOf(pythonProgram('', long)), /"id": 12345678901234567890\}/);
    assert.deepEqual(pythonProgram('', huge), { code: null, missing: ['/data/0'] });
  });
});

/** Reads `--name value` and `--name=value` as the command does. */
async function membersOf(words: readonly string[]): Promise<unknown> {
  const options: string[] = [];
  for (let index = 0; index < words.length; index++)
    options.push(words[index]!.includes('=') ? words[index]! : `${words[index]}=${words[++index]}`);
  return parseMembers(options, []);
}

test('programs print what the request asks for', () => {
  const url = 'https://example.com/';
  const printed: readonly (readonly [request: JsonObject, members: readonly string[]])[] = [
    [{ url }, ['content']],
    [{ url, scraper_options: { formats: ['markdown'] } }, ['scraper_data']],
    [{ url, scraper_options: { capture: [{ url: '**' }], return_content: false } }, ['scraper_data']],
    [{ url, scraper_options: { return_content: false } }, ['scraper_data']],
    [{ url, screenshot: true, scraper_options: { return_content: false } }, ['screenshot_url']],
    [
      { url, screenshot: true, scraper_options: { extract: { a: 'h1' } } },
      ['screenshot_url', 'scraper_data'],
    ],
  ];
  for (const [request, members] of printed) {
    const typeScript = typeScriptProgram('http://127.0.0.1:8080', request).code!;
    const shown = members.map((name) => `page.${name}`).join(', ');
    assert.ok(typeScript.endsWith(`outcome, ${shown});\n`), typeScript);
    const python = pythonProgram('http://127.0.0.1:8080', request).code!;
    assert.ok(
      python.endsWith(`"outcome"], ${members.map((name) => `page["${name}"]`).join(', ')})\n`),
      python,
    );
  }
});
