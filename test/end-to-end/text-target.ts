import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { listen } from '../helpers/free-port.ts';

/** Content-Type, body, and the status if it is not 200. */
export type TextPage = readonly [type: string, body: string | Buffer | (() => Buffer), status?: () => number];

/** Starts a target with these pages for all tests of the calling `describe`. `url` can only be read inside of tests. */
export function useTarget(pages: Readonly<Record<string, TextPage>>): { readonly url: string } {
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      const [type, body, status] = pages[request.url ?? ''] ?? ['text/plain', 'no such page'];
      response
        .writeHead(status?.() ?? 200, { 'content-type': type })
        .end(typeof body === 'function' ? body() : body);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return url;
    },
  };
}
