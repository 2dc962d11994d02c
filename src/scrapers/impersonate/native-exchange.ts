import { freeBuffer } from '../../base/memory-budget.ts';
import type { ImpersonateProfile } from '../../domain/browser-profiles.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import { isRepeatable } from '../../domain/task.ts';
import type { ConnectResult } from '../../egress/connect-request.ts';
import { fromByteString } from '../../http-client/byte-string.ts';
import { type ConnectDeps, type ConnectTiming, connectToOrigin } from '../../http-client/connect.ts';
import type { FetchContext } from '../../http-client/fetch-page.ts';
import { type HttpRequest, requestLength, requestTarget } from '../../http-client/request.ts';
import { ResponseHead } from '../../http-client/response-head.ts';
import {
  type ResponseOptions,
  ResponseReader,
  type ResponseResult,
  type ResponseSource,
} from '../../http-client/response-reader.ts';
import type { ClientGateway, ConnectionWaiter, ProxyBytes } from './client-gateway.ts';
import {
  type NativeBinding,
  type NativeFailure,
  type NativeRequest,
  type NativeResponse,
  nativeFailure,
} from './native-binding.ts';
import type { NativeClient, NativeClientPool } from './native-clients.ts';

/** How much of a redirect's body is read so that its connection can be used again. */
const MAX_DISCARDED_BODY = 65_536;

const NO_PROXY_BYTES = { sent: 0, received: 0 };

/** Why a call of the library has ended without a response head. */
interface NativeCallFailure extends NativeFailure {
  /** Why the gateway could not connect; null: it could, or the call needed no new connection. */
  readonly connectFailure: Failure | null;
}

/** One request that the library sends; its response goes to the reader. */
class NativeCall implements ResponseSource, ConnectionWaiter {
  readonly authority: string;
  readonly #binding: NativeBinding;
  readonly #gateway: ClientGateway;
  readonly #reader: ResponseReader;
  readonly #onMaySend: () => void;
  #handle = 0;
  #body: number | null = null;
  #connectResult: ConnectResult | null = null;
  #proxyBytes: ProxyBytes | null = null;
  #tlsMs: number | null = null;
  /** Length of the body by `Content-Length`; null: unknown, or there is no body. */
  #expectedLength: number | null = null;
  #received = 0;
  #paused = false;
  #onResume: (() => void) | null = null;
  #ended = false;

  /** @param onMaySend called when the request may be sent on a connection that was opened for it */
  constructor(
    authority: string,
    reader: ResponseReader,
    gateway: ClientGateway,
    binding: NativeBinding,
    onMaySend: () => void,
  ) {
    this.authority = authority;
    this.#reader = reader;
    this.#gateway = gateway;
    this.#binding = binding;
    this.#onMaySend = onMaySend;
  }

  /** The gateway has opened a connection for this request, or tried to. */
  get connectAttempted(): boolean {
    return this.#connectResult !== null;
  }

  /** The request may have reached the target: on a reused connection, or on one that the gateway has opened. */
  get mayHaveSent(): boolean {
    return this.#connectResult === null || this.#connectResult.failure === null;
  }

  get remoteIp(): string | null {
    const dialled = this.#connectResult;
    return dialled === null || dialled.failure !== null
      ? this.#gateway.remoteIpOf(this.authority)
      : dialled.remoteIp;
  }

  /** Bytes exchanged with a proxy to open the connection; 0 for a reused connection. */
  get proxyBytes(): { readonly sent: number; readonly received: number } {
    return this.#proxyBytes ?? NO_PROXY_BYTES;
  }

  get connectTiming(): ConnectTiming {
    const dialled = this.#connectResult;
    return {
      dnsMs: dialled?.dnsMs ?? null,
      connectMs: dialled === null || dialled.failure !== null ? null : dialled.connectMs,
      tlsMs: this.#tlsMs,
    };
  }

  /** Sends the request. Resolves with null when the response head has arrived or after `cancel`, else with the failure. */
  async run(request: NativeRequest): Promise<NativeCallFailure | null> {
    this.#reader.onSent(this);
    this.#gateway.addWaiter(this);
    let response: NativeResponse;
    try {
      const { handle, promise } = this.#binding.request(request);
      this.#handle = handle;
      response = await promise;
    } catch (error) {
      if (this.#ended) return null;
      const native = nativeFailure((error as Error).message, new URL(request.url).hostname);
      return { ...native, connectFailure: this.#connectResult?.failure ?? null };
    } finally {
      this.#gateway.removeWaiter(this);
    }
    this.#body = response.bodyHandle;
    if (this.#ended) this.#cancelNative();
    else void this.#readResponse(response, request.method);
    return null;
  }

  onConnectResult(dialled: ConnectResult, proxyBytes: ProxyBytes | null): void {
    this.#connectResult = dialled;
    this.#proxyBytes = proxyBytes;
    // Restarts the time to first byte: connecting and the handshake are reported separately.
    if (!this.#ended) this.#reader.onSent(this);
  }

  onHandshake(ms: number): void {
    this.#tlsMs = ms;
    if (this.#ended) return;
    this.#reader.onSent(this);
    this.#onMaySend();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#continueReading();
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelNative();
    this.#continueReading();
  }

  /** Cancels the body of a followed redirect if it is still incomplete. */
  cancelUnreadBody(): void {
    this.cancel();
  }

  #cancelNative(): void {
    if (this.#body === null) this.#binding.cancelRequest(this.#handle);
    else this.#binding.cancelBody(this.#body);
  }

  #continueReading(): void {
    this.#onResume?.();
    this.#onResume = null;
  }

  async #readResponse(response: NativeResponse, method: string): Promise<void> {
    if (response.status < 200) {
      this.cancel();
      this.#reader.onProtocolError('It switches to another protocol, which was not requested.');
      return;
    }
    const head = new ResponseHead(response.status);
    // The library does not report the size of the head. Estimated as HTTP/1.1: 15 bytes for the status line, and in each field
    // 4 for the colon, the space and the line end.
    let bytes = 15;
    for (const [name, value] of response.headers) {
      head.addField(name, value);
      bytes += name.length + value.length + 4;
    }
    this.#reader.onBytes(bytes);
    // Without a body, Content-Length is the length of another response's body (RFC 9110 §8.6); with a transfer coding it is
    // ignored (RFC 9112 §6.3).
    const { status, contentLength, transferEncoding } = head;
    const lengthUnknown = method === 'HEAD' || status === 304 || status === 204 || transferEncoding !== null;
    if (!lengthUnknown && contentLength !== null && /^\d+$/.test(contentLength))
      this.#expectedLength = Number(contentLength);
    if (!this.#reader.onHead(head)) await this.#discardBody();
    else await this.#readBody();
  }

  async #readBody(): Promise<void> {
    for (;;) {
      if (this.#paused) {
        await new Promise<void>((resolve) => {
          this.#onResume = resolve;
        });
      }
      if (this.#ended) return;
      let piece: Awaited<ReturnType<NativeBinding['readBodyChunk']>>;
      try {
        piece = await this.#binding.readBodyChunk(this.#body!);
      } catch {
        if (this.#ended) return;
        this.#ended = true;
        this.#reader.onConnectionLost(
          'the target closed the connection, or sent something that is not HTTP.',
        );
        return;
      }
      if (this.#ended) return;
      if (piece.done) {
        this.#ended = true;
        // Over HTTP/2 the library also reports the end when the target resets the stream without an error.
        if (this.#expectedLength === null || this.#received >= this.#expectedLength)
          this.#reader.onComplete();
        else this.#reader.onConnectionLost('the target closed the connection before its end.');
        return;
      }
      this.#received += piece.chunk.length;
      this.#reader.onBytes(piece.chunk.length);
      this.#reader.onBody(piece.chunk);
      if (this.#reader.piecesCopied) freeBuffer(piece.chunk);
    }
  }

  /** Reads a short body of a redirect to its end, so that the connection can be used again. */
  async #discardBody(): Promise<void> {
    let left = MAX_DISCARDED_BODY;
    while (!this.#ended) {
      try {
        const { chunk, done } = await this.#binding.readBodyChunk(this.#body!);
        if (done) this.#ended = true;
        left -= chunk.length;
      } catch {
        this.#ended = true;
      }
      if (left < 0) this.cancel();
    }
  }
}

/** Longer than many servers keep a connection (5 s): a repeatable request is retried if its connection was closed meanwhile. */
const IDLE_MS = 15_000;
const MAX_IDLE_PER_HOST = 64;
/** How long after the deadline the library itself ends a response that is no longer read. */
const READ_GRACE_MS = 1_000;

interface NativeExchangeDeps extends ConnectDeps {
  readonly binding: NativeBinding;
  readonly clients: NativeClientPool;
}

/** Requests in different groups of the library never share a connection. */
let lastConnectionGroup = 0;

/**
 * Sends one https request with the library and reads its response. Never rejects. A repeatable request is sent once more, on
 * a new connection, when a reused connection is closed without a response or delivers invalid HTTP.
 */
export async function nativeExchange(
  request: HttpRequest,
  fields: HeaderList,
  options: ResponseOptions,
  context: FetchContext,
  profile: ImpersonateProfile,
  deps: NativeExchangeDeps,
): Promise<ResponseResult> {
  const { fetchRequest, watcher } = context;
  const { verifyTls, http2 } = fetchRequest.task.options;
  const client = await deps.clients.acquire({
    lease: fetchRequest.lease,
    browser: profile.name,
    verifyTls,
    http2,
  });
  if (isFailure(client)) return failureResult(watcher.failure ?? client);
  try {
    if (watcher.failure !== null) return failureResult(watcher.failure);
    const first = await sendOnce(request, fields, options, context, client, deps, {
      ownConnection: !isRepeatable(request.method),
    });
    if (!('retryable' in first)) return first;
    const second = await sendOnce(request, fields, options, context, client, deps, { ownConnection: true });
    return 'retryable' in second ? failureResult(second.retryable) : second;
  } finally {
    client.release();
  }
}

/**
 * @param ownConnection the request gets a new connection, which no other request uses
 * @returns `retryable`: the failure of a request on a reused connection, which may succeed on a new one
 */
async function sendOnce(
  request: HttpRequest,
  fields: HeaderList,
  options: ResponseOptions,
  { fetchRequest, stats, watcher }: FetchContext,
  client: NativeClient,
  deps: NativeExchangeDeps,
  { ownConnection }: { readonly ownConnection: boolean },
): Promise<ResponseResult | { readonly retryable: Failure }> {
  const { url, method } = request;
  const reader = new ResponseReader(options, deps.clock);
  const authority = `${url.hostname}:${url.port === '' ? 443 : url.port}`;
  // If the request must not be repeated, no other attempt can follow once it may have been sent: this one gets all the time.
  const onMaySend = () => {
    if (!isRepeatable(method)) watcher.ignoreAttemptDeadline();
  };
  const call = new NativeCall(authority, reader, client.gateway, deps.binding, onMaySend);
  watcher.watch(reader);
  const error = await call.run(
    nativeRequest(request, fields, client, fetchRequest.deadline.remaining(), ownConnection),
  );
  stats.addConnectTiming(call.connectTiming);
  stats.addProxyBytes(call.proxyBytes.sent, call.proxyBytes.received);
  if (call.remoteIp !== null) stats.remoteIp = call.remoteIp;
  if (call.mayHaveSent && error?.unsent !== true) {
    stats.addRequest(method, fields, call.remoteIp, requestLength(request, fields), request.body !== null);
    onMaySend();
  }
  if (error === null) {
    const result = await reader.result;
    stats.addResponse(reader);
    if (result.failure === null && result.body === null) stats.addUnreadBody(call);
    return result;
  }
  const knownCause = watcher.failure ?? error.connectFailure;
  if (knownCause !== null) return failureResult(knownCause);
  if (error.certificateRejected) {
    const context = { fetchRequest, stats, watcher };
    return failureResult(await certificateFailure(request, context, error.failure, deps));
  }
  if (!error.unsent && !call.connectAttempted && !ownConnection) return { retryable: error.failure };
  reader.abort(error.failure);
  return failureResult(error.failure);
}

function failureResult(cause: Failure): ResponseResult {
  return { failure: cause, head: null, retryableAs: null };
}

function nativeRequest(
  { url, method, body }: HttpRequest,
  fields: HeaderList,
  client: NativeClient,
  remainingMs: number,
  ownConnection: boolean,
): NativeRequest {
  const headers: [string, string][] = [];
  // The library sends values as UTF-8. Bytes that are not valid UTF-8 are read as Latin-1, and arrive as the UTF-8 of these characters.
  for (const [name, value] of fields) if (name !== 'Host') headers.push([name, fromByteString(value)]);
  return {
    ...client.options,
    url: `${url.origin}${requestTarget(url)}`,
    method,
    headers,
    origHeaders: fields.map(([name]) => name),
    ...(body === null
      ? {}
      : { body: Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.length) }),
    timeout: 0,
    readTimeout: Math.ceil(remainingMs) + READ_GRACE_MS,
    poolIdleTimeout: IDLE_MS,
    poolMaxIdlePerHost: MAX_IDLE_PER_HOST,
    disableDefaultHeaders: true,
    compress: false,
    ...(ownConnection ? { connectionGroup: ++lastConnectionGroup, forbidConnectionReuse: true } : {}),
  };
}

/**
 * Why a certificate was rejected: makes another handshake with Node's TLS to find out, and sends no request.
 * @param fallback the failure if that handshake fails for a reason other than the certificate
 */
async function certificateFailure(
  { url }: HttpRequest,
  { fetchRequest, stats, watcher }: FetchContext,
  fallback: Failure,
  deps: NativeExchangeDeps,
): Promise<Failure> {
  const abortConnect = new AbortController();
  watcher.watch({ abort: () => abortConnect.abort() });
  const connected = await connectToOrigin(
    {
      url,
      key: `certificate ${url.origin} ${fetchRequest.lease.exit}`,
      verifyTls: true,
      alpn: ['http/1.1'],
      signal: abortConnect.signal,
      upstream: fetchRequest.lease.upstream,
    },
    deps,
  );
  stats.addProxyBytes(connected.proxyBytesSent, connected.proxyBytesReceived);
  if (watcher.failure !== null) {
    connected.socket?.on('error', () => {}).destroy();
    return watcher.failure;
  }
  if (connected.failure !== null)
    return connected.failure.code === 'tls.invalid' ? connected.failure : fallback;
  // Node accepts the certificate that the library rejects: the fetch fails nevertheless, without a precise reason.
  // Node accepts the certificate that the library rejects: the fetch fails nevertheless, without a precise reason.
  connected.socket.on('error', () => {});
  connected.socket.destroy();
  return failure(
    'tls.invalid',
    `The TLS connection to ${url.hostname} failed: its certificate is not valid.`,
    {
      details: { reason: 'untrusted' },
    },
  );
}
