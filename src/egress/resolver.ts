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

/** Answers by name while they are valid; over `limit` the one not used for the longest time goes. */
interface DnsCache {
  get(name: string, now: number): Resolution | null;
  set(name: string, resolution: Resolution, until: number): void;
  clear(): void;
  readonly size: number;
}

export function createDnsCache(limit: number): DnsCache {
  // A Map keeps the order of insertion: taken out and put in again with each use, the oldest use is first.
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

/** A name as key: lower-case, without the dot of the root. */
export function canonicalName(host: string): string {
  const name = host.charCodeAt(host.length - 1) === 0x2e ? host.slice(0, -1) : host;
  return name.toLowerCase();
}

/** RFC 6761 §6.3: never asked of a name server. */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Whether DNS can hold the name: at most 253 characters in labels of 1 to 63 (RFC 1035 §2.3.4). A URL may hold others.
 * Any printable ASCII is a label (RFC 2181 §11; underscores are common) but the backslash, which the resolver library
 * reads as an escape. `.invalid` is never there (RFC 6761 §6.4).
 */
export function isDnsName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  let label = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 0x2e) {
      if (label === 0) return false;
      label = 0;
    } else {
      if (code <= 0x20 || code >= 0x7f || code === 0x5c || ++label > 63) return false;
    }
  }
  return label > 0 && name !== 'invalid' && !name.endsWith('.invalid');
}

export interface Resolver {
  /** What is known without asking: literals, localhost, the hosts file, answers still valid. Else null. */
  resolveLocally(host: string): Resolution | null;
  /** Asks the name servers; one question for all who ask meanwhile. Never rejects; leaves at once on abort. */
  resolve(host: string, signal: AbortSignal): Promise<Resolution>;
  close(): void;
}

const MAX_NAMES = 10_000;
const BAD_NAME = notFound('bad_name');
const LOCALHOST = resolvedTo([parseAddress('::1')!, parseAddress('127.0.0.1')!], 'host');
/** Nothing that could be judged: refused. */
const NO_ADDRESS = resolvedTo([], 'outside');
const CANCELLED = dnsFailed('cancelled');

interface ResolverDeps {
  readonly client: DnsClient;
  readonly hosts: HostsFile;
  readonly clock: Clock;
}

export function createResolver({ client, hosts, clock }: ResolverDeps): Resolver {
  const cache = createDnsCache(MAX_NAMES);
  const flights = new Map<string, Promise<Resolution>>();
  let closed = false;

  const fly = async (name: string): Promise<Resolution> => {
    try {
      const { resolution, ttlMs } = await client.query(name);
      if (ttlMs > 0 && !closed) cache.set(name, resolution, clock.monotonic() + ttlMs);
      return resolution;
    } finally {
      flights.delete(name);
    }
  };

  return {
    resolveLocally(host) {
      const literal = literalOf(host);
      if (literal !== null) return literal;
      const name = canonicalName(host);
      if (isLocalhost(name)) return LOCALHOST;
      const listed = hosts(name);
      return listed === null ? cache.get(name, clock.monotonic()) : resolvedTo(listed, 'host');
    },
    resolve(host, signal) {
      const name = canonicalName(host);
      if (!isDnsName(name)) return Promise.resolve(BAD_NAME);
      if (closed) return Promise.resolve(CANCELLED);
      if (client.refresh()) cache.clear();
      let flight = flights.get(name);
      if (flight === undefined) {
        flight = fly(name);
        flights.set(name, flight);
      }
      return unlessAborted(flight, signal);
    },
    close() {
      closed = true;
      cache.clear();
      client.close();
    },
  };
}

/** An address as host, in brackets or not; null when it is a name. */
function literalOf(host: string): Resolution | null {
  const first = host.charCodeAt(0);
  const bracketed = first === 0x5b;
  if (!bracketed && !(first >= 0x30 && first <= 0x39) && host.indexOf(':') === -1) return null;
  const address = parseAddress(bracketed && host.endsWith(']') ? host.slice(1, -1) : host);
  if (address !== null) return resolvedTo([address], 'outside');
  // What has a colon is never a name: an address with a zone id or a misspelt one. What begins with a digit may be one.
  return bracketed || host.indexOf(':') !== -1 ? NO_ADDRESS : null;
}

/** The flight goes on for the others. */
function unlessAborted(flight: Promise<Resolution>, signal: AbortSignal): Promise<Resolution> {
  return orAborted(flight, signal, () => CANCELLED);
}
