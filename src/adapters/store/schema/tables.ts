import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Generated, Kysely, Selectable } from 'kysely';
import type { KeyRow, UserRow } from '../../../domain/account.ts';
import type { ItemCounts, ItemRow, JobRow } from '../../../domain/jobs.ts';
import type { MonitorRow, MonitorRunRow } from '../../../domain/monitors.ts';
import type { DeliveryRow } from '../../../domain/webhooks.ts';
import type { AlertTables } from './alert-tables.ts';
import { columnsFor, type TableOf } from './columns.ts';
import type { DatasetTables } from './dataset-tables.ts';
import type { ExportTables } from './export-tables.ts';
import type { NotificationTables } from './notification-tables.ts';
import type { ProfileTables } from './profile-tables.ts';
import type { RecordTable } from './record-columns.ts';
import type { ScheduleTables } from './schedule-tables.ts';
import type {
  AuditTable,
  IdentityTable,
  SecondFactorTable,
  SessionTable,
  SetUpLinkTable,
} from './sign-in-tables.ts';

export { idBytes, idOrNull } from './columns.ts';

/** The tables, for Kysely. Ids of records and users are the 16 bytes of the UUID. */
export interface Tables
  extends AlertTables,
    NotificationTables,
    DatasetTables,
    ExportTables,
    ScheduleTables,
    ProfileTables {
  records: RecordTable;
  record_jobs: { job_id: Uint8Array; id: Uint8Array };
  record_bodies: BodyTable;
  shared_contents: { number: number; content: Uint8Array; content_codec: number };
  users: UserTable;
  api_keys: KeyTable;
  sessions: SessionTable;
  set_up_links: SetUpLinkTable;
  audit_events: AuditTable;
  second_factors: SecondFactorTable;
  user_identities: IdentityTable;
  recovery_codes: { user_id: Uint8Array; hash: Uint8Array };
  key_usage: UsageTable;
  stat_counts: StatTable;
  site_counts: SiteCountTable;
  site_costs: SiteCostTable;
  usage_counts: UsageCountTable;
  experience: { kind: string; name: string; at: number; data: string };
  saved_requests: { id: Uint8Array; user_id: Uint8Array; name: string; request: string; updated_at: number };
  templates: { user_id: Uint8Array; name: string; rules: string; version: number; updated_at: number };
  meta: { name: string; value: number };
  settings: { kind: string; name: string; sealed: Uint8Array; version: number };
  samples: { step: number; at: number; kind: string; name: string; replica: string; data: string };
  jobs: JobTable;
  job_items: ItemTable;
  job_folders: {
    job_id: Uint8Array;
    parent: string;
    name: string;
    open: number;
    ok: number;
    failed: number;
    skipped: number;
  };
  job_hosts: {
    job_id: Uint8Array;
    host: string;
    queued: number;
    running: number;
    ready_at: number;
    delay_ms: number;
    pages: number;
  };
  job_blocks: { job_id: Uint8Array; host: string; block: number; pages: number };
  webhooks: WebhookTable;
  webhook_deliveries: StoredDelivery;
  webhook_contents: { number: number; sealed: Uint8Array };
  webhook_users: WebhookUserTable;
  monitors: MonitorTable;
  monitor_runs: MonitorRunTable;
  monitor_pages: MonitorPageTable;
  job_events: { job_id: Uint8Array; sequence: number; at: number; type: string; item: number | null };
}

/** Only compiles queries, see `createCompiler`. */
export type Db = Kysely<Tables>;

/** Text or bytes, compressed if the codec column is `CODEC_ZSTD`. */
type PackedValue = string | Uint8Array | null;

export interface BodyTable {
  /** Only in SQLite. */
  seq: Generated<number>;
  /** Of the record. Only in PostgreSQL. */
  id: Generated<Uint8Array>;
  request: PackedValue;
  request_codec: number;
  answer: PackedValue;
  answer_codec: number;
  content: Uint8Array | null;
  content_codec: number;
  /** `shared_contents.number`; null: the content is here, or there is none. */
  shared: number | null;
}

const user = columnsFor<UserRow>();
export const USER_COLUMNS = {
  id: user.id('id'),
  email: user.plain('email'),
  role: user.plain('role'),
  password_hash: user.plain('passwordHash'),
  concurrency: user.plain('concurrency'),
  /** JSON object of the limits that differ from the defaults. */
  limits: user.json('limits'),
  disabled_at: user.plain('disabledAt'),
  created_at: user.plain('createdAt'),
  last_seen_at: user.plain('lastSeenAt'),
};
export type UserTable = TableOf<typeof USER_COLUMNS> & {
  /** The e-mail address in NFC and lower case, which must be unique. */
  email_key: string;
};

const key = columnsFor<KeyRow>();
/** All but those of the daily budget. */
export const KEY_COLUMNS = {
  id: key.plain('id'),
  user_id: key.id('userId'),
  name: key.plain('name'),
  hash: key.bytes('hash'),
  prefix: key.plain('prefix'),
  last4: key.plain('last4'),
  created_at: key.plain('createdAt'),
  last_used_at: key.plain('lastUsedAt'),
  expires_at: key.plain('expiresAt'),
  revoked_at: key.plain('revokedAt'),
  scopes: key.json('scopes'),
  domains: key.json('domains'),
  ips: key.json('ips'),
  concurrency: key.plain('concurrency'),
};
export type KeyTable = TableOf<typeof KEY_COLUMNS> & {
  daily_amount: number | null;
  daily_unit: string | null;
};

export interface UsageTable {
  key_id: string;
  day: string;
  scrapes: number;
  cost: number;
}

interface StatTable {
  /** The nil UUID: all users together. */
  user_id: Uint8Array;
  /** Length of the time step, in seconds. */
  step: number;
  /** Begin of the time step, ms since the epoch. */
  at: number;
  kind: string;
  name: string;
  count: number;
}

/** The scrapes of a user at a host in a month. Further columns: `latency_0` …, the number of scrapes by bucket. */
interface SiteCountTable {
  user_id: Uint8Array;
  /** Start of the month, ms since the epoch. */
  month: number;
  host: string;
  scrapes: number;
  ok: number;
  last_at: number;
}

/** The attempts of a user at a host by one route in a month. */
interface SiteCostTable {
  user_id: Uint8Array;
  month: number;
  host: string;
  scraper: string;
  proxy_type: string;
  /** The currency of `cost`. */
  unit: string;
  attempts: number;
  ok: number;
  unpriced: number;
  /** Micro-units. */
  cost: number;
}

/** Scrapes of a step, and their attempts. '' as a name: none. */
interface UsageCountTable {
  user_id: Uint8Array;
  /** Length of the time step, in seconds. */
  step: number;
  /** Begin of the time step, ms since the epoch. */
  at: number;
  key_id: string;
  host: string;
  scraper: string;
  proxy_type: string;
  outcome: string;
  /** The currency of `cost`. */
  unit: string;
  scrapes: number;
  bytes: number;
  attempts: number;
  traffic: number;
  unpriced: number;
  /** Micro-units. */
  cost: number;
}

const job = columnsFor<JobRow>();
/** What the creator of a job sets. Times are ms since the epoch, costs micro-units. */
export const JOB_SETTINGS = {
  id: job.id('id'),
  user_id: job.id('userId'),
  key_id: job.plain('keyId'),
  kind: job.plain('kind'),
  name: job.plain('name'),
  tags: job.json('tags'),
  metadata: job.plain('metadata'),
  priority: job.plain('priority'),
  concurrency: job.plain('concurrency'),
  per_host: job.plain('perHost'),
  delay_ms: job.plain('delayMs'),
  max_cost: job.plain('maxCost'),
  retries: job.plain('retries'),
  max_visits: job.plain('maxVisits'),
  kept_ms: job.plain('keptMs'),
  created_at: job.plain('createdAt'),
  request: job.plain('request'),
  spec: job.plain('spec'),
  monitor_id: job.optionalId('monitorId'),
  schedule_id: job.optionalId('scheduleId'),
};
/** How far a job is; and the columns of `JobCounts`. */
export const JOB_PROGRESS = {
  state: job.plain('state'),
  duplicates: job.plain('duplicates'),
  unlisted: job.plain('unlisted'),
  /** Number of scrapes by outcome. */
  outcomes: job.json('outcomes'),
  cost: job.plain('cost'),
  error: job.json('error'),
  last_error: job.json('lastError'),
  first_url: job.plain('firstUrl'),
  started_at: job.plain('startedAt'),
  ended_at: job.plain('endedAt'),
  expires_at: job.plain('expiresAt'),
};
type JobTable = TableOf<typeof JOB_SETTINGS> &
  GeneratedColumns<TableOf<typeof JOB_PROGRESS> & JobCounts & { search: string | null }>;

/** The counts of the items of a job, and since when it is paused. */
interface JobCounts extends ItemCounts {
  pause_reason: string | null;
  pause_since: number | null;
  resumes_at: number | null;
  /** 1: the records of the items are deleted. */
  results_deleted: number;
}

/** Columns that have a default. */
type GeneratedColumns<T> = { [K in keyof T]: Generated<T[K]> };

export type SelectedJob = Selectable<JobTable>;

const item = columnsFor<ItemRow>();
/** What lists of items show. */
export const ITEM_COLUMNS = {
  item: item.plain('item'),
  n: item.plain('n'),
  ref: item.plain('ref'),
  url: item.plain('url'),
  host: item.plain('host'),
  depth: item.plain('depth'),
  parent: item.plain('parent'),
  state: item.plain('state'),
  tries: item.plain('tries'),
  run_at: item.plain('runAt'),
  outcome: item.plain('outcome'),
  error: item.json('error'),
  scrape_id: item.optionalId('scrapeId'),
  ended_at: item.plain('endedAt'),
  status_code: item.plain('statusCode'),
  verdict: item.plain('verdict'),
  title: item.plain('title'),
  bytes: item.plain('bytes'),
};
export type ListedItem = TableOf<typeof ITEM_COLUMNS>;
/** An item of a job, without the columns that only transactions use. */
type ItemTable = ListedItem & {
  job_id: Uint8Array;
  fingerprint: Uint8Array | null;
  request: Uint8Array | null;
  repeatable: number;
};

interface WebhookTable {
  source_id: Uint8Array;
  user_id: Uint8Array;
  source: string;
  receiver: string;
  /** JSON array of strings. */
  events: string;
  spec: Uint8Array;
  /** 1: the receiver wants no more. */
  gone: Generated<number>;
}

const delivery = columnsFor<DeliveryRow>();
/** The event of a delivery. Times are ms since the epoch. */
const DELIVERED_EVENT = {
  source_id: delivery.id('sourceId'),
  sequence: delivery.plain('sequence'),
  user_id: delivery.id('userId'),
  type: delivery.plain('type'),
  at: delivery.plain('at'),
  item: delivery.plain('item'),
  next_at: delivery.plain('nextAt'),
};
const DELIVERY_PROGRESS = {
  number: delivery.plain('number'),
  state: delivery.plain('state'),
  tries: delivery.plain('tries'),
  last_at: delivery.plain('lastAt'),
  status: delivery.plain('status'),
  error: delivery.plain('error'),
  duration_ms: delivery.plain('durationMs'),
  answer: delivery.plain('answer'),
};
type StoredDelivery = TableOf<typeof DELIVERED_EVENT> & {
  receiver: string;
  /** When the first of its tries was due. */
  queued_at: number;
} & GeneratedColumns<TableOf<typeof DELIVERY_PROGRESS> & { lease_until: number; carrier: number | null }>;

/** The columns of a delivery and those of its webhook. */
export const DELIVERY_COLUMNS = {
  ...DELIVERED_EVENT,
  ...DELIVERY_PROGRESS,
  source: delivery.plain('source'),
  spec: delivery.plain('spec'),
};
export type DeliveryTable = TableOf<typeof DELIVERY_COLUMNS>;

/** Secrets and default webhook of a user, encrypted. */
export interface WebhookUserTable {
  user_id: Uint8Array;
  secret: Uint8Array | null;
  previous: Uint8Array | null;
  previous_until: number | null;
  defaults: Uint8Array | null;
}

const monitor = columnsFor<MonitorRow>();
/** What the creator of a monitor sets. */
export const MONITOR_SETTINGS = {
  id: monitor.id('id'),
  user_id: monitor.id('userId'),
  key_id: monitor.plain('keyId'),
  name: monitor.plain('name'),
  kind: monitor.plain('kind'),
  request: monitor.plain('request'),
  spec: monitor.plain('spec'),
  schedule: monitor.json('schedule'),
  jitter_s: monitor.plain('jitterS'),
  compare: monitor.json('compare'),
  keep: monitor.plain('keep'),
  next_at: monitor.plain('nextAt'),
  created_at: monitor.plain('createdAt'),
};
export const MONITOR_COLUMNS = {
  ...MONITOR_SETTINGS,
  state: monitor.plain('state'),
  pause_reason: monitor.plain('pauseReason'),
  last_n: monitor.plain('lastN'),
  errors: monitor.plain('errors'),
  is_gone: monitor.flag('isGone'),
  changed_at: monitor.plain('changedAt'),
};
export type MonitorTable = TableOf<typeof MONITOR_COLUMNS>;

const run = columnsFor<MonitorRunRow>();
/** All but what was compared. */
export const MONITOR_RUN_COLUMNS = {
  monitor_id: run.id('monitorId'),
  n: run.plain('n'),
  state: run.plain('state'),
  due_at: run.plain('dueAt'),
  started_at: run.plain('startedAt'),
  ended_at: run.plain('endedAt'),
  job_id: run.optionalId('jobId'),
  scrape_id: run.optionalId('scrapeId'),
  change: run.json('result'),
};
export type MonitorRunTable = TableOf<typeof MONITOR_RUN_COLUMNS> & {
  snapshot: Uint8Array | null;
  snapshot_codec: number;
};

export interface MonitorPageTable {
  monitor_id: Uint8Array;
  url: string;
  n: number;
  scrape_id: Uint8Array;
  snapshot: Uint8Array;
  snapshot_codec: number;
}

/** The smallest UUID version 7 with this time (RFC 9562 §5.7): 48 bits of time, then zeros. */
export function firstIdAt(ms: number): Uint8Array {
  const id = new Uint8Array(16);
  const time = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1);
  new DataView(id.buffer).setUint32(0, Math.floor(time / 65_536));
  new DataView(id.buffer).setUint16(4, time % 65_536);
  return id;
}

/** Values of the codec columns. They are stored in databases and must never change. */
export const CODEC_PLAIN = 0;
export const CODEC_ZSTD = 1;

/** Shorter values (in bytes, or characters of text) are not worth compressing. */
const MIN_COMPRESSED_LENGTH = 4096;
const FAST_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const decompress = promisify(zstdDecompress);

/**
 * Compresses in the calling thread. Values that would not become smaller (images, archives) are returned as they are.
 * @returns the value to store, and its codec
 */
export function packValue<T extends string | Uint8Array>(value: T): readonly [T | Uint8Array, number] {
  if (value.length < MIN_COMPRESSED_LENGTH) return [value, CODEC_PLAIN];
  const packed = zstdCompressSync(value, FAST_OPTIONS);
  return packed.length < value.length ? [packed, CODEC_ZSTD] : [value, CODEC_PLAIN];
}

/** Decompresses in the thread pool; null stays null. Rejects if the bytes are damaged. */
export async function unpackBytes(value: Uint8Array | null, codec: number): Promise<Uint8Array | null> {
  return value === null || codec === CODEC_PLAIN ? value : decompressValue(value, codec);
}

/** Like `unpackBytes`, for text (UTF-8). */
export async function unpackText(value: string | Uint8Array | null, codec: number): Promise<string | null> {
  if (value === null || typeof value === 'string') return value;
  const bytes = codec === CODEC_PLAIN ? value : await decompressValue(value, codec);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function decompressValue(value: Uint8Array, codec: number): Promise<Buffer> {
  if (codec !== CODEC_ZSTD) return Promise.reject(new Error(`unknown codec ${codec}`));
  return decompress(value);
}
