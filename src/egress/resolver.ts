import type { Clock } from '../base/time.ts';
import { orAborted } from '../base/wait.ts';
import { parseAddress } from './address.ts';
import { type DnsClient, dnsFailed, notFound, type Resolution, resolvedTo } from './dns-client.ts';
import type { HostsFile } from './hosts-file.ts';

interface CachedResolution {
  readonly resolution: Resolution;
  /** Monotonic ms. */
  readonly expiresAt: number;
}

/** Resolutions by name until they expire. Beyond its size limit it drops the least recently used. Times are monotonic ms. */
interface DnsCache {
  get(name: string, now: number): Resolution | null;
  set(name: string, resolution: Resolution, expiresAt: number): void;
  clear(): void;
  readonly size: number;
}

export function createDnsCache(limit: number): DnsCache {
  // A Map keeps the order of insertion. Each use inserts the entry anew, so the least recently used is first.
  const entries = new Map<string, CachedResolution>();
  return {
    get(name, now) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      entries.delete(name);
      if (entry.expiresAt <= now) return null;
      entries.set(name, entry);
      return entry.resolution;
    },
    set(name, resolution, expiresAt) {
      entries.delete(name);
      entries.set(name, { resolution, expiresAt });
      if (entries.size > limit) {
        const oldest = entries.keys().next();
        if (oldest.done !== true) entries.delete(oldest.value);
      }
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}

/** The name in lower case, without the dot of the root. */
export function canonicalName(host: string): string {
  const name = host.charCodeAt(host.length - 1) === 0x2e ? host.slice(0, -1) : host;
  return name.toLowerCase();
}

/** Names that must not be sent to a name server (RFC 6761 §6.3). */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Whether the name may exist in DNS: at most 253 characters, in labels of 1 to 63 (RFC 1035 §2.3.4). URLs can have other
 * names. Labels may have any printable ASCII character (RFC 2181 §11; underscores are common), except the backslash: the
 * resolver reads it as an escape. `.invalid` never exists (RFC 6761 §6.4).
 */
export function isDnsName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  let labelLength = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 0x2e) {
      if (labelLength === 0) return false;
      labelLength = 0;
    } else {
      if (code <= 0x20 || code >= 0x7f || code === 0x5c || ++labelLength > 63) return false;
    }
  }
  return labelLength > 0 && name !== 'invalid' && !name.endsWith('.invalid');
}

export interface Resolver {
  /** Resolves without a query: addresses, localhost, the hosts file and the cache. null: a query is needed. */
  resolveLocally(host: string): Resolution | null;
  /** Queries the name servers; concurrent calls for a name share one query. Never rejects; settles at once on abort. */
  resolve(host: string, signal: AbortSignal): Promise<Resolution>;
  close(): void;
}

const MAX_CACHED_NAMES = 10_000;
const BAD_NAME = notFound('bad_name');
const LOCALHOST = resolvedTo([parseAddress('::1')!, parseAddress('127.0.0.1')!], { trusted: true });
/** For malformed addresses: the address policy refuses an empty list. */
const NO_ADDRESS = resolvedTo([], { trusted: false });
const CANCELLED = dnsFailed('cancelled');

interface ResolverDeps {
  readonly client: DnsClient;
  readonly hosts: HostsFile;
  readonly clock: Clock;
}

export function createResolver({ client, hosts, clock }: ResolverDeps): Resolver {
  const cache = createDnsCache(MAX_CACHED_NAMES);
  const pendingQueries = new Map<string, Promise<Resolution>>();
  let closed = false;

  const query = async (name: string): Promise<Resolution> => {
    try {
      const { resolution, ttlMs } = await client.query(name);
      if (ttlMs > 0 && !closed) cache.set(name, resolution, clock.monotonic() + ttlMs);
      return resolution;
    } finally {
      pendingQueries.delete(name);
    }
  };

  return {
    resolveLocally(host) {
      const literal = resolveLiteral(host);
      if (literal !== null) return literal;
      const name = canonicalName(host);
      if (isLocalhost(name)) return LOCALHOST;
      const listed = hosts(name);
      return listed === null ? cache.get(name, clock.monotonic()) : resolvedTo(listed, { trusted: true });
    },
    resolve(host, signal) {
      const name = canonicalName(host);
      if (!isDnsName(name)) return Promise.resolve(BAD_NAME);
      if (closed) return Promise.resolve(CANCELLED);
      if (client.reloadIfChanged()) cache.clear();
      let pending = pendingQueries.get(name);
      if (pending === undefined) {
        pending = query(name);
        pendingQueries.set(name, pending);
      }
      // On abort only this caller stops waiting: others may share the query.
      return orAborted(pending, signal, () => CANCELLED);
    },
    close() {
      closed = true;
      cache.clear();
      client.close();
    },
  };
}

/** The resolution of a host that is an address, with or without brackets; null: it is a name. */
function resolveLiteral(host: string): Resolution | null {
  const first = host.charCodeAt(0);
  const bracketed = first === 0x5b;
  if (!bracketed && !(first >= 0x30 && first <= 0x39) && host.indexOf(':') === -1) return null;
  const address = parseAddress(bracketed && host.endsWith(']') ? host.slice(1, -1) : host);
  if (address !== null) return resolvedTo([address], { trusted: false });
  // A host with a colon is an invalid address, or has a zone id. One without may be a name that begins with a digit.
  return bracketed || host.indexOf(':') !== -1 ? NO_ADDRESS : null;
}
