import type { Clock } from '../../../base/clock.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';
import type { HeaderList } from '../../../domain/fetched.ts';
import { isRepeatable } from '../../../domain/job.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import { type ConnectTools, connectTo } from './connect.ts';
import type { Way } from './fetch-page.ts';
import { H1Connection } from './h1/connection.ts';
import type { ConnectionPool } from './h1/connection-pool.ts';
import { requestText } from './h1/request-text.ts';
import type { H2Connection } from './h2/connection.ts';
import type { H2Connections } from './h2/connections.ts';
import { Hop, type HopAsk, type HopResult } from './hop.ts';
import { lengthOf, lowerCase, type Outgoing, targetOf } from './outgoing.ts';
import { ProxyGuard } from './proxy-guard.ts';
import type { Trip } from './trip.ts';
import type { Watch } from './watch.ts';

export interface Tools extends ConnectTools {
  readonly clock: Clock;
  readonly pool: ConnectionPool;
  readonly h2: H2Connections;
}

type Line = H1Connection | H2Connection;

/**
 * Sends one request and reads its answer, on a connection that stands or on a new one. A safe request whose reused
 * connection dies without a byte of an answer, or brings what is none (what a target sends after the answer to HEAD,
 * say), and any request that the target says it has not looked at, is sent once more on a new connection. Never rejects.
 */
export async function exchange(
  request: Outgoing,
  fields: HeaderList,
  ask: HopAsk,
  { order, trip, watch }: Way,
  tools: Tools,
): Promise<HopResult> {
  const key = keyOf(order, request.url);
  const safe = isRepeatable(request.method);
  let line: Line | null = safe ? reuse(key, tools) : null;
  if (safe && line === null && tools.h2.opening(key) !== null) line = await another(key, watch, tools);
  let again = false;
  for (;;) {
    const reused = line !== null;
    if (line === null) {
      if (watch.failure !== null) return { failure: watch.failure, head: null, unanswered: null };
      const opened = await open(request.url, key, { order, trip, watch, tools });
      if (watch.failure !== null) {
        if ('run' in opened) opened.destroy();
        return { failure: watch.failure, head: null, unanswered: null };
      }
      if (!('run' in opened)) return { failure: opened, head: null, unanswered: null };
      line = opened;
    }
    const hop = new Hop(ask, tools.clock);
    watch.watch(hop);
    send(line, hop, request, fields, trip);
    if (!safe) watch.shareEnds();
    const result = await hop.done;
    trip.ended(hop);
    const repeat =
      result.failure !== null &&
      watch.failure === null &&
      (result.unanswered === 'refused' || (result.unanswered !== null && reused && safe));
    if (!repeat || again) {
      if (result.failure === null && result.body === null && line instanceof H1Connection) trip.leaves(line);
      return result;
    }
    again = true;
    line = null;
  }
}

function reuse(key: string, { pool, h2 }: Tools): Line | null {
  return pool.take(key) ?? h2.find(key);
}

/** Waits for the connection that another request of the same key is opening, and shares it if it can be shared. */
async function another(key: string, watch: Watch, tools: Tools): Promise<Line | null> {
  await new Promise<void>((resolve) => {
    watch.watch({ abort: () => resolve() });
    tools.h2.opening(key)?.then(() => resolve());
  });
  return watch.failure === null ? reuse(key, tools) : null;
}

function send(line: Line, hop: Hop, request: Outgoing, fields: HeaderList, trip: Trip): void {
  const target = targetOf(request.url);
  const { method } = request;
  const body = request.body?.bytes ?? null;
  if (line instanceof H1Connection) {
    const { guard } = line;
    const head =
      guard === null
        ? requestText(method, target, fields)
        : requestText(method, `${request.url.origin}${target}`, guard.withCredentials(fields));
    trip.sends(method, fields, line.remoteIp, head.length + (body?.length ?? 0), body !== null);
    line.run(hop, method, { head, body });
    return;
  }
  const spoken = lowerCase(fields).filter(([name]) => !OF_CONNECTION.has(name));
  const [host, ...rest] = spoken;
  const authority = host![1];
  if (line.run(hop, { method, scheme: 'https', authority, path: target, fields: rest, body }))
    trip.sends(method, spoken, line.remoteIp, lengthOf(request, spoken), body !== null);
}

/** What HTTP/2 has no fields for (RFC 9113 §8.2.2), and a scrape may say over HTTP/1.1. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'http2-settings']);

/** A new connection, or why there is none. */
async function open(
  url: URL,
  key: string,
  { order, trip, watch, tools }: { order: FetchOrder; trip: Trip; watch: Watch; tools: Tools },
): Promise<Line | Failure> {
  const { http2, verifyTls } = order.job.options;
  const secure = url.protocol === 'https:';
  if (http2 === true && !secure) return failure('http.protocol', 'HTTP/2 needs https: the URL is http.');
  const leaving = new AbortController();
  watch.watch({ abort: () => leaving.abort() });
  let line: H1Connection | null = null;
  const connecting = connectTo(
    {
      url,
      key,
      verifyTls,
      alpn: http2 === true ? ['h2'] : http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
      signal: leaving.signal,
      takeRead: (bytes) => line!.onLent(bytes),
      upstream: order.lease.upstream,
    },
    tools,
  );
  if (secure) tools.h2.opens(key, connecting);
  const connected = await connecting;
  trip.connected(connected);
  trip.makesWay(connected.wayOut, connected.wayIn);
  if (connected.remoteIp !== null) trip.remoteIp = connected.remoteIp;
  if (connected.failure !== null) return connected.failure;
  const { socket, remoteIp, absolute } = connected;
  if (connected.protocol === 'h2' && 'encrypted' in socket)
    return tools.h2.add(socket, url.origin, key, remoteIp);
  if (http2 === true) {
    socket.on('error', () => {});
    socket.destroy();
    return failure('http.protocol', `${url.host} does not speak HTTP/2.`);
  }
  const guard = absolute === null ? null : new ProxyGuard(absolute, url.host);
  line = new H1Connection(socket, { key, remoteIp, guard }, tools.pool);
  return line;
}

/** Connections with the same key may serve each other's requests. */
function keyOf({ lease, job }: FetchOrder, { origin }: URL): string {
  const { verifyTls, http2 } = job.options;
  return `${origin} ${verifyTls ? 1 : 0}${http2 === 'auto' ? 'a' : http2 ? 2 : 1} ${lease.exit}`;
}
