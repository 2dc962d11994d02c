import { Type } from 'typebox';
import { systemClock } from '../../base/time.ts';
import { scraperNamed, vendorScraper } from '../../domain/scrapers.ts';
import { MODEL } from '../../domain/site-stats.ts';
import { PROXY_TYPES } from '../../domain/task.ts';
import { DAY_MS, USAGE_SPLITS, USAGE_STEPS, type UsageFilter } from '../../domain/usage.ts';
import { seesAllUsers } from '../../wire/record/record-query.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';

/** Steps of each window, the last of which is the present one. */
const WINDOWS = {
  '1h': { steps: 12, seconds: 300 },
  '6h': { steps: 72, seconds: 300 },
  '24h': { steps: 24, seconds: 3_600 },
  '7d': { steps: 168, seconds: 3_600 },
  '30d': { steps: 30, seconds: 86_400 },
  '90d': { steps: 90, seconds: 86_400 },
} as const;
type UsageWindow = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as readonly UsageWindow[];

/** Days of `from` that are whole in the counters of days. */
const MAX_AGE_DAYS = 189;
const MAX_STEPS = 300;

export const USAGE_BY = ['day', 'hour', ...USAGE_SPLITS] as const;
export type UsageBy = (typeof USAGE_BY)[number];

/** A number of whole steps. */
export interface UsageRange {
  /** Length of the steps, s. */
  readonly step: number;
  /** ms since the epoch. */
  readonly from: number;
  /** May be later than now, if the last step is running. */
  readonly to: number;
}

export interface UsageParameters {
  readonly range: UsageRange;
  readonly by: UsageBy;
  readonly filter: UsageFilter;
  readonly sort: 'cost' | 'scrapes';
  readonly limit: number;
}

const FILTER_PARAMETERS = {
  window: {
    description: 'The time until now. Not together with `from` and `to`.',
    schema: Type.Enum([...WINDOW_NAMES], { default: '30d' }),
  },
  from: {
    description: `Start, at most ${MAX_AGE_DAYS} days ago. Rounded down to a step.`,
    schema: Type.String({ format: 'date-time' }),
  },
  to: {
    description: 'End; by default now. Rounded up to a step.',
    schema: Type.String({ format: 'date-time' }),
  },
  by: {
    description:
      'How `items` are split. Days and hours are those of UTC; `hour` is for at most 7 days within the last two weeks.',
    schema: Type.Enum([...USAGE_BY], { default: 'day' }),
  },
  key_id: { description: 'Only scrapes with this API key.', schema: Type.String() },
  host: { description: 'Only scrapes of this host, without the port.', schema: Type.String() },
  scraper: {
    description:
      'Only attempts by this scraper (`model`: calls of the language model), and scrapes whose result is from it.',
    schema: Type.String(),
  },
  vendor: { description: 'Like `scraper`, by the name of the vendor.', schema: Type.String() },
  proxy_type: {
    description: 'Only attempts by this type of proxy, and scrapes whose result is from one.',
    schema: Type.Enum([...PROXY_TYPES]),
  },
  sort: {
    description: 'What the items with the most of it come first; days and hours are in their order.',
    schema: Type.Enum(['cost', 'scrapes'], { default: 'cost' }),
  },
  user_id: {
    description: 'Id of a user, or `all` (default). Only for sessions of administrators.',
    schema: Type.String(),
  },
};

function readParameters(query: QueryReader, viewer: Viewer): Omit<UsageParameters, 'limit'> {
  const range = readRange(query, systemClock.now());
  const by = query.oneOf('by', USAGE_BY) ?? 'day';
  if (by === 'hour' && range.step > 3_600)
    query.addProblem('by', 'can only be hour for at most 7 days within the last two weeks');
  const userId = query.text('user_id');
  const isAdmin = seesAllUsers(viewer);
  if (userId !== null && !isAdmin) query.addProblem('user_id', "is only for administrators' sessions");
  return {
    range,
    by,
    filter: {
      userId: !isAdmin ? viewer.userId : userId === 'all' ? null : userId,
      keyId: query.text('key_id'),
      host: readHost(query),
      scraper: readScraper(query),
      proxyType: query.oneOf('proxy_type', PROXY_TYPES),
    },
    sort: query.oneOf('sort', ['cost', 'scrapes']) ?? 'cost',
  };
}

function readRange(query: QueryReader, now: number): UsageRange {
  const window = query.oneOf('window', WINDOW_NAMES);
  const from = query.dateTime('from');
  const to = query.dateTime('to') ?? now;
  if (query.text('from') === null && query.text('to') === null)
    return lastSteps(WINDOWS[window ?? '30d'], now);
  const wrong = lastSteps(WINDOWS['30d'], now);
  if (query.text('window') !== null) query.addProblem('window', 'cannot be combined with from and to');
  else if (query.text('from') === null) query.addProblem('to', 'needs from');
  if (from === null) return wrong;
  if (from >= Math.min(to, now)) {
    query.addProblem('from', 'must be before to, and in the past');
    return wrong;
  }
  if (from < now - MAX_AGE_DAYS * DAY_MS) {
    query.addProblem('from', `must be within the last ${MAX_AGE_DAYS} days`);
    return wrong;
  }
  const end = Math.min(to, now);
  const { seconds } = USAGE_STEPS.find(
    ({ seconds, keptMs }) =>
      from - seconds * 1000 >= now - keptMs && end - from <= (MAX_STEPS - 1) * seconds * 1000,
  )!;
  const stepMs = seconds * 1000;
  return { step: seconds, from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(end / stepMs) * stepMs };
}

function lastSteps({ steps, seconds }: { steps: number; seconds: number }, now: number): UsageRange {
  const to = (Math.floor(now / (seconds * 1000)) + 1) * seconds * 1000;
  return { step: seconds, from: to - steps * seconds * 1000, to };
}

function readHost(query: QueryReader): string | null {
  const host = query.text('host');
  if (host === null) return null;
  const url = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}/`);
  return url === null || url.port !== ''
    ? query.addProblem('host', 'must be a host name or an address, without a port')
    : url.hostname;
}

function readScraper(query: QueryReader): string | null {
  const vendor = query.text('vendor');
  const scraper = query.text('scraper');
  if (vendor !== null && scraper !== null)
    return query.addProblem('vendor', 'cannot be combined with scraper');
  if (scraper === MODEL) return MODEL;
  if (vendor === null) return query.scraper('scraper');
  return scraperNamed(vendorScraper(vendor)) ?? query.addProblem('vendor', 'is not a name of a vendor');
}

/** The query of `GET /api/v1/usage/`. */
export const USAGE_QUERY = {
  parameters: {
    ...FILTER_PARAMETERS,
    limit: {
      description: 'Maximum number of items; what is left is `other`. Days and hours are never left out.',
      schema: Type.Integer({ minimum: 1, maximum: 1_000, default: 50 }),
    },
  },
  read: (query: QueryReader, viewer: Viewer): UsageParameters => ({
    ...readParameters(query, viewer),
    limit: query.integer('limit', 1, 1_000) ?? 50,
  }),
};

const FORMATS = ['csv', 'jsonl'] as const;
export type UsageFormat = (typeof FORMATS)[number];
/** More than a step has of hosts and keys. */
const EXPORTED = 100_000;

/** The query of `GET /api/v1/usage/export/`. */
export const USAGE_EXPORT_QUERY = {
  parameters: {
    format: {
      description: '`jsonl`: one JSON object per line.',
      schema: Type.Enum([...FORMATS], { default: 'csv' }),
    },
    ...FILTER_PARAMETERS,
  },
  read: (query: QueryReader, viewer: Viewer): UsageParameters & { readonly format: UsageFormat } => ({
    ...readParameters(query, viewer),
    limit: EXPORTED,
    format: query.oneOf('format', FORMATS) ?? 'csv',
  }),
};

/** The same time before a range, in the shortest steps that are kept; null: none are. */
export function rangeBefore({ from, to }: UsageRange, now: number): UsageRange | null {
  const before = { from: from - (to - from), to: from };
  const step = USAGE_STEPS.find(
    ({ seconds, keptMs }) =>
      before.from >= now - keptMs + seconds * 1000 &&
      before.from % (seconds * 1000) === 0 &&
      before.to % (seconds * 1000) === 0,
  );
  return step === undefined ? null : { ...before, step: step.seconds };
}
