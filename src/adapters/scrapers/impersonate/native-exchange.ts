import { type Failure, failure } from '../../../domain/failure.ts';
import type { HeaderList } from '../../../domain/fetched.ts';
import type { ImpersonateProfile } from '../../../domain/impersonate-profiles.ts';
import { isRepeatable } from '../../../domain/job.ts';
import { textOfBytes } from '../http/byte-string.ts';
import { type ConnectTools, connectTo } from '../http/connect.ts';
import type { Way } from '../http/fetch-page.ts';
import { Hop, type HopAsk, type HopResult } from '../http/hop.ts';
import { lengthOf, type Outgoing, targetOf } from '../http/outgoing.ts';
import type { Binding, NativeRequest } from './binding.ts';
import type { Client, Clients } from './clients.ts';
import { NativeCall } from './native-call.ts';
import { nativeTrouble } from './native-failure.ts';

/** Servers commonly close at 5 s, large sites later; what is gone is noticed, and a safe request repeated. */
const IDLE_MS = 15_000;
const MOST_IDLE_PER_HOST = 64;
/** After its deadline nobody reads the body of an answer any more: the library gives it up so much later. */
const AFTER_MS = 1_000;

export interface NativeTools extends ConnectTools {
  readonly binding: Binding;
  readonly clients: Clients;
}

/** Each request that is sent once has its own number, and so a connection of its own. */
let lastGroup = 0;

/**
 * Sends one https request by the library and reads its answer. A safe request whose reused connection dies without an
 * answer, or brings what is none, is sent once more, on a new one. Never rejects.
 */
export async function nativeExchange(
  request: Outgoing,
  fields: HeaderList,
  ask: HopAsk,
  way: Way,
  profile: ImpersonateProfile,
  tools: NativeTools,
): Promise<HopResult> {
  const { order, watch } = way;
  const { verifyTls, http2 } = order.job.options;
  const client = await tools.clients.take({ lease: order.lease, browser: profile.name, verifyTls, http2 });
  if ('code' in client) return none(watch.failure ?? client);
  try {
    if (watch.failure !== null) return none(watch.failure);
    const first = await attempt(request, fields, ask, way, client, tools, !isRepeatable(request.method));
    if (!('again' in first)) return first;
    const second = await attempt(request, fields, ask, way, client, tools, true);
    return 'again' in second ? none(second.again) : second;
  } finally {
    client.release();
  }
}

/** `again`: a connection that stood gave no answer; the failure if it is not repeated. */
async function attempt(
  request: Outgoing,
  fields: HeaderList,
  ask: HopAsk,
  { order, trip, watch }: Way,
  client: Client,
  tools: NativeTools,
  alone: boolean,
): Promise<HopResult | { readonly again: Failure }> {
  const { url, method } = request;
  const hop = new Hop(ask, tools.clock);
  const place = `${url.hostname}:${url.port === '' ? 443 : url.port}`;
  // What is sent once has a connection of its own: no other way is taken from when it may be out.
  const leaves = () => {
    if (!isRepeatable(method)) watch.shareEnds();
  };
  const call = new NativeCall(place, hop, client.way, tools.binding, leaves);
  watch.watch(hop);
  const noAnswer = await call.run(nativeRequest(request, fields, client, order.deadline.remaining(), alone));
  trip.connected(call.times);
  trip.makesWay(call.way.out, call.way.back);
  if (call.remoteIp !== null) trip.remoteIp = call.remoteIp;
  const trouble = noAnswer === null ? null : nativeTrouble(noAnswer.why, url.hostname);
  const refusal = noAnswer?.refusal ?? null;
  if (call.mayHaveSent && trouble?.unsent !== true) {
    trip.sends(method, fields, call.remoteIp, lengthOf(request, fields), request.body !== null);
    leaves();
  }
  if (noAnswer !== null) {
    if (watch.failure !== null) return none(watch.failure);
    if (refusal !== null) return none(refusal);
    if (trouble!.certificate)
      return none(await whyRefused(request, { order, trip, watch }, trouble!.failure, tools));
    if (!trouble!.unsent && !call.dialled && !alone) return { again: trouble!.failure };
    hop.abort(trouble!.failure);
    return none(trouble!.failure);
  }
  const result = await hop.done;
  trip.ended(hop);
  if (result.failure === null && result.body === null) trip.leaves(call);
  return result;
}

function none(why: Failure): HopResult {
  return { failure: why, head: null, unanswered: null };
}

function nativeRequest(
  { url, method, body }: Outgoing,
  fields: HeaderList,
  client: Client,
  remainingMs: number,
  alone: boolean,
): NativeRequest {
  const headers: [string, string][] = [];
  // The library writes texts as UTF-8: bytes that are not UTF-8 go as the characters that they mean.
  for (const [name, value] of fields) if (name !== 'Host') headers.push([name, textOfBytes(value)]);
  return {
    ...client.options,
    url: `${url.origin}${targetOf(url)}`,
    method,
    headers,
    origHeaders: fields.map(([name]) => name),
    ...(body === null
      ? {}
      : { body: Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.length) }),
    timeout: 0,
    readTimeout: Math.ceil(remainingMs) + AFTER_MS,
    poolIdleTimeout: IDLE_MS,
    poolMaxIdlePerHost: MOST_IDLE_PER_HOST,
    disableDefaultHeaders: true,
    compress: false,
    ...(alone ? { connectionGroup: ++lastGroup, forbidConnectionReuse: true } : {}),
  };
}

/**
 * Why a certificate is not taken: asked of the client of `http`, by a handshake of its own in which nothing is sent.
 * @param otherwise when that one takes it
 */
async function whyRefused(
  { url }: Outgoing,
  { order, trip, watch }: Way,
  otherwise: Failure,
  tools: NativeTools,
): Promise<Failure> {
  const leaving = new AbortController();
  watch.watch({ abort: () => leaving.abort() });
  const connected = await connectTo(
    {
      url,
      key: `why ${url.origin} ${order.lease.exit}`,
      verifyTls: true,
      alpn: ['http/1.1'],
      signal: leaving.signal,
      takeRead: () => {},
      upstream: order.lease.upstream,
    },
    tools,
  );
  trip.makesWay(connected.wayOut, connected.wayIn);
  if (watch.failure !== null) {
    connected.socket?.on('error', () => {}).destroy();
    return watch.failure;
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
