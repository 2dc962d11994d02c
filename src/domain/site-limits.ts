import type { MicroUnits } from '../base/numbers.ts';

/** What administrators allow at a site, for all users and replicas together. null: no limit. */
export interface SiteLimits {
  /** Attempts that may run at once. */
  readonly concurrency: number | null;
  /** Time between the starts of two attempts, ms. */
  readonly delayMs: number | null;
  /** Cost of the attempts of a day (UTC). */
  readonly budgetDay: MicroUnits | null;
  /** Cost of the attempts of a month (UTC). */
  readonly budgetMonth: MicroUnits | null;
}

export const NO_SITE_LIMITS: SiteLimits = {
  concurrency: null,
  delayMs: null,
  budgetDay: null,
  budgetMonth: null,
};

/** For how long a budget of a site holds. */
export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** A day or a month of UTC. */
export interface Period {
  /** ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** The present day or month. @param now ms since the epoch */
export function periodOf(period: BudgetPeriod, now: number): Period {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return period === 'day'
    ? { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) }
    : { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}
