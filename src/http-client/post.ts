import type { Socket } from 'node:net';
import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { toByteString } from './byte-string.ts';
import { type ConnectDeps, connectToOrigin } from './connect.ts';
import { Http1Connection, serializeRequestHead } from './http1-connection.ts';
import { requestTarget } from './request.ts';
import { ResponseReader } from './response-reader.ts';

/** A body that is not in memory. */
export interface StreamedBody {
  /** Its length. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The request ends when so long nothing could be sent, and after the end when there was no answer. */
  readonly stallMs: number;
}

export interface SentRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  /** Besides `Host`, `Content-Length` and `Connection`. */
  readonly headers: HeaderList;
  readonly body: Uint8Array | StreamedBody;
  /** Limit of decoded bytes of the answer; the rest is not read. */
  readonly maxBytes: number;
  /** Ends the request. What has arrived of an answer whose head is complete is the result. */
  readonly signal: AbortSignal;
}

export type PostRequest = Omit<SentRequest, 'method' | 'body'> & { readonly body: Uint8Array };

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

export const post = (request: PostRequest, deps: PostDeps): Promise<PostResponse | Failure> =>
  send({ ...request, method: 'POST' }, deps);

/**
 * Sends a request of the service itself, such as a webhook: HTTP/1.1, no proxy, no redirects, no cookies, TLS always verified.
 * Rejects only as the pieces of the body do.
 */
export async function send(request: SentRequest, deps: PostDeps): Promise<PostResponse | Failure> {
  const { method, url, body, signal } = request;
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
  const isStreamed = !(body instanceof Uint8Array);
  const answered = new AbortController();
  const stall = isStreamed ? setTimeout(onAbort, body.stallMs) : undefined;
  try {
    signal.addEventListener('abort', onAbort, { once: true });
    connection.run(reader, method, { head: headOf(request), body: isStreamed ? null : body });
    if (signal.aborted) onAbort();
    const writing = isStreamed
      ? writePieces(socket, body.pieces, answered.signal, () => stall?.refresh())
      : Promise.resolve();
    // What the pieces reject with, such as a file that cannot be read, ends the request.
    const result = await Promise.race([reader.result, writing.then(() => reader.result)]);
    answered.abort();
    if (result.failure !== null) return result.failure;
    const { status, headers } = result.head;
    // A copy: closing the reservation frees the memory of the body.
    return { status, headers, body: Uint8Array.from(result.body?.bytes ?? []) };
  } finally {
    answered.abort();
    clearTimeout(stall);
    signal.removeEventListener('abort', onAbort);
    connection.destroy();
    reservation.close();
  }
}

/** Writes pieces, each after the socket has taken the one before, until `stopped` or the socket is closed. */
async function writePieces(
  socket: Socket,
  pieces: AsyncIterable<Uint8Array>,
  stopped: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  for await (const piece of pieces) {
    if (stopped.aborted || socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off('close', done);
        resolve();
      };
      socket.once('close', done);
      socket.write(piece, done);
    });
    onProgress();
  }
}

function headOf({ method, url, headers, body }: SentRequest): string {
  const length = body instanceof Uint8Array ? body.length : body.bytes;
  const hasNoBody = length === 0 && (method === 'GET' || method === 'HEAD' || method === 'DELETE');
  return serializeRequestHead(method, requestTarget(url), [
    ['Host', url.host],
    ...headers.map(([name, value]) => [name, toByteString(value)] as const),
    ...(hasNoBody ? [] : [['Content-Length', String(length)] as const]),
    ['Connection', 'close'],
  ]);
}
