import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { requestOf } from '../../../src/http/docs/docs-code.ts';
import { SNIPPET_LANGUAGES } from '../../../src/snippets/languages.ts';
import { freePort } from '../../helpers/free-port.ts';
import type { Example, Guide } from '../../helpers/guides.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';
import { notRun, runCode } from '../../helpers/run-code.ts';
import {
  linkTypeScriptClient,
  PYTHON_CLIENT,
  pythonClientMissing,
  pythonPackageMissing,
} from '../../helpers/sdk-packages.ts';
import { startService } from '../../helpers/service.ts';
import { assertPrinted, assertShown } from '../../helpers/shown-answer.ts';
import { createUser } from '../../helpers/users.ts';
import { signIn } from '../../helpers/visitor.ts';
import { startExampleSite } from './example-site.ts';

/** Languages whose blocks are run. Blocks of others (yaml, text, …) are only shown. */
const RUN = ['bash', 'sh', 'ts', 'js', 'python', 'json'];
/** Where a program of a text listens for webhooks. */
const WEBHOOK_PORT = /\b9000\b/g;

const LONG = process.env.LONG === '1';
type Language = keyof typeof SNIPPET_LANGUAGES;
/** The languages in which requests are run: each request in the next of them, in tier 3 in all. */
const LANGUAGES = (Object.keys(SNIPPET_LANGUAGES) as Language[]).filter((name) => notRun(name) === false);

const noPython = pythonClientMissing() || pythonPackageMissing('requests');
const noScrapy = pythonPackageMissing('scrapy');

interface World extends AsyncDisposable {
  readonly base: string;
  readonly key: string;
  /** The folder of a text. */
  folder(path: string): string;
  /** The example with the addresses of the test in place of those of the text. */
  localized(text: string): string;
  readonly env: NodeJS.ProcessEnv;
}

async function startWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await startExampleSite());
  const proxy = stack.use(await startProxy({ auth: ['user', 'password'] }));
  const receiver = stack.use(await startReceiver());
  const home = mkdtempSync(join(tmpdir(), 'sluice-guides-'));
  stack.defer(() => rmSync(home, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  const settings = (name: string, value: unknown) => {
    writeFileSync(join(home, name), JSON.stringify(value));
    return join(home, name);
  };
  const exit = { url: `http://user:password@127.0.0.1:${proxy.port}`, country: 'DE' };
  const [proxyPort, webhookPort] = [await freePort(), await freePort()];
  const service = stack.use(
    await startService({
      SLUICE_PROXY_PORT: String(proxyPort),
      SLUICE_DIALECTS: 'firecrawl,scrapingbee,zyte',
      SLUICE_BROWSER_WARM: 'true',
      SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
      SLUICE_PROXIES: settings('proxies.json', {
        pools: [{ name: 'provider', type: 'residential', countries: ['DE'], proxies: [exit] }],
        allow_none: true,
      }),
      SLUICE_PRICES: settings('prices.json', {
        currency: 'EUR',
        scrapers: { http: 0, http_impersonate: 0.00001, browser: 0.0005 },
      }),
    }),
  );
  const { email, key } = await createUser(service, { role: 'admin' });
  const visitor = await signIn(service, email);
  const { body } = await visitor.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/');
  const owned = stack.move();
  return {
    base: service.base,
    key,
    folder(path) {
      const folder = join(home, path.replaceAll(/\W+/g, '-'));
      mkdirSync(join(folder, 'bin'), { recursive: true });
      symlinkSync(join(ROOT, 'bin/sluice'), join(folder, 'bin/sluice'));
      linkTypeScriptClient(folder);
      return folder;
    },
    localized: (text) =>
      text
        .replaceAll(/https?:\/\/(?:www\.)?example\.com(?![\w.-])/g, site.url)
        .replaceAll('http://127.0.0.1:8080', service.base)
        .replaceAll('127.0.0.1:8081', `127.0.0.1:${proxyPort}`)
        .replaceAll('proxy.example:3128', `127.0.0.1:${proxy.port}`)
        .replaceAll('https://hooks.slack.com/services/T000/B000/XXXX', receiver.url)
        .replaceAll(WEBHOOK_PORT, String(webhookPort)),
    env: {
      ...cleanEnvironment(),
      // The examples for `node` are for that of Sluice, or a later one.
      PATH: `${join(ROOT, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
      PYTHONPATH: PYTHON_CLIENT,
      SLUICE_URL: service.base,
      SLUICE_KEY: key,
      WEBHOOK_SECRET: body.secret,
      SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const isAnswer = ({ language, note }: Example): boolean =>
  note === '' && (language === 'json' || language === 'text');

/**
 * Runs the examples of the texts, each text in a folder of its own.
 * @param options.hasAnswers whether blocks that are only `json` or `text` are what the examples before them answer or print
 */
export function testExamples(texts: readonly Guide[], options: { readonly hasAnswers: boolean }): void {
  const { hasAnswers } = options;
  const canRun = ({ language, note, code }: Example) =>
    RUN.includes(language) &&
    !note.startsWith('not-run:') &&
    (language !== 'python' || (noPython === false && !(/\bscrapy\b/.test(code) && noScrapy !== false)));

  // Most of the time is waiting for processes and pages.
  describe('examples', { concurrency: 3 }, () => {
    let world: World;
    before(async () => {
      world = await startWorld();
    });
    after(() => world[Symbol.asyncDispose]());

    /**
     * Runs the code that the site shows for a request, in one language after another.
     * @returns what the last one printed
     */
    async function runRequest(
      { code, note }: Example,
      folder: string,
      shown: Shown,
      languages: readonly Language[],
    ) {
      const request = requestOf({ info: `json ${note}`, code });
      assert.ok(request !== null, `unknown note: ${note}`);
      const programIn = (language: Language) =>
        SNIPPET_LANGUAGES[language].write('http://127.0.0.1:8080', request.body, request.path).code;
      // The command line has no program for most endpoints.
      const possible = languages.filter((language) => programIn(language) !== null);
      let printed = '';
      for (const language of possible.length > 0 ? possible : (['curl'] as const)) {
        const program = programIn(language)!;
        printed = await runCode(language, world.localized(program), folder, world.env);
        // A text that shows a problem shows its status; most programs print it like any answer.
        if (shown.status === undefined) assert.doesNotMatch(printed, /^\{"type":"[^"]*","title"/, printed);
        if (shown.router?.outcome !== 'failed')
          assert.doesNotMatch(printed, /"outcome":"failed"|^\d+ failed/, printed);
      }
      return printed;
    }

    /** Runs an example in the folder of its text. @returns what it answered or printed */
    async function run(example: Example, folder: string, shown: Shown, languages: readonly Language[]) {
      const code = world.localized(example.code);
      switch (example.language) {
        case 'json':
          if (example.note !== '') return runRequest(example, folder, shown, languages);
          JSON.parse(code);
          return '';
        case 'python':
          return runCode('Python', code, folder, world.env);
        case 'ts':
        case 'js':
          return runCode('TypeScript', code, folder, world.env);
        default:
          return runCode('curl', code, folder, world.env);
      }
    }

    for (const [index, { path, examples }] of texts.entries()) {
      const steps = hasAnswers ? stepsOf(examples) : examples.map((example) => ({ example, answer: null }));
      const runnable = steps.filter(({ example }) => canRun(example));
      test(path, { skip: runnable.length === 0 && 'it has no example that can be run' }, async () => {
        const folder = world.folder(path);
        for (const [place, { example, answer }] of runnable.entries()) {
          try {
            const shown = answer === null ? '' : world.localized(answer.code);
            const isJson = answer?.language === 'json';
            const expected = isJson ? (JSON.parse(shown) as Shown) : {};
            // curl prints the whole answer. The clients throw a problem.
            const last =
              answer === null ? [LANGUAGES[(index + place) % LANGUAGES.length]!] : ['curl' as const];
            const languages = LONG && expected.status === undefined ? [...LANGUAGES, ...last] : last;
            const real = await run(example, folder, expected, languages);
            if (isJson) assertShown(JSON.parse(shown), JSON.parse(real));
            else assertPrinted(shown, real);
          } catch (error) {
            throw new Error(`${path}:${example.line}: ${(error as Error).message}`, { cause: error });
          }
        }
      });
    }

    // The tests above leave them out where they cannot run; this one says so.
    test('examples in Python are run', { skip: noPython }, () => {
      assert.ok(texts.some(({ examples }) => examples.some(({ language }) => language === 'python')));
    });

    test('each example that is not run says why', () => {
      for (const { path, examples } of texts)
        for (const { note, line } of examples)
          if (note.startsWith('not-run'))
            assert.match(note, /^not-run: \w+(?: \S+){2,}/, `${path}:${line}: the reason is missing`);
    });
  });
}

/** The members of a shown answer that say what to expect of the request. */
interface Shown {
  /** Of a problem. */
  readonly status?: number;
  readonly router?: { readonly outcome?: string };
}

interface Step {
  readonly example: Example;
  /** What it answers or prints; null: the text does not show it. */
  readonly answer: Example | null;
}

/**
 * The examples with their answers. An answer is that of the example before it, and of those that stand directly before that: the same
 * in other languages.
 */
function stepsOf(examples: readonly Example[]): readonly Step[] {
  const steps: { example: Example; answer: Example | null }[] = [];
  for (const example of examples) {
    if (!isAnswer(example)) {
      steps.push({ example, answer: null });
      continue;
    }
    for (let index = steps.length - 1; index >= 0; index--) {
      steps[index]!.answer = example;
      if (!steps[index]!.example.adjacent) break;
    }
  }
  return steps;
}
