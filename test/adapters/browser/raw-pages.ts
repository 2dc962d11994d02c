import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyPair } from '../../helpers/certificates.ts';
import { onRequest } from '../http-scraper/raw-server.ts';

/** Answers byte by byte as written; a function writes by itself. The connection is ended after a text. */
export type RawPages = Readonly<Record<string, string | ((socket: Socket, head: string) => void)>>;

export interface RawSite extends AsyncDisposable {
  readonly url: string;
  /** `METHOD /path` of every request so far. */
  readonly asked: string[];
  /** The heads of the requests. */
  readonly heads: string[];
}

/** @param pair speaks TLS (HTTP/1.1) with it */
export async function rawSite(pages: RawPages, pair: KeyPair | null = null): Promise<RawSite> {
  const open = new Set<Socket>();
  const asked: string[] = [];
  const heads: string[] = [];
  const serve = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    onRequest(socket, (head) => {
      const [method, path] = head.split(' ');
      asked.push(`${method} ${path}`);
      heads.push(head);
      const page = pages[path!.replace(/\?.*$/, '')];
      if (typeof page === 'function') page(socket, head);
      else if (page === undefined) socket.write('HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n');
      else socket.end(Buffer.from(page, 'latin1'));
    });
  };
  const server: Server =
    pair === null ? createServer(serve) : createTlsServer({ ...pair, ALPNProtocols: ['http/1.1'] }, serve);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: pair === null ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    asked,
    heads,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export const reply = (status: string, fields: string, body = ''): string =>
  `HTTP/1.1 ${status}\r\n${fields === '' ? '' : `${fields}\r\n`}Connection: close\r\n\r\n${body}`;
