import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type Example, readGuides } from '../../helpers/guides.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';
import {
  linkTypeScriptClient,
  PYTHON,
  PYTHON_CLIENT,
  pythonClientMissing,
  pythonPackageMissing,
} from '../../helpers/sdk-packages.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { type ExampleSite, startExampleSite } from './example-site.ts';

/** Languages whose blocks are run. Blocks of others (yaml, text, …) are only shown. */
const RUN = ['bash', 'sh', 'ts', 'js', 'python', 'json'];

const guides = readGuides();
const noPython = pythonClientMissing() || pythonPackageMissing('requests');

// Most of the time is waiting for processes and pages.
describe('the examples of the guides', { concurrency: 3 }, () => {
  const stack = new AsyncDisposableStack();
  let service: Service;
  let site: ExampleSite;
  let proxy: ProxyServer;
  let proxyPort: number;
  let home: string;
  before(async () => {
    site = stack.use(await startExampleSite());
    proxy = stack.use(await startProxy({ auth: ['user', 'password'] }));
    home = mkdtempSync(join(tmpdir(), 'sluice-guides-'));
    stack.defer(() => rmSync(home, { recursive: true }));
    symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
    const settings = (name: string, value: unknown) => {
      writeFileSync(join(home, name), JSON.stringify(value));
      return join(home, name);
    };
    const exit = { url: `http://user:password@127.0.0.1:${proxy.port}`, country: 'DE' };
    proxyPort = await freePort();
    service = stack.use(
      await startService({
        SLUICE_PROXY_PORT: String(proxyPort),
        SLUICE_DIALECTS: 'firecrawl,scrapingbee,zyte',
        SLUICE_BROWSER_WARM: 'true',
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
  });
  after(() => stack.disposeAsync());

  /** The example with the addresses of the test in place of those of the guide. */
  const localized = ({ code }: Example) =>
    code
      .replaceAll(/https?:\/\/(?:www\.)?example\.com(?![\w.-])/g, site.url)
      .replaceAll('http://127.0.0.1:8080', service.base)
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${proxyPort}`)
      .replaceAll('proxy.example:3128', `127.0.0.1:${proxy.port}`);

  async function runProgram(command: string, args: readonly string[], folder: string) {
    const env = {
      ...cleanEnvironment(),
      PATH: `${join(ROOT, 'bin')}:${process.env.PATH}`,
      PYTHONPATH: PYTHON_CLIENT,
      SLUICE_URL: service.base,
      SLUICE_KEY: service.key,
      SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    };
    const { code, stdout, stderr } = await runChild(command, args, { cwd: folder, env });
    assert.equal(code, 0, `${stdout}\n${stderr}`);
  }

  /** Posts a body to the path of the note. Blocks without a path are answers: they must only be JSON. */
  async function postJson(example: Example) {
    const body: unknown = JSON.parse(localized(example));
    if (example.note === '') return;
    const path = /^POST (\/\S+)$/.exec(example.note)?.[1];
    assert.ok(path !== undefined, `unknown note: ${example.note}`);
    const answer = await fetch(service.base + path, {
      method: 'POST',
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${answer.status} ${text}`);
    assert.ok(!text.includes('"outcome":"failed"'), text);
  }

  /** Runs an example in the folder of its guide. */
  async function run(example: Example, folder: string) {
    const file = (name: string) => {
      writeFileSync(join(folder, name), localized(example));
      return name;
    };
    switch (example.language) {
      case 'json':
        return postJson(example);
      case 'python':
        return runProgram(PYTHON, [file('example.py')], folder);
      case 'ts':
      case 'js':
        return runProgram(process.execPath, [file('example.mts')], folder);
      default:
        return runProgram('bash', ['-euo', 'pipefail', file('example.sh')], folder);
    }
  }

  for (const { name, examples } of guides) {
    const runnable = examples.filter(
      ({ language, note }) =>
        RUN.includes(language) &&
        !note.startsWith('not-run:') &&
        (language !== 'python' || noPython === false),
    );
    test(name, { skip: runnable.length === 0 && 'it has no example that can be run' }, async () => {
      const folder = join(home, name.replace('.md', ''));
      mkdirSync(folder);
      linkTypeScriptClient(folder);
      for (const example of runnable) {
        try {
          await run(example, folder);
        } catch (error) {
          throw new Error(`docs/guides/${name}:${example.line}: ${(error as Error).message}`, {
            cause: error,
          });
        }
      }
    });
  }

  // The tests above leave them out where they cannot run; this one says so.
  test('examples in Python are run', { skip: noPython }, () => {
    assert.ok(guides.some(({ examples }) => examples.some(({ language }) => language === 'python')));
  });

  test('each example that is not run says why', () => {
    for (const { name, examples } of guides) {
      for (const { note, line } of examples) {
        if (note.startsWith('not-run'))
          assert.match(
            note,
            /^not-run: \w+(?: \S+){2,}/,
            `docs/guides/${name}:${line}: the reason is missing`,
          );
      }
    }
  });
});
