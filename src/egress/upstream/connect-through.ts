import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/upstream.ts';
import type { Address } from '../address.ts';
import { connectFailure } from '../connect-failure.ts';
import type { DialAsk, Dialled } from '../dialled.ts';
import { httpTunnel } from './http-tunnel.ts';
import { unreachableProxy } from './proxy-failure.ts';
import { proxyTls } from './proxy-tls.ts';
import { socksTunnel } from './socks-tunnel.ts';

/** What is known here of a target before a proxy is asked for it. */
export type Judged =
  | { readonly failure: null; readonly addresses: readonly Address[] }
  /** `certain`: it must not or cannot be asked for. Else the name is unknown here, and the proxy may know it. */
  | { readonly failure: Failure; readonly certain: boolean };

export interface ThroughTools {
  readonly direct: (ask: DialAsk, judged: boolean) => Promise<Dialled>;
  readonly judge: (ask: DialAsk) => Promise<Judged>;
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/** From the connection to the proxy on until it leads to the target: exits of homes are slow. */
const TUNNEL_MS = 20_000;

/** A connection to the target by way of a proxy; what is the proxy's fault is `proxy.failed`. Never rejects. */
export async function connectThrough(
  ask: DialAsk,
  upstream: Upstream,
  tools: ThroughTools,
): Promise<Dialled> {
  const target = `${ask.host}:${ask.port}`;
  if (ask.port < 1 || ask.port > 65_535) return lost(connectFailure('ECONNREFUSED', target));
  const began = tools.clock.monotonic();
  const judged = await tools.judge(ask);
  const local = upstream.kind === 'socks5';
  if (judged.failure !== null && (judged.certain || local)) return lost(judged.failure);
  const dialAt = tools.clock.monotonic();
  const { host, port, kind } = upstream;
  const absolute = ask.plain === true && (kind === 'http' || kind === 'https');
  const { signal, takeRead } = ask;
  // What lends its bytes cannot be read from in between.
  const lends = absolute && kind === 'http' && takeRead !== undefined ? { takeRead } : {};
  const dialled = await tools.direct({ host, port, signal, ...lends }, upstream.judged);
  if (dialled.failure !== null) return lost(unreachableProxy(dialled.failure, upstream) ?? dialled.failure);
  const led = await lead(dialled.socket, ask, { upstream, judged, absolute, tools });
  const wire = dialled.socket;
  if (led.failure !== null) {
    wire.on('error', ignore);
    wire.destroy();
    return { ...lost(led.failure), wire };
  }
  const known = local && judged.failure === null ? reachable(judged.addresses).text : null;
  return {
    failure: null,
    socket: led.socket,
    wire,
    remoteIp: known,
    dnsMs: local ? dialAt - began : null,
    connectMs: tools.clock.monotonic() - dialAt,
    ...(absolute ? { absolute: { authorization: upstream.credentials?.basic() ?? null } } : {}),
  };
}

interface Way {
  readonly upstream: Upstream;
  readonly judged: Judged;
  readonly absolute: boolean;
  readonly tools: ThroughTools;
}

type Led = { readonly failure: null; readonly socket: Socket } | { readonly failure: Failure };

/** From the connected proxy on. */
async function lead(
  connected: Socket,
  ask: DialAsk,
  { upstream, judged, absolute, tools }: Way,
): Promise<Led> {
  const { signal, host, port } = ask;
  const limits = { signal, limitMs: TUNNEL_MS };
  let socket = connected;
  if (upstream.kind === 'https') {
    const secure = await proxyTls({ socket, host: upstream.host, ca: tools.ca, ...limits });
    if ('code' in secure) return { failure: signal.aborted ? LEFT : secure };
    socket = secure;
  }
  if (absolute) return { failure: null, socket };
  const talk = { socket, upstream, host, port, ...limits };
  const unknown = judged.failure !== null;
  const address = upstream.kind === 'socks5' && !unknown ? reachable(judged.addresses) : null;
  const why =
    upstream.kind === 'http' || upstream.kind === 'https'
      ? await httpTunnel(talk)
      : await socksTunnel({ ...talk, address, unknown });
  if (why === null && !signal.aborted) return { failure: null, socket };
  socket.on('error', ignore);
  socket.destroy();
  return { failure: signal.aborted ? LEFT : why! };
}

/** The one to ask a proxy for: few of them have IPv6. */
function reachable(addresses: readonly Address[]): Address {
  return addresses.find(({ family }) => family === 4) ?? addresses[0]!;
}

const LEFT = failure('request.cancelled', 'The connection was closed.');

function lost(why: Failure): Dialled {
  return { failure: why, socket: null, dnsMs: null };
}

function ignore(): void {}
