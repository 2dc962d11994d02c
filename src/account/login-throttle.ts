import { addressBytes } from '../base/ip-range.ts';
import type { Clock } from '../base/time.ts';

/** How failures of one kind are slowed down. */
interface ThrottleRule {
  /** So many are free. */
  readonly freeAttempts: number;
  /** The pause doubles with each further one up to this. */
  readonly maxPauseMs: number;
}

/** Somebody's guesses at one account: they wait first. */
const PAIR_RULE: ThrottleRule = { freeAttempts: 5, maxPauseMs: 300_000 };
/** One address that tries many accounts. */
const ADDRESS_RULE: ThrottleRule = { freeAttempts: 30, maxPauseMs: 60_000 };
/** One account that many addresses try. Where its user is signed in this does not count: strangers lock nobody out. */
const ACCOUNT_RULE: ThrottleRule = { freeAttempts: 100, maxPauseMs: 60_000 };

const FIRST_PAUSE_MS = 2_000;
const FORGET_AFTER_MS = 3_600_000;
/** Of each kind; with one more the one longest not tried is forgotten. */
const MAX_TRACKED = 10_000;

interface AttemptCount {
  count: number;
  /** Until then all further ones are refused, uncounted. Monotonic, ms. */
  until: number;
  last: number;
}

export interface LoginAttempt {
  /** Of the account, as compared; also of one that there is not. */
  readonly account: string;
  readonly ip: string;
  /** The user of the account is signed in from this address. */
  readonly known: boolean;
}

/** Slows down guessing of passwords, in this process, in bounded memory. */
export class LoginThrottle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pairs = new Map<string, AttemptCount>();
  readonly #addresses = new Map<string, AttemptCount>();
  readonly #accounts = new Map<string, AttemptCount>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** How long this attempt must wait, ms; 0: it may be made now, and counts as failed until `succeeded`. */
  begin(attempt: LoginAttempt): number {
    const now = this.#clock.monotonic();
    const rules = this.#rules(attempt);
    // What is refused leaves nothing behind: else a flood of it would push out what is remembered of others.
    const pause = Math.max(...rules.map(([map, key]) => (map.get(key)?.until ?? now) - now));
    if (pause > 0) return pause;
    const all = rules.map(([map, key, rule]) => ({ tries: countFor(map, key, now), rule }));
    for (const { tries, rule } of all) {
      tries.count++;
      tries.last = now;
      tries.until = now + pauseAfter(tries.count, rule);
    }
    return 0;
  }

  /** It was wrong: the pause begins now, however long the comparing took. */
  recordFailure(attempt: LoginAttempt): void {
    const now = this.#clock.monotonic();
    for (const [map, key, rule] of this.#rules(attempt)) {
      const tries = map.get(key);
      if (tries !== undefined) tries.until = now + pauseAfter(tries.count, rule);
    }
  }

  /** It was not compared, after all, or it was right: as if it had not been made. */
  withdraw(attempt: LoginAttempt): void {
    for (const [map, key, rule] of this.#rules(attempt)) {
      const tries = map.get(key);
      if (tries === undefined) continue;
      tries.count = Math.max(0, tries.count - 1);
      if (tries.count <= rule.freeAttempts) tries.until = 0;
      if (tries.count === 0) map.delete(key);
    }
  }

  /** Who comes in by the right password, or by a link, has no failures any more. */
  recordSuccess(attempt: LoginAttempt): void {
    this.withdraw(attempt);
    this.#pairs.delete(pairKey(attempt));
  }

  #rules(attempt: LoginAttempt): [map: Map<string, AttemptCount>, key: string, rule: ThrottleRule][] {
    const pair: [Map<string, AttemptCount>, string, ThrottleRule] = [
      this.#pairs,
      pairKey(attempt),
      PAIR_RULE,
    ];
    if (attempt.known) return [pair];
    return [
      pair,
      [this.#addresses, addressKey(attempt.ip), ADDRESS_RULE],
      [this.#accounts, attempt.account, ACCOUNT_RULE],
    ];
  }
}

function pauseAfter(count: number, { freeAttempts, maxPauseMs }: ThrottleRule): number {
  const over = count - freeAttempts;
  return over <= 0 ? 0 : Math.min(maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(over - 1, 30));
}

function countFor(map: Map<string, AttemptCount>, key: string, now: number): AttemptCount {
  const old = map.get(key);
  const tries =
    old === undefined || (now - old.last > FORGET_AFTER_MS && old.until <= now)
      ? { count: 0, until: 0, last: now }
      : old;
  // The last ones tried stand last.
  map.delete(key);
  map.set(key, tries);
  if (map.size > MAX_TRACKED) map.delete(map.keys().next().value!);
  return tries;
}

const pairKey = ({ ip, account }: LoginAttempt): string => `${addressKey(ip)} ${account}`;

/** Whoever has one IPv6 address has the whole /64. */
function addressKey(ip: string): string {
  const bytes = addressBytes(ip);
  if (bytes === null) return ip;
  if (bytes.length === 4) return bytes.join('.');
  return Buffer.from(bytes.subarray(0, 8)).toString('hex');
}

/**
 * Lets few do something costly at once, and few wait for it. Comparing a password takes a quarter of a second of a
 * thread that files and large contents need too: a crowd at the door must not stop the service.
 */
export class BoundedSemaphore {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Runs the work when it is its turn; null: too many are waiting. Rejects as the work does. */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) return null;
      // Whoever ends hands its turn over, so that nobody comes in between.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
