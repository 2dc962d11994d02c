import { Type } from 'typebox';
import type { Failure } from '../domain/failure.ts';
import { closed, orNull } from '../domain/json-schema.ts';
import { OUTCOMES } from '../domain/scrape.ts';
import { percentile, type StatsRequest, type StatsResult } from '../domain/stats.ts';
import { ErrorCodeName } from './answer/answer-schema.ts';
import { formatDateTime } from './date-time.ts';
import { seesAllUsers, type Viewer } from './record/record-query.ts';
import { type QueryParameters, QueryReader } from './schema/query-reader.ts';

const Count = Type.Integer({ minimum: 0 });
const Scrapes = Type.Integer({ minimum: 0, description: 'Without dry runs.' });
const Ms = orNull(Type.Number({ minimum: 0 }), { description: 'null if there was no scrape.' });

export const OutcomeCounts = closed(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Count])), {
  title: 'OutcomeCounts',
  description: 'Number of scrapes by outcome. Every outcome is included.',
});

export const StatsStep = closed(
  {
    at: Type.String({ format: 'date-time', description: 'Start of the step.' }),
    scrapes: Scrapes,
    outcomes: OutcomeCounts,
    p50_ms: Ms,
    p95_ms: Ms,
  },
  { title: 'StatsStep' },
);

export const Stats = closed(
  {
    window: Type.Enum(['1h', '24h', '7d']),
    from: Type.String({ format: 'date-time', description: 'Start of the first step.' }),
    to: Type.String({
      format: 'date-time',
      description: 'The current time; the last step is still running.',
    }),
    step_seconds: Type.Integer({ minimum: 1 }),
    in_flight: closed({
      now: Type.Integer({ minimum: 0, description: 'Running requests that count towards the limit.' }),
      limit: orNull(Type.Integer(), {
        description: 'Limit of the user. null if the figures cover all users.',
      }),
    }),
    totals: closed({
      scrapes: Scrapes,
      bytes: Type.Integer({ minimum: 0, description: 'Total size of the contents returned.' }),
      outcomes: OutcomeCounts,
    }),
    latency_ms: closed(
      { p50: Ms, p95: Ms, p99: Ms },
      { description: 'Time from receiving the request to sending the response, accurate to 5 %.' },
    ),
    series: Type.Array(StatsStep, {
      description: 'All steps, oldest first, including those without scrapes.',
    }),
    hosts: Type.Array(
      closed({
        host: Type.String({ description: '`other` combines the hosts beyond the first 100 of each step.' }),
        scrapes: Type.Integer({ minimum: 0, description: 'Scrapes, not counting dry runs.' }),
        ok: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `ok`.' }),
        failed: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `failed`.' }),
        blocked: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `blocked`.' }),
      }),
      { maxItems: 10, description: 'Most frequent first.' },
    ),
    errors: Type.Array(closed({ code: ErrorCodeName, count: Count }), {
      maxItems: 20,
      description: 'The first error of each failed scrape, most frequent first.',
    }),
  },
  { title: 'Stats' },
);

/** Steps of a window, and their length: one of those that are counted. */
export const STATS_WINDOWS = {
  '1h': { steps: 60, seconds: 60 },
  '24h': { steps: 96, seconds: 900 },
  '7d': { steps: 168, seconds: 3600 },
} as const;
export type StatsWindow = keyof typeof STATS_WINDOWS;

export interface StatsParameters {
  readonly window: StatsWindow;
  /** null: all users together. */
  readonly userId: string | null;
}

type ParsedStats =
  | { readonly ask: StatsParameters; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/stats/`. */
export function parseStatsQuery(query: QueryParameters, reader: Viewer): ParsedStats {
  const given = new QueryReader(query, ['window', 'user_id']);
  const window = given.oneOf('window', Object.keys(STATS_WINDOWS) as StatsWindow[]) ?? '24h';
  const wanted = given.text('user_id');
  const admin = seesAllUsers(reader);
  if (wanted !== null && !admin) given.addProblem('user_id', "is only for administrators' sessions");
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  if (!admin) return { ask: { window, userId: reader.userId }, problems: null };
  return { ask: { window, userId: wanted === 'all' ? null : wanted }, problems: null };
}

/** The counters that a window is made of. @param now ms since the epoch */
export function statsRequest({ window, userId }: StatsParameters, now: number): StatsRequest {
  const { steps, seconds } = STATS_WINDOWS[window];
  const length = seconds * 1000;
  const last = Math.floor(now / length) * length;
  const at = Array.from({ length: steps }, (_, n) => last - (steps - 1 - n) * length);
  return { userId, step: seconds, at };
}

interface StepCounts {
  readonly outcomes: Map<string, number>;
  readonly latency: Map<number, number>;
}

/** The answer of `GET /api/v1/stats/`. */
export function statsObject(parts: {
  readonly query: StatsParameters;
  readonly ask: StatsRequest;
  readonly read: StatsResult;
  readonly now: number;
  readonly inFlight: { readonly now: number; readonly limit: number | null };
}) {
  const { query, ask, read, now, inFlight } = parts;
  const empty = (): StepCounts => ({ outcomes: new Map(), latency: new Map() });
  const byStep = new Map(ask.at.map((at) => [at, empty()]));
  const all = empty();
  let bytes = 0;
  for (const { at, kind, counts } of read.steps) {
    const step = byStep.get(at);
    if (step === undefined) continue;
    for (const [name, count] of counts) {
      if (kind === 'bytes') bytes += count;
      else if (kind === 'outcome') for (const to of [step, all]) increment(to.outcomes, name, count);
      else for (const to of [step, all]) increment(to.latency, Number(name), count);
    }
  }
  return {
    window: query.window,
    from: formatDateTime(ask.at[0]!),
    to: formatDateTime(now),
    step_seconds: ask.step,
    in_flight: inFlight,
    totals: { scrapes: scrapesOf(all), bytes, outcomes: outcomesOf(all) },
    latency_ms: {
      p50: percentile(all.latency, 0.5),
      p95: percentile(all.latency, 0.95),
      p99: percentile(all.latency, 0.99),
    },
    series: ask.at.map((at) => {
      const step = byStep.get(at)!;
      return {
        at: formatDateTime(at),
        scrapes: scrapesOf(step),
        outcomes: outcomesOf(step),
        p50_ms: percentile(step.latency, 0.5),
        p95_ms: percentile(step.latency, 0.95),
      };
    }),
    hosts: read.hosts,
    errors: read.errors,
  };
}

const outcomesOf = ({ outcomes }: StepCounts) =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcomes.get(outcome) ?? 0]));

/** Dry runs fetch nothing, and are counted as an outcome only. */
function scrapesOf({ outcomes }: StepCounts): number {
  let total = 0;
  for (const [outcome, count] of outcomes) if (outcome !== 'planned') total += count;
  return total;
}

function increment<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
