import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createNet, type Socket } from 'node:net';
import { listen } from '../helpers/free-port.ts';
import { selfSigned } from '../site/certificate.ts';
import { CONTENT_PAGE, type Kind } from './kinds.ts';

export interface RunningSite extends AsyncDisposable {
  readonly url: string;
}

/** Browsers mix values that mean nothing into what they offer (RFC 8701); the first of the cipher suites is such a one. */
function greetsLikeBrowser(hello: Buffer): boolean {
  const sessionAt = 5 + 4 + 2 + 32;
  const suitesAt = sessionAt + 1 + (hello[sessionAt] ?? 0) + 2;
  const [first, second] = [hello[suitesAt], hello[suitesAt + 1]];
  return first !== undefined && first === second && (first & 0x0f) === 0x0a;
}

/** One kind of site on a port of its own. */
export async function startKind({ serve, greeting = false }: Kind): Promise<RunningSite> {
  const sockets = new Set<Socket>();
  const server = greeting ? greeted(serve, sockets) : createHttp(serve);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${greeting ? 'https' : 'http'}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Looks at the first bytes of each connection before TLS begins. */
function greeted(refuse: RequestListener, sockets: ReadonlySet<Socket>) {
  const welcome = new Set<number>();
  const inner = createHttps(selfSigned(), (request, response) => {
    if (welcome.has(request.socket.remotePort ?? -1))
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(CONTENT_PAGE);
    else refuse(request, response);
  });
  inner.on('tlsClientError', () => {});
  const server = createNet((socket) => {
    socket.once('data', (hello: Buffer) => {
      const port = socket.remotePort ?? -1;
      if (greetsLikeBrowser(hello)) welcome.add(port);
      socket.once('close', () => welcome.delete(port));
      socket.pause();
      socket.unshift(hello);
      inner.emit('connection', socket);
    });
  });
  server.on('close', () => {
    for (const socket of sockets) socket.destroy();
    inner.closeAllConnections();
  });
  return server;
}
