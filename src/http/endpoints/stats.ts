import { Type } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import { amountOrNull, closed, count, dateTime, orNull } from '../../domain/json-schema.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import { percentile, type StatsRequest, type StatsResult } from '../../domain/stats.ts';
import { ErrorCodeName } from '../../wire/answer/answer-schema.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { seesAllUsers } from '../../wire/record/record-query.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';
import { ttlCache } from '../core/ttl-cache.ts';

/** Number and length of the steps of each window. The store has counters for steps of these lengths only. */
export const STATS_WINDOWS = {
  '1h': { steps: 60, seconds: 60 },
  '24h': { steps: 96, seconds: 900 },
  '7d': { steps: 168, seconds: 3600 },
  '30d': { steps: 30, seconds: 86_400 },
  '90d': { steps: 90, seconds: 86_400 },
} as const;

const Count = Type.Integer({ minimum: 0 });
const Scrapes = count('Without dry runs.');
const Ms = amountOrNull('null if there was no scrape.');

const OutcomeCounts = closed(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Count])), {
  title: 'OutcomeCounts',
  description: 'Number of scrapes by outcome. Every outcome is included.',
});

const StatsStep = closed(
  {
    at: dateTime('Start of the step.'),
    scrapes: Scrapes,
    outcomes: OutcomeCounts,
    p50_ms: Ms,
    p95_ms: Ms,
  },
  { title: 'StatsStep' },
);

const Stats = closed(
  {
    window: Type.Enum(Object.keys(STATS_WINDOWS)),
    from: dateTime('Start of the first step.'),
    to: dateTime('The current time; the last step is still running.'),
    step_seconds: Type.Integer({ minimum: 1 }),
    in_flight: closed({
      now: count('Running requests that count towards the limit.'),
      limit: orNull(Type.Integer(), {
        description: 'Limit of the user. null if the figures cover all users.',
      }),
    }),
    totals: closed({
      scrapes: Scrapes,
      bytes: count('Total size of the contents returned.'),
      outcomes: OutcomeCounts,
    }),
    latency_ms: closed(
      { p50: Ms, p95: Ms, p99: Ms },
      {
        description:
          'Time from receiving the request to sending the response, without pauses (`timing.pause`), accurate to 5 %.',
      },
    ),
    series: Type.Array(StatsStep, {
      description: 'All steps, oldest first, including those without scrapes.',
    }),
    hosts: Type.Array(
      closed({
        host: Type.String({ description: '`other` combines the hosts beyond the first 100 of each step.' }),
        scrapes: count('Scrapes, not counting dry runs.'),
        ok: count('Scrapes with outcome `ok`.'),
        failed: count('Scrapes with outcome `failed`.'),
        blocked: count('Scrapes with outcome `blocked`.'),
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

export type StatsWindow = keyof typeof STATS_WINDOWS;

export interface StatsParameters {
  readonly window: StatsWindow;
  /** null: all users together. */
  readonly userId: string | null;
}

/** The query of `GET /api/v1/stats/`. */
export const STATS_QUERY = {
  parameters: {
    window: {
      description:
        'The last hour (in steps of one minute), 24 hours (15 minutes), 7 days (one hour), 30 or 90 days (days of UTC).',
      schema: Type.Enum(Object.keys(STATS_WINDOWS), { default: '24h' }),
    },
    user_id: {
      description: 'Id of a user, or `all` (default). Only for sessions of administrators.',
      schema: Type.String(),
    },
  },
  read(query: QueryReader, viewer: Viewer): StatsParameters {
    const window = query.oneOf('window', Object.keys(STATS_WINDOWS) as StatsWindow[]) ?? '24h';
    const userId = query.text('user_id');
    const admin = seesAllUsers(viewer);
    if (userId !== null && !admin) query.addProblem('user_id', "is only for administrators' sessions");
    if (!admin) return { window, userId: viewer.userId };
    return { window, userId: userId === 'all' ? null : userId };
  },
};

/** The counters to read for a window. @param now ms since the epoch */
export function statsRequest({ window, userId }: StatsParameters, now: number): StatsRequest {
  const { steps, seconds } = STATS_WINDOWS[window];
  const stepMs = seconds * 1000;
  const lastStep = Math.floor(now / stepMs) * stepMs;
  const at = Array.from({ length: steps }, (_, index) => lastStep - (steps - 1 - index) * stepMs);
  return { userId, step: seconds, at };
}

interface StepCounts {
  readonly outcomes: Map<string, number>;
  /** Number of scrapes by bucket of the histogram (`latencyBucket`). */
  readonly latency: Map<number, number>;
}

/** The body of `GET /api/v1/stats/`. */
export function statsObject({
  parameters,
  request,
  result,
  now,
  inFlight,
}: {
  readonly parameters: StatsParameters;
  readonly request: StatsRequest;
  readonly result: StatsResult;
  readonly now: number;
  readonly inFlight: { readonly now: number; readonly limit: number | null };
}) {
  const empty = (): StepCounts => ({ outcomes: new Map(), latency: new Map() });
  const byStep = new Map(request.at.map((at) => [at, empty()]));
  const all = empty();
  let bytes = 0;
  for (const { at, kind, counts } of result.steps) {
    const step = byStep.get(at);
    if (step === undefined) continue;
    for (const [name, count] of counts) {
      if (kind === 'bytes') bytes += count;
      else if (kind === 'outcome') for (const target of [step, all]) increment(target.outcomes, name, count);
      else for (const target of [step, all]) increment(target.latency, Number(name), count);
    }
  }
  return {
    window: parameters.window,
    from: formatDateTime(request.at[0]!),
    to: formatDateTime(now),
    step_seconds: request.step,
    in_flight: inFlight,
    totals: { scrapes: scrapesOf(all), bytes, outcomes: outcomesOf(all) },
    latency_ms: {
      p50: percentile(all.latency, 0.5),
      p95: percentile(all.latency, 0.95),
      p99: percentile(all.latency, 0.99),
    },
    series: request.at.map((at) => {
      const step = byStep.get(at)!;
      return {
        at: formatDateTime(at),
        scrapes: scrapesOf(step),
        outcomes: outcomesOf(step),
        p50_ms: percentile(step.latency, 0.5),
        p95_ms: percentile(step.latency, 0.95),
      };
    }),
    hosts: result.hosts,
    errors: result.errors,
  };
}

const outcomesOf = ({ outcomes }: StepCounts) =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcomes.get(outcome) ?? 0]));

/** The number of scrapes without dry runs (outcome `planned`). */
function scrapesOf({ outcomes }: StepCounts): number {
  let total = 0;
  for (const [outcome, count] of outcomes) if (outcome !== 'planned') total += count;
  return total;
}

function increment<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Counts are written to the store once per second, so reading them more often shows nothing new. */
const CACHE_MS = 1_000;

export const STATS = [
  endpoint({
    method: 'get',
    path: '/api/v1/stats/',
    operationId: 'getStats',
    summary: 'Get statistics',
    description:
      'Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. With an API key, the figures cover its user.',
    access: 'scope:read',
    query: STATS_QUERY,
    responses: { 200: json('The figures.', Stats) },
    prepare: ({ store: { stats }, permits, accounts, clock, defaultConcurrency }) => {
      const cached = ttlCache<string>(CACHE_MS, clock);

      const limitOf = (principal: Principal, userId: string): number | null => {
        if (userId === principal.userId) return principal.concurrency;
        const user = accounts.findUser(principal, userId);
        return user === null ? null : (user.concurrency ?? defaultConcurrency);
      };
      const statsJson = async (parameters: StatsParameters, principal: Principal): Promise<string> => {
        const { userId } = parameters;
        const now = clock.now();
        const request = statsRequest(parameters, now);
        const result = await stats.read(request);
        const limit = userId === null ? null : limitOf(principal, userId);
        const inFlight = { now: await permits.inUse(userId), limit };
        return JSON.stringify(statsObject({ parameters, request, result, now, inFlight }));
      };

      return async ({ query, principal, reply }) => {
        const text = await cached(`${query.window} ${query.userId}`, () => statsJson(query, principal));
        return reply.header('content-type', 'application/json; charset=utf-8').send(text);
      };
    },
  }),
];
