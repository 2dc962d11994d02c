import { Credentials } from '../../base/credentials.ts';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { SMALL_BYTES } from '../../base/memory-budget.ts';
import type { Deadline } from '../../base/time.ts';
import type { FetchedPage, FetchResult } from '../../domain/fetch-result.ts';
import type { ProxyOptions, Upstream } from '../../domain/proxy.ts';
import type { Task } from '../../domain/task.ts';
import { urlCheckOf } from '../../domain/url-check.ts';
import type { LentProfile } from '../../ports/logins.ts';
import type { Lease } from '../../ports/proxies.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import { pack, unpack } from './packing.ts';

/**
 * Version of what is packed. It changes when a worker of the version before would misunderstand a request; workers only take
 * hand-overs of formats that they know.
 */
export const HAND_OVER_FORMAT = 1;

/** Credentials are an object that does not reveal them. */
type PackedUpstream = Omit<Upstream, 'credentials'> & {
  readonly credentials: ReturnType<Credentials['read']> | null;
};

/** The part of a FetchRequest that is plain data. Deadlines are columns of the table; memory belongs to the process. */
interface PackedRequest {
  readonly task: Omit<Task, 'requestJson' | 'proxy'> & {
    readonly proxy: Omit<ProxyOptions, 'server'> & { readonly server: PackedUpstream | null };
  };
  readonly lease: Omit<Lease, 'report' | 'release' | 'upstream'> & {
    readonly upstream: PackedUpstream | null;
  };
  /** null: all URLs are allowed. */
  readonly domains: readonly string[] | null;
  readonly document: FetchedPage | null;
  readonly profile: LentProfile | null;
}

export function packRequest({ task, lease, allowUrl, document, profile = null }: FetchRequest): Uint8Array {
  const { requestJson: _ofTheRecord, proxy, ...plainTask } = task;
  const { proxyType, country, exit, upstream, price, warnings } = lease;
  const packed: PackedRequest = {
    task: { ...plainTask, proxy: { ...proxy, server: packedUpstream(proxy.server) } },
    lease: { proxyType, country, exit, upstream: packedUpstream(upstream), price, warnings },
    domains: allowUrl?.domains ?? null,
    document: document ?? null,
    profile: profile === null ? null : { name: profile.name, userId: profile.userId },
  };
  return Buffer.concat(pack(packed));
}

function packedUpstream(upstream: Upstream | null): PackedUpstream | null {
  return upstream === null ? null : { ...upstream, credentials: upstream.credentials?.read() ?? null };
}

function unpackedUpstream(packed: PackedUpstream | null): Upstream | null {
  if (packed === null) return null;
  const { credentials } = packed;
  return {
    ...packed,
    credentials: credentials === null ? null : new Credentials(credentials.username, credentials.password),
  };
}

interface OwnMembers {
  readonly userId: string;
  readonly deadline: Deadline;
  readonly attemptDeadline: Deadline | null;
  readonly reservation: MemoryReservation;
}

/** The request as a worker runs it. Its lease reports nothing: the caller reports the result. */
export async function unpackRequest(bytes: Uint8Array, own: OwnMembers): Promise<FetchRequest> {
  const { task, lease, domains, document, profile } = (await unpack(oncePiece(bytes))) as PackedRequest;
  own.reservation.countUnreserved(bytes.length);
  return {
    ...own,
    task: {
      ...task,
      proxy: { ...task.proxy, server: unpackedUpstream(task.proxy.server) },
      requestJson: notHandedOver,
    },
    lease: { ...lease, upstream: unpackedUpstream(lease.upstream), report() {}, release() {} },
    allowUrl: domains === null ? null : urlCheckOf(domains),
    document,
    profile,
  };
}

function notHandedOver(): never {
  throw new Error('the text of the request stays with the replica that stores the record');
}

function oncePiece(bytes: Uint8Array): () => Promise<Uint8Array | null> {
  let piece: Uint8Array | null = bytes;
  return async () => {
    const given = piece;
    piece = null;
    return given;
  };
}

export const packResult = (result: FetchResult): readonly Uint8Array[] => pack(result);

interface ResultSource {
  /** Bytes in all, and of the body of the page. */
  readonly bytes: number;
  readonly bodyBytes: number;
  readonly next: () => Promise<Uint8Array | null>;
}

/**
 * Reads a result. Its memory is reserved before it is read, as if the page had been fetched here.
 * @returns null: the deadline ended the wait for memory
 */
export async function unpackResult(
  { bytes, bodyBytes, next }: ResultSource,
  { task, reservation, deadline }: Pick<FetchRequest, 'task' | 'reservation' | 'deadline'>,
): Promise<FetchResult | null> {
  const { signal } = deadline;
  if (bodyBytes > SMALL_BYTES) {
    const limit = Math.max(bodyBytes, task.options.maxContentBytes);
    const reserved = reservation.reserve(bodyBytes, limit, signal);
    if (reserved !== null && !(await reserved)) return null;
  }
  const besideBytes = bytes - bodyBytes;
  const release =
    besideBytes > SMALL_BYTES ? await reservation.reserveTemporarily(besideBytes, signal) : () => {};
  if (release === null) return null;
  try {
    const result = (await unpack(next)) as FetchResult;
    reservation.countUnreserved(besideBytes);
    if (result.page !== null && bodyBytes > SMALL_BYTES) reservation.adopt(result.page.body);
    return result;
  } finally {
    release();
  }
}
