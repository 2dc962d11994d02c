import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../helpers/free-port.ts';
import { eventually, type ServiceApi } from '../helpers/service.ts';

export interface Run {
  readonly n: number;
  readonly state: string;
  readonly job_id: string;
  readonly scrape_id: string | null;
  readonly change: {
    readonly state: string;
    readonly reason: string | null;
    readonly previous_id: string | null;
    readonly added: number;
    readonly diff: string | null;
    readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
    readonly pages: readonly {
      readonly url: string;
      readonly state: string;
      readonly reason: string | null;
    }[];
    readonly counts: Readonly<Record<string, number>> | null;
    readonly incomplete: string | null;
  } | null;
}

type Answer = (response: ServerResponse) => void;

/** A site whose pages a test changes: path → status and HTML. */
export function useChangingSite() {
  const pages = new Map<string, { status: number; html: string; location?: string } | Answer>();
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url!, 'http://site').pathname) ?? {
      status: 404,
      html: '<title>Not found</title>Nothing',
    };
    if (typeof page === 'function') return page(response);
    const { status, html, location } = page;
    if (location !== undefined) response.setHeader('location', location);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  const site = {
    url: '',
    set: (path: string, html: string, status = 200) => pages.set(path, { status, html }),
    answer: (path: string, answer: Answer) => pages.set(path, answer),
    redirect: (path: string, location: string) => pages.set(path, { status: 302, html: '', location }),
    remove: (path: string) => pages.delete(path),
  };
  before(async () => {
    await listen(server);
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  return site;
}

export const article = (body: string): string =>
  `<!doctype html><title>News</title><nav><a href="/">Home</a></nav><main><h1>News of the town</h1>${body}</main>`;
export const PARAGRAPH = ['bridge over the river', 'market in the old town', 'school at the lake']
  .map((thing) => `<p>${`The council met on Tuesday and spoke about the ${thing}. `.repeat(3)}</p>`)
  .join('');

const sent =
  (html: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);

const cut =
  (headers: (length: number) => Record<string, string>): ((html: string) => Answer) =>
  (html) =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers(html.length) });
    response.write(html.slice(0, 200), () => response.destroy());
  };

/** Answers instead of a page, and the reason that a comparison has for them. */
export const NOT_THE_PAGE: readonly [what: string, reason: string, of: (html: string) => Answer][] = [
  ['cut, with its length', 'content.incomplete', cut((length) => ({ 'content-length': String(length) }))],
  ['cut, in chunks', 'content.incomplete', cut(() => ({}))],
  [
    'cut within gzip',
    'content.decode_failed',
    (html) => (response) => {
      const body = gzipSync(html);
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      response.end(body.subarray(0, body.length - 40));
    },
  ],
  [
    'not what its coding says',
    'content.decode_failed',
    (html) => sent(html, 200, { 'content-encoding': 'gzip' }),
  ],
  [
    'cut within a tag, without a length',
    'incomplete',
    (html) => (response) => {
      response.shouldKeepAlive = false;
      sent(`${html.slice(0, 300)}<p clas`, 200, { connection: 'close' })(response);
    },
  ],
  ['cut within a script', 'incomplete', (html) => sent(`${html.slice(0, 300)}<script>let a = 1;`)],
  [
    'a part that nobody asked for',
    'status_206',
    (html) => sent(html.slice(0, 300), 206, { 'content-range': 'bytes 0-299/900' }),
  ],
  ['empty', 'empty', () => sent('')],
  ['without content', 'empty', () => sent('', 204)],
  ['white space', 'empty', () => sent(' \n ')],
  [
    'a frame without anything',
    'empty',
    () => sent('<!doctype html><html><head></head><body><div></div></body></html>'),
  ],
  [
    'waiting for its scripts',
    'empty',
    () => sent('<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>'),
  ],
  [
    'a sign-in form',
    'signed_out',
    () =>
      sent(
        '<!doctype html><title>Sign in</title><h1>Sign in</h1><form action="/login" method="post"><input name="email" type="email"><input name="password" type="password"><button>Sign in</button></form>',
      ),
  ],
  [
    'blocked',
    'target.blocked',
    () =>
      sent(
        '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>You are unable to access example.com. Ray ID: 7d1f0a</p>',
        403,
      ),
  ],
  [
    'a check',
    'target.blocked',
    () =>
      sent(
        '<!doctype html><title>Just a moment...</title><h1>Checking your browser</h1><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>',
        403,
        { 'cf-mitigated': 'challenge' },
      ),
  ],
  ['refused', 'status_401', () => sent('<title>401</title><h1>Unauthorized</h1>', 401)],
  ['too many requests', 'status_429', () => sent('<h1>Slow down</h1>', 429)],
  ['broken', 'status_500', () => sent('<h1>Internal error</h1>', 500)],
  ['not available for now', 'status_503', () => sent('<h1>We are updating our site</h1>', 503)],
];

export async function makeMonitor(service: ServiceApi, body: object): Promise<string> {
  const made = await service.api('POST', '/api/v1/monitors/', {
    body: {
      name: 'town',
      schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' },
      // The tests begin each run themselves.
      first_run: 'scheduled',
      ...body,
    },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return (made.body as { id: string }).id;
}

export async function runsOf(service: ServiceApi, id: string): Promise<readonly Run[]> {
  return ((await service.api('GET', `/api/v1/monitors/${id}/runs/`)).body as { items: Run[] }).items;
}

/** Runs the monitor now. @returns what changed */
export async function runNow(service: ServiceApi, id: string): Promise<NonNullable<Run['change']>> {
  const begun = await service.api('POST', `/api/v1/monitors/${id}/run/`);
  assert.equal(begun.status, 202, JSON.stringify(begun.body));
  const { n } = begun.body as { n: number };
  await eventually(async () => (await runsOf(service, id)).find((run) => run.n === n)?.state === 'ended');
  return (await runsOf(service, id)).find((run) => run.n === n)!.change!;
}
