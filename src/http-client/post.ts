import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { toByteString } from './byte-string.ts';
import { type ConnectDeps, connectToOrigin } from './connect.ts';
import { Http1Connection, serializeRequestHead } from './http1-connection.ts';
import { requestTarget } from './request.ts';
import { ResponseReader } from './response-reader.ts';

export interface PostRequest {
  readonly url: URL;
  /** Besides `Host`, `Content-Length` and `Connection`. */
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** Limit of decoded bytes of the answer; the rest is not read. */
  readonly maxBytes: number;
  /** Ends the request. What has arrived of an answer whose head is complete is the result. */
  readonly signal: AbortSignal;
}

export interface PostResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

export interface PostDeps extends ConnectDeps {
  readonly memory: MemoryBudget;
  readonly clock: Clock;
}

const LATE = failure('timeout.total', 'There was no answer in time.');

/** Connections are used once: a POST that meets a closed connection must not be repeated. */
const SINGLE_USE = {
  onIdle: (connection: Http1Connection) => connection.destroy(),
  onClosed: () => {},
};

/**
 * POSTs a body of the service itself, such as a webhook: HTTP/1.1, no proxy, no redirects, no cookies, TLS always verified.
 * Never rejects.
 */
export async function post(request: PostRequest, deps: PostDeps): Promise<PostResponse | Failure> {
  const { url, body, signal } = request;
  const connected = await connectToOrigin(
    { url, key: url.origin, verifyTls: true, alpn: ['http/1.1'], signal, upstream: null },
    deps,
  );
  if (connected.failure !== null) return signal.aborted ? LATE : connected.failure;
  const { socket, remoteIp } = connected;
  const connection = new Http1Connection(socket, { key: url.origin, remoteIp, guard: null }, SINGLE_USE);
  const reservation = deps.memory.open();
  const reader = new ResponseReader(
    {
      maxBytes: request.maxBytes,
      memory: { reservation, signal },
      followsRedirect: () => false,
      onFinalHead: () => {},
    },
    deps.clock,
  );
  const onAbort = () => reader.abort(LATE);
  try {
    signal.addEventListener('abort', onAbort, { once: true });
    connection.run(reader, 'POST', { head: headOf(request), body });
    if (signal.aborted) onAbort();
    const result = await reader.result;
    if (result.failure !== null) return result.failure;
    const { status, headers } = result.head;
    // A copy: closing the reservation frees the memory of the body.
    return { status, headers, body: Uint8Array.from(result.body?.bytes ?? []) };
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.destroy();
    reservation.close();
  }
}

function headOf({ url, headers, body }: PostRequest): string {
  return serializeRequestHead('POST', requestTarget(url), [
    ['Host', url.host],
    ...headers.map(([name, value]) => [name, toByteString(value)] as const),
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ]);
}
