import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../base/time.ts';
import { portOf } from '../base/url-patterns.ts';
import type { Failure } from '../domain/failure.ts';
import type { Upstream } from '../domain/proxy.ts';
import type { AbsoluteForm, SharedReadHandler } from '../egress/connect-request.ts';
import type { Egress } from '../egress/egress.ts';
import type { TlsContexts, TlsSessionCache } from './tls.ts';
import { tlsHandshake } from './tls.ts';

export interface ConnectOptions {
  readonly url: URL;
  /** Connections with the same key are interchangeable: they share TLS sessions. */
  readonly key: string;
  readonly verifyTls: boolean;
  /** Protocols to offer by ALPN, in order of preference. */
  readonly alpn: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the bytes that the socket reads; for `http:` only. See `ConnectRequest`. */
  readonly onSharedRead?: SharedReadHandler;
  /** The proxy server to connect through; null: none. */
  readonly upstream: Upstream | null;
}

export interface ConnectTiming {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
}

export type OriginConnectResult = ConnectTiming & {
  /** Bytes exchanged with a proxy before the first request, including TLS with the target. */
  readonly proxyBytesSent: number;
  readonly proxyBytesReceived: number;
} & (
    | {
        readonly failure: null;
        readonly socket: Socket | TLSSocket;
        /** null: only the proxy knows the address. */
        readonly remoteIp: string | null;
        /** Requests must be sent in absolute form; null: the connection leads to the target. */
        readonly absoluteForm: AbsoluteForm | null;
        /** The protocol selected by ALPN; null: none, or no TLS. */
        readonly protocol: string | null;
      }
    | { readonly failure: Failure; readonly socket: null; readonly remoteIp: string | null }
  );

export interface ConnectDeps {
  readonly egress: Pick<Egress, 'connect'>;
  readonly contexts: TlsContexts;
  readonly sessions: TlsSessionCache;
  readonly clock: Clock;
}

/** Connects to the origin of the URL, with TLS for `https:`. Never rejects. */
export async function connectToOrigin(
  options: ConnectOptions,
  deps: ConnectDeps,
): Promise<OriginConnectResult> {
  const secure = options.url.protocol === 'https:';
  const port = portOf(options.url);
  const dialled = await deps.egress.connect({
    host: options.url.hostname,
    port,
    signal: options.signal,
    upstream: options.upstream,
    ...(secure ? {} : { plain: true }),
    ...(secure || options.onSharedRead === undefined ? {} : { onSharedRead: options.onSharedRead }),
  });
  const { proxySocket } = dialled;
  const proxyBytes = () => ({
    proxyBytesSent: proxySocket?.bytesWritten ?? 0,
    proxyBytesReceived: proxySocket?.bytesRead ?? 0,
  });
  if (dialled.failure !== null) {
    const { failure, dnsMs } = dialled;
    return { failure, socket: null, remoteIp: null, dnsMs, connectMs: null, tlsMs: null, ...proxyBytes() };
  }
  const { socket, remoteIp, absoluteForm = null, dnsMs, connectMs } = dialled;
  if (!secure) {
    const plain = { socket, remoteIp, absoluteForm, protocol: null, dnsMs, connectMs, tlsMs: null };
    return { failure: null, ...plain, ...proxyBytes() };
  }
  const startedAt = deps.clock.monotonic();
  const handshake = await tlsHandshake({
    socket,
    host: options.url.hostname,
    alpn: options.alpn,
    verify: options.verifyTls,
    context: deps.contexts.for(options.verifyTls),
    sessions: deps.sessions,
    key: options.key,
    signal: options.signal,
  });
  const tlsMs = deps.clock.monotonic() - startedAt;
  if (handshake.failure !== null) {
    return { failure: handshake.failure, socket: null, remoteIp, dnsMs, connectMs, tlsMs, ...proxyBytes() };
  }
  const protocol = handshake.socket.alpnProtocol || null;
  const { socket: tlsSocket } = handshake;
  const secured = { socket: tlsSocket, remoteIp, absoluteForm: null, protocol };
  return { failure: null, ...secured, dnsMs, connectMs, tlsMs, ...proxyBytes() };
}
