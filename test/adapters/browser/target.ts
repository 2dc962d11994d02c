import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../helpers/free-port.ts';

export type Routes = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;

export interface Target extends AsyncDisposable {
  readonly url: string;
  /** `METHOD /path` of every request so far. */
  readonly asked: string[];
}

export const html =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);

/** A site of a few pages, each made for a test. */
export async function startTarget(routes: Routes): Promise<Target> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const route = routes[new URL(request.url!, 'http://a').pathname];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
