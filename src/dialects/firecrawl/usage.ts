import type { DialectCall } from './dialect-call.ts';
import { openJobs } from './jobs.ts';
import type { Json } from './members.ts';

interface InFlight {
  readonly now: number;
  readonly limit: number | null;
}

/** `GET /v2/concurrency-check`: the requests in flight of the user, and their limit. */
export async function concurrency({ caller }: DialectCall): Promise<Json> {
  const { now, limit } = (await caller.get('/api/v1/stats/')).in_flight as InFlight;
  // This call is one of them.
  return { success: true, data: { concurrency: Math.max(0, now - 1), maxConcurrency: limit } };
}

/** `GET /v2/team/queue-status`: the items of jobs that wait and run. */
export async function queueStatus({ caller }: DialectCall): Promise<Json> {
  const jobs = await openJobs(caller);
  const stats = await caller.get('/api/v1/stats/');
  const sum = (state: 'queued' | 'running') => jobs.reduce((total, { counts }) => total + counts[state], 0);
  const waiting = sum('queued');
  const active = sum('running');
  return {
    success: true,
    jobsInQueue: waiting + active,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: (stats.in_flight as InFlight).limit,
    mostRecentSuccess: null,
  };
}

interface OwnKey {
  readonly daily_budget: { readonly amount: number; readonly unit: 'scrapes' | 'cost' } | null;
  readonly requests_today: number;
  readonly cost_today: number;
}

/** Where nothing limits the caller: the greatest whole number that is exact in JSON. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** `GET /v2/team/credit-usage`: what is left today of the budget of the key. A credit is a scrape, or a unit of cost. */
export async function creditUsage({ caller }: DialectCall): Promise<Json> {
  const key = (await caller.get('/api/v1/key/')) as unknown as OwnKey;
  const { daily_budget: budget, requests_today, cost_today } = key;
  if (budget === null)
    return {
      success: true,
      data: { remainingCredits: NO_LIMIT, billingPeriodStart: null, billingPeriodEnd: null },
    };
  const used = budget.unit === 'scrapes' ? requests_today : cost_today;
  const today = new Date().toISOString().slice(0, 10);
  const start = Date.parse(`${today}T00:00:00Z`);
  return {
    success: true,
    data: {
      remainingCredits: Math.max(0, budget.amount - used),
      planCredits: budget.amount,
      billingPeriodStart: new Date(start).toISOString(),
      billingPeriodEnd: new Date(start + DAY_MS).toISOString(),
    },
  };
}

const DAY_MS = 86_400_000;

/** `GET /v2/team/token-usage`. Nothing limits the tokens of a user. */
export async function tokenUsage({ caller }: DialectCall): Promise<Json> {
  // Refuses a key that is not valid.
  await caller.get('/api/v1/key/');
  return {
    success: true,
    data: { remainingTokens: NO_LIMIT, billingPeriodStart: null, billingPeriodEnd: null },
  };
}
