import type { Clock } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import { failure, isFailure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { isRepeatable } from '../domain/task.ts';
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
  readonly http1Pool: Http1Pool;
  readonly http2Pool: Http2Pool;
}

type HttpConnection = Http1Connection | Http2Connection;

/**
 * Sends one request and reads its response, on a pooled connection or a new one. Never rejects. The request is sent once
 * more, on a new connection, when the target says that it has not processed it; or when it is repeatable, and a pooled
 * connection was closed without a response or delivers invalid HTTP (such as the body of an earlier response to HEAD).
 */
export async function exchange(
  request: HttpRequest,
  fields: HeaderList,
  options: ResponseOptions,
  { fetchRequest, stats, watcher }: FetchContext,
  deps: ExchangeDeps,
): Promise<ResponseResult> {
  const key = connectionKey(fetchRequest, request.url);
  const repeatable = isRepeatable(request.method);
  let connection: HttpConnection | null = repeatable ? takeOpenConnection(key, deps) : null;
  if (repeatable && connection === null && deps.http2Pool.pendingConnection(key) !== null)
    connection = await awaitPendingConnection(key, watcher, deps);
  let retried = false;
  for (;;) {
    const reused = connection !== null;
    if (connection === null) {
      if (watcher.failure !== null) return { failure: watcher.failure, head: null, retryableAs: null };
      const opened = await openConnection(request.url, key, { fetchRequest, stats, watcher, deps });
      if (isFailure(opened)) return { failure: watcher.failure ?? opened, head: null, retryableAs: null };
      if (watcher.failure !== null) {
        opened.destroy();
        return { failure: watcher.failure, head: null, retryableAs: null };
      }
      connection = opened;
    }
    const reader = new ResponseReader(options, deps.clock);
    watcher.watch(reader);
    sendRequest(connection, reader, request, fields, stats);
    if (!repeatable) watcher.ignoreAttemptDeadline();
    const result = await reader.result;
    stats.addResponse(reader);
    const retry =
      result.failure !== null &&
      watcher.failure === null &&
      (result.retryableAs === 'unprocessed' || (result.retryableAs !== null && reused && repeatable));
    if (!retry || retried) {
      if (result.failure === null && result.body === null && connection instanceof Http1Connection)
        stats.addUnreadBody(connection);
      return result;
    }
    retried = true;
    connection = null;
  }
}

function takeOpenConnection(key: string, { http1Pool, http2Pool }: ExchangeDeps): HttpConnection | null {
  return http1Pool.take(key) ?? http2Pool.find(key);
}

/** Waits for a connection that another request is opening. @returns null: it cannot be shared, or the deadline has ended */
async function awaitPendingConnection(
  key: string,
  watcher: DeadlineWatcher,
  deps: ExchangeDeps,
): Promise<HttpConnection | null> {
  await new Promise<void>((resolve) => {
    watcher.watch({ abort: () => resolve() });
    deps.http2Pool.pendingConnection(key)?.then(() => resolve());
  });
  return watcher.failure === null ? takeOpenConnection(key, deps) : null;
}

function sendRequest(
  connection: HttpConnection,
  reader: ResponseReader,
  request: HttpRequest,
  fields: HeaderList,
  stats: FetchStats,
): void {
  const target = requestTarget(request.url);
  const { method } = request;
  const body = request.body?.bytes ?? null;
  if (connection instanceof Http1Connection) {
    const { guard } = connection;
    const head =
      guard === null
        ? serializeRequestHead(method, target, fields)
        : serializeRequestHead(method, `${request.url.origin}${target}`, guard.withCredentials(fields));
    stats.addRequest(method, fields, connection.remoteIp, head.length + (body?.length ?? 0), body !== null);
    connection.run(reader, method, { head, body });
    return;
  }
  const http2Fields = lowerCaseNames(fields).filter(([name]) => !CONNECTION_FIELDS.has(name));
  // `Host` is always the first field; HTTP/2 sends it as `:authority`.
  const [host, ...fieldsWithoutHost] = http2Fields;
  const authority = host![1];
  if (
    connection.run(reader, {
      method,
      scheme: 'https',
      authority,
      path: target,
      fields: fieldsWithoutHost,
      body,
    })
  )
    stats.addRequest(
      method,
      http2Fields,
      connection.remoteIp,
      requestLength(request, http2Fields),
      body !== null,
    );
}

/** Fields that HTTP/2 forbids (RFC 9113 §8.2.2), but that a caller may set for HTTP/1.1. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set(['connection', 'http2-settings']);

/** Opens a connection. @returns a failure if that is not possible */
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
  const { http2, verifyTls } = fetchRequest.task.options;
  const secure = url.protocol === 'https:';
  if (http2 === true && !secure) return failure('http.protocol', 'HTTP/2 needs https: the URL is http.');
  const abortConnect = new AbortController();
  watcher.watch({ abort: () => abortConnect.abort() });
  let connection: Http1Connection | null = null;
  const connecting = connectToOrigin(
    {
      url,
      key,
      verifyTls,
      alpn: http2 === true ? ['h2'] : http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
      signal: abortConnect.signal,
      onSharedRead: (bytes) => connection!.onSocketRead(bytes),
      upstream: fetchRequest.lease.upstream,
    },
    deps,
  );
  if (secure) deps.http2Pool.addPendingConnection(key, connecting);
  const connected = await connecting;
  stats.addConnectTiming(connected);
  stats.addProxyBytes(connected.proxyBytesSent, connected.proxyBytesReceived);
  if (connected.remoteIp !== null) stats.remoteIp = connected.remoteIp;
  if (connected.failure !== null) return connected.failure;
  const { socket, remoteIp, absoluteForm } = connected;
  if (connected.protocol === 'h2' && 'encrypted' in socket)
    return deps.http2Pool.add(socket, url.origin, key, remoteIp);
  if (http2 === true) {
    socket.on('error', () => {});
    socket.destroy();
    return failure('http.protocol', `${url.host} does not speak HTTP/2.`);
  }
  const guard = absoluteForm === null ? null : new ProxyGuard(absoluteForm, url.host);
  connection = new Http1Connection(socket, { key, remoteIp, guard }, deps.http1Pool);
  return connection;
}

/** Requests with the same key may share connections: same origin, TLS verification, HTTP versions and exit. */
function connectionKey({ lease, task }: FetchRequest, { origin }: URL): string {
  const { verifyTls, http2 } = task.options;
  return `${origin} verify=${verifyTls} http2=${http2} ${lease.exit}`;
}
