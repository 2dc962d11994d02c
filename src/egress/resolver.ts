import type { Clock } from '../base/clock.ts';
import { parseAddress } from './address.ts';
import { dnsCache } from './dns-cache.ts';
import type { DnsClient } from './dns-client.ts';
import { canonicalName, isDnsName, isLocalhost } from './host-name.ts';
import type { HostsFile } from './hosts-file.ts';
import { dnsFailed, found, notFound, type Resolution } from './resolution.ts';

export interface Resolver {
  /** What is known without asking: literals, localhost, the hosts file, answers still valid. Else null. */
  known(host: string): Resolution | null;
  /** Asks the name servers; one question for all who ask meanwhile. Never rejects; leaves at once on abort. */
  ask(host: string, signal: AbortSignal): Promise<Resolution>;
  close(): void;
}

const MAX_NAMES = 10_000;
const BAD_NAME = notFound('bad_name');
const LOCALHOST = found([parseAddress('::1')!, parseAddress('127.0.0.1')!], 'host');
/** Nothing that could be judged: refused. */
const NO_ADDRESS = found([], 'outside');
const LEFT = dnsFailed('cancelled');

export interface ResolverParts {
  readonly client: DnsClient;
  readonly hosts: HostsFile;
  readonly clock: Clock;
}

export function createResolver({ client, hosts, clock }: ResolverParts): Resolver {
  const cache = dnsCache(MAX_NAMES);
  const flights = new Map<string, Promise<Resolution>>();
  let closed = false;

  const fly = async (name: string): Promise<Resolution> => {
    try {
      const { resolution, keepMs } = await client.ask(name);
      if (keepMs > 0 && !closed) cache.set(name, resolution, clock.monotonic() + keepMs);
      return resolution;
    } finally {
      flights.delete(name);
    }
  };

  return {
    known(host) {
      const literal = literalOf(host);
      if (literal !== null) return literal;
      const name = canonicalName(host);
      if (isLocalhost(name)) return LOCALHOST;
      const listed = hosts(name);
      return listed === null ? cache.get(name, clock.monotonic()) : found(listed, 'host');
    },
    ask(host, signal) {
      const name = canonicalName(host);
      if (!isDnsName(name)) return Promise.resolve(BAD_NAME);
      if (closed) return Promise.resolve(LEFT);
      if (client.refresh()) cache.clear();
      let flight = flights.get(name);
      if (flight === undefined) {
        flight = fly(name);
        flights.set(name, flight);
      }
      return orLeave(flight, signal);
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
  if (address !== null) return found([address], 'outside');
  // What has a colon is never a name: an address with a zone id or a misspelt one. What begins with a digit may be one.
  return bracketed || host.indexOf(':') !== -1 ? NO_ADDRESS : null;
}

/** The flight goes on for the others. */
function orLeave(flight: Promise<Resolution>, signal: AbortSignal): Promise<Resolution> {
  if (signal.aborted) return Promise.resolve(LEFT);
  return new Promise((resolve) => {
    const leave = () => resolve(LEFT);
    signal.addEventListener('abort', leave, { once: true });
    flight.then((resolution) => {
      signal.removeEventListener('abort', leave);
      resolve(resolution);
    });
  });
}
