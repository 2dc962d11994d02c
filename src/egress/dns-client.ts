import type { RecordWithTtl } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Clock } from '../base/clock.ts';
import {
  type DnsAnswer,
  type FamilyAnswer,
  familyAnswer,
  familyTrouble,
  mergeAnswers,
} from './dns-answer.ts';
import { fileWatch } from './file-watch.ts';

/** Asks the name servers, and keeps nothing. */
export interface DnsClient {
  /** Never rejects, and settles within `lookupMs`. */
  ask(name: string): Promise<DnsAnswer>;
  /** Takes up changed settings of the system; true when there were any. */
  refresh(): boolean;
  /** Ends what is being asked (as a failure). */
  close(): void;
}

/**
 * Of one question: 2 s for the first try of each server, up to 3 s for a further one, each server three times. The
 * runtime looks at these timeouts once a second, so 2,000 would be 3 s.
 */
const OPTIONS = { timeout: 1900, tries: 3, maxTimeout: 2900 };
/** Of a look-up in all: shorter than the 10 s of a connection, so that it is DNS that is blamed. */
const LOOKUP_MS = 8000;
/**
 * How long one family that has addresses waits for the other. RFC 8305 §3 has 50 ms; longer makes it rarer that the
 * refusal of a mixed answer depends on the speed of the servers.
 */
const GRACE_MS = 300;
const RESOLV_CONF = '/etc/resolv.conf';

/** @param servers `address` or `address:port` each; null: those of the system. A bad one throws. */
export function dnsClient(
  servers: readonly string[] | null,
  clock: Clock,
  lookupMs: number = LOOKUP_MS,
): DnsClient {
  const open = (): Resolver => {
    const resolver = new Resolver(OPTIONS);
    if (servers !== null) resolver.setServers(servers);
    return resolver;
  };
  let resolver = open();
  /** With those whose last questions may still be under way. */
  const resolvers = [resolver];
  const changed = servers === null ? fileWatch(RESOLV_CONF, clock) : () => false;
  changed();

  return {
    async ask(name) {
      const asked = resolver;
      const v4 = family(asked.resolve4(name, { ttl: true }));
      const v6 = family(asked.resolve6(name, { ttl: true }));
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

async function family(asked: Promise<RecordWithTtl[]>): Promise<FamilyAnswer> {
  try {
    return familyAnswer(await asked);
  } catch (error) {
    return familyTrouble((error as NodeJS.ErrnoException).code);
  }
}

/** Waits for both; not longer than GRACE_MS for the second when the first has addresses. */
function bothFamilies(
  v4: Promise<FamilyAnswer>,
  v6: Promise<FamilyAnswer>,
  lookupMs: number,
): Promise<DnsAnswer> {
  const late: FamilyAnswer = { kind: 'failed', reason: 'timeout' };
  return new Promise((resolve) => {
    let first: FamilyAnswer | null = null;
    let second: FamilyAnswer | null = null;
    let grace: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(limit);
      clearTimeout(grace);
      resolve(mergeAnswers(first ?? late, second ?? late));
    };
    const limit = setTimeout(end, lookupMs);
    const came = (answer: FamilyAnswer) => {
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
