import type { Clock } from '../base/clock.ts';
import { addressBytes } from '../base/ip-range.ts';

/** How failures of one kind are slowed down. */
interface Rule {
  /** So many are free. */
  readonly free: number;
  /** The pause doubles with each further one up to this. */
  readonly mostMs: number;
}

/** Somebody's guesses at one account: they wait first. */
const PAIR: Rule = { free: 5, mostMs: 300_000 };
/** One address that tries many accounts. */
const ADDRESS: Rule = { free: 30, mostMs: 60_000 };
/** One account that many addresses try. Where its user is signed in this does not count: strangers lock nobody out. */
const ACCOUNT: Rule = { free: 100, mostMs: 60_000 };

const FIRST_MS = 2_000;
const FORGET_MS = 3_600_000;
/** Of each kind; with one more the one longest not tried is forgotten. */
const MOST = 10_000;

interface Tries {
  count: number;
  /** Until then all further ones are refused, uncounted. Monotonic, ms. */
  until: number;
  last: number;
}

export interface Attempt {
  /** Of the account, as compared; also of one that there is not. */
  readonly account: string;
  readonly ip: string;
  /** The user of the account is signed in from this address. */
  readonly known: boolean;
}

/** Slows down guessing of passwords, in this process, in bounded memory. */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pairs = new Map<string, Tries>();
  readonly #addresses = new Map<string, Tries>();
  readonly #accounts = new Map<string, Tries>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** How long this attempt must wait, ms; 0: it may be made now, and counts as failed until `succeeded`. */
  begin(attempt: Attempt): number {
    const now = this.#clock.monotonic();
    const rules = this.#rules(attempt);
    // What is refused leaves nothing behind: else a flood of it would push out what is remembered of others.
    const pause = Math.max(...rules.map(([map, key]) => (map.get(key)?.until ?? now) - now));
    if (pause > 0) return pause;
    const all = rules.map(([map, key, rule]) => ({ tries: triesOf(map, key, now), rule }));
    for (const { tries, rule } of all) {
      tries.count++;
      tries.last = now;
      tries.until = now + pauseAfter(tries.count, rule);
    }
    return 0;
  }

  /** It was wrong: the pause begins now, however long the comparing took. */
  failed(attempt: Attempt): void {
    const now = this.#clock.monotonic();
    for (const [map, key, rule] of this.#rules(attempt)) {
      const tries = map.get(key);
      if (tries !== undefined) tries.until = now + pauseAfter(tries.count, rule);
    }
  }

  /** It was not compared, after all, or it was right: as if it had not been made. */
  takeBack(attempt: Attempt): void {
    for (const [map, key, rule] of this.#rules(attempt)) {
      const tries = map.get(key);
      if (tries === undefined) continue;
      tries.count = Math.max(0, tries.count - 1);
      if (tries.count <= rule.free) tries.until = 0;
      if (tries.count === 0) map.delete(key);
    }
  }

  /** Who comes in by the right password, or by a link, has no failures any more. */
  succeeded(attempt: Attempt): void {
    this.takeBack(attempt);
    this.#pairs.delete(pairKey(attempt));
  }

  #rules(attempt: Attempt): [map: Map<string, Tries>, key: string, rule: Rule][] {
    const pair: [Map<string, Tries>, string, Rule] = [this.#pairs, pairKey(attempt), PAIR];
    if (attempt.known) return [pair];
    return [
      pair,
      [this.#addresses, addressKey(attempt.ip), ADDRESS],
      [this.#accounts, attempt.account, ACCOUNT],
    ];
  }
}

function pauseAfter(count: number, { free, mostMs }: Rule): number {
  const over = count - free;
  return over <= 0 ? 0 : Math.min(mostMs, FIRST_MS * 2 ** Math.min(over - 1, 30));
}

function triesOf(map: Map<string, Tries>, key: string, now: number): Tries {
  const old = map.get(key);
  const tries =
    old === undefined || (now - old.last > FORGET_MS && old.until <= now)
      ? { count: 0, until: 0, last: now }
      : old;
  // The last ones tried stand last.
  map.delete(key);
  map.set(key, tries);
  if (map.size > MOST) map.delete(map.keys().next().value!);
  return tries;
}

const pairKey = ({ ip, account }: Attempt): string => `${addressKey(ip)} ${account}`;

/** Whoever has one IPv6 address has the whole /64. */
function addressKey(ip: string): string {
  const bytes = addressBytes(ip);
  if (bytes === null) return ip;
  if (bytes.length === 4) return bytes.join('.');
  return Buffer.from(bytes.subarray(0, 8)).toString('hex');
}
