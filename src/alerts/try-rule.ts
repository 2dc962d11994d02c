import { uuid7 } from '../base/uuid7.ts';
import { ALL_SUBJECT, type AlertConditions, type AlertRule } from '../domain/alerts.ts';
import type { SiteLimits } from '../domain/site-limits.ts';
import { monthStart } from '../domain/site-stats.ts';
import { NO_USAGE, type UsageDetail, type UsageFigures } from '../domain/usage.ts';
import {
  budgetKeys,
  DAY_S,
  floorTo,
  HOUR_S,
  type MetricDeps,
  type MetricSums,
  metricValue,
  namesOf,
  namesRequest,
  shareLeft,
  siteBudgetLeft,
  subjectOf,
  type WatchedMetric,
} from './metrics.ts';
import { type AlertReading, evaluateRule } from './transitions.ts';

/** What a rule would have done. Times are ms since the epoch. */
export interface Trial {
  readonly from: number;
  readonly to: number;
  /** Time between two values, s. */
  readonly stepS: number;
  /** Those for which it would have fired the most, first. */
  readonly subjects: readonly TriedSubject[];
  /** Subjects beyond the limit. */
  readonly leftOut: number;
}

interface TriedSubject {
  readonly subject: string;
  readonly label: string;
  /** At the end of each step; null: too few scrapes. */
  readonly points: readonly { readonly at: number; readonly value: number | null }[];
  readonly firings: readonly Firing[];
}

interface Firing {
  /** Since when the value was too high or low. */
  readonly since: number;
  readonly at: number;
  /** null: it would fire still. */
  readonly resolvedAt: number | null;
  /** When it fired. */
  readonly value: number;
}

/** Subjects that are tried: those with the most scrapes. */
const MAX_SUBJECTS = 20;
const DAY_MS = DAY_S * 1000;
/** How far back the counters are whole, by length of the step (s). */
const KEPT_MS: Readonly<Record<number, number>> = {
  300: 12 * HOUR_S * 1000,
  [HOUR_S]: 14 * DAY_MS,
  [DAY_S]: 189 * DAY_MS,
};
/** Windows up to this are tried by hours, longer ones by days. */
const HOURS_UP_TO_S = 2 * DAY_S;

/** The rule as far as its trial depends on it. */
export type TriedRule = Pick<AlertRule, 'userId' | 'forS' | 'clearForS'> & {
  readonly conditions: AlertConditions & Required<Pick<AlertConditions, 'metric'>>;
};

/**
 * Tries a rule about a metric against what the counters still know: what it would have fired for, and when. With short windows
 * these are the last 12 hours in steps of five minutes, with longer ones two weeks in steps of an hour, or half a year in days.
 */
export async function tryRule(deps: MetricDeps, rule: TriedRule, now: number): Promise<Trial> {
  const { metric, subject } = rule.conditions;
  const watched: WatchedMetric = { metric, subject, userId: rule.userId };
  const { stepS, from, firstAt } = await rangeOf(deps, watched, now);
  const { names, leftOut } = await triedNames(deps, watched, { from, now, stepS });
  const rows = await deps.store.stats.usageDetails({
    ...namesRequest(watched, deps.unit(), names),
    step: stepS,
    from,
    to: now,
    bySteps: true,
    limit: null,
  });
  const byName = Map.groupBy(rows, ({ name }) => subjectOf(metric, name) ?? '');
  const labels = namesOf(deps, watched);
  const subjects = (names ?? [ALL_SUBJECT]).flatMap((name) => {
    const label = labels(name);
    const values = valuesOf(deps, watched, name, byName.get(name) ?? [], stepS);
    return label === null || values === null ? [] : [{ subject: name, label, values }];
  });
  const times: number[] = [];
  for (let at = Math.max(from, firstAt); at < now; at += stepS * 1000)
    times.push(Math.min(at + stepS * 1000, now));
  return { from: times[0] ?? now, to: now, stepS, leftOut, subjects: simulate(rule, subjects, times) };
}

interface ValuedSubject {
  readonly subject: string;
  readonly label: string;
  readonly values: (at: number) => number | null;
}

/** Which steps are tried. `firstAt`: start of the first step at whose end the whole window is known. */
async function rangeOf(
  { store: { stats } }: MetricDeps,
  { metric: { metric, scope, windowS } }: WatchedMetric,
  now: number,
): Promise<{ readonly stepS: number; readonly from: number; readonly firstAt: number }> {
  const isDaily = metric === 'cost_month' || (metric === 'budget_left' && scope === 'host');
  const stepS = isDaily
    ? DAY_S
    : metric === 'budget_left'
      ? HOUR_S
      : windowS < HOUR_S
        ? 300
        : windowS <= HOURS_UP_TO_S
          ? HOUR_S
          : DAY_S;
  const [counted] = await stats.usageSince([stepS]);
  const kept = floorTo(now - KEPT_MS[stepS]!, stepS);
  const from = Math.max(kept, counted ?? floorTo(now, stepS));
  // Sums of days and months begin with the first whole one, but for what was counted from the start.
  if (isDaily) return { stepS, from: from === kept ? monthStart(from, -1) : from, firstAt: from };
  if (metric === 'budget_left')
    return { stepS, from: from === kept ? floorTo(from, DAY_S) + DAY_MS : from, firstAt: from };
  return { stepS, from, firstAt: from === kept ? from + windowS * 1000 - stepS * 1000 : from };
}

/** @returns null: all scrapes together */
async function triedNames(
  deps: MetricDeps,
  watched: WatchedMetric,
  { from, now, stepS }: { readonly from: number; readonly now: number; readonly stepS: number },
): Promise<{ readonly names: readonly string[] | null; readonly leftOut: number }> {
  const { metric, subject, userId } = watched;
  if (metric.scope === 'all') return { names: null, leftOut: 0 };
  if (subject !== null) return { names: [subject], leftOut: 0 };
  const all =
    metric.metric !== 'budget_left'
      ? (
          await deps.store.stats.usageDetails({
            ...namesRequest(watched, deps.unit(), null),
            step: stepS,
            from,
            to: now,
            bySteps: false,
            limit: 1_000,
          })
        ).flatMap(({ name }) => subjectOf(metric, name) ?? [])
      : metric.scope === 'host'
        ? [...deps.siteLimits()].filter(([, limits]) => hasBudget(limits)).map(([host]) => host)
        : budgetKeys(deps.accounts, metric.allUsers ? null : userId).map(({ id }) => id);
  return { names: all.slice(0, MAX_SUBJECTS), leftOut: Math.max(0, all.length - MAX_SUBJECTS) };
}

const hasBudget = ({ budgetDay, budgetMonth }: SiteLimits): boolean =>
  budgetDay !== null || budgetMonth !== null;

/** @returns the value at the end of a step; null: the subject has no budget */
function valuesOf(
  deps: MetricDeps,
  { metric }: WatchedMetric,
  name: string,
  rows: readonly UsageDetail[],
  stepS: number,
): ((at: number) => number | null) | null {
  const between = (from: number, to: number): MetricSums =>
    sumOf(rows.filter(({ at }) => at! >= from && at! < to));
  const costOf = (from: number, to: number) => between(from, to).figures.cost;
  // A step belongs to the day and month that it began in.
  const dayOf = (at: number) => floorTo(at - 1, DAY_S);
  if (metric.metric === 'cost_month') return (at) => metricValue(metric, between(monthStart(at - 1), at));
  if (metric.metric !== 'budget_left') {
    // Whole steps, as the window of the running rule.
    const windowMs = Math.ceil(metric.windowS / stepS) * stepS * 1000;
    return (at) => metricValue(metric, between(floorTo(at - 1, stepS) + stepS * 1000 - windowMs, at));
  }
  if (metric.scope === 'host') {
    const limits = deps.siteLimits().get(name);
    if (limits === undefined || !hasBudget(limits)) return null;
    return (at) => {
      const spent = { day: costOf(dayOf(at), at), month: costOf(monthStart(at - 1), at) };
      return siteBudgetLeft(limits, spent)!.value;
    };
  }
  const budget = budgetKeys(deps.accounts, null).find(({ id }) => id === name)?.dailyBudget ?? null;
  if (budget === null) return null;
  return (at) => {
    const { figures } = between(dayOf(at), at);
    return shareLeft(budget.unit === 'scrapes' ? figures.scrapes : figures.cost / 1_000_000, budget.amount);
  };
}

/** Added in place: a trial sums hundreds of thousands of rows. */
function sumOf(rows: readonly UsageDetail[]): MetricSums {
  const figures: Record<keyof UsageFigures, number> = { ...NO_USAGE };
  const latency: number[] = [];
  for (const row of rows) {
    figures.scrapes += row.figures.scrapes;
    figures.ok += row.figures.ok;
    figures.blocked += row.figures.blocked;
    figures.cost += row.figures.cost;
    row.latency.forEach((count, bucket) => {
      latency[bucket] = (latency[bucket] ?? 0) + count;
    });
  }
  return { figures, latency };
}

/** Evaluates the rule at each time, as the engine does. */
function simulate(
  { userId, forS, clearForS, conditions }: TriedRule,
  subjects: readonly ValuedSubject[],
  times: readonly number[],
): readonly TriedSubject[] {
  const points = new Map<string, { at: number; value: number | null }[]>();
  const firings = new Map<string, Firing[]>();
  for (const { subject } of subjects) {
    points.set(subject, []);
    firings.set(subject, []);
  }
  let rule: AlertRule = {
    ...{ id: uuid7(0), userId, name: '', kind: 'metric', conditions, forS, clearForS },
    ...{ enabled: true, silencedUntil: null, createdAt: 0, lastN: 0, channels: [], instances: [] },
  };
  for (const at of times) {
    const readings: AlertReading[] = [];
    for (const { subject, values } of subjects) {
      const value = values(at);
      points.get(subject)!.push({ at, value });
      if (value !== null) readings.push({ subject, value, summary: String(value) });
    }
    const { events, instances, removed } = evaluateRule(rule, readings, at);
    for (const { subject, state, since, value } of events) {
      const list = firings.get(subject)!;
      if (state === 'firing') list.push({ since, at, resolvedAt: null, value: value! });
      else list.push({ ...list.pop()!, resolvedAt: at });
    }
    const gone = new Set([...removed, ...instances.map(({ subject }) => subject)]);
    const kept = rule.instances.filter(({ subject }) => !gone.has(subject));
    rule = { ...rule, instances: [...kept, ...instances] };
  }
  return subjects
    .map(({ subject, label }) => ({
      subject,
      label,
      points: points.get(subject)!,
      firings: firings.get(subject)!,
    }))
    .sort((a, b) => b.firings.length - a.firings.length);
}
