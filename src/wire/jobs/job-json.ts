import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import { jobLabel } from '../../domain/job-label.ts';
import {
  ITEM_STATES,
  type ItemCounts,
  type ItemFolder,
  type ItemRow,
  type ItemWait,
  JOB_KINDS,
  JOB_STATES,
  type JobRow,
  PAUSE_REASONS,
  WAIT_REASONS,
} from '../../domain/jobs.ts';
import { closed, count, mapOf, orNull, textOrNull } from '../../domain/json-schema.ts';
import { VERDICT_KINDS } from '../../domain/verdict.ts';
import { JSON_TEXT, jsonOf, type Written } from '../answer/json-members.ts';
import { formatDateTime } from '../date-time.ts';

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const NullableTime = orNull(Time);

const ErrorOfJob = closed({ code: Type.String(), message: Type.String() }, { title: 'JobError' });

const Waiting = orNull(
  closed(
    {
      reason: Type.Enum([...WAIT_REASONS]),
      until: orNull(Time, { description: 'Not before this time; null: it is not known.' }),
    },
    { title: 'JobWait' },
  ),
  {
    description:
      'Why nothing (more) is started now. `retry`: the last try went wrong. `site_limit`: the limits of the site allow no attempt now. `pace`: the pause between two requests to the host. `host_limit`: as many run on the host as may. `concurrency`: all places of the job, of your jobs or of the service are taken. `max_cost`: what runs may use up `max_cost`. `paused`, `key`, `user`, `budget`, `storage`, `profile` (it is logged out): the job is paused. null: nothing waits, or it starts in a moment.',
  },
);

const Counts = closed(
  { found: Count, queued: Count, running: Count, ok: Count, failed: Count, skipped: Count },
  { description: 'Items by state; `found` is their sum.' },
);

export const JobObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...JOB_KINDS]),
    name: orNull(Type.String()),
    label: textOrNull('The name, or else host and path of the first URL.'),
    user_id: Type.String({ format: 'uuid', description: 'The owner.' }),
    state: Type.Enum([...JOB_STATES]),
    pause: orNull(closed({ reason: Type.Enum([...PAUSE_REASONS]), since: Time, resumes_at: NullableTime }), {
      description: 'Why the job starts no items now; null: it is not paused.',
    }),
    waiting: Waiting,
    next_try_at: orNull(Time, {
      description: 'When the first item that waits for a retry is tried again; null: none waits for one.',
    }),
    last_error: orNull(
      closed(
        { code: Type.String(), message: Type.String(), item: Count, url: Type.String(), at: Time },
        { title: 'LastJobError' },
      ),
      { description: 'The last try of an item that went wrong. It stays when the item succeeds later.' },
    ),
    counts: Counts,
    duplicates: count('URLs that were found again; they are no items.'),
    unlisted: count(
      'Skipped URLs that are no items, because the job has 100,000 skipped items already or a page too many links.',
    ),
    outcomes: mapOf(Count, { description: 'Scrapes by outcome.' }),
    cost: orNull(Type.Number(), { description: 'Of all scrapes so far; null: no prices are configured.' }),
    rate_per_s: orNull(Type.Number(), { description: 'Items that ended per second, since the start.' }),
    eta_s: orNull(Type.Integer(), { description: 'Estimated seconds until the end.' }),
    duration_ms: orNull(Type.Integer(), {
      description: 'From the start to the end, or until now; null: it has not started.',
    }),
    ok_share: orNull(Type.Number(), {
      description: 'Share of `ok` among the items that ended as `ok` or `failed`; null: none has.',
    }),
    error: orNull(ErrorOfJob),
    tags: mapOf(Type.String()),
    metadata: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
    priority: Type.Integer(),
    concurrency: orNull(Type.Integer()),
    monitor_id: orNull(Type.String({ format: 'uuid' }), { description: 'The monitor whose run it is.' }),
    schedule_id: orNull(Type.String({ format: 'uuid' }), { description: 'The schedule whose run it is.' }),
    created_at: Time,
    started_at: NullableTime,
    ended_at: NullableTime,
    expires_at: NullableTime,
    request: Type.Unsafe<object>({
      type: 'object',
      description: 'The request as received, with secrets masked; of a batch without `requests`.',
    }),
  },
  { title: 'Job' },
);

/** The answer to a new job. */
export const JobAccepted = closed(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum(['queued']),
    invalid: Type.Optional(
      Type.Array(
        closed({
          pointer: Type.String(),
          line: Type.Optional(Type.Integer({ minimum: 1 })),
          message: Type.String(),
        }),
        {
          description: 'With `invalid: skip`: the first requests that are not valid, and why.',
        },
      ),
    ),
    invalid_total: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { title: 'JobAccepted' },
);

export const JobList = closed(
  { items: Type.Array(JobObject), next_cursor: orNull(Type.String()) },
  { title: 'JobList' },
);

const GONE_REASONS = ['storage', 'retention', 'retain'] as const;
export type GoneReason = (typeof GONE_REASONS)[number];

/** What every list shows of an item. */
const ITEM = {
  item: Type.Integer({ minimum: 1, description: 'Number of the item in the job; `parent` is one.' }),
  n: orNull(Type.Integer(), { description: 'Position in the order of ends; null: it has not ended.' }),
  ref: orNull(Type.String()),
  url: Type.String(),
  depth: Count,
  parent: orNull(Type.Integer()),
  state: Type.Enum([...ITEM_STATES]),
  tries: Count,
  outcome: orNull(Type.String()),
  error: orNull(ErrorOfJob, {
    description: 'What went wrong. Of an item that waits for a retry: with its last try.',
  }),
  next_try_at: orNull(Time, { description: 'When it is tried again; null: it waits for no retry.' }),
  ended_at: NullableTime,
  status_code: orNull(Type.Integer(), { description: 'Of the last scrape, as the next three members.' }),
  verdict: orNull(Type.Enum([...VERDICT_KINDS])),
  title: orNull(Type.String()),
  bytes: orNull(Type.Integer(), { description: 'Length of the content.' }),
};

/** An item in the list of all items. */
export const ListedJobItem = closed(
  {
    ...ITEM,
    scrape: orNull(Type.String({ format: 'uuid' }), { description: 'Id of the last scrape.' }),
    waiting: Waiting,
  },
  { title: 'ListedJobItem' },
);

export const ListedJobItems = closed(
  {
    items: Type.Array(ListedJobItem),
    next_cursor: textOrNull(
      'Cursor of the next page; null: there is none. With `q`, a page may be short or empty although there is one.',
    ),
  },
  { title: 'ListedJobItems' },
);

export const JobItem = closed(
  {
    ...ITEM,
    scrape: Type.Unsafe<string | object | null>({
      description: 'Id of the last scrape; with `include=full` the scrape itself. null: there is none.',
    }),
    gone: orNull(Type.Enum([...GONE_REASONS]), {
      description:
        'Why a content that was stored is no longer there: `storage`: it was deleted to free storage, or on request; `retention`: it has expired; `retain`: the request set `router.retain`, so only the webhook got it. null: it is there, or there was none, or it was not asked for.',
    }),
    scraper_data: Type.Unsafe<object | null>({
      description: 'What the formats gave; null: there is none, or it was not asked for.',
    }),
  },
  { title: 'JobItem' },
);

export const JobResults = closed(
  {
    items: Type.Array(JobItem),
    next_cursor: textOrNull(
      'Cursor of the next page. null: there are no more results, and there will be none.',
    ),
  },
  { title: 'JobResults' },
);

export const JobFolders = closed(
  {
    items: Type.Array(
      closed(
        {
          folder: Type.String({
            description:
              'Host and path of the URLs, up to a slash: `example.com/docs/`. The folder that was asked for means the items directly in it.',
          }),
          counts: Counts,
        },
        { title: 'JobFolder' },
      ),
    ),
    next_cursor: orNull(Type.String()),
  },
  { title: 'JobFolders' },
);

export const countsJson = (counts: ItemCounts) => ({
  found: Object.values(counts).reduce((sum, count) => sum + count, 0),
  ...counts,
});

export const foldersJson = (
  folders: readonly ItemFolder[],
  next: string | null,
): Written<typeof JobFolders> => ({
  items: folders.map(({ folder, counts }) => ({ folder, counts: countsJson(counts) })),
  next_cursor: next,
});

/** What holds up a job. */
export interface JobHold {
  readonly waiting: ItemWait | null;
  /** ms since the epoch. */
  readonly nextTryAt: number | null;
}

const waitJson = (wait: ItemWait | null) => wait && { reason: wait.reason, until: timeOrNull(wait.until) };

const lastErrorJson = ({ lastError }: JobRow) =>
  lastError && { ...lastError, at: formatDateTime(lastError.at) };

const okShare = ({ counts: { ok, failed } }: JobRow): number | null =>
  ok + failed === 0 ? null : Math.round((ok / (ok + failed)) * 10_000) / 10_000;

/** @param costs whether prices are configured */
export function jobJson(job: JobRow, now: number, costs: boolean, { waiting, nextTryAt }: JobHold): string {
  return jsonOf<Written<typeof JobObject>>(
    {
      id: job.id,
      kind: job.kind,
      name: job.name,
      label: jobLabel(job),
      user_id: job.userId,
      state: job.state,
      pause: job.pause && {
        reason: job.pause.reason,
        since: formatDateTime(job.pause.since),
        resumes_at: timeOrNull(job.pause.resumesAt),
      },
      waiting: waitJson(waiting),
      next_try_at: timeOrNull(nextTryAt),
      last_error: lastErrorJson(job),
      counts: countsJson(job.counts),
      duplicates: job.duplicates,
      unlisted: job.unlisted,
      outcomes: job.outcomes,
      cost: costs ? microToCurrency(job.cost) : null,
      ...pace(job, now),
      duration_ms: job.startedAt === null ? null : (job.endedAt ?? now) - job.startedAt,
      ok_share: okShare(job),
      error: job.error,
      tags: job.tags,
      metadata: JSON_TEXT,
      priority: job.priority,
      concurrency: job.concurrency,
      monitor_id: job.monitorId,
      schedule_id: job.scheduleId,
      created_at: formatDateTime(job.createdAt),
      started_at: timeOrNull(job.startedAt),
      ended_at: timeOrNull(job.endedAt),
      expires_at: timeOrNull(job.expiresAt),
      request: JSON_TEXT,
    },
    { metadata: job.metadata ?? 'null', request: job.request },
  );
}

/** Rate since the start, and the time that the items that wait take at this rate. */
function pace({ counts, startedAt, endedAt, state }: JobRow, now: number) {
  const ended = counts.ok + counts.failed;
  const seconds = startedAt === null ? 0 : ((endedAt ?? now) - startedAt) / 1_000;
  const rate = ended === 0 || seconds <= 0 ? null : Math.round((ended / seconds) * 100) / 100;
  const isRunning = state === 'running' && rate !== null && rate > 0;
  return {
    rate_per_s: rate,
    eta_s: isRunning ? Math.ceil((counts.queued + counts.running) / rate) : null,
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatDateTime(ms));

const itemMembers = (item: ItemRow) => ({
  item: item.item,
  n: item.n,
  ref: item.ref,
  url: item.url,
  depth: item.depth,
  parent: item.parent,
  state: item.state,
  tries: item.tries,
  outcome: item.outcome,
  error: item.error,
  next_try_at: item.state === 'queued' && item.tries > 0 ? formatDateTime(item.runAt) : null,
  ended_at: timeOrNull(item.endedAt),
  status_code: item.statusCode,
  verdict: item.verdict,
  title: item.title,
  bytes: item.bytes,
});

export const listedItem = (item: ItemRow, waiting: ItemWait | null): Written<typeof ListedJobItem> => ({
  ...itemMembers(item),
  scrape: item.scrapeId,
  waiting: waitJson(waiting),
});

/** @param scrape JSON text of `scrape` @param data JSON text of `scraper_data` */
export function itemJson(
  item: ItemRow,
  scrape: string,
  data: string,
  gone: GoneReason | null = null,
): string {
  return jsonOf<Written<typeof JobItem>>(
    {
      ...itemMembers(item),
      scrape: JSON_TEXT,
      gone,
      scraper_data: JSON_TEXT,
    },
    { scrape, scraper_data: data },
  );
}
