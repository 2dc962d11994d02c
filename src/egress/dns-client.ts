import type { RecordWithTtl } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Clock } from '../base/time.ts';
import { type Address, parseAddress } from './address.ts';
import { fileChangeDetector } from './file-changes.ts';

/** Why a name has no addresses. */
export interface DnsError {
  readonly code: 'dns.not_found' | 'dns.failed';
  /** For `details.reason`: `nxdomain`, `servfail`, `timeout`, … */
  readonly reason: string;
}

/** The addresses of a host, or an error. No addresses: the host looks like an address, but is not a valid one. */
export type Resolution =
  | {
      readonly addresses: readonly Address[];
      /**
       * true: from this host (localhost, the hosts file), so forbidden addresses are simply left out. false: from a name
       * server or a literal: if one address is forbidden, none is used.
       */
      readonly trusted: boolean;
      readonly error: null;
    }
  | { readonly addresses: null; readonly trusted: null; readonly error: DnsError };

export function resolvedTo(
  addresses: readonly Address[],
  { trusted }: { readonly trusted: boolean },
): Resolution {
  return { addresses, trusted, error: null };
}

export function notFound(reason: string): Resolution {
  return { addresses: null, trusted: null, error: { code: 'dns.not_found', reason } };
}

export function dnsFailed(reason: string): Resolution {
  return { addresses: null, trusted: null, error: { code: 'dns.failed', reason } };
}

/** The result of one query (A or AAAA). */
type FamilyResult =
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[]; readonly ttlSeconds: number }
  /** The name exists without such a record (`nodata`), or not at all. */
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface DnsAnswer {
  readonly resolution: Resolution;
  /** How long it may be cached; 0: not at all. */
  readonly ttlMs: number;
}

const MAX_TTL_MS = 3_600_000;
/** For names that do not exist. Short, because Node does not tell the TTL of negative responses (RFC 2308 §5). */
const NEGATIVE_TTL_MS = 5000;
/** If the query for one family failed, the addresses of the other are used, but queried again soon. */
const ONE_FAMILY_TTL_MS = 5000;

/** One invalid address makes the whole response a failure. */
function familyResult(records: readonly RecordWithTtl[]): FamilyResult {
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

/** @param code of an error of `node:dns`, such as ENOTFOUND */
function familyError(code: unknown): FamilyResult {
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
      // ESERVFAIL becomes `servfail`.
      return { kind: 'failed', reason: typeof code === 'string' ? code.slice(1).toLowerCase() : 'unknown' };
  }
}

/**
 * Combines both families. The addresses of one are used even if the other failed; `dns.not_found` needs both. IPv6
 * addresses come first; within a family the order of the server is kept.
 */
function mergeFamilies(v4: FamilyResult, v6: FamilyResult): DnsAnswer {
  if (v4.kind === 'addresses' || v6.kind === 'addresses') {
    let ttlMs = v4.kind === 'failed' || v6.kind === 'failed' ? ONE_FAMILY_TTL_MS : MAX_TTL_MS;
    const addresses: Address[] = [];
    for (const result of [v6, v4]) {
      if (result.kind !== 'addresses') continue;
      ttlMs = Math.min(ttlMs, Math.max(0, result.ttlSeconds) * 1000);
      for (const address of result.addresses) {
        if (!addresses.some((known) => known.text === address.text)) addresses.push(address);
      }
    }
    return { resolution: resolvedTo(addresses, { trusted: false }), ttlMs };
  }
  for (const result of [v4, v6]) {
    if (result.kind === 'failed') return { resolution: dnsFailed(result.reason), ttlMs: 0 };
  }
  const reason = v4.kind === 'none' ? v4.reason : 'nodata';
  return { resolution: notFound(reason), ttlMs: NEGATIVE_TTL_MS };
}

/** Queries name servers, without a cache. */
export interface DnsClient {
  /** Never rejects, and settles within `lookupMs`. */
  query(name: string): Promise<DnsAnswer>;
  /** Reads the system's list of name servers again if it has changed. @returns whether it has */
  reloadIfChanged(): boolean;
  /** Ends pending queries; they fail. */
  close(): void;
}

/**
 * Limits of one query: 2 s for the first try of each server, up to 3 s for a further try, three tries for each server. Node
 * checks these timeouts once a second, so 2,000 would become 3 s.
 */
const RESOLVER_OPTIONS = { timeout: 1900, tries: 3, maxTimeout: 2900 };
/** Time limit of both families together. Less than the 10 s of a connection, so that the failure names DNS as its cause. */
const LOOKUP_MS = 8000;
/**
 * When one family has addresses: how long to wait for the other. RFC 8305 §3 has 50 ms. The longer wait makes it less likely
 * that the refusal of a response with a forbidden address depends on the speed of the servers.
 */
const GRACE_MS = 300;
const RESOLV_CONF = '/etc/resolv.conf';

/** @param servers `address` or `address:port` each; null: the name servers of the system. Throws for an invalid one. */
export function createDnsClient(
  servers: readonly string[] | null,
  clock: Clock,
  lookupMs: number = LOOKUP_MS,
): DnsClient {
  const createNodeResolver = (): Resolver => {
    const resolver = new Resolver(RESOLVER_OPTIONS);
    if (servers !== null) resolver.setServers(servers);
    return resolver;
  };
  let resolver = createNodeResolver();
  /** The current resolver, and earlier ones whose last queries may still be pending. */
  const resolvers = [resolver];
  const settingsChanged = servers === null ? fileChangeDetector(RESOLV_CONF, clock) : () => false;
  // The first call always returns true.
  settingsChanged();

  return {
    async query(name) {
      const current = resolver;
      const v4 = toFamilyResult(current.resolve4(name, { ttl: true }));
      const v6 = toFamilyResult(current.resolve6(name, { ttl: true }));
      return await awaitFamilies(v4, v6, lookupMs);
    },
    reloadIfChanged() {
      if (!settingsChanged()) return false;
      resolver = createNodeResolver();
      // Queries take at most 8 s, and changes are noticed at most every 2 s: the oldest of six resolvers has no pending query.
      if (resolvers.push(resolver) > 5) resolvers.shift()?.cancel();
      return true;
    },
    close() {
      for (const each of resolvers) each.cancel();
    },
  };
}

async function toFamilyResult(lookup: Promise<RecordWithTtl[]>): Promise<FamilyResult> {
  try {
    return familyResult(await lookup);
  } catch (error) {
    return familyError((error as NodeJS.ErrnoException).code);
  }
}

/** Waits for both families, but at most GRACE_MS for the second when the first has addresses. */
function awaitFamilies(
  v4: Promise<FamilyResult>,
  v6: Promise<FamilyResult>,
  lookupMs: number,
): Promise<DnsAnswer> {
  const timedOut: FamilyResult = { kind: 'failed', reason: 'timeout' };
  return new Promise((resolve) => {
    let v4Result: FamilyResult | null = null;
    let v6Result: FamilyResult | null = null;
    let grace: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(limit);
      clearTimeout(grace);
      resolve(mergeFamilies(v4Result ?? timedOut, v6Result ?? timedOut));
    };
    const limit = setTimeout(settle, lookupMs);
    const onResult = (result: FamilyResult) => {
      if (v4Result !== null && v6Result !== null) settle();
      else if (result.kind === 'addresses') grace = setTimeout(settle, GRACE_MS);
    };
    v4.then((result) => {
      v4Result = result;
      onResult(result);
    });
    v6.then((result) => {
      v6Result = result;
      onResult(result);
    });
  });
}
