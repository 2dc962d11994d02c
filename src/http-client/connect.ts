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
  /** Connections of one key are interchangeable. */
  readonly key: string;
  readonly verifyTls: boolean;
  /** What to offer by ALPN, best first. */
  readonly alpn: readonly string[];
  readonly signal: AbortSignal;
  /** Without TLS: takes what the socket reads, see `DialAsk`. */
  readonly onSharedRead: SharedReadHandler;
  /** The proxy server to go through; null: directly. */
  readonly upstream: Upstream | null;
}

export interface ConnectTiming {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
}

export type OriginConnectResult = ConnectTiming & {
  /** Bytes that went before the first request to make a way through a proxy, TLS with the target included. */
  readonly wayOut: number;
  readonly wayIn: number;
} & (
    | {
        readonly failure: null;
        readonly socket: Socket | TLSSocket;
        /** null: the proxy knows. */
        readonly remoteIp: string | null;
        /** Requests are to be written in absolute form; null: it leads to the target. */
        readonly absoluteForm: AbsoluteForm | null;
        /** What ALPN agreed on; null without TLS or without an agreement. */
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

/** A connection to the origin of the URL, TLS included for `https:`. Never rejects. */
export async function connectToOrigin(ask: ConnectOptions, tools: ConnectDeps): Promise<OriginConnectResult> {
  const secure = ask.url.protocol === 'https:';
  const port = portOf(ask.url);
  const dialled = await tools.egress.connect({
    host: ask.url.hostname,
    port,
    signal: ask.signal,
    upstream: ask.upstream,
    ...(secure ? {} : { onSharedRead: ask.onSharedRead, plain: true }),
  });
  const { proxySocket } = dialled;
  const way = () => ({ wayOut: proxySocket?.bytesWritten ?? 0, wayIn: proxySocket?.bytesRead ?? 0 });
  if (dialled.failure !== null) {
    const { failure, dnsMs } = dialled;
    return { failure, socket: null, remoteIp: null, dnsMs, connectMs: null, tlsMs: null, ...way() };
  }
  const { socket, remoteIp, absoluteForm = null, dnsMs, connectMs } = dialled;
  if (!secure) {
    const plain = { socket, remoteIp, absoluteForm, protocol: null, dnsMs, connectMs, tlsMs: null };
    return { failure: null, ...plain, ...way() };
  }
  const began = tools.clock.monotonic();
  const shaken = await tlsHandshake({
    socket,
    host: ask.url.hostname,
    alpn: ask.alpn,
    verify: ask.verifyTls,
    context: tools.contexts.for(ask.verifyTls),
    sessions: tools.sessions,
    key: ask.key,
    signal: ask.signal,
  });
  const tlsMs = tools.clock.monotonic() - began;
  if (shaken.failure !== null) {
    return { failure: shaken.failure, socket: null, remoteIp, dnsMs, connectMs, tlsMs, ...way() };
  }
  const protocol = shaken.socket.alpnProtocol || null;
  const spoken = { socket: shaken.socket, remoteIp, absoluteForm: null, protocol };
  return { failure: null, ...spoken, dnsMs, connectMs, tlsMs, ...way() };
}
