import { hash } from 'node:crypto';
import { addressBytes } from '../base/ip-range.ts';
import type { SharedValues } from '../ports/coordination.ts';

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

/** Failed attempts. Times are those of `SharedValues`, in ms. */
interface AttemptCount {
  readonly count: number;
  /** Until then, attempts are refused without being counted. */
  readonly pausedUntil: number;
}

const NO_ATTEMPTS: AttemptCount = { count: 0, pausedUntil: 0 };

export interface LoginAttempt {
  /** The e-mail address in the form of `emailKey`. There need not be such a user. */
  readonly account: string;
  readonly ip: string;
  /** The user is signed in from this address. */
  readonly known: boolean;
}

type RuleKey = readonly [key: string, rule: ThrottleRule];

/** Slows down guessing of passwords, over all replicas. Methods reject with StorageError if the shared values fail. */
export class LoginThrottle {
  readonly #values: SharedValues;

  constructor(values: SharedValues) {
    this.#values = values;
  }

  /**
   * Counts an attempt as failed until `recordSuccess` or `withdraw`.
   * @returns how long the attempt must wait, in ms; then it is not counted. 0: it may be made now.
   */
  async begin(attempt: LoginAttempt): Promise<number> {
    const counted: RuleKey[] = [];
    for (const [key, rule] of rulesFor(attempt)) {
      let pause = 0;
      await this.#change(key, (attempts, now) => {
        pause = Math.max(0, attempts.pausedUntil - now);
        if (pause > 0) return 'keep';
        const count = attempts.count + 1;
        return { count, pausedUntil: now + pauseAfter(count, rule) };
      });
      if (pause > 0) {
        // A refused attempt changes nothing.
        await this.#withdraw(counted);
        return pause;
      }
      counted.push([key, rule]);
    }
    return 0;
  }

  /** The password was wrong: the pause begins now, and not at `begin`, because verifying takes time. */
  async recordFailure(attempt: LoginAttempt): Promise<void> {
    for (const [key, rule] of rulesFor(attempt))
      await this.#change(key, ({ count }, now) =>
        count === 0 ? 'keep' : { count, pausedUntil: now + pauseAfter(count, rule) },
      );
  }

  /** Undoes `begin`: the password was not verified, or was right. */
  async withdraw(attempt: LoginAttempt): Promise<void> {
    await this.#withdraw(rulesFor(attempt));
  }

  /** The password was right, or a link was used: failures of this address with this account no longer count. */
  async recordSuccess(attempt: LoginAttempt): Promise<void> {
    const [pair, ...others] = rulesFor(attempt);
    await this.#values.update(pair![0], () => 'delete');
    await this.#withdraw(others);
  }

  async #withdraw(rules: readonly RuleKey[]): Promise<void> {
    for (const [key, rule] of rules)
      await this.#change(key, (attempts) => {
        const count = Math.max(0, attempts.count - 1);
        return { count, pausedUntil: count <= rule.freeAttempts ? 0 : attempts.pausedUntil };
      });
  }

  async #change(
    key: string,
    change: (attempts: AttemptCount, now: number) => AttemptCount | 'keep',
  ): Promise<void> {
    await this.#values.update(key, (current, now) => {
      const changed = change(current === null ? NO_ATTEMPTS : JSON.parse(current), now);
      if (changed === 'keep') return 'keep';
      if (changed.count === 0) return 'delete';
      return { value: JSON.stringify(changed), ttlMs: Math.max(FORGET_AFTER_MS, changed.pausedUntil - now) };
    });
  }
}

/** What the attempt counts for. The first one is the pair of address and account. */
function rulesFor({ ip, account, known }: LoginAttempt): readonly RuleKey[] {
  const address = addressKey(ip);
  const pair: RuleKey = [valueKey(`${address} ${account}`), PAIR_RULE];
  if (known) return [pair];
  return [pair, [valueKey(address), ADDRESS_RULE], [valueKey(account), ACCOUNT_RULE]];
}

/** A hash, because an e-mail address may be long, and nobody should find in a database who tries to sign in. */
const valueKey = (text: string): string => `sign-in ${hash('sha256', text, 'base64url')}`;

function pauseAfter(count: number, { freeAttempts, maxPauseMs }: ThrottleRule): number {
  const excess = count - freeAttempts;
  // The exponent is limited so that the number stays finite; `maxPauseMs` is far lower.
  return excess <= 0 ? 0 : Math.min(maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(excess - 1, 30));
}

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
