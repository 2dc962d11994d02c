import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Aim, VECTORS, type Vector } from './vectors.ts';

/** Ways in which each vector is aimed. `allowed`: at a place that may be reached. */
export const MODES = ['direct', 'redirect', 'popup', 'name', 'allowed'] as const;
export type Mode = (typeof MODES)[number];

export const CANARY = '127.0.0.2';
export const ALLOWED = '127.0.0.1';
/** Of an interface that is no loopback. */
export const CANARY_OUTSIDE = '10.99.0.2';
export const ALLOWED_OUTSIDE = '10.99.0.1';
const FIRST_PORT = 20_000;
const PORTS_OF_MODE = 100;

export const portOf = (mode: Mode, at: number): number =>
  FIRST_PORT + MODES.indexOf(mode) * PORTS_OF_MODE + at;
export const nameOf = (at: number): string => `v${at}.canary.test`;

export interface Site extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Pages whose loading makes all vectors happen: one with frames, and those that need a tab. */
  pages(mode: Mode): readonly string[];
}

/** The site that plays the attacker; it may be reached. @param isFired the vectors that its pages make happen */
export async function startSite(isFired: (vector: Vector) => boolean): Promise<Site> {
  const fired = (mode: Mode, onTop: boolean) =>
    VECTORS.flatMap((one, at) =>
      (one.top ?? false) === onTop && applies(mode, at) && isFired(one) ? [at] : [],
    );
  const frames = (mode: Mode) =>
    fired(mode, false)
      .map((at) => `<iframe width="20" height="20" src="/vector/${mode}/${at}"></iframe>`)
      .join('');
  const urls = (mode: Mode) => [`/frames/${mode}`, ...fired(mode, true).map((at) => `/vector/${mode}/${at}`)];
  const server = createServer((request, response) => {
    const [, kind, a = '', b = ''] = request.url!.split(/[/?]/);
    const html = (text: string, headers: object = {}) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
        .end(`<!doctype html><title>a</title>${text}`);
    if (kind === 'vector') {
      const vector = VECTORS[Number(b)]!;
      const aim = aimOf(a as Mode, Number(b), port);
      html(vector.page(aim), vector.headers?.(aim));
    } else if (kind === 'frames') html(frames(a as Mode));
    else if (kind === 'popups')
      html(
        `<button onclick="openAll()">a</button><script>
          const openAll = () => { for (const one of ${JSON.stringify(urls('popup'))}) window.open(one) };
          if (location.search) openAll()</script>`,
      );
    else if (kind === 'to')
      response
        .writeHead(307, { location: `http://${CANARY}:${a}/x`, 'access-control-allow-origin': '*' })
        .end();
    else if (kind === 'go') response.writeHead(302, { location: decoded(a) }).end();
    else if (kind === 'code') response.writeHead(200, { 'content-type': 'text/javascript' }).end(decoded(a));
    else if (kind === 'rules')
      response.writeHead(200, { 'content-type': 'application/speculationrules+json' }).end(decoded(a));
    else if (kind === 'page') html(decoded(a));
    else response.writeHead(404).end();
  });
  server.listen(0, ALLOWED);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://${ALLOWED}:${port}`;
  return {
    port,
    url,
    pages: (mode) => (mode === 'popup' ? [`${url}/popups`] : urls(mode).map((path) => url + path)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a vector can be aimed so at all. */
export function applies(mode: Mode, at: number): boolean {
  const { name, noRedirect } = VECTORS[at]!;
  if (name === 'dns-prefetch') return mode === 'name';
  return mode !== 'redirect' || noRedirect !== true;
}

function aimOf(mode: Mode, at: number, sitePort: number): Aim {
  const host = mode === 'name' ? nameOf(at) : mode === 'allowed' ? ALLOWED : CANARY;
  const port = portOf(mode, at);
  const http = mode === 'redirect' ? `http://${ALLOWED}:${sitePort}/to/${port}` : `http://${host}:${port}/x`;
  const outer = mode === 'name' ? host : mode === 'allowed' ? ALLOWED_OUTSIDE : CANARY_OUTSIDE;
  return { host, port, outer, http };
}

const decoded = (name: string): string => Buffer.from(name.split('.')[0]!, 'base64url').toString();
