import { type Static, Type } from 'typebox';
import { microToCurrency } from '../base/numbers.ts';
import { closed, optional, orNull, textOrNull } from '../domain/json-schema.ts';
import {
  CHANGE_STATES,
  MONITOR_KINDS,
  type MonitorRow,
  type MonitorRunRow,
  PAGE_STATES,
  type Schedule,
} from '../domain/monitors.ts';
import { NOTIFY_EVENTS, type Notify } from '../domain/notifications.ts';
import type { LastMonitorRun } from '../domain/run-lists.ts';
import type { WebhookMembers } from '../domain/webhooks.ts';
import type { Written } from './answer/json-members.ts';
import { CHANGE, changeMembers } from './change.ts';
import { CompareMembers } from './compare-options.ts';
import { formatDateTime } from './date-time.ts';
import { MonitorBatch } from './jobs/batch-request.ts';
import { MonitorCrawl } from './jobs/crawl-request.ts';
import { NOTIFY_MEMBERS } from './notifications/notify-members.ts';
import { addProblem, type Problems } from './schema/problems.ts';
import { WebhookSchema } from './webhooks/webhook-schema.ts';

const Time = Type.String({ format: 'date-time' });
const NullableTime = orNull(Time);

export const ScheduleMembers = closed(
  optional({
    cron: Type.String({ maxLength: 200, description: 'Five fields, such as `0 8 * * 1-5`.' }),
    timezone: Type.String({
      maxLength: 100,
      default: 'UTC',
      description: 'Time zone of `cron`, such as Europe/Berlin.',
    }),
    every_s: Type.Integer({
      minimum: 60,
      maximum: 31_536_000,
      description: 'Instead of `cron`: seconds between runs.',
    }),
  }),
  { title: 'Schedule', description: 'Either `cron` or `every_s`.' },
);

/** `jitter_s` of what runs on a schedule. */
export const JitterMember = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  default: 0,
  description: 'Spreads the runs of those with the same schedule over this time.',
});

const AnyObject = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description });

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  request: Type.Optional(AnyObject('A scrape request.')),
  crawl: Type.Optional(MonitorCrawl),
  batch: Type.Optional(MonitorBatch),
  schedule: ScheduleMembers,
  ...optional({
    jitter_s: JitterMember,
    compare: CompareMembers,
    webhook: WebhookSchema,
    keep: Type.Integer({
      minimum: 2,
      maximum: 1_000,
      default: 30,
      description:
        'The newest runs that are kept, as many that found a change, and as many that were errors.',
    }),
  }),
  ...NOTIFY_MEMBERS,
};

export const MonitorRequest = closed(
  {
    ...MEMBERS,
    first_run: Type.Optional(
      Type.Enum(['now', 'scheduled'], {
        default: 'now',
        description: 'When the first run begins, with which later ones are compared.',
      }),
    ),
  },
  { title: 'MonitorRequest' },
);
export const MonitorPreviewRequest = closed(
  optional({
    request: MEMBERS.request,
    crawl: MEMBERS.crawl,
    batch: MEMBERS.batch,
    compare: CompareMembers,
  }),
  {
    title: 'MonitorPreviewRequest',
    description:
      'One of `request`, `crawl` and `batch`, as of a monitor. Of a crawl the first start URL is scraped, of a batch the first request.',
  },
);

export const MonitorChangeRequest = closed(
  {
    ...MEMBERS,
    name: Type.Optional(MEMBERS.name),
    schedule: Type.Optional(MEMBERS.schedule),
    webhook: Type.Optional(orNull(WebhookSchema, { description: 'null: nothing is sent any more.' })),
  },
  {
    title: 'MonitorChange',
    description:
      'With `compare`, `request`, `crawl` or `batch`, the next run is the first again, and a run under way ends without a result.',
  },
);

export function readSchedule(
  { cron, timezone, every_s: everyS }: Static<typeof ScheduleMembers>,
  problems: Problems,
): Schedule {
  if ((cron === undefined) === (everyS === undefined))
    addProblem(problems, '/schedule', 'must have either `cron` or `every_s`');
  if (everyS !== undefined && timezone !== undefined)
    addProblem(problems, '/schedule/timezone', 'is only for `cron`');
  return everyS === undefined ? { cron: cron ?? '', timezone: timezone ?? 'UTC' } : { everyS };
}

export const scheduleMembers = (schedule: Schedule): Static<typeof ScheduleMembers> =>
  'everyS' in schedule ? { every_s: schedule.everyS } : schedule;

export const MonitorObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    user_id: Type.String({ format: 'uuid', description: 'The owner.' }),
    state: Type.Enum(['active', 'paused']),
    pause_reason: orNull(Type.Enum(['asked', 'key', 'user'])),
    kind: Type.Enum([...MONITOR_KINDS]),
    request: AnyObject('The request, with secrets masked; of a batch with `urls` instead of `requests`.'),
    schedule: ScheduleMembers,
    jitter_s: Type.Integer(),
    compare: CompareMembers,
    keep: Type.Integer(),
    webhook: orNull(WebhookSchema, { description: 'With masked headers. null: nothing is sent.' }),
    channels: Type.Array(Type.String({ format: 'uuid' })),
    notify_on: Type.Array(Type.Enum([...NOTIFY_EVENTS])),
    next_run_at: NullableTime,
    created_at: Time,
    changed_at: orNull(Time, { description: 'The last run that found a change.' }),
    last_run: orNull(
      closed(
        {
          n: Type.Integer(),
          ended_at: NullableTime,
          cost: orNull(Type.Number(), {
            description: 'null: no prices are configured, or its records are deleted.',
          }),
        },
        { title: 'MonitorLastRun' },
      ),
      { description: 'The last that has ended. null: none yet.' },
    ),
    runs: Type.Integer({ description: 'Runs so far, skipped ones included.' }),
    errors_in_a_row: Type.Integer(),
  },
  { title: 'Monitor' },
);

export const MonitorList = closed(
  { items: Type.Array(MonitorObject), next_cursor: orNull(Type.String()) },
  { title: 'MonitorList' },
);

const ChangeObject = closed(
  {
    state: Type.Enum([...CHANGE_STATES]),
    ...CHANGE,
    pages: Type.Array(
      closed({
        url: Type.String(),
        scrape_id: orNull(Type.String()),
        state: Type.Enum([...PAGE_STATES]),
        ...CHANGE,
      }),
      {
        description:
          'Of a crawl or a batch: those that are not the same, at most 1,000. Differences beyond 1,000,000 characters in all are left out.',
      },
    ),
    counts: orNull(
      closed(
        {
          new: Type.Integer(),
          changed: Type.Integer(),
          gone: Type.Integer(),
          same: Type.Integer(),
          error: Type.Integer(),
        },
        { title: 'PageCounts' },
      ),
      { description: 'Of a crawl or a batch: all pages by state.' },
    ),
    incomplete: textOrNull(
      'Of a crawl or a batch: why it did not see all pages, such as `skip.limit`. Then no page is `gone` because it was not found.',
    ),
  },
  { title: 'Change' },
);

export const MonitorRunObject = closed(
  {
    n: Type.Integer(),
    state: Type.Enum(['running', 'ended', 'skipped']),
    due_at: Time,
    started_at: NullableTime,
    ended_at: NullableTime,
    job_id: orNull(Type.String()),
    scrape_id: orNull(Type.String()),
    change: orNull(ChangeObject, { description: 'null: the run has not ended, or was skipped.' }),
  },
  { title: 'MonitorRun' },
);

export const MonitorRunList = closed(
  { items: Type.Array(MonitorRunObject), next_cursor: orNull(Type.String()) },
  { title: 'MonitorRunList' },
);

export const NoiseList = closed(
  {
    items: Type.Array(
      closed({
        ignore: Type.String({ description: 'An entry for `compare.ignore`.' }),
        runs: Type.Integer({ description: 'Comparisons in which it would have hidden a change.' }),
        of: Type.Integer({ description: 'Comparisons.' }),
        examples: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'NoiseList' },
);

/** Who is told of what a monitor finds, and what its last run cost. */
interface MonitorFacts {
  /** With masked headers; null: none. */
  readonly webhook: WebhookMembers | null;
  /** null: nobody. */
  readonly notify: Notify | null;
  readonly lastRun: LastMonitorRun | null;
  /** Whether prices are configured. */
  readonly costs: boolean;
}

export function monitorObject(
  row: MonitorRow,
  { webhook, notify, lastRun, costs }: MonitorFacts,
): Written<typeof MonitorObject> {
  const { schedule, compare } = row;
  return {
    id: row.id,
    name: row.name,
    user_id: row.userId,
    state: row.state,
    pause_reason: row.pauseReason,
    kind: row.kind,
    request: JSON.parse(row.request),
    schedule: scheduleMembers(schedule),
    jitter_s: row.jitterS,
    compare: {
      format: compare.format,
      selector: compare.selector,
      ignore: [...compare.ignore],
      min_change: compare.minChange,
    },
    keep: row.keep,
    webhook,
    channels: [...(notify?.channels ?? [])],
    notify_on: [...(notify?.events ?? [])],
    next_run_at: row.state === 'active' && row.nextAt !== null ? formatDateTime(row.nextAt) : null,
    created_at: formatDateTime(row.createdAt),
    changed_at: timeOrNull(row.changedAt),
    last_run: lastRun && {
      n: lastRun.n,
      ended_at: timeOrNull(lastRun.endedAt),
      cost: costs && lastRun.cost !== null ? microToCurrency(lastRun.cost) : null,
    },
    runs: row.lastN,
    errors_in_a_row: row.errors,
  };
}

export function runObject(run: MonitorRunRow): Written<typeof MonitorRunObject> {
  const { result } = run;
  return {
    n: run.n,
    state: run.state,
    due_at: formatDateTime(run.dueAt),
    started_at: timeOrNull(run.startedAt),
    ended_at: timeOrNull(run.endedAt),
    job_id: run.jobId,
    scrape_id: run.scrapeId,
    change: result && {
      state: result.state,
      ...changeMembers(result),
      pages: result.pages.map((page) => ({
        url: page.url,
        scrape_id: page.scrapeId,
        state: page.state,
        ...changeMembers(page),
      })),
      // Results of earlier versions have none.
      counts: result.counts ?? null,
      incomplete: result.incomplete ?? null,
    },
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatDateTime(ms));
