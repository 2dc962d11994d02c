import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  LANGUAGE_NAMES,
  LANGUAGES,
  type LanguageName,
} from '../../../dashboard/src/pages/playground/code/languages.ts';
import { EXAMPLE_PORT } from '../../../dashboard/src/pages/playground/code/proxy-port.ts';
import type { JsonObject } from '../../../dashboard/src/pages/playground/model/json.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { cleanEnvironment, ROOT } from '../../helpers/repository.ts';
import { notRun, runCode } from '../../helpers/run-code.ts';
import { linkTypeScriptClient, PYTHON_CLIENT } from '../../helpers/sdk-packages.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

/** What the site got. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const TRICKY = `it's $(id) \`id\` "$HOME" \\ !! & ; < > é %41 {a,b} [1-2]`;

/** Requests without their URL, and the headers that the site must get. Firecrawl’s client can send two of them. */
const REQUESTS: readonly { readonly name: string; readonly path: string; readonly request: JsonObject }[] = [
  { name: 'a page', path: '/plain', request: { scraper: 'http' } },
  {
    name: 'headers and a query in the URL',
    path: `/find?q=${encodeURIComponent(TRICKY)}`,
    request: { headers: { 'x-it': 'it\'s "$HOME"', accept: 'text/html' }, timeout_ms: 20_000 },
  },
  {
    name: 'Markdown',
    path: '/markdown',
    request: { scraper_options: { formats: ['markdown'], only_main_content: true } },
  },
  {
    name: 'a form',
    path: '/form?x=%27',
    request: { scraper: 'http', method: 'POST', data: { $form: { text: TRICKY, two: 'b' } } },
  },
  {
    name: 'JSON, cookies and options',
    path: '/json',
    request: {
      scraper: 'http',
      method: 'PUT',
      data: { $json: { text: TRICKY, true: 'true' } },
      cookies: { a: 'b' },
      router: { tags: { team: '007' } },
      scraper_options: { http2: false },
    },
  },
];

describe('the code of the playground sends the same request', () => {
  const stack = new AsyncDisposableStack();
  const seen: Seen[] = [];
  let service: Service;
  let site: MadeSite;
  let home: string;
  let proxyPort: number;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    site = stack.use(
      await startMadeSite((path, request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        request.on('end', () => {
          seen.push({ method: request.method!, path, headers: request.headers, body });
          response.setHeader('content-type', 'text/html').end('<h1>Here</h1><p>Some text of the page.</p>');
        });
        return undefined;
      }),
    );
    proxyPort = await freePort();
    service = stack.use(
      await startService({ SLUICE_DIALECTS: 'firecrawl', SLUICE_PROXY_PORT: String(proxyPort) }),
    );
    home = mkdtempSync(join(tmpdir(), 'sluice-code-'));
    stack.defer(() => rmSync(home, { recursive: true }));
    symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
    linkTypeScriptClient(join(home, 'programs'));
    environment = {
      ...cleanEnvironment(),
      PATH: `${join(ROOT, 'bin')}:${process.env.PATH}`,
      SLUICE_KEY: service.key,
      PYTHONPATH: PYTHON_CLIENT,
      SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    };
  });
  after(() => stack.disposeAsync());

  /** Firecrawl’s client is for TypeScript, too, and the proxy port for curl. */
  const run = (language: LanguageName, code: string) =>
    runCode(language === 'Firecrawl' ? 'TypeScript' : language, code, join(home, 'programs'), environment);

  /** What the site gets by an action. */
  async function seenBy(action: () => Promise<unknown>): Promise<Seen> {
    const before = seen.length;
    await action();
    return eventually(() => seen[before]);
  }

  for (const language of LANGUAGE_NAMES) {
    test(language, { skip: notRun(language) }, async () => {
      let sent = 0;
      for (const { name, path, request } of REQUESTS) {
        const whole = { url: site.url + path, ...request };
        const { code, missing } = LANGUAGES[language].write(service.base, whole);
        // Code that says what it lacks sends something else, on purpose.
        if (missing.length > 0) continue;
        sent++;
        const expected = await seenBy(() => service.scrape(whole));
        const got = await seenBy(() =>
          run(language, (code ?? '').replace(`:${EXAMPLE_PORT}`, `:${proxyPort}`)),
        );
        assert.deepEqual(relevant(got, request), relevant(expected, request), `${language}: ${name}`);
      }
      assert.ok(sent >= 2, 'the code lacks a part of nearly all requests');
    });
  }
});

/** What the request decides. The other headers belong to the scraper and to the client. */
function relevant({ method, path, headers, body }: Seen, request: JsonObject) {
  const names = Object.keys((request.headers ?? {}) as object);
  if (body !== '') names.push('content-type');
  return {
    method,
    path,
    body,
    headers: names.map((name) => [name, headers[name]]),
    cookie: headers.cookie,
  };
}
