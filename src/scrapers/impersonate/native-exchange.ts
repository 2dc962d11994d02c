import { freeBuffer } from '../../base/memory-budget.ts';
import type { ImpersonateProfile } from '../../domain/browser-profiles.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import { isRepeatable } from '../../domain/job.ts';
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
  type NativeRequest,
  type NativeResponse,
  nativeFailure,
} from './native-binding.ts';
import type { NativeClient, NativeClientPool } from './native-clients.ts';

/** How much of the body of a redirect is read to keep its connection. */
const MAX_UNREAD_BODY = 65_536;

const NO_PROXY_BYTES = { sent: 0, received: 0 };

/** What it says of its own accord: how the call ended before there was a head. */
interface NativeCallFailure {
  /** The library's sentence. */
  readonly message: string;
  /** Why there is no connection, as the gateway saw it; null: there was one, or none was wanted. */
  readonly refusal: Failure | null;
}

/** One request of the library and its answer, reported to a hop. */
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
  /** How long the body is said to be; null: nothing is said, or there is none by nature. */
  #length: number | null = null;
  #received = 0;
  #paused = false;
  #wake: (() => void) | null = null;
  #ended = false;

  /** @param leaves called when the request may leave on a connection that was opened for it */
  constructor(
    place: string,
    hop: ResponseReader,
    way: ClientGateway,
    binding: NativeBinding,
    leaves: () => void,
  ) {
    this.authority = place;
    this.#reader = hop;
    this.#gateway = way;
    this.#binding = binding;
    this.#onMaySend = leaves;
  }

  /** Whether a connection was opened for it, or tried. */
  get connectAttempted(): boolean {
    return this.#connectResult !== null;
  }

  /** A request of it may have reached the target. */
  get mayHaveSent(): boolean {
    return this.#connectResult === null || this.#connectResult.failure === null;
  }

  get remoteIp(): string | null {
    const dialled = this.#connectResult;
    return dialled === null || dialled.failure !== null
      ? this.#gateway.remoteIpOf(this.authority)
      : dialled.remoteIp;
  }

  /** What it took to open its connection through a proxy; 0 on one that stood. */
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

  /** Settles when there is a head, or none: then tells why, but not after `cut`. */
  async run(request: NativeRequest): Promise<NativeCallFailure | null> {
    this.#reader.onSent(this);
    this.#gateway.addWaiter(this);
    let answer: NativeResponse;
    try {
      const { handle, promise } = this.#binding.request(request);
      this.#handle = handle;
      answer = await promise;
    } catch (error) {
      if (this.#ended) return null;
      return { message: (error as Error).message, refusal: this.#connectResult?.failure ?? null };
    } finally {
      this.#gateway.removeWaiter(this);
    }
    this.#body = answer.bodyHandle;
    if (this.#ended) this.#cancelNative();
    else void this.#readResponse(answer, request.method);
    return null;
  }

  onConnectResult(dialled: ConnectResult, way: ProxyBytes | null): void {
    this.#connectResult = dialled;
    this.#proxyBytes = way;
    // What comes before the request could leave is told by itself.
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
    this.#wakeUp();
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelNative();
    this.#wakeUp();
  }

  /** Ends what is still to come of an answer that nobody waits for. */
  cancelUnreadBody(): void {
    this.cancel();
  }

  #cancelNative(): void {
    if (this.#body === null) this.#binding.cancelRequest(this.#handle);
    else this.#binding.cancelBody(this.#body);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async #readResponse(answer: NativeResponse, method: string): Promise<void> {
    if (answer.status < 200) {
      this.cancel();
      this.#reader.onProtocolError('It switches to another protocol, which was not requested.');
      return;
    }
    const head = new ResponseHead(answer.status, false, false);
    let bytes = 15;
    for (const [name, value] of answer.headers) {
      head.addField(name, value);
      bytes += name.length + value.length + 4;
    }
    this.#reader.onBytes(bytes);
    // What has no body tells the length of another one at most (RFC 9110 §8.6), and what is chunked none (RFC 9112 §6.3).
    const { status, contentLength, transferEncoding } = head;
    const unframed = method === 'HEAD' || status === 304 || status === 204 || transferEncoding !== null;
    if (!unframed && contentLength !== null && /^\d+$/.test(contentLength))
      this.#length = Number(contentLength);
    if (!this.#reader.onHead(head)) await this.#discardBody();
    else await this.#read();
  }

  async #read(): Promise<void> {
    for (;;) {
      if (this.#paused) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
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
        // Over HTTP/2 the library calls it the end, too, when the target resets the stream without an error.
        if (this.#length === null || this.#received >= this.#length) this.#reader.onComplete();
        else this.#reader.onConnectionLost('the target closed the connection before its end.');
        return;
      }
      this.#received += piece.chunk.length;
      this.#reader.onBytes(piece.chunk.length);
      this.#reader.onBody(piece.chunk);
      if (this.#reader.piecesCopied) freeBuffer(piece.chunk);
    }
  }

  /** Reads the body of a redirect to its end, if that is near: the connection can be used again then. */
  async #discardBody(): Promise<void> {
    let left = MAX_UNREAD_BODY;
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

/** Servers commonly close at 5 s, large sites later; what is gone is noticed, and a safe request repeated. */
const IDLE_MS = 15_000;
const MAX_IDLE_PER_HOST = 64;
/** After its deadline nobody reads the body of an answer any more: the library gives it up so much later. */
const READ_GRACE_MS = 1_000;

interface NativeExchangeDeps extends ConnectDeps {
  readonly binding: NativeBinding;
  readonly clients: NativeClientPool;
}

/** Each request that is sent once has its own number, and so a connection of its own. */
let lastGroup = 0;

/**
 * Sends one https request by the library and reads its answer. A safe request whose reused connection dies without an
 * answer, or brings what is none, is sent once more, on a new one. Never rejects.
 */
export async function nativeExchange(
  request: HttpRequest,
  fields: HeaderList,
  ask: ResponseOptions,
  way: FetchContext,
  profile: ImpersonateProfile,
  tools: NativeExchangeDeps,
): Promise<ResponseResult> {
  const { fetchRequest, watcher } = way;
  const { verifyTls, http2 } = fetchRequest.job.options;
  const client = await tools.clients.acquire({
    lease: fetchRequest.lease,
    browser: profile.name,
    verifyTls,
    http2,
  });
  if (isFailure(client)) return failureResult(watcher.failure ?? client);
  try {
    if (watcher.failure !== null) return failureResult(watcher.failure);
    const first = await sendOnce(request, fields, ask, way, client, tools, !isRepeatable(request.method));
    if (!('again' in first)) return first;
    const second = await sendOnce(request, fields, ask, way, client, tools, true);
    return 'again' in second ? failureResult(second.again) : second;
  } finally {
    client.release();
  }
}

/** `again`: a connection that stood gave no answer; the failure if it is not repeated. */
async function sendOnce(
  request: HttpRequest,
  fields: HeaderList,
  ask: ResponseOptions,
  { fetchRequest, stats, watcher }: FetchContext,
  client: NativeClient,
  tools: NativeExchangeDeps,
  alone: boolean,
): Promise<ResponseResult | { readonly again: Failure }> {
  const { url, method } = request;
  const hop = new ResponseReader(ask, tools.clock);
  const place = `${url.hostname}:${url.port === '' ? 443 : url.port}`;
  // What is sent once has a connection of its own: no other way is taken from when it may be out.
  const leaves = () => {
    if (!isRepeatable(method)) watcher.ignoreShare();
  };
  const call = new NativeCall(place, hop, client.gateway, tools.binding, leaves);
  watcher.watch(hop);
  const noAnswer = await call.run(
    nativeRequest(request, fields, client, fetchRequest.deadline.remaining(), alone),
  );
  stats.addConnectTiming(call.connectTiming);
  stats.addProxyBytes(call.proxyBytes.sent, call.proxyBytes.received);
  if (call.remoteIp !== null) stats.remoteIp = call.remoteIp;
  const trouble = noAnswer === null ? null : nativeFailure(noAnswer.message, url.hostname);
  const refusal = noAnswer?.refusal ?? null;
  if (call.mayHaveSent && trouble?.unsent !== true) {
    stats.addRequest(method, fields, call.remoteIp, requestLength(request, fields), request.body !== null);
    leaves();
  }
  if (noAnswer !== null) {
    if (watcher.failure !== null) return failureResult(watcher.failure);
    if (refusal !== null) return failureResult(refusal);
    if (trouble!.certificateRejected)
      return failureResult(
        await certificateFailure(request, { fetchRequest, stats, watcher }, trouble!.failure, tools),
      );
    if (!trouble!.unsent && !call.connectAttempted && !alone) return { again: trouble!.failure };
    hop.abort(trouble!.failure);
    return failureResult(trouble!.failure);
  }
  const result = await hop.result;
  stats.addResponse(hop);
  if (result.failure === null && result.body === null) stats.addUnreadBody(call);
  return result;
}

function failureResult(why: Failure): ResponseResult {
  return { failure: why, head: null, unanswered: null };
}

function nativeRequest(
  { url, method, body }: HttpRequest,
  fields: HeaderList,
  client: NativeClient,
  remainingMs: number,
  alone: boolean,
): NativeRequest {
  const headers: [string, string][] = [];
  // The library writes texts as UTF-8: bytes that are not UTF-8 go as the characters that they mean.
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
    ...(alone ? { connectionGroup: ++lastGroup, forbidConnectionReuse: true } : {}),
  };
}

/**
 * Why a certificate is not taken: asked of the client of `http`, by a handshake of its own in which nothing is sent.
 * @param otherwise when that one takes it
 */
async function certificateFailure(
  { url }: HttpRequest,
  { fetchRequest, stats, watcher }: FetchContext,
  otherwise: Failure,
  tools: NativeExchangeDeps,
): Promise<Failure> {
  const leaving = new AbortController();
  watcher.watch({ abort: () => leaving.abort() });
  const connected = await connectToOrigin(
    {
      url,
      key: `why ${url.origin} ${fetchRequest.lease.exit}`,
      verifyTls: true,
      alpn: ['http/1.1'],
      signal: leaving.signal,
      onSharedRead: () => {},
      upstream: fetchRequest.lease.upstream,
    },
    tools,
  );
  stats.addProxyBytes(connected.wayOut, connected.wayIn);
  if (watcher.failure !== null) {
    connected.socket?.on('error', () => {}).destroy();
    return watcher.failure;
  }
  if (connected.failure !== null)
    return connected.failure.code === 'tls.invalid' ? connected.failure : otherwise;
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
