import { isIP, type Socket } from 'node:net';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import type { Clock } from '../../base/time.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { Address } from '../address.ts';
import { connectFailure } from '../connect-failure.ts';
import type { ConnectRequest, ConnectResult } from '../connect-request.ts';
import { proxyConnectFailure, proxyFailure } from './proxy-failure.ts';
import { httpTunnel, socksTunnel } from './tunnels.ts';

interface ProxyTlsOptions {
  readonly socket: Socket;
  /** Of the proxy, as in `URL.hostname`. */
  readonly host: string;
  /** PEM, trusted beside the authorities of Node. */
  readonly ca: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** TLS with the proxy itself. Its certificate is always verified: it is given credentials. Never rejects. */
function proxyTls({ socket, host, ca, signal, limitMs }: ProxyTlsOptions): Promise<TLSSocket | Failure> {
  return new Promise((resolve) => {
    const name = host.replace(/^\[|\]$/g, '');
    const secure = connect({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      ...(ca === null ? {} : { ca: [...rootCertificates, ...ca] }),
    });
    // By hand and not by `base/wait.ts`: the listeners on the socket, the timer and the signal come and go together.
    const settle = (result: TLSSocket | Failure) => {
      clearTimeout(timer);
      secure.removeListener('secureConnect', onSecure);
      secure.removeListener('error', onError);
      secure.removeListener('close', onError);
      signal.removeEventListener('abort', onError);
      if (result !== secure) {
        secure.on('error', () => {});
        secure.destroy();
        socket.destroy();
      }
      resolve(result);
    };
    const onSecure = () => settle(secure);
    const onError = (error?: unknown) => {
      const code = (error as NodeJS.ErrnoException | undefined)?.code;
      const why = typeof code === 'string' ? ` (${code})` : '';
      settle(proxyFailure('protocol', 'proxy', `The TLS connection to the proxy failed${why}.`));
    };
    const timer = setTimeout(
      () => settle(proxyFailure('timeout', 'proxy', 'The TLS handshake with the proxy timed out.')),
      limitMs,
    );
    secure.once('secureConnect', onSecure);
    secure.once('error', onError);
    secure.once('close', onError);
    if (signal.aborted) onError();
    else signal.addEventListener('abort', onError, { once: true });
  });
}

/** What is known here of a target before a proxy is asked for it. */
export type JudgedTarget =
  | { readonly failure: null; readonly addresses: readonly Address[] }
  /** `certain`: it must not or cannot be asked for. Else the name is unknown here, and the proxy may know it. */
  | { readonly failure: Failure; readonly certain: boolean };

interface ConnectThroughDeps {
  readonly direct: (ask: ConnectRequest, judged: boolean) => Promise<ConnectResult>;
  readonly judge: (ask: ConnectRequest) => Promise<JudgedTarget>;
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/** From the connection to the proxy on until it leads to the target: exits of homes are slow. */
const TUNNEL_MS = 20_000;

/** A connection to the target by way of a proxy; what is the proxy's fault is `proxy.failed`. Never rejects. */
export async function connectThrough(
  ask: ConnectRequest,
  upstream: Upstream,
  deps: ConnectThroughDeps,
): Promise<ConnectResult> {
  const target = `${ask.host}:${ask.port}`;
  if (ask.port < 1 || ask.port > 65_535) return failedConnect(connectFailure('ECONNREFUSED', target));
  const began = deps.clock.monotonic();
  const judged = await deps.judge(ask);
  const local = upstream.kind === 'socks5';
  if (judged.failure !== null && (judged.certain || local)) return failedConnect(judged.failure);
  const dialAt = deps.clock.monotonic();
  const { host, port, kind } = upstream;
  const absolute = ask.plain === true && (kind === 'http' || kind === 'https');
  const { signal, takeRead } = ask;
  // What lends its bytes cannot be read from in between.
  const lends = absolute && kind === 'http' && takeRead !== undefined ? { takeRead } : {};
  const dialled = await deps.direct({ host, port, signal, ...lends }, upstream.judged);
  if (dialled.failure !== null)
    return failedConnect(proxyConnectFailure(dialled.failure, upstream) ?? dialled.failure);
  const led = await openTunnel(dialled.socket, ask, { upstream, judged, absolute, deps });
  const proxySocket = dialled.socket;
  if (led.failure !== null) {
    proxySocket.on('error', ignore);
    proxySocket.destroy();
    return { ...failedConnect(led.failure), proxySocket };
  }
  const known = local && judged.failure === null ? preferredAddress(judged.addresses).text : null;
  return {
    failure: null,
    socket: led.socket,
    proxySocket,
    remoteIp: known,
    dnsMs: local ? dialAt - began : null,
    connectMs: deps.clock.monotonic() - dialAt,
    ...(absolute ? { absolute: { authorization: upstream.credentials?.basic() ?? null } } : {}),
  };
}

interface TunnelContext {
  readonly upstream: Upstream;
  readonly judged: JudgedTarget;
  readonly absolute: boolean;
  readonly deps: ConnectThroughDeps;
}

type TunnelResult = { readonly failure: null; readonly socket: Socket } | { readonly failure: Failure };

/** From the connected proxy on. */
async function openTunnel(
  connected: Socket,
  ask: ConnectRequest,
  { upstream, judged, absolute, deps }: TunnelContext,
): Promise<TunnelResult> {
  const { signal, host, port } = ask;
  const limits = { signal, limitMs: TUNNEL_MS };
  let socket = connected;
  if (upstream.kind === 'https') {
    const secure = await proxyTls({ socket, host: upstream.host, ca: deps.ca, ...limits });
    if (isFailure(secure)) return { failure: signal.aborted ? CANCELLED : secure };
    socket = secure;
  }
  if (absolute) return { failure: null, socket };
  const talk = { socket, upstream, host, port, ...limits };
  const nameUnknown = judged.failure !== null;
  const address = upstream.kind === 'socks5' && !nameUnknown ? preferredAddress(judged.addresses) : null;
  const why =
    upstream.kind === 'http' || upstream.kind === 'https'
      ? await httpTunnel(talk)
      : await socksTunnel({ ...talk, address, nameUnknown });
  if (why === null && !signal.aborted) return { failure: null, socket };
  socket.on('error', ignore);
  socket.destroy();
  return { failure: signal.aborted ? CANCELLED : why! };
}

/** The one to ask a proxy for: few of them have IPv6. */
function preferredAddress(addresses: readonly Address[]): Address {
  return addresses.find(({ family }) => family === 4) ?? addresses[0]!;
}

const CANCELLED = failure('request.cancelled', 'The connection was closed.');

function failedConnect(why: Failure): ConnectResult {
  return { failure: why, socket: null, dnsMs: null };
}

function ignore(): void {}
