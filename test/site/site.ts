/**
 * The site that tests, `npm run dev` and the bench visit. Its pages are in routes.ts.
 * Started by itself (`node test/site/site.ts [port]`) it prints its address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2Session } from 'node:http2';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { listen } from '../helpers/free-port.ts';
import { selfSigned } from './certificate.ts';
import { type Call, ROUTES } from './routes.ts';

/** A request as it came. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly httpVersion: string;
  /** In the order of the wire, names as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Which connection of the site it came on, from 1: two requests with the same number shared it. */
  readonly connection: number;
}

export interface SiteOptions {
  /** Also listen with TLS (HTTP/2 and 1.1) and a fresh self-signed certificate. */
  readonly tls?: boolean;
  /** Keep what was asked in `log`; false for long runs. */
  readonly log?: boolean;
  readonly port?: number;
}

export interface Site extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** `https://localhost:<port>`, at 127.0.0.2 too, which the certificate does not name; null without `tls`. */
  readonly httpsUrl: string | null;
  /** The certificate that signs itself, PEM; null without `tls`. */
  readonly ca: string | null;
  /** What was asked so far, oldest first; emptied with `log.length = 0`. */
  readonly log: Seen[];
  /** Connections that are open now. */
  connections(): number;
  /** Connections that were ever opened. */
  opened(): number;
  /** Breaks every connection off and stops. */
  close(): Promise<void>;
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!raw[at]!.startsWith(':')) found.push([raw[at]!, raw[at + 1]!]);
  }
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts a site on loopback. The caller closes it (`await using`). */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const log: Seen[] = [];
  const open = new Map<Socket, number>();
  const sessions = new Map<Http2Session, Socket>();
  let opened = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = request.method === 'GET' ? Buffer.alloc(0) : await bodyOf(request);
    const headers = pairs(request.rawHeaders);
    const url = new URL(request.url ?? '/', 'http://site');
    const [name = '', ...rest] = url.pathname.slice(1).split('/');
    // Browsers with windows ask for their icon when they find the time, maybe when the next page is asked for.
    if (options.log !== false && name !== 'favicon.ico') {
      const connection = open.get(socketOf(request)) ?? 0;
      const { method = '', httpVersion } = request;
      log.push({ method, url: request.url ?? '', httpVersion, headers, body, connection });
    }
    const hangUp = () => void socketOf(request).destroy();
    const call: Call = { request, response, url, rest, headers, body, signal: gone.signal, hangUp };
    const route = ROUTES[name];
    if (route === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page\n');
    else await route(call);
  }

  // Node hides the socket of an HTTP/2 session behind a proxy object.
  function socketOf(request: IncomingMessage | Http2ServerRequest): Socket {
    const session = 'stream' in request ? request.stream.session : undefined;
    return (session && sessions.get(session)) ?? (request.socket as Socket);
  }

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    // A caller that went away while a page was in the making is what many tests do.
    answer(request, response).catch(() => response.destroy());
  };
  const admit = (socket: Socket): void => {
    open.set(socket, ++opened);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  };

  const plain = createServer({ keepAliveTimeout: 60_000 }, handler);
  plain.on('connection', admit);
  const port = await listen(plain, '127.0.0.1', options.port);

  let httpsUrl: string | null = null;
  let ca: string | null = null;
  let secure: NetServer | null = null;
  let other: NetServer | null = null;
  if (options.tls === true) {
    const { key, cert } = selfSigned();
    const server = createSecureServer({ key, cert, allowHTTP1: true }, handler as never);
    // Before Node's own listener, so that a session finds its socket here.
    server.prependListener('secureConnection', admit);
    server.on('tlsClientError', () => {});
    server.on('session', (session) => {
      session.once('close', () => sessions.delete(session));
      for (const socket of open.keys()) {
        const same =
          socket.remotePort === session.socket.remotePort && socket.localPort === session.socket.localPort;
        if (same) sessions.set(session, socket);
      }
    });
    const securePort = await listen(server);
    httpsUrl = `https://localhost:${securePort}`;
    // The same server at an address that is not in its certificate.
    other = createNetServer((socket) => void server.emit('connection', socket));
    await listen(other, '127.0.0.2', securePort);
    ca = cert;
    secure = server;
  }

  async function close(): Promise<void> {
    const servers = [plain, secure, other].filter((server) => server !== null);
    const ended = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    const closed = [...open.keys()].map(
      (socket) => new Promise((resolve) => socket.destroy().once('close', resolve)),
    );
    await Promise.all([...ended, ...closed]);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    httpsUrl,
    ca,
    log,
    connections: () => open.size,
    opened: () => opened,
    close,
    [Symbol.asyncDispose]: close,
  };
}

if (import.meta.main) {
  const site = await startSite({ port: Number(process.argv[2] ?? 0), log: false });
  console.log(site.url);
  process.once('SIGTERM', () => void site.close());
  process.once('SIGINT', () => void site.close());
}
