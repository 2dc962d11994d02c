import type { MemoryReservation } from '../../base/memory-budget.ts';
import { SMALL_BYTES } from '../../base/memory-budget.ts';
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
}

/**
 * Sends one request to the API of a vendor: to this origin alone, without following redirects, and at most 64 MiB of the reply. The
 * address is the operator's, so the guard of scrapes does not apply. Never rejects.
 */
export async function callVendor(
  baseUrl: string,
  { method, path, headers, body }: VendorRequest,
  { signal, reservation }: CallContext,
): Promise<VendorReply | VendorTrouble> {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      body: body === null ? null : typeof body === 'string' ? body : Buffer.from(body),
      redirect: 'manual',
      signal,
    });
    const bytes = await readBody(response, { signal, reservation });
    if ('trouble' in bytes) return bytes;
    if (response.status >= 300 && response.status < 400 && isOfApi(response))
      return trouble('protocol', `redirects to another place (${response.status}), which is not followed`);
    return replyOf(response.status, [...response.headers], bytes);
  } catch (error) {
    if (signal.aborted) return trouble('timeout', 'did not answer in time');
    return trouble('protocol', `cannot be reached (${codeOf(error)})`);
  }
}

/** A redirect of the API itself. Services that answer with the status of the target mark their responses. */
const isOfApi = ({ headers }: Response): boolean =>
  ![...headers.keys()].some((name) => /^(spb-|zr-|scrape\.do-|sa-|x-brd-)/.test(name));

async function readBody(
  response: Response,
  { signal, reservation }: CallContext,
): Promise<Uint8Array | VendorTrouble> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let reserved = SMALL_BYTES;
  for await (const chunk of response.body ?? []) {
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

export function replyOf(status: number, headers: HeaderList, body: Uint8Array): VendorReply {
  let parsed: { readonly value: unknown } | null = null;
  return {
    status,
    headers,
    body,
    header: (name) => headers.find(([one]) => one === name)?.[1] ?? null,
    json() {
      parsed ??= { value: parseJson(body) };
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
