import type { MicroUnits } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';
import {
  BUDGET_PERIODS,
  type BudgetPeriod,
  type Period,
  periodOf,
  type SiteLimits,
} from '../domain/site-limits.ts';
import type { SharedCounters } from '../ports/coordination.ts';

export interface SiteBudgetsDeps {
  readonly counters: SharedCounters;
  readonly clock: Clock;
  /** The currency of costs and budgets. */
  readonly unit: () => string;
  /** What the stored counters of usage know of the cost of a host, by steps that began from `from` on and before `to` (ms). */
  readonly stored: (host: string, period: Period, unit: string) => Promise<MicroUnits>;
}

/** What an attempt may cost was taken from the budgets. */
export interface SiteReservation {
  /** Replaces it by what the attempt did cost. To be called once. */
  settle(cost: MicroUnits): void;
}

/** A counter stays a little longer than its period, because the clocks of replicas differ. */
const GRACE_MS = 3_600_000;
/** The stored usage is read again after so long: it knows what was spent before there was a budget, and what a counter has lost. */
const STORED_AGE_MS = 30_000;
const MAX_READ = 5_000;

const BUDGETS = { day: 'budgetDay', month: 'budgetMonth' } as const satisfies Record<
  BudgetPeriod,
  keyof SiteLimits
>;

interface Budget {
  readonly period: BudgetPeriod;
  readonly limit: MicroUnits;
  readonly name: string;
  readonly expiresAt: number;
}

/**
 * Budgets of sites, over all replicas: the price of an attempt is reserved before it, and replaced by its cost afterwards. So a
 * budget is exceeded at most by what is known only after the attempt, such as traffic, of those in flight.
 */
export class SiteBudgets {
  readonly #deps: SiteBudgetsDeps;
  /** By name of the counter: when the stored usage was read (monotonic, ms). */
  readonly #read = new Map<string, { readonly at: number; readonly raised: Promise<void> }>();

  constructor(deps: SiteBudgetsDeps) {
    this.#deps = deps;
  }

  /** @param price what the attempt costs at least; 0: not known before */
  async reserve(
    host: string,
    limits: SiteLimits,
    price: MicroUnits,
  ): Promise<SiteReservation | Failure | null> {
    const budgets = this.#budgetsOf(host, limits);
    if (budgets.length === 0) return null;
    const taken: Budget[] = [];
    for (const budget of budgets) {
      await this.#raise(host, budget);
      if (!(await this.#take(budget, price))) {
        for (const { name, expiresAt } of taken) this.#add({ name, expiresAt }, -price);
        return this.#exhausted(host, budget);
      }
      taken.push(budget);
    }
    return {
      settle: (cost) => {
        for (const budget of taken) this.#add(budget, cost - price);
      },
    };
  }

  /** Counts what was not reserved, such as what a language model cost. */
  spend(host: string, limits: SiteLimits, cost: MicroUnits): void {
    for (const budget of this.#budgetsOf(host, limits)) this.#add(budget, cost);
  }

  /** What was spent at a host in the present day and month. */
  async spent(host: string, now: number): Promise<Readonly<Record<BudgetPeriod, MicroUnits>>> {
    const of = async (period: BudgetPeriod) => {
      const { name } = this.#counterOf(host, period, now);
      const unit = this.#deps.unit();
      const stored = await this.#deps.stored(host, periodOf(period, now), unit);
      return Math.max(stored, await this.#deps.counters.total(name));
    };
    const [day, month] = await Promise.all([of('day'), of('month')]);
    return { day, month };
  }

  async #take({ name, limit, expiresAt }: Budget, price: MicroUnits): Promise<boolean> {
    const { counters } = this.#deps;
    if (price > 0) return (await counters.add(name, { amount: price, limit, expiresAt })) !== null;
    return (await counters.total(name)) < limit;
  }

  /** Raises the counter to what is stored, if that is more. */
  async #raise(host: string, { name, period, expiresAt }: Budget): Promise<void> {
    const { clock, stored, unit, counters } = this.#deps;
    const now = clock.monotonic();
    const known = this.#read.get(name);
    if (known !== undefined && now - known.at < STORED_AGE_MS) return await known.raised;
    const raise = async () => {
      const target = await stored(host, periodOf(period, clock.now()), unit());
      for (;;) {
        const total = await counters.total(name);
        // Of several replicas at once, one adds the difference: for the others it would be too much.
        const change = { amount: target - total, limit: target, expiresAt };
        if (total >= target || (await counters.add(name, change)) !== null) return;
      }
    };
    const raised = raise();
    this.#read.delete(name);
    if (this.#read.size >= MAX_READ) this.#read.delete(this.#read.keys().next().value!);
    this.#read.set(name, { at: now, raised });
    try {
      await raised;
    } catch (error) {
      this.#read.delete(name);
      throw error;
    }
  }

  /** What fails here is read from the stored usage within half a minute. */
  #add({ name, expiresAt }: Pick<Budget, 'name' | 'expiresAt'>, amount: number): void {
    if (amount === 0) return;
    const adding = async () => this.#deps.counters.add(name, { amount, limit: null, expiresAt });
    adding().catch(() => {});
  }

  #budgetsOf(host: string, limits: SiteLimits): readonly Budget[] {
    return BUDGET_PERIODS.flatMap((period) => {
      const limit = limits[BUDGETS[period]];
      if (limit === null) return [];
      return { period, limit, ...this.#counterOf(host, period, this.#deps.clock.now()) };
    });
  }

  #counterOf(host: string, period: BudgetPeriod, now: number): Pick<Budget, 'name' | 'expiresAt'> {
    const { from, to } = periodOf(period, now);
    return { name: `site ${this.#deps.unit()} ${period} ${from} ${host}`, expiresAt: to + GRACE_MS };
  }

  #exhausted(host: string, { period, limit }: Budget): Failure {
    const now = this.#deps.clock.now();
    const { to } = periodOf(period, now);
    const start = new Date(to).toISOString();
    return failure(
      'limit.site',
      `The budget of ${host} for this ${period}, ${limit / 1_000_000} ${this.#deps.unit()}, is used up; it starts again on ${start.slice(0, 10)} at 00:00 UTC.`,
      { details: { limit: `budget_${period}`, retry_after_s: Math.max(1, Math.ceil((to - now) / 1_000)) } },
    );
  }
}
