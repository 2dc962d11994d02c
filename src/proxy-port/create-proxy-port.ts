import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { failure } from '../domain/failure.ts';
import { Refusal } from '../http/core/refusal.ts';
import { nextRequestId } from '../http/core/request-id.ts';
import { HEADERS_TIMEOUT_MS, lingeringClose } from '../http/core/send-refusal.ts';
import { authenticate } from './admission.ts';
import type { Authority } from './authority.ts';
import { handleRequest, internalRefusal, type ProxyDeps } from './handle-request.ts';
import { readCredentials, type Tunnel } from './proxy-request.ts';
import { refusalProblem } from './send-response.ts';

export interface ProxyPortOptions extends Omit<ProxyDeps, 'unavailable'> {
  readonly authority: Authority;
  /** Certificate and key of the port itself, as PEM; null: it has no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Called for every socket that the port listens on, so that scrapes never reach it. */
  readonly onListening: (address: string, port: number) => void;
}

export interface ProxyPort {
  /** Starts to listen. @returns the URL of the proxy, without credentials */
  listen(host: string, port: number): Promise<string>;
  /** Refuses new requests from now on. */
  refuseNew(): void;
  close(): Promise<void>;
}

/** Time in which a client must have sent its request, with the body. */
const REQUEST_TIMEOUT_MS = 300_000;
const KEEP_ALIVE_MS = 75_000;

/** The proxy port: an HTTP proxy whose requests are scrapes. */
export function createProxyPort(options: ProxyPortOptions): ProxyPort {
  let closing = false;
  const unavailable = () =>
    closing ? Refusal.of('service.unavailable', 'The service is shutting down.') : null;
  const deps: ProxyDeps = { ...options, unavailable };
  const server = createServer(options.tls);
  const tunnels = new Tunnels(deps, options.authority, (socket) =>
    server.emit(options.tls === null ? 'connection' : 'secureConnection', socket),
  );
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    void handleRequest(deps, request, response, tunnels.of(request.socket));
  server.on('request', onRequest);
  // `handleRequest` sends 100 (Continue) when the body may be read.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    tunnels.open(request, socket, head),
  );
  return {
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      const address = server.address() as AddressInfo;
      options.onListening(address.address, address.port);
      const name = isIP(host) === 6 ? `[${host}]` : host;
      return `${options.tls === null ? 'http' : 'https'}://${name}:${address.port}`;
    },
    refuseNew() {
      closing = true;
    },
    async close() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      tunnels.close();
      await closed;
    },
  };
}

function createServer(tls: ProxyPortOptions['tls']): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
    // Requests through a tunnel, and absolute URLs, say the host themselves.
    requireHostHeader: false,
  };
  return tls === null ? createHttpServer(options) : createHttpsServer({ ...options, ...tls });
}

const RECURSIVE = failure('request.validation', 'CONNECT is not possible within a tunnel.');
const AUTHORITY = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]+\]):\d{1,5}$/i;
const NO_AUTHORITY = failure('request.validation', 'CONNECT needs a host and a port.');

/** The first byte of a TLS connection: a record of the handshake. */
const TLS_HANDSHAKE = 0x16;

/** Tunnels that clients open with CONNECT. They end here: TLS is ended with a certificate for the host. */
class Tunnels {
  readonly #deps: ProxyDeps;
  readonly #authority: Authority;
  /** Lets the HTTP server read requests from a socket. */
  readonly #serve: (socket: Socket) => void;
  /** By the socket that requests are read from. */
  readonly #bySocket = new WeakMap<Socket, Tunnel>();
  readonly #open = new Set<Socket>();

  constructor(deps: ProxyDeps, authority: Authority, serve: (socket: Socket) => void) {
    this.#deps = deps;
    this.#authority = authority;
    this.#serve = serve;
  }

  /** null: the requests of the socket come through no tunnel. */
  of(socket: Socket): Tunnel | null {
    return this.#bySocket.get(socket) ?? null;
  }

  open(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // Without a listener, an error would end the process.
    socket.on('error', () => socket.destroy());
    this.#admit(request, socket).then(
      (tunnel) => this.#connect(tunnel, socket, head),
      (error: unknown) => this.#refuse(request, socket, error),
    );
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Options are checked later, because clients show the response to a CONNECT to nobody. */
  async #admit({ url = '', headers }: IncomingMessage, socket: Socket): Promise<Omit<Tunnel, 'isSecure'>> {
    const unavailable = this.#deps.unavailable();
    if (unavailable !== null) throw unavailable;
    if (this.#bySocket.has(socket)) throw new Refusal([RECURSIVE]);
    if (!AUTHORITY.test(url) || !URL.canParse(`http://${url}`)) throw new Refusal([NO_AUTHORITY]);
    const authorization = headers['proxy-authorization'];
    const ip = socket.remoteAddress ?? '';
    await authenticate(this.#deps.accounts, readCredentials(authorization), ip);
    return { authority: url, authorization, ip };
  }

  #refuse({ url = '' }: IncomingMessage, socket: Socket, error: unknown): void {
    const requestId = nextRequestId();
    const refusal = error instanceof Refusal ? error : internalRefusal(this.#deps, error, requestId);
    const { status, headers, body } = refusalProblem(refusal, requestId, this.#deps.baseUrl());
    const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    lingeringClose(socket, `HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
    const { code } = refusal;
    this.#deps.events.requestRefused({
      ...{ requestId, code, status, method: 'CONNECT', path: url, userId: null, keyId: null },
    });
  }

  #connect(tunnel: Omit<Tunnel, 'isSecure'>, socket: Socket, head: Buffer): void {
    if (socket.destroyed) return;
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    // Clients open tunnels in advance.
    socket.setTimeout(KEEP_ALIVE_MS, () => socket.destroy());
    const begin = (first: Buffer) => {
      socket.pause();
      socket.setTimeout(0);
      socket.unshift(first);
      const isSecure = first[0] === TLS_HANDSHAKE;
      const inner = isSecure ? this.#endTls(tunnel.authority, socket) : socket;
      this.#bySocket.set(inner, { ...tunnel, isSecure });
      this.#serve(inner);
      if (!isSecure) socket.resume();
    };
    if (head.length > 0) begin(head);
    else socket.once('data', begin);
  }

  #endTls(authority: string, socket: Socket): TLSSocket {
    const host = new URL(`http://${authority}`).hostname.replace(/^\[|\]$/g, '');
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: this.#authority.contextFor(host),
      ALPNProtocols: ['http/1.1'],
      // The client may have resolved the name, and connect to its address.
      SNICallback: (name, done) =>
        done(null, this.#authority.contextFor(/^[a-z0-9._-]{1,253}$/i.test(name) ? name : host)),
    });
    secure.on('error', () => secure.destroy());
    socket.once('close', () => secure.destroy());
    return secure;
  }
}
