import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isClosed } from './judge.ts';

/** Where things listen that nobody is to reach; 80 also serves the pages of the public. */
const PORTS = [
  22, 25, 80, 443, 2375, 3306, 5432, 6379, 8000, 8080, 8443, 8500, 9200, 10250, 11111, 11211, 12346, 27017,
];

export const PAGE = 'a page of the public web';
export const SECRET = 'a page that nobody may see';

export interface World {
  /** `address port` of every connection to an address that is not public. */
  readonly hits: string[];
  close(): Promise<void>;
}

/**
 * Listens on all addresses. `/to?l=<base64url>&s=<status>` redirects to the bytes, and closes the connection, so that
 * the next hop looks its host up again.
 */
export async function startWorld(): Promise<World> {
  const hits: string[] = [];
  const servers: Server[] = [];
  for (const port of PORTS) {
    const server = createServer(answer);
    server.on('connection', (socket) => {
      const address = socket.localAddress ?? '';
      if (isClosed(address)) hits.push(`${address} ${port}`);
    });
    // A TLS hello is no HTTP.
    server.on('clientError', (_error, socket) => socket.destroy());
    server.listen(port, '::');
    await once(server, 'listening');
    servers.push(server);
  }
  return {
    hits,
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/to') {
    const location = Buffer.from(searchParams.get('l') ?? '', 'base64url').toString('latin1');
    response.writeHead(Number(searchParams.get('s') ?? 302), { location, connection: 'close' });
    response.end('elsewhere');
    return;
  }
  response.setHeader('content-type', 'text/plain');
  response.end(isClosed(request.socket.localAddress ?? '') ? SECRET : PAGE);
}

/** Path and query of the page of the world that redirects there. */
export function redirectTo(location: string, status = 302): string {
  return `/to?l=${Buffer.from(location).toString('base64url')}&s=${status}`;
}
