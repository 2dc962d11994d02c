import type { Clock } from '../../base/time.ts';
import { EFFORT_UNIT, type Prices } from '../../domain/cost.ts';
import { monthStart } from '../../domain/site-stats.ts';
import {
  addUsage,
  DAY_MS,
  type Estimate,
  forecastMonth,
  NO_USAGE,
  sumUsage,
  USAGE_STEPS,
  type UsageFigures,
  type UsageFilter,
} from '../../domain/usage.ts';
import type { StatsStore } from '../../ports/store.ts';
import { rangeBefore, type UsageParameters, type UsageRange } from './usage-query.ts';

const DAY_S = 86_400;
const DAYS_FOR_FORECAST = 28;

/** By how much the figures per unit of time have changed, as a share: 0.5 is half more. null: not known, or there were none. */
export interface UsageChange {
  readonly scrapes: number | null;
  readonly cost: number | null;
}

export interface UsageItem {
  /** Or the start of a day or an hour, as RFC 3339. `NO_NAME`: none. */
  readonly name: string;
  readonly figures: UsageFigures;
  /** null: not known, or the items are days or hours. */
  readonly previous: UsageFigures | null;
  readonly change: UsageChange;
}

export interface MonthForecast {
  /** Start of the month, ms since the epoch. */
  readonly month: number;
  readonly soFar: UsageFigures;
  readonly scrapes: Estimate | null;
  /** In micro-units; null: there are no prices, too. */
  readonly cost: Estimate | null;
}

export interface UsageReport {
  readonly range: UsageRange;
  /** Start of the shortest step in which something was counted for the first time; null: nothing was. */
  readonly countedFrom: number | null;
  readonly total: UsageFigures;
  /** null: not counted, at least not from the begin. */
  readonly previous: (UsageFigures & Pick<UsageRange, 'from' | 'to'>) | null;
  readonly change: UsageChange;
  /** All steps of the range, also those without usage. */
  readonly series: readonly { readonly at: number; readonly figures: UsageFigures }[];
  readonly items: readonly UsageItem[];
  /** What is in no item; null: nothing. */
  readonly other: UsageFigures | null;
  readonly forecast: MonthForecast;
}

interface UsageDeps {
  readonly stats: StatsStore;
  /** null: no prices are configured. */
  readonly prices: Prices | null;
  readonly clock: Pick<Clock, 'now'>;
}

const NO_CHANGE: UsageChange = { scrapes: null, cost: null };

/** Reads what was used, and compares it with the time before. */
export async function usageReport(deps: UsageDeps, parameters: UsageParameters): Promise<UsageReport> {
  const { stats, prices, clock } = deps;
  const { range, filter } = parameters;
  const now = clock.now();
  const unit = prices?.currency ?? EFFORT_UNIT;
  const countedFrom = firstStep(await stats.usageSince(USAGE_STEPS.map(({ seconds }) => seconds)));
  const before = rangeBefore(range, now);
  const isCounted = before !== null && countedFrom !== null && countedFrom <= before.from;
  const [steps, stepsBefore, forecast] = await Promise.all([
    stats.usageSteps({ ...range, ...filter, unit }),
    isCounted ? stats.usageSteps({ ...before, ...filter, unit }) : null,
    readForecast(deps, filter, { now, unit, countedFrom }),
  ]);
  const total = sumUsage(steps.map(({ figures }) => figures));
  const previous = stepsBefore === null ? null : sumUsage(stepsBefore.map(({ figures }) => figures));
  // The last step is not over: without this, everything would seem to become less.
  const elapsed = (Math.min(now, range.to) - range.from) / (range.to - range.from);
  const changeOf = (figures: UsageFigures, earlier: UsageFigures | null): UsageChange =>
    earlier === null
      ? NO_CHANGE
      : {
          scrapes: changeShare(figures.scrapes, earlier.scrapes * elapsed),
          cost: changeShare(figures.cost, earlier.cost * elapsed),
        };
  const series = stepStarts(range, range.step * 1000).map((at) => ({
    at,
    figures: steps.find((step) => step.at === at)?.figures ?? NO_USAGE,
  }));
  const items =
    parameters.by === 'day' || parameters.by === 'hour'
      ? byTime(series, range, parameters.by === 'day' ? DAY_MS : DAY_MS / 24)
      : await splitItems(
          deps.stats,
          { ...parameters, by: parameters.by },
          { unit, before: isCounted ? before : null },
        );
  const other = addUsage(total, sumUsage(items.map(({ figures }) => figures)), -1);
  return {
    range: { ...range, to: Math.min(range.to, now) },
    countedFrom,
    total,
    previous: previous === null ? null : { ...previous, from: before!.from, to: before!.to },
    change: changeOf(total, previous),
    series,
    items: items.map((item) => ({ ...item, change: changeOf(item.figures, item.previous) })),
    other: other.scrapes === 0 && other.attempts === 0 ? null : other,
    forecast,
  };
}

type PlainItem = Omit<UsageItem, 'change'>;

async function splitItems(
  stats: StatsStore,
  {
    range,
    filter,
    by,
    sort,
    limit,
  }: UsageParameters & { readonly by: Exclude<UsageParameters['by'], 'day' | 'hour'> },
  { unit, before }: { readonly unit: string; readonly before: UsageRange | null },
): Promise<readonly PlainItem[]> {
  const request = { ...filter, unit, by, order: sort, limit };
  const found = await stats.usageBy({ ...request, ...range, names: null });
  const names = found.map(({ name }) => name);
  const earlier =
    before === null
      ? null
      : await readNames((part) => stats.usageBy({ ...request, ...before, names: part }), names);
  return found.map(({ name, figures }) => ({
    name,
    figures,
    previous: earlier === null ? null : (earlier.get(name) ?? NO_USAGE),
  }));
}

/** SQLite allows 32,766 parameters. */
const NAMES_AT_ONCE = 10_000;

async function readNames(
  read: (names: readonly string[]) => ReturnType<StatsStore['usageBy']>,
  names: readonly string[],
): Promise<ReadonlyMap<string, UsageFigures>> {
  const found = new Map<string, UsageFigures>();
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE)
    for (const { name, figures } of await read(names.slice(at, at + NAMES_AT_ONCE))) found.set(name, figures);
  return found;
}

function byTime(series: UsageReport['series'], range: UsageRange, lengthMs: number): readonly PlainItem[] {
  const parts = Map.groupBy(series, ({ at }) => Math.floor(at / lengthMs) * lengthMs);
  return stepStarts(range, lengthMs).map((at) => ({
    name: new Date(at).toISOString(),
    figures: sumUsage((parts.get(at) ?? []).map(({ figures }) => figures)),
    previous: null,
  }));
}

/** Starts of the steps of this length that the range touches. */
function stepStarts({ from, to }: UsageRange, lengthMs: number): readonly number[] {
  const first = Math.floor(from / lengthMs) * lengthMs;
  return Array.from({ length: Math.ceil((to - first) / lengthMs) }, (_, index) => first + index * lengthMs);
}

const changeShare = (value: number, before: number): number | null =>
  before === 0 ? null : Math.round((value / before - 1) * 1000) / 1000;

/**
 * When counting began: the start of the shortest step that is not deleted yet.
 * @param oldest the oldest step of each length, the shortest length first
 */
function firstStep(oldest: readonly (number | null)[]): number | null {
  let found: number | null = null;
  for (const [index, { seconds }] of USAGE_STEPS.entries()) {
    const at = oldest[index] ?? null;
    // A shorter step within this one is more exact. If it is later, those before it are deleted.
    if (at !== null && (found === null || found >= at + seconds * 1000)) found = at;
  }
  return found;
}

async function readForecast(
  { stats, prices }: UsageDeps,
  filter: UsageFilter,
  {
    now,
    unit,
    countedFrom,
  }: { readonly now: number; readonly unit: string; readonly countedFrom: number | null },
): Promise<MonthForecast> {
  const month = monthStart(now);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const from = Math.min(month, today - DAYS_FOR_FORECAST * DAY_MS);
  const steps = await stats.usageSteps({ ...filter, unit, step: DAY_S, from, to: today + DAY_MS });
  const soFar = sumUsage(steps.filter(({ at }) => at >= month).map(({ figures }) => figures));
  // The day on which counting began is not whole.
  const firstWhole = countedFrom === null ? today : (Math.floor(countedFrom / DAY_MS) + 1) * DAY_MS;
  const known = Math.min(DAYS_FOR_FORECAST, (today - firstWhole) / DAY_MS);
  const days = Array.from({ length: Math.max(0, known) }, (_, ago) => {
    const at = today - (ago + 1) * DAY_MS;
    return steps.find((step) => step.at === at)?.figures ?? NO_USAGE;
  });
  const daysLeft = (monthStart(now, -1) - now) / DAY_MS;
  const estimate = (figure: 'scrapes' | 'cost') =>
    forecastMonth(
      days.map((day) => day[figure]),
      soFar[figure],
      daysLeft,
    );
  return { month, soFar, scrapes: estimate('scrapes'), cost: prices === null ? null : estimate('cost') };
}
