import type { RecordWithTtl } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Clock } from '../base/time.ts';
import { type Address, parseAddress } from './address.ts';
import { fileChangeDetector } from './file-changes.ts';

/** Why there are no addresses. */
export interface DnsError {
  readonly code: 'dns.not_found' | 'dns.failed';
  /** Lower-case word for `details.reason`: `nxdomain`, `servfail`, `timeout`, … */
  readonly reason: string;
}

/** What a host stands for: its addresses (none: an address that cannot be read), or the trouble. */
export type Resolution =
  | {
      readonly addresses: readonly Address[];
      /**
       * Where they come from. Of a name server's answer (or a literal) every address must be allowed, else none is used;
       * this host's own word (localhost, the hosts file) is no stranger's trick: there the forbidden ones are left out.
       */
      readonly from: 'outside' | 'host';
      readonly trouble: null;
    }
  | { readonly addresses: null; readonly from: null; readonly trouble: DnsError };

export function resolvedTo(addresses: readonly Address[], from: 'outside' | 'host'): Resolution {
  return { addresses, from, trouble: null };
}

export function notFound(reason: string): Resolution {
  return { addresses: null, from: null, trouble: { code: 'dns.not_found', reason } };
}

export function dnsFailed(reason: string): Resolution {
  return { addresses: null, from: null, trouble: { code: 'dns.failed', reason } };
}

/** What one question (A or AAAA) came to. */
type FamilyResult =
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[]; readonly ttlSeconds: number }
  /** The name exists without such a record (`nodata`), or not at all. */
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a name came to, and for how long that may be used again (0: only by who waits for it). */
interface DnsAnswer {
  readonly resolution: Resolution;
  readonly ttlMs: number;
}

const MAX_TTL_MS = 3_600_000;
/** The library does not tell the TTL of negative answers (RFC 2308 §5): short enough to need none. */
const NEGATIVE_TTL_MS = 5000;
/** When one family failed, the other is used, but soon asked for again. */
const ONE_FAMILY_TTL_MS = 5000;

/** An address that cannot be read makes the whole answer a failure. */
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

/** @param code of the library, as ENOTFOUND */
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
      return { kind: 'failed', reason: typeof code === 'string' ? code.slice(1).toLowerCase() : 'unknown' };
  }
}

/**
 * Both families together: what one found is used whatever became of the other; `dns.not_found` only if both servers say
 * so. The IPv6 addresses come first, each family in the order of the server.
 */
function mergeFamilies(v4: FamilyResult, v6: FamilyResult): DnsAnswer {
  if (v4.kind === 'addresses' || v6.kind === 'addresses') {
    let ttlMs = v4.kind === 'failed' || v6.kind === 'failed' ? ONE_FAMILY_TTL_MS : MAX_TTL_MS;
    const addresses: Address[] = [];
    for (const answer of [v6, v4]) {
      if (answer.kind !== 'addresses') continue;
      ttlMs = Math.min(ttlMs, Math.max(0, answer.ttlSeconds) * 1000);
      for (const address of answer.addresses) {
        if (!addresses.some((known) => known.text === address.text)) addresses.push(address);
      }
    }
    return { resolution: resolvedTo(addresses, 'outside'), ttlMs };
  }
  for (const answer of [v4, v6]) {
    if (answer.kind === 'failed') return { resolution: dnsFailed(answer.reason), ttlMs: 0 };
  }
  const reason = v4.kind === 'none' ? v4.reason : 'nodata';
  return { resolution: notFound(reason), ttlMs: NEGATIVE_TTL_MS };
}

/** Asks the name servers, and keeps nothing. */
export interface DnsClient {
  /** Never rejects, and settles within `lookupMs`. */
  query(name: string): Promise<DnsAnswer>;
  /** Takes up changed settings of the system; true when there were any. */
  refresh(): boolean;
  /** Ends what is being asked (as a failure). */
  close(): void;
}

/**
 * Of one question: 2 s for the first try of each server, up to 3 s for a further one, each server three times. The
 * runtime looks at these timeouts once a second, so 2,000 would be 3 s.
 */
const RESOLVER_OPTIONS = { timeout: 1900, tries: 3, maxTimeout: 2900 };
/** Of a look-up in all: shorter than the 10 s of a connection, so that it is DNS that is blamed. */
const LOOKUP_MS = 8000;
/**
 * How long one family that has addresses waits for the other. RFC 8305 §3 has 50 ms; longer makes it rarer that the
 * refusal of a mixed answer depends on the speed of the servers.
 */
const GRACE_MS = 300;
const RESOLV_CONF = '/etc/resolv.conf';

/** @param servers `address` or `address:port` each; null: those of the system. A bad one throws. */
export function createDnsClient(
  servers: readonly string[] | null,
  clock: Clock,
  lookupMs: number = LOOKUP_MS,
): DnsClient {
  const open = (): Resolver => {
    const resolver = new Resolver(RESOLVER_OPTIONS);
    if (servers !== null) resolver.setServers(servers);
    return resolver;
  };
  let resolver = open();
  /** With those whose last questions may still be under way. */
  const resolvers = [resolver];
  const changed = servers === null ? fileChangeDetector(RESOLV_CONF, clock) : () => false;
  changed();

  return {
    async query(name) {
      const asked = resolver;
      const v4 = familyResultOf(asked.resolve4(name, { ttl: true }));
      const v6 = familyResultOf(asked.resolve6(name, { ttl: true }));
      return await bothFamilies(v4, v6, lookupMs);
    },
    refresh() {
      if (!changed()) return false;
      resolver = open();
      // A question takes at most 8 s and settings are looked at every 2 s, so the fifth has none left.
      if (resolvers.push(resolver) > 5) resolvers.shift()?.cancel();
      return true;
    },
    close() {
      for (const each of resolvers) each.cancel();
    },
  };
}

async function familyResultOf(asked: Promise<RecordWithTtl[]>): Promise<FamilyResult> {
  try {
    return familyResult(await asked);
  } catch (error) {
    return familyError((error as NodeJS.ErrnoException).code);
  }
}

/** Waits for both; not longer than GRACE_MS for the second when the first has addresses. */
function bothFamilies(
  v4: Promise<FamilyResult>,
  v6: Promise<FamilyResult>,
  lookupMs: number,
): Promise<DnsAnswer> {
  const late: FamilyResult = { kind: 'failed', reason: 'timeout' };
  return new Promise((resolve) => {
    let first: FamilyResult | null = null;
    let second: FamilyResult | null = null;
    let grace: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(limit);
      clearTimeout(grace);
      resolve(mergeFamilies(first ?? late, second ?? late));
    };
    const limit = setTimeout(end, lookupMs);
    const came = (answer: FamilyResult) => {
      if (first !== null && second !== null) end();
      else if (answer.kind === 'addresses') grace = setTimeout(end, GRACE_MS);
    };
    v4.then((answer) => {
      first = answer;
      came(answer);
    });
    v6.then((answer) => {
      second = answer;
      came(answer);
    });
  });
}
