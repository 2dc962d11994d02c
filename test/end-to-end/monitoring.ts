import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
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

/** A site whose pages a test changes: path → status and HTML. */
export function useChangingSite() {
  const pages = new Map<string, { status: number; html: string; location?: string }>();
  const server = createServer((request, response) => {
    const { status, html, location } = pages.get(new URL(request.url!, 'http://site').pathname) ?? {
      status: 404,
      html: '<title>Not found</title>Nothing',
    };
    if (location !== undefined) response.setHeader('location', location);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  const site = {
    url: '',
    set: (path: string, html: string, status = 200) => pages.set(path, { status, html }),
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

export async function makeMonitor(service: ServiceApi, body: object): Promise<string> {
  const made = await service.api('POST', '/api/v1/monitors/', {
    body: { name: 'town', schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' }, ...body },
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
