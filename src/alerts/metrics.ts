import { OPERATOR } from '../account/account-actions.ts';
import type { Accounts } from '../account/accounts.ts';
import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { KeyRow } from '../domain/account.ts';
import { ALL_SUBJECT, type MetricConditions } from '../domain/alerts.ts';
import { vendorScraper } from '../domain/scrapers.ts';
import type { BudgetPeriod, SiteLimits } from '../domain/site-limits.ts';
import { monthStart, siteQuantile } from '../domain/site-stats.ts';
import {
  NO_NAME,
  NO_USAGE,
  type UsageDetail,
  type UsageDetailRequest,
  type UsageFigures,
} from '../domain/usage.ts';
import type { Store } from '../ports/store.ts';
import type { AlertReading } from './transitions.ts';

export interface MetricDeps {
  readonly store: Pick<Store, 'stats' | 'accounts'>;
  readonly accounts: Pick<Accounts, 'listKeys' | 'listUsers'>;
  /** By host. */
  readonly siteLimits: () => ReadonlyMap<string, SiteLimits>;
  /** What was spent at a host in the present day and month. */
  readonly spentAt: (host: string, now: number) => Promise<Readonly<Record<BudgetPeriod, MicroUnits>>>;
  /** The currency of costs. */
  readonly unit: () => string;
}

/** The value of a subject. `owned`: of a key. */
interface MetricReading extends AlertReading {
  readonly owned?: { readonly name: string; readonly userId: string };
}

/** A rule of the kind `metric`, as far as its values depend on it. */
export interface WatchedMetric {
  readonly metric: MetricConditions;
  readonly subject: string | null;
  /** The user of the rule. */
  readonly userId: string | null;
}

export const HOUR_S = 3_600;
export const DAY_S = 86_400;
/** Longest windows that are measured by steps of five minutes, and of an hour. */
const FIVE_MINUTES_UP_TO_S = 12 * HOUR_S;
const HOURS_UP_TO_S = 14 * DAY_S;
/** Names that a rule follows at once. */
const MAX_NAMES = 1_000;
/** Values of long windows change slowly, and reading them takes longer. */
const LONGEST_AGE_MS = 60_000;
const SHORTEST_AGE_MS = 4_000;

export const floorTo = (ms: number, stepS: number): number => Math.floor(ms / (stepS * 1000)) * stepS * 1000;

/** The length of the steps that a window is made of, s. */
export const stepOfWindow = (windowS: number): number =>
  windowS <= FIVE_MINUTES_UP_TO_S ? 300 : windowS <= HOURS_UP_TO_S ? HOUR_S : DAY_S;

/** Sums over some time. */
export type MetricSums = Pick<UsageDetail, 'figures' | 'latency'>;
export const NO_SUMS: MetricSums = { figures: NO_USAGE, latency: [] };

/** The value of a metric other than `budget_left`; null: too few scrapes tell nothing. */
export function metricValue(
  { metric, minScrapes }: Pick<MetricConditions, 'metric' | 'minScrapes'>,
  { figures, latency }: MetricSums,
): number | null {
  const { scrapes, ok, blocked, cost } = figures;
  const isKnown = scrapes > 0 && scrapes >= minScrapes;
  switch (metric) {
    case 'error_rate':
      return isKnown ? (scrapes - ok) / scrapes : null;
    case 'blocked_rate':
      return isKnown ? blocked / scrapes : null;
    case 'p95_ms':
      return isKnown ? siteQuantile(latency, 0.95) : null;
    case 'scrapes':
      return scrapes;
    case 'cost':
    case 'cost_month':
      return microToCurrency(cost);
    case 'budget_left':
      return null;
  }
}

/** What a request for the figures of a rule has in common, whatever the time. @param names null: all */
export function namesRequest(
  { metric: { scope, allUsers }, userId }: WatchedMetric,
  unit: string,
  names: readonly string[] | null,
): Pick<UsageDetailRequest, 'userId' | 'keyId' | 'host' | 'scraper' | 'proxyType' | 'unit' | 'by' | 'names'> {
  const one = scope === 'all' ? { by: null, names: null } : { by: scope, names };
  return {
    userId: allUsers ? null : userId,
    keyId: null,
    host: null,
    scraper: null,
    proxyType: null,
    unit,
    ...one,
  };
}

/** The subject that a counted name stands for; null: none that rules have. */
export const subjectOf = ({ scope }: MetricConditions, name: string): string | null =>
  scope === 'all' ? ALL_SUBJECT : name === NO_NAME ? null : name;

/** Left of a budget, from 0 to 1. */
export const shareLeft = (spent: number, amount: number): number =>
  amount <= 0 ? 0 : Math.max(0, 1 - spent / amount);

/** The values of metrics as they are now. What several rules need is read once. */
export class MetricReader {
  readonly #deps: MetricDeps;
  readonly #known = new Map<
    string,
    { readonly at: number; readonly details: Promise<readonly UsageDetail[]> }
  >();

  constructor(deps: MetricDeps) {
    this.#deps = deps;
  }

  get deps(): MetricDeps {
    return this.#deps;
  }

  async read(watched: WatchedMetric, now: number): Promise<readonly MetricReading[]> {
    if (watched.metric.metric === 'budget_left') return await this.#budgets(watched, now);
    const { metric, subject } = watched;
    const names = namesOf(this.#deps, watched);
    const details = await this.#details(watched, now);
    const found = new Map<string, MetricSums>();
    if (subject !== null || metric.scope === 'all') found.set(subject ?? ALL_SUBJECT, NO_SUMS);
    for (const detail of details) {
      const name = subjectOf(metric, detail.name);
      if (name !== null) found.set(name, detail);
    }
    return [...found].flatMap(([name, sums]) => {
      const value = metricValue(metric, sums);
      const label = names(name);
      if (value === null || label === null) return [];
      return {
        subject: name,
        value,
        summary: `${label}: ${valueText(metric, value, sums.figures, this.#deps.unit())}.`,
      };
    });
  }

  async #details(watched: WatchedMetric, now: number): Promise<readonly UsageDetail[]> {
    const { metric, subject } = watched;
    const isMonth = metric.metric === 'cost_month';
    const step = isMonth ? DAY_S : stepOfWindow(metric.windowS);
    const names = subject === null ? null : [subject];
    const request = { ...namesRequest(watched, this.#deps.unit(), names), step, bySteps: false };
    const key = JSON.stringify([request, isMonth || metric.windowS]);
    const known = this.#known.get(key);
    const ageMs = isMonth ? LONGEST_AGE_MS / 4 : (metric.windowS * 1000) / 120;
    const longest = Math.min(LONGEST_AGE_MS, Math.max(SHORTEST_AGE_MS, ageMs));
    if (known !== undefined && now - known.at < longest) return await known.details;
    const from = isMonth ? monthStart(now) : floorTo(now - metric.windowS * 1000, step);
    const details = this.#deps.store.stats.usageDetails({
      ...request,
      from,
      to: now,
      limit: MAX_NAMES,
    });
    for (const [other, { at }] of this.#known) if (now - at >= LONGEST_AGE_MS) this.#known.delete(other);
    this.#known.set(key, { at: now, details });
    details.catch(() => this.#known.delete(key));
    return await details;
  }

  /** Of keys: their daily budgets; of sites: the one of a day or month of which less is left. */
  async #budgets({ metric, subject, userId }: WatchedMetric, now: number): Promise<readonly MetricReading[]> {
    const { store, accounts, siteLimits, spentAt } = this.#deps;
    const isWanted = (name: string) => subject === null || subject === name;
    if (metric.scope === 'host') {
      const limited = [...siteLimits()].filter(([host]) => isWanted(host));
      return (
        await Promise.all(
          limited.map(async ([host, limits]): Promise<readonly MetricReading[]> => {
            const left = siteBudgetLeft(limits, await spentAt(host, now));
            if (left === null) return [];
            const { value, period } = left;
            return [
              {
                subject: host,
                value,
                summary: `${host}: ${percent(value)} of its budget of this ${period} is left.`,
              },
            ];
          }),
        )
      ).flat();
    }
    const day = new Date(now).toISOString().slice(0, 10);
    const used = new Map((await store.accounts.usage(day)).map((usage) => [usage.keyId, usage]));
    return budgetKeys(accounts, metric.allUsers ? null : userId)
      .filter(({ id }) => isWanted(id))
      .map(({ id, name, userId: ownerId, dailyBudget }) => {
        const { scrapes = 0, cost = 0 } = used.get(id) ?? {};
        const { amount, unit } = dailyBudget!;
        const value = shareLeft(unit === 'scrapes' ? scrapes : microToCurrency(cost), amount);
        return {
          subject: id,
          value,
          owned: { name, userId: ownerId },
          summary: `Key “${name}”: ${percent(value)} of its budget of today is left.`,
        };
      });
  }
}

/** Keys that have a daily budget, and are not revoked. @param userId null: of all users */
export const budgetKeys = (accounts: Pick<Accounts, 'listKeys'>, userId: string | null): readonly KeyRow[] =>
  accounts
    .listKeys(OPERATOR, userId)
    .filter(({ revokedAt, dailyBudget }) => revokedAt === null && dailyBudget !== null);

/** What is left of the budget of a site of which less is left; null: it has none. */
export function siteBudgetLeft(
  { budgetDay, budgetMonth }: SiteLimits,
  spent: Readonly<Record<BudgetPeriod, MicroUnits>>,
): { readonly period: BudgetPeriod; readonly value: number } | null {
  const day = budgetDay === null ? null : shareLeft(spent.day, budgetDay);
  const month = budgetMonth === null ? null : shareLeft(spent.month, budgetMonth);
  if (day === null && month === null) return null;
  return day !== null && (month === null || day <= month)
    ? { period: 'day', value: day }
    : { period: 'month', value: month! };
}

/** How people call a subject; the inner function returns null if it is gone, such as a revoked key. */
export function namesOf(
  { accounts }: Pick<MetricDeps, 'accounts'>,
  { metric: { scope, allUsers }, userId }: Pick<WatchedMetric, 'metric' | 'userId'>,
): (subject: string) => string | null {
  if (scope === 'all') return () => 'All scrapes';
  if (scope === 'vendor') return (name) => `Vendor “${name}”`;
  if (scope === 'key') {
    const keys = new Map(accounts.listKeys(OPERATOR, allUsers ? null : userId).map((key) => [key.id, key]));
    return (id) => {
      const key = keys.get(id);
      return key === undefined || key.revokedAt !== null ? null : `Key “${key.name}”`;
    };
  }
  if (scope === 'user') {
    const users = new Map(accounts.listUsers(OPERATOR).map(({ id, email }) => [id, email]));
    return (id) => users.get(id) ?? null;
  }
  return (name) => name;
}

/** A value as messages have it. */
function valueText(
  { metric, windowS }: MetricConditions,
  value: number,
  { scrapes }: UsageFigures,
  unit: string,
): string {
  const time = `in the last ${duration(windowS)}`;
  const counted = `${scrapes.toLocaleString('en-US')} ${scrapes === 1 ? 'scrape' : 'scrapes'}`;
  const were = scrapes === 1 ? 'was' : 'were';
  switch (metric) {
    case 'error_rate':
      return `${percent(value)} of ${counted} ${were} not OK ${time}`;
    case 'blocked_rate':
      return `${percent(value)} of ${counted} ${were} blocked ${time}`;
    case 'p95_ms':
      return `95 % of ${counted} took at most ${Number((value / 1000).toPrecision(3))} s ${time}`;
    case 'scrapes':
      return `${counted} ${time}`;
    case 'cost':
      return `${money(value)} ${unit} ${time}`;
    case 'cost_month':
      return `${money(value)} ${unit} this month`;
    case 'budget_left':
      return `${percent(value)} of the budget is left`;
  }
}

const money = (value: number): string => String(Number(value.toPrecision(6)));
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
export const duration = (seconds: number): string =>
  seconds % HOUR_S !== 0
    ? `${Math.round(seconds / 60)} minutes`
    : seconds === HOUR_S
      ? 'hour'
      : seconds % DAY_S === 0 && seconds > DAY_S
        ? `${seconds / DAY_S} days`
        : `${seconds / HOUR_S} hours`;

/** What a rule about a metric may name as its subject now; null: any name. */
export function metricSubjects(
  { accounts }: Pick<MetricDeps, 'accounts'>,
  { metric: metricName, scope, allUsers }: MetricConditions,
  userId: string,
  known: { readonly scrapers: readonly string[]; readonly vendors: readonly string[] },
): readonly string[] | null {
  const owner = allUsers ? null : userId;
  switch (scope) {
    case 'key':
      return (
        metricName === 'budget_left' ? budgetKeys(accounts, owner) : accounts.listKeys(OPERATOR, owner)
      ).flatMap(({ id, revokedAt }) => (revokedAt === null ? id : []));
    case 'user':
      return accounts.listUsers(OPERATOR).map(({ id }) => id);
    case 'scraper':
      return [...known.scrapers, ...known.vendors.map(vendorScraper)];
    case 'vendor':
      return known.vendors;
    case 'host':
    case 'all':
      return null;
  }
}
