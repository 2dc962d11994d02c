import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { SMALL_BYTES } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import { trouble } from './kinds/shared.ts';
import type { VendorReply, VendorRequest, VendorTrouble } from './vendor-kind.ts';

export const MAX_REPLY_BYTES = 64 * 2 ** 20;
/** Memory is reserved in steps of this length. A reply holds its bytes, its text and the page. */
const STEP_BYTES = 4 * 2 ** 20;
const COPIES = 3;

interface CallContext {
  readonly signal: AbortSignal;
  readonly reservation: MemoryReservation;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Sends one request to the API of a vendor: to this origin alone, without following redirects, and at most 64 MiB of the reply. The
 * address is the operator's, so the guard of scrapes does not apply. Never rejects.
 */
export async function callVendor(
  baseUrl: string,
  request: VendorRequest,
  { signal, reservation, clock }: CallContext,
): Promise<VendorReply | VendorTrouble> {
  try {
    const response = await send(`${baseUrl}${request.path}`, request, signal);
    const headers = headersOf(response);
    const status = response.statusCode!;
    const body = await readBody(decoded(response, request.method), { signal, reservation });
    if ('trouble' in body) return body;
    if (status >= 300 && status < 400 && isOfApi(headers))
      return trouble('protocol', `redirects to another place (${status}), which is not followed`);
    return replyOf({ status, headers, body, receivedAt: clock.now() });
  } catch (error) {
    if (signal.aborted) return trouble('timeout', 'did not answer in time');
    return trouble('protocol', `cannot be reached (${codeOf(error)})`);
  }
}

/**
 * Not `fetch`: it adds headers of its own, such as `User-Agent: node`, and some services pass on all headers to the target. Each call has
 * its own connection: a service may close a kept one just when it is used again, and not each call may be sent twice.
 */
async function send(
  url: string,
  { method, headers, body }: VendorRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // An import of `node:http` at the top would load Node's own `fetch` at each start.
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: { 'accept-encoding': 'gzip, deflate, br', ...headers }, signal, agent: false },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): HeaderList {
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.push([rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!]);
  return headers;
}

const DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** The body after content decoding. */
function decoded(response: IncomingMessage, method: VendorRequest['method']): Readable {
  const coding = response.headers['content-encoding']?.toLowerCase() ?? '';
  const hasBody = method !== 'HEAD' && response.statusCode !== 204 && response.statusCode !== 304;
  if (!hasBody || !Object.hasOwn(DECODERS, coding)) return response;
  // An error reaches the reader through the decoder.
  return pipeline(response, DECODERS[coding as keyof typeof DECODERS](), () => {});
}

/** A redirect of the API itself. Services that answer with the status of the target mark their responses. */
const isOfApi = (headers: HeaderList): boolean =>
  !headers.some(([name]) => /^(spb-|zr-|scrape\.do-|sa-|x-brd-)/.test(name));

async function readBody(
  body: Readable,
  { signal, reservation }: Pick<CallContext, 'signal' | 'reservation'>,
): Promise<Uint8Array | VendorTrouble> {
  const chunks: Buffer[] = [];
  let length = 0;
  let reserved = SMALL_BYTES;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REPLY_BYTES) return trouble('protocol', 'answered with more than 64 MiB');
    if (length > reserved) {
      reserved = Math.min(MAX_REPLY_BYTES, length + STEP_BYTES);
      const wait = reservation.reserve(COPIES * reserved, COPIES * MAX_REPLY_BYTES, signal);
      if (wait !== null && !(await wait)) return trouble('timeout', 'answered when no memory was free');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function replyOf(facts: Omit<VendorReply, 'header' | 'json'>): VendorReply {
  let parsed: { readonly value: unknown } | null = null;
  return {
    ...facts,
    header: (name) => facts.headers.find(([one]) => one === name)?.[1] ?? null,
    json() {
      parsed ??= { value: parseJson(facts.body) };
      return parsed.value;
    },
  };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  return String(cause?.code ?? code ?? 'protocol error');
}
