import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Generated, Kysely, Selectable } from 'kysely';
import { uuidBytes } from '../../base/uuid7.ts';
import type { PictureType } from '../../domain/captures.ts';
import type { StoredFiles } from '../../domain/files.ts';
import type { StoredPicture, StoredPictures } from '../../domain/record.ts';
import type { AlertTables } from './alerts/alert-tables.ts';
import type {
  AuditTable,
  IdentityTable,
  SecondFactorTable,
  SessionTable,
  SetUpLinkTable,
} from './sign-in-tables.ts';

/** The tables, for Kysely. Ids of records and users are the 16 bytes of the UUID. */
export interface Tables extends AlertTables {
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
  job_hosts: { job_id: Uint8Array; host: string; pages: number };
  job_blocks: { job_id: Uint8Array; host: string; block: number; pages: number };
  webhooks: WebhookTable;
  webhook_deliveries: DeliveryColumns;
  webhook_contents: { number: number; sealed: Uint8Array };
  webhook_users: WebhookUserTable;
  monitors: MonitorTable;
  monitor_runs: MonitorRunTable;
  monitor_pages: MonitorPageTable;
  job_events: { job_id: Uint8Array; sequence: number; at: number; type: string; item: number | null };
}

/** Only compiles queries, see `createCompiler`. */
export type Db = Kysely<Tables>;

/** The columns that lists need. Large values are in `record_bodies`, so that about 20 rows fit on a database page. */
export interface RecordTable {
  id: Uint8Array;
  user_id: Uint8Array;
  key_id: string | null;
  created_at: number;
  url: string | null;
  host: string;
  method: string | null;
  requested_scraper: string | null;
  scraper: string | null;
  proxy_type: string | null;
  /** Status of the answer of Sluice; null: the caller got none. */
  http_status: number | null;
  /** Status of the target's response; null: no page was delivered. */
  status_code: number | null;
  outcome: string;
  error_code: string | null;
  duration_ms: number;
  content_bytes: number | null;
  request_cost: number | null;
  /** JSON object of strings; null: no tags. */
  tags: string | null;
  has_screenshot: number;
  content_encoding: string | null;
  /** 1: the content is in the BlobStore. 0: it is in `record_bodies.content`, or there is none. */
  content_in_blob: number;
  /** Types and lengths of the screenshots, as `encodePictures` writes them; null: none. */
  pictures: string | null;
  /** The files, as `encodeFiles` writes them; null: none. */
  files: string | null;
  /** `record_bodies.seq`; null: there are no large values. Only in SQLite. */
  body: Generated<number | null>;
  /** The job of the scrape; null: none. */
  job_id: Uint8Array | null;
}

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

export interface UserTable {
  id: Uint8Array;
  email: string;
  /** The e-mail address in NFC and lower case, which must be unique. */
  email_key: string;
  role: string;
  password_hash: string | null;
  concurrency: number | null;
  /** JSON object of the limits that differ from the defaults. */
  limits: string;
  disabled_at: number | null;
  created_at: number;
  last_seen_at: number | null;
}

export interface KeyTable {
  id: string;
  user_id: Uint8Array;
  name: string;
  hash: Uint8Array;
  prefix: string;
  last4: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** JSON arrays of strings. */
  scopes: string;
  domains: string;
  ips: string;
  daily_amount: number | null;
  daily_unit: string | null;
  concurrency: number | null;
}

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

/** A job with the counts of its items. Times are ms since the epoch, costs micro-units. */
export interface JobTable {
  id: Uint8Array;
  user_id: Uint8Array;
  key_id: string | null;
  kind: string;
  name: string | null;
  /** JSON object of strings. */
  tags: string;
  metadata: string | null;
  priority: number;
  concurrency: number | null;
  per_host: number;
  delay_ms: number;
  max_cost: number | null;
  retries: number;
  max_visits: number | null;
  kept_ms: number;
  created_at: number;
  request: string;
  spec: Uint8Array;
  state: string;
  pause_reason: Generated<string | null>;
  pause_since: Generated<number | null>;
  resumes_at: Generated<number | null>;
  queued: Generated<number>;
  running: Generated<number>;
  ok: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  duplicates: Generated<number>;
  unlisted: Generated<number>;
  /** JSON object: number of scrapes by outcome. */
  outcomes: Generated<string>;
  cost: Generated<number>;
  /** JSON of a StoredError. */
  error: Generated<string | null>;
  started_at: Generated<number | null>;
  ended_at: Generated<number | null>;
  expires_at: Generated<number | null>;
  /** 1: the records of the items are deleted. */
  results_deleted: Generated<number>;
}

export type SelectedJob = Selectable<JobTable>;

/** An item of a job, without the columns that only transactions use. */
export interface ItemTable {
  job_id: Uint8Array;
  item: number;
  n: number | null;
  ref: string | null;
  url: string;
  host: string;
  fingerprint: Uint8Array | null;
  request: Uint8Array | null;
  repeatable: number;
  depth: number;
  parent: number | null;
  state: string;
  tries: number;
  outcome: string | null;
  error: string | null;
  scrape_id: Uint8Array | null;
  ended_at: number | null;
}

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

/** Times are ms since the epoch. */
interface DeliveryColumns {
  number: Generated<number>;
  source_id: Uint8Array;
  sequence: number;
  user_id: Uint8Array;
  receiver: string;
  type: string;
  at: number;
  item: number | null;
  state: Generated<string>;
  /** When the first of its tries was due. */
  queued_at: number;
  next_at: number;
  tries: Generated<number>;
  lease_until: Generated<number>;
  last_at: Generated<number | null>;
  status: Generated<number | null>;
  error: Generated<string | null>;
  duration_ms: Generated<number | null>;
  answer: Generated<Uint8Array | null>;
}

/** A delivery with the columns of its webhook. */
export type DeliveryTable = Selectable<DeliveryColumns> & Pick<WebhookTable, 'source' | 'spec'>;

/** Secrets and default webhook of a user, encrypted. */
export interface WebhookUserTable {
  user_id: Uint8Array;
  secret: Uint8Array | null;
  previous: Uint8Array | null;
  previous_until: number | null;
  defaults: Uint8Array | null;
}

interface MonitorTable {
  id: Uint8Array;
  user_id: Uint8Array;
  key_id: string | null;
  name: string;
  kind: string;
  state: string;
  pause_reason: Generated<string | null>;
  request: string;
  spec: Uint8Array;
  /** JSON of a Schedule. */
  schedule: string;
  jitter_s: number;
  /** JSON of CompareOptions. */
  compare: string;
  keep: number;
  next_at: number | null;
  created_at: number;
  last_n: Generated<number>;
  errors: Generated<number>;
  is_gone: Generated<number>;
  changed_at: Generated<number | null>;
}

export type SelectedMonitor = Selectable<MonitorTable>;

export interface MonitorRunTable {
  monitor_id: Uint8Array;
  n: number;
  state: string;
  due_at: number;
  started_at: number | null;
  ended_at: number | null;
  job_id: Uint8Array | null;
  scrape_id: Uint8Array | null;
  /** JSON of a RunResult. */
  change: string | null;
  snapshot: Uint8Array | null;
  snapshot_codec: number;
}

export interface MonitorPageTable {
  monitor_id: Uint8Array;
  url: string;
  n: number;
  scrape_id: Uint8Array;
  snapshot: Uint8Array;
  snapshot_codec: number;
}

/**
 * The 16 bytes of a UUID; null: it is not one. In a buffer of their own, because `postMessage` of a view copies the whole
 * buffer behind it.
 */
export function idOrNull(text: string): Uint8Array | null {
  const bytes = uuidBytes(text);
  return bytes === null ? null : Uint8Array.from(bytes);
}

/** For ids that Sluice created. @throws TypeError if the text is not a UUID, which is a bug */
export function idBytes(text: string): Uint8Array {
  const bytes = idOrNull(text);
  if (bytes === null) throw new TypeError(`not a UUID: ${JSON.stringify(text.slice(0, 80))}`);
  return bytes;
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

/** The letters are stored in databases and must never change. */
const PICTURE_LETTERS: Readonly<Record<PictureType, string>> = {
  'image/png': 'p',
  'image/jpeg': 'j',
  'image/webp': 'w',
};
const PICTURE_TYPES = new Map(
  Object.entries(PICTURE_LETTERS).map(([type, letter]) => [letter, type as PictureType]),
);

/** The value of `records.pictures`: for each picture number the type letter and the size, such as `p1234,,j500`. */
export function encodePictures(pictures: StoredPictures): string | null {
  if (pictures.length === 0) return null;
  return pictures
    .map((picture) => (picture === null ? '' : `${PICTURE_LETTERS[picture.type]}${picture.bytes}`))
    .join(',');
}

export function decodePictures(text: string | null): StoredPictures {
  return text === null ? NO_PICTURES : text.split(',').map(decodePicture);
}

function decodePicture(text: string): StoredPicture | null {
  const type = PICTURE_TYPES.get(text.charAt(0));
  return type === undefined ? null : { type, bytes: Number(text.slice(1)) };
}

const NO_FILES: StoredFiles = Object.freeze([]);

/** The value of `records.files`: the array as JSON. */
export const encodeFiles = (files: StoredFiles): string | null =>
  files.length === 0 ? null : JSON.stringify(files);

export const decodeFiles = (text: string | null): StoredFiles =>
  text === null ? NO_FILES : JSON.parse(text);

const NO_PICTURES: StoredPictures = Object.freeze([]);
