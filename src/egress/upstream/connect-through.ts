import { isIP, type Socket } from 'node:net';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import type { Clock } from '../../base/time.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { Address } from '../address.ts';
import { connectFailure } from '../connect-failure.ts';
import type { ConnectRequest, ConnectResult } from '../connect-request.ts';
import { proxyConnectFailure, proxyFailure } from './proxy-failure.ts';
import { openHttpTunnel, openSocksTunnel } from './tunnels.ts';

interface ProxyTlsOptions {
  readonly socket: Socket;
  /** Of the proxy, as in `URL.hostname`. */
  readonly host: string;
  /** PEM, trusted besides the authorities of Node. */
  readonly ca: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** TLS with the proxy itself. Its certificate is always verified, as the proxy gets credentials. Never rejects. */
function proxyTls({ socket, host, ca, signal, limitMs }: ProxyTlsOptions): Promise<TLSSocket | Failure> {
  return new Promise((resolve) => {
    const serverName = host.replace(/^\[|\]$/g, '');
    const secure = connect({
      socket,
      host: serverName,
      servername: isIP(serverName) === 0 ? serverName : '',
      ALPNProtocols: ['http/1.1'],
      ...(ca === null ? {} : { ca: [...rootCertificates, ...ca] }),
    });
    // Not with src/base/wait.ts: listeners on the socket and the signal, and the timer, end together.
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
    /** For errors, an abort, and a close without an error. */
    const onError = (error?: unknown) => {
      const code = (error as NodeJS.ErrnoException | undefined)?.code;
      const codeText = typeof code === 'string' ? ` (${code})` : '';
      settle(proxyFailure('protocol', 'proxy', `The TLS connection to the proxy failed${codeText}.`));
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

/** What this host knows of a target before it asks a proxy to connect to it. */
export type TargetResolution =
  | { readonly failure: null; readonly addresses: readonly Address[] }
  /** `final`: the target is forbidden or invalid. Otherwise its name does not resolve here, but the proxy may know it. */
  | { readonly failure: Failure; readonly final: boolean };

export interface DirectConnectOptions {
  /** false: only own listeners are refused, as for a proxy of the operator. */
  readonly checkAddress: boolean;
}

export interface ConnectThroughDeps {
  readonly connectDirectly: (
    request: ConnectRequest,
    options: DirectConnectOptions,
  ) => Promise<ConnectResult>;
  readonly resolveTarget: (request: ConnectRequest) => Promise<TargetResolution>;
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/** Time limit of each step between the connection to the proxy and that to the target: residential proxies are slow. */
const TUNNEL_MS = 20_000;

/** Connects to a target through a proxy. Failures of the proxy itself are `proxy.failed`. Never rejects. */
export async function connectThrough(
  request: ConnectRequest,
  upstream: Upstream,
  deps: ConnectThroughDeps,
): Promise<ConnectResult> {
  const target = `${request.host}:${request.port}`;
  if (request.port < 1 || request.port > 65_535) return failedConnect(connectFailure('ECONNREFUSED', target));
  const began = deps.clock.monotonic();
  const resolution = await deps.resolveTarget(request);
  // Other kinds of proxy, such as socks5h, resolve the name themselves.
  const resolvesHere = upstream.kind === 'socks5';
  if (resolution.failure !== null && (resolution.final || resolvesHere))
    return failedConnect(resolution.failure);
  const dialAt = deps.clock.monotonic();
  const { host, port, kind } = upstream;
  const absoluteForm = request.plain === true && (kind === 'http' || kind === 'https');
  const { signal, onSharedRead } = request;
  // A tunnel and TLS read from the socket first, so only a plain connection in absolute form can have shared reads.
  const sharedRead = absoluteForm && kind === 'http' && onSharedRead !== undefined ? { onSharedRead } : {};
  const dialled = await deps.connectDirectly({ host, port, signal, ...sharedRead }, upstream);
  if (dialled.failure !== null)
    return failedConnect(proxyConnectFailure(dialled.failure, upstream) ?? dialled.failure);
  const tunnel = await openTunnel(dialled.socket, request, { upstream, resolution, absoluteForm, deps });
  const proxySocket = dialled.socket;
  if (tunnel.failure !== null) {
    proxySocket.on('error', ignore);
    proxySocket.destroy();
    return { ...failedConnect(tunnel.failure), proxySocket };
  }
  const remoteIp =
    resolvesHere && resolution.failure === null ? preferredAddress(resolution.addresses).text : null;
  return {
    failure: null,
    socket: tunnel.socket,
    proxySocket,
    remoteIp,
    dnsMs: resolvesHere ? dialAt - began : null,
    connectMs: deps.clock.monotonic() - dialAt,
    ...(absoluteForm ? { absoluteForm: { authorization: upstream.credentials?.basic() ?? null } } : {}),
  };
}

interface TunnelContext {
  readonly upstream: Upstream;
  readonly resolution: TargetResolution;
  readonly absoluteForm: boolean;
  readonly deps: ConnectThroughDeps;
}

type TunnelResult = { readonly failure: null; readonly socket: Socket } | { readonly failure: Failure };

/** Extends a connection to the proxy up to the target: TLS with the proxy if it is an https proxy, then CONNECT or SOCKS. */
async function openTunnel(
  connected: Socket,
  request: ConnectRequest,
  { upstream, resolution, absoluteForm, deps }: TunnelContext,
): Promise<TunnelResult> {
  const { signal, host, port } = request;
  const limits = { signal, limitMs: TUNNEL_MS };
  let socket = connected;
  if (upstream.kind === 'https') {
    const secure = await proxyTls({ socket, host: upstream.host, ca: deps.ca, ...limits });
    if (isFailure(secure)) return { failure: signal.aborted ? CANCELLED : secure };
    socket = secure;
  }
  if (absoluteForm) return { failure: null, socket };
  const options = { socket, upstream, host, port, ...limits };
  const nameUnknown = resolution.failure !== null;
  const address = upstream.kind === 'socks5' && !nameUnknown ? preferredAddress(resolution.addresses) : null;
  const cause =
    upstream.kind === 'http' || upstream.kind === 'https'
      ? await openHttpTunnel(options)
      : await openSocksTunnel({ ...options, address, nameUnknown });
  if (cause === null && !signal.aborted) return { failure: null, socket };
  socket.on('error', ignore);
  socket.destroy();
  return { failure: signal.aborted ? CANCELLED : cause! };
}

/** The address that a proxy is asked to connect to: IPv4 if there is one, as few proxies have IPv6. */
function preferredAddress(addresses: readonly Address[]): Address {
  return addresses.find(({ family }) => family === 4) ?? addresses[0]!;
}

const CANCELLED = failure('request.cancelled', 'The connection was closed.');

function failedConnect(cause: Failure): ConnectResult {
  return { failure: cause, socket: null, dnsMs: null };
}

function ignore(): void {}
