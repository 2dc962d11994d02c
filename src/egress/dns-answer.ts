import type { RecordWithTtl } from 'node:dns';
import { type Address, parseAddress } from './address.ts';
import { dnsFailed, found, notFound, type Resolution } from './resolution.ts';

/** What one question (A or AAAA) came to. */
export type FamilyAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[]; readonly ttlSeconds: number }
  /** The name exists without such a record (`nodata`), or not at all. */
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a name came to, and for how long that may be used again (0: only by who waits for it). */
export interface DnsAnswer {
  readonly resolution: Resolution;
  readonly keepMs: number;
}

const MAX_KEEP_MS = 3_600_000;
/** The library does not tell the TTL of negative answers (RFC 2308 §5): short enough to need none. */
const NEGATIVE_MS = 5000;
/** When one family failed, the other is used, but soon asked for again. */
const HALF_MS = 5000;

/** An address that cannot be read makes the whole answer a failure. */
export function familyAnswer(records: readonly RecordWithTtl[]): FamilyAnswer {
  const addresses: Address[] = [];
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const address = parseAddress(record.address);
    if (address === null) return { kind: 'failed', reason: 'badresp' };
    addresses.push(address);
    ttlSeconds = Math.min(ttlSeconds, record.ttl);
  }
  return addresses.length === 0
    ? { kind: 'none', reason: 'nodata' }
    : { kind: 'addresses', addresses, ttlSeconds };
}

/** @param code of the library, as ENOTFOUND */
export function familyTrouble(code: unknown): FamilyAnswer {
  switch (code) {
    case 'ENOTFOUND':
      return { kind: 'none', reason: 'nxdomain' };
    case 'EBADNAME':
    case 'EBADSTR':
      return { kind: 'none', reason: 'bad_name' };
    case 'ENODATA':
      return { kind: 'none', reason: 'nodata' };
    case 'ETIMEOUT':
      return { kind: 'failed', reason: 'timeout' };
    case 'ECONNREFUSED':
      return { kind: 'failed', reason: 'no_server' };
    default:
      return { kind: 'failed', reason: typeof code === 'string' ? code.slice(1).toLowerCase() : 'unknown' };
  }
}

/**
 * Both families together: what one found is used whatever became of the other; `dns.not_found` only if both servers say
 * so. The IPv6 addresses come first, each family in the order of the server.
 */
export function mergeAnswers(v4: FamilyAnswer, v6: FamilyAnswer): DnsAnswer {
  if (v4.kind === 'addresses' || v6.kind === 'addresses') {
    let keepMs = v4.kind === 'failed' || v6.kind === 'failed' ? HALF_MS : MAX_KEEP_MS;
    const addresses: Address[] = [];
    for (const answer of [v6, v4]) {
      if (answer.kind !== 'addresses') continue;
      keepMs = Math.min(keepMs, Math.max(0, answer.ttlSeconds) * 1000);
      for (const address of answer.addresses) {
        if (!addresses.some((known) => known.text === address.text)) addresses.push(address);
      }
    }
    return { resolution: found(addresses, 'outside'), keepMs };
  }
  for (const answer of [v4, v6]) {
    if (answer.kind === 'failed') return { resolution: dnsFailed(answer.reason), keepMs: 0 };
  }
  const reason = v4.kind === 'none' ? v4.reason : 'nodata';
  return { resolution: notFound(reason), keepMs: NEGATIVE_MS };
}
