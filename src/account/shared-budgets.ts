import type { MicroUnits } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import type { Principal } from '../domain/account.ts';
import type { SharedCounters } from '../ports/coordination.ts';

type DailyBudget = NonNullable<Principal['dailyBudget']>;

const DAY_MS = 86_400_000;
/** A counter stays a little longer than its day, because the clocks of replicas differ. */
const GRACE_MS = 3_600_000;

/**
 * Daily budgets of keys over all replicas: of several scrapes at once, only as many begin as the budget allows. What the counters
 * have lost, such as when they move to another server, is still in the stored usage, which `UsageTracker` checks as well.
 */
export class SharedBudgets {
  readonly #counters: SharedCounters;
  readonly #clock: Clock;

  constructor(counters: SharedCounters, clock: Clock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  /** Counts one scrape, or checks that less than the budget was spent. @returns false: the budget is used up */
  async reserve(keyId: string, { unit, amount }: DailyBudget): Promise<boolean> {
    const { name, expiresAt } = this.#counterOf(keyId, unit);
    if (unit === 'scrapes')
      return (await this.#counters.add(name, { amount: 1, limit: amount, expiresAt })) !== null;
    return (await this.#counters.total(name)) < Math.round(amount * 1_000_000);
  }

  /** Undoes `reserve`. */
  release(keyId: string, { unit }: DailyBudget): void {
    if (unit === 'scrapes') this.#add(keyId, unit, -1);
  }

  spend(keyId: string, cost: MicroUnits): void {
    this.#add(keyId, 'cost', cost);
  }

  /** What fails here is counted by `UsageTracker` alone, within seconds. */
  #add(keyId: string, unit: DailyBudget['unit'], amount: number): void {
    const { name, expiresAt } = this.#counterOf(keyId, unit);
    Promise.resolve(this.#counters.add(name, { amount, limit: null, expiresAt })).catch(() => {});
  }

  #counterOf(keyId: string, unit: DailyBudget['unit']) {
    const day = Math.floor(this.#clock.now() / DAY_MS);
    return { name: `budget ${unit} ${keyId} ${day}`, expiresAt: (day + 1) * DAY_MS + GRACE_MS };
  }
}
