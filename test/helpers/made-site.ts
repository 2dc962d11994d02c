import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './free-port.ts';

/** A site whose pages a test makes. */
export interface MadeSite extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  /** Path and query of the requests so far. */
  readonly seen: string[];
}

/**
 * Starts a site on loopback.
 * @param answer gets the path with the query; a text is sent as HTML with status 200; null: 404
 */
export async function startMadeSite(
  answer: (path: string, request: IncomingMessage, response: ServerResponse) => string | null | undefined,
): Promise<MadeSite> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    seen.push(path);
    const page = answer(path, request, response);
    // The answer was sent already.
    if (page === undefined) return;
    response.writeHead(page === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? `<p>There is nothing at ${path}`);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with links. */
export const linkPage = (text: string, links: readonly string[], head = ''): string =>
  `<!doctype html><html><head><title>${text}</title>${head}</head><body><h1>${text}</h1>${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(' ')}</body></html>`;
