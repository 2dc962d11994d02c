import { addressBytes } from '../base/ip-range.ts';
import type { Clock } from '../base/time.ts';

interface ThrottleRule {
  /** Number of failures without a pause. */
  readonly freeAttempts: number;
  /** Each further failure doubles the pause, up to this. */
  readonly maxPauseMs: number;
}

/** For one address that tries one account. */
const PAIR_RULE: ThrottleRule = { freeAttempts: 5, maxPauseMs: 300_000 };
/** For one address that tries many accounts. */
const ADDRESS_RULE: ThrottleRule = { freeAttempts: 30, maxPauseMs: 60_000 };
/** For many addresses that try one account. Not for addresses where the user is signed in: others cannot lock them out. */
const ACCOUNT_RULE: ThrottleRule = { freeAttempts: 100, maxPauseMs: 60_000 };

const FIRST_PAUSE_MS = 2_000;
const FORGET_AFTER_MS = 3_600_000;
/** Limit of each map. The least recently used entry is deleted. */
const MAX_TRACKED = 10_000;

/** Failed attempts; times are monotonic, in ms. */
interface AttemptCount {
  count: number;
  /** Until then, attempts are refused without being counted. */
  pausedUntil: number;
  lastAttemptAt: number;
}

export interface LoginAttempt {
  /** The e-mail address in the form of `emailKey`. There need not be such a user. */
  readonly account: string;
  readonly ip: string;
  /** The user is signed in from this address. */
  readonly known: boolean;
}

/** Slows down guessing of passwords. Attempts are counted in memory, by this process only. */
export class LoginThrottle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pairs = new Map<string, AttemptCount>();
  readonly #addresses = new Map<string, AttemptCount>();
  readonly #accounts = new Map<string, AttemptCount>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed until `recordSuccess` or `withdraw`.
   * @returns how long the attempt must wait, in ms; then it is not counted. 0: it may be made now.
   */
  begin(attempt: LoginAttempt): number {
    const now = this.#clock.monotonic();
    const rules = this.#rules(attempt);
    // A refused attempt changes nothing: otherwise a flood of attempts would delete the entries of others.
    const pause = Math.max(...rules.map(([map, key]) => (map.get(key)?.pausedUntil ?? now) - now));
    if (pause > 0) return pause;
    for (const [map, key, rule] of rules) {
      const attempts = countFor(map, key, now);
      attempts.count++;
      attempts.lastAttemptAt = now;
      attempts.pausedUntil = now + pauseAfter(attempts.count, rule);
    }
    return 0;
  }

  /** The password was wrong: the pause begins now, and not at `begin`, because verifying takes time. */
  recordFailure(attempt: LoginAttempt): void {
    const now = this.#clock.monotonic();
    for (const [map, key, rule] of this.#rules(attempt)) {
      const attempts = map.get(key);
      if (attempts !== undefined) attempts.pausedUntil = now + pauseAfter(attempts.count, rule);
    }
  }

  /** Undoes `begin`: the password was not verified, or was right. */
  withdraw(attempt: LoginAttempt): void {
    for (const [map, key, rule] of this.#rules(attempt)) {
      const attempts = map.get(key);
      if (attempts === undefined) continue;
      attempts.count = Math.max(0, attempts.count - 1);
      if (attempts.count <= rule.freeAttempts) attempts.pausedUntil = 0;
      if (attempts.count === 0) map.delete(key);
    }
  }

  /** The password was right, or a link was used: failures of this address with this account no longer count. */
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
  const excess = count - freeAttempts;
  // The exponent is limited so that the number stays finite; `maxPauseMs` is far lower.
  return excess <= 0 ? 0 : Math.min(maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(excess - 1, 30));
}

function countFor(map: Map<string, AttemptCount>, key: string, now: number): AttemptCount {
  const previous = map.get(key);
  const attempts =
    previous === undefined || (now - previous.lastAttemptAt > FORGET_AFTER_MS && previous.pausedUntil <= now)
      ? { count: 0, pausedUntil: 0, lastAttemptAt: now }
      : previous;
  // Most recently used entries come last.
  map.delete(key);
  map.set(key, attempts);
  if (map.size > MAX_TRACKED) map.delete(map.keys().next().value!);
  return attempts;
}

const pairKey = ({ ip, account }: LoginAttempt): string => `${addressKey(ip)} ${account}`;

/** All addresses of an IPv6 /64 count as one, because they usually belong to the same person. */
function addressKey(ip: string): string {
  const bytes = addressBytes(ip);
  if (bytes === null) return ip;
  if (bytes.length === 4) return bytes.join('.');
  return Buffer.from(bytes.subarray(0, 8)).toString('hex');
}

/**
 * Limits how much work runs at once, and how much waits. Verifying a password takes a thread of libuv's pool for a quarter of a
 * second. Files and large contents need these threads, too, so many sign-ins at once would block the service.
 */
export class BoundedSemaphore {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the work in its turn. Rejects if the work does. @returns null: too many are waiting */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#running >= this.#maxRunning) {
      if (this.#waiting.length >= this.#maxWaiting) return null;
      // Work that ends wakes the next in the queue instead of decreasing `#running`.
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
