import { timeOfId } from './document.ts';
import type { Json } from './members.ts';

/** The members of our monitors that are read here. */
export interface OwnMonitor {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'paused';
  readonly kind: string;
  /** Of a batch or a crawl its members. */
  readonly request: Json;
  readonly schedule: { readonly cron?: string; readonly timezone?: string; readonly every_s?: number };
  readonly next_run_at: string | null;
  readonly created_at: string;
}

interface OwnChange {
  readonly state: string;
  readonly reason: string | null;
  readonly previous_id: string | null;
  readonly diff: string | null;
}

interface OwnPage extends OwnChange {
  readonly url: string;
  readonly scrape_id: string | null;
}

/** A run of one of our monitors. */
export interface OwnRun {
  readonly n: number;
  readonly state: 'running' | 'ended' | 'skipped';
  readonly due_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly change:
    | (OwnChange & {
        readonly pages: readonly OwnPage[];
        readonly counts: Readonly<Record<'new' | 'changed' | 'gone' | 'same' | 'error', number>> | null;
      })
    | null;
}

/** A monitor of Firecrawl. `retentionDays` and `updatedAt` are left out: there is nothing like them. */
export function monitorOf(monitor: OwnMonitor, last: OwnRun | null): Json {
  const { id, name, state, schedule, next_run_at, created_at } = monitor;
  const { every_s: seconds, ...cron } = schedule;
  return {
    id,
    name,
    status: state,
    schedule: seconds === undefined ? cron : { text: `every ${seconds} seconds` },
    nextRunAt: next_run_at,
    lastRunAt: last?.started_at ?? null,
    currentCheckId: last?.state === 'running' ? String(last.n) : null,
    targets: [targetOf(monitor)],
    webhook: null,
    notification: null,
    estimatedCreditsPerMonth: null,
    lastCheckSummary: last === null || last.change === null ? null : summaryOf(last),
    createdAt: created_at,
  };
}

/** Every monitor has one target. */
const TARGET_ID = '0';

/** A target from our request: what it visits. How it does has another form here. */
function targetOf({ kind, request }: OwnMonitor): Json {
  const { url, urls } = request as {
    readonly url?: string;
    readonly urls?: readonly string[];
  };
  if (kind === 'crawl') return { id: TARGET_ID, type: 'crawl', url: url ?? urls?.[0] };
  return { id: TARGET_ID, type: 'scrape', urls: urls ?? [url] };
}

const PAGE_STATES: Readonly<Record<string, string>> = { gone: 'removed', back: 'new', first: 'new' };
const statusOf = (state: string): string => PAGE_STATES[state] ?? state;

function summaryOf({ change }: OwnRun): Json {
  const none = { new: 0, changed: 0, gone: 0, same: 0, error: 0 };
  const counts = change?.counts ?? none;
  const { gone: removed, ...others } = counts;
  const totalPages = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { totalPages, ...others, removed };
}

function checkStatus({ state, change }: OwnRun): string {
  if (state === 'running') return 'running';
  if (state === 'skipped') return 'skipped_overlap';
  if (change?.state === 'error') return 'failed';
  return (change?.counts?.error ?? 0) > 0 ? 'partial' : 'completed';
}

/** A check of Firecrawl. Its id is the number of the run. */
export function checkOf(run: OwnRun, monitorId: string): Json {
  return {
    id: String(run.n),
    monitorId,
    status: checkStatus(run),
    scheduledFor: run.due_at,
    startedAt: run.started_at,
    finishedAt: run.ended_at,
    billingStatus: 'not_applicable',
    summary: summaryOf(run),
    error: run.change?.state === 'error' ? run.change.reason : null,
    createdAt: run.due_at,
    updatedAt: run.ended_at ?? run.started_at ?? run.due_at,
  };
}

/** The pages of a check that are not the same. */
export const checkPages = ({ n, change, due_at }: OwnRun): readonly Json[] =>
  (change?.pages ?? []).map(({ url, scrape_id, state, reason, previous_id, diff }, index) => ({
    id: `${n}-${index}`,
    targetId: TARGET_ID,
    url,
    status: statusOf(state),
    previousScrapeId: previous_id,
    currentScrapeId: scrape_id,
    error: reason,
    diff: diff === null ? null : { text: diff },
    createdAt: scrape_id === null ? due_at : timeOfId(scrape_id),
  }));
