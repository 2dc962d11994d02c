import type { Clock } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import { failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { isRepeatable } from '../domain/job.ts';
import type { FetchRequest } from '../ports/scraper.ts';
import { type ConnectDeps, connectToOrigin } from './connect.ts';
import type { DeadlineWatcher } from './deadline-watcher.ts';
import type { FetchContext, FetchStats } from './fetch-page.ts';
import type { Http1Pool } from './http1-connection.ts';
import { Http1Connection, serializeRequestHead } from './http1-connection.ts';
import type { Http2Connection, Http2Pool } from './http2-connection.ts';
import { ProxyGuard } from './proxy-guard.ts';
import { type HttpRequest, lowerCaseNames, requestLength, requestTarget } from './request.ts';
import { type ResponseOptions, ResponseReader, type ResponseResult } from './response-reader.ts';

export interface ExchangeDeps extends ConnectDeps {
  readonly clock: Clock;
  readonly pool: Http1Pool;
  readonly h2: Http2Pool;
}

type HttpConnection = Http1Connection | Http2Connection;

/**
 * Sends one request and reads its answer, on a connection that stands or on a new one. A safe request whose reused
 * connection dies without a byte of an answer, or brings what is none (what a target sends after the answer to HEAD,
 * say), and any request that the target says it has not looked at, is sent once more on a new connection. Never rejects.
 */
export async function exchange(
  request: HttpRequest,
  fields: HeaderList,
  ask: ResponseOptions,
  { fetchRequest, stats, watcher }: FetchContext,
  deps: ExchangeDeps,
): Promise<ResponseResult> {
  const key = connectionKey(fetchRequest, request.url);
  const safe = isRepeatable(request.method);
  let line: HttpConnection | null = safe ? takeOpenConnection(key, deps) : null;
  if (safe && line === null && deps.h2.pendingConnection(key) !== null)
    line = await awaitPendingConnection(key, watcher, deps);
  let again = false;
  for (;;) {
    const reused = line !== null;
    if (line === null) {
      if (watcher.failure !== null) return { failure: watcher.failure, head: null, unanswered: null };
      const opened = await openConnection(request.url, key, { fetchRequest, stats, watcher, deps });
      if (watcher.failure !== null) {
        if ('run' in opened) opened.destroy();
        return { failure: watcher.failure, head: null, unanswered: null };
      }
      if (!('run' in opened)) return { failure: opened, head: null, unanswered: null };
      line = opened;
    }
    const hop = new ResponseReader(ask, deps.clock);
    watcher.watch(hop);
    sendRequest(line, hop, request, fields, stats);
    if (!safe) watcher.ignoreShare();
    const result = await hop.result;
    stats.addResponse(hop);
    const repeat =
      result.failure !== null &&
      watcher.failure === null &&
      (result.unanswered === 'refused' || (result.unanswered !== null && reused && safe));
    if (!repeat || again) {
      if (result.failure === null && result.body === null && line instanceof Http1Connection)
        stats.addUnreadBody(line);
      return result;
    }
    again = true;
    line = null;
  }
}

function takeOpenConnection(key: string, { pool, h2 }: ExchangeDeps): HttpConnection | null {
  return pool.take(key) ?? h2.find(key);
}

/** Waits for the connection that another request of the same key is opening, and shares it if it can be shared. */
async function awaitPendingConnection(
  key: string,
  watch: DeadlineWatcher,
  tools: ExchangeDeps,
): Promise<HttpConnection | null> {
  await new Promise<void>((resolve) => {
    watch.watch({ abort: () => resolve() });
    tools.h2.pendingConnection(key)?.then(() => resolve());
  });
  return watch.failure === null ? takeOpenConnection(key, tools) : null;
}

function sendRequest(
  line: HttpConnection,
  hop: ResponseReader,
  request: HttpRequest,
  fields: HeaderList,
  trip: FetchStats,
): void {
  const target = requestTarget(request.url);
  const { method } = request;
  const body = request.body?.bytes ?? null;
  if (line instanceof Http1Connection) {
    const { guard } = line;
    const head =
      guard === null
        ? serializeRequestHead(method, target, fields)
        : serializeRequestHead(method, `${request.url.origin}${target}`, guard.withCredentials(fields));
    trip.addRequest(method, fields, line.remoteIp, head.length + (body?.length ?? 0), body !== null);
    line.run(hop, method, { head, body });
    return;
  }
  const spoken = lowerCaseNames(fields).filter(([name]) => !CONNECTION_FIELDS.has(name));
  const [host, ...rest] = spoken;
  const authority = host![1];
  if (line.run(hop, { method, scheme: 'https', authority, path: target, fields: rest, body }))
    trip.addRequest(method, spoken, line.remoteIp, requestLength(request, spoken), body !== null);
}

/** What HTTP/2 has no fields for (RFC 9113 §8.2.2), and a scrape may say over HTTP/1.1. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set(['connection', 'http2-settings']);

/** A new connection, or why there is none. */
async function openConnection(
  url: URL,
  key: string,
  {
    fetchRequest,
    stats,
    watcher,
    deps,
  }: { fetchRequest: FetchRequest; stats: FetchStats; watcher: DeadlineWatcher; deps: ExchangeDeps },
): Promise<HttpConnection | Failure> {
  const { http2, verifyTls } = fetchRequest.job.options;
  const secure = url.protocol === 'https:';
  if (http2 === true && !secure) return failure('http.protocol', 'HTTP/2 needs https: the URL is http.');
  const leaving = new AbortController();
  watcher.watch({ abort: () => leaving.abort() });
  let line: Http1Connection | null = null;
  const connecting = connectToOrigin(
    {
      url,
      key,
      verifyTls,
      alpn: http2 === true ? ['h2'] : http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
      signal: leaving.signal,
      onSharedRead: (bytes) => line!.onSocketRead(bytes),
      upstream: fetchRequest.lease.upstream,
    },
    deps,
  );
  if (secure) deps.h2.addPendingConnection(key, connecting);
  const connected = await connecting;
  stats.addConnectTiming(connected);
  stats.addProxyBytes(connected.wayOut, connected.wayIn);
  if (connected.remoteIp !== null) stats.remoteIp = connected.remoteIp;
  if (connected.failure !== null) return connected.failure;
  const { socket, remoteIp, absoluteForm } = connected;
  if (connected.protocol === 'h2' && 'encrypted' in socket)
    return deps.h2.add(socket, url.origin, key, remoteIp);
  if (http2 === true) {
    socket.on('error', () => {});
    socket.destroy();
    return failure('http.protocol', `${url.host} does not speak HTTP/2.`);
  }
  const guard = absoluteForm === null ? null : new ProxyGuard(absoluteForm, url.host);
  line = new Http1Connection(socket, { key, remoteIp, guard }, deps.pool);
  return line;
}

/** Connections with the same key may serve each other's requests. */
function connectionKey({ lease, job }: FetchRequest, { origin }: URL): string {
  const { verifyTls, http2 } = job.options;
  return `${origin} ${verifyTls ? 1 : 0}${http2 === 'auto' ? 'a' : http2 ? 2 : 1} ${lease.exit}`;
}
