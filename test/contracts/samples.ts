import { uuidText } from '../../src/base/uuid7.ts';
import type { KeyRow, SessionRow, UserRow } from '../../src/domain/account.ts';
import type { ClaimedItem, JobSettings, NewItem } from '../../src/domain/jobs.ts';
import { ANY_RECORD, type NewRecord, type RecordFilter } from '../../src/domain/record.ts';
import type { ItemEnd } from '../../src/ports/jobs.ts';

/** Users of the suites. */
export const ANNA = '01890000-0000-7000-8000-00000000000a';
export const BERT = '01890000-0000-7000-8000-00000000000b';
/** A time in the past that the samples begin at. */
export const T0 = Date.UTC(2026, 0, 2, 3, 4, 5);

/** An id as made at `ms`; `n` tells those of one millisecond apart, in order. */
export function idAt(ms: number, n = 0): string {
  const id = Buffer.alloc(16);
  id.writeUIntBE(ms, 0, 6);
  id.writeUInt16BE(0x7000 | (n >>> 16), 6);
  id[8] = 0x80;
  id.writeUInt16BE(n & 0xffff, 14);
  return uuidText(id);
}

/** A plain record made at `T0 + offset` ms. */
export function record(offset: number, change: Partial<NewRecord> = {}): NewRecord {
  return {
    id: idAt(T0 + offset),
    userId: ANNA,
    keyId: 'key1',
    createdAt: T0 + offset,
    url: `https://example.com/page/${offset}`,
    host: 'example.com',
    method: 'GET',
    requestedScraper: 'auto',
    scraper: 'http',
    proxyType: 'datacenter',
    httpStatus: 200,
    statusCode: 200,
    outcome: 'ok',
    errorCode: null,
    durationMs: 12,
    contentBytes: 5,
    requestCost: null,
    tags: {},
    hasScreenshot: false,
    requestJson: '{"url":"https://example.com/"}',
    answerJson: '{"headers":{}}',
    contentEncoding: 'utf-8',
    content: Buffer.from('hello'),
    contentInBlob: false,
    pictures: [],
    files: [],
    ...change,
  };
}

/** A filter that lets everything of a user through, with these changes. */
export function filter(change: Partial<RecordFilter> = {}): RecordFilter {
  return { ...ANY_RECORD, userId: ANNA, ...change };
}

/** A batch of ANNA, made at `T0`; `n` tells jobs apart. */
export function job(n: number, change: Partial<JobSettings> = {}): JobSettings {
  return {
    id: idAt(T0 + n),
    userId: ANNA,
    keyId: 'key-1',
    kind: 'batch',
    name: null,
    tags: {},
    metadata: null,
    priority: 0,
    concurrency: null,
    perHost: 10,
    delayMs: 0,
    maxCost: null,
    retries: 2,
    maxVisits: null,
    keptMs: 1_000,
    createdAt: T0,
    request: '{}',
    spec: new Uint8Array([1, 2]),
    monitorId: null,
    scheduleId: null,
    ...change,
  };
}

/** A URL to fetch, as a job takes it in. */
export function item(url: string, change: Partial<NewItem> = {}): NewItem {
  return {
    ref: null,
    url,
    host: new URL(url).host,
    fingerprint: null,
    depth: 0,
    parent: null,
    request: null,
    repeatable: true,
    skipped: null,
    form: null,
    ...change,
  };
}

/** The end of a claimed item: done, with nothing found. */
export function ended({ jobId, item: number, lease }: ClaimedItem, change: Partial<ItemEnd> = {}): ItemEnd {
  return {
    jobId,
    item: number,
    lease,
    state: 'ok',
    retryAt: 0,
    outcome: 'ok',
    error: null,
    facts: null,
    cost: 0,
    record: null,
    webhookContent: null,
    found: [],
    unlisted: 0,
    page: null,
    now: T0,
    ...change,
  };
}

export function user(change: Partial<UserRow> = {}): UserRow {
  return {
    id: ANNA,
    email: 'anna@example.com',
    role: 'admin',
    passwordHash: null,
    concurrency: null,
    disabledAt: null,
    createdAt: T0,
    limits: {},
    lastSeenAt: null,
    ...change,
  };
}

export function session(change: Partial<SessionRow> = {}): SessionRow {
  return {
    id: idAt(T0),
    userId: ANNA,
    hash: new Uint8Array(32).fill(1),
    createdAt: T0,
    lastSeenAt: T0,
    ip: '192.0.2.1',
    userAgent: 'A browser',
    ...change,
  };
}

export function key(change: Partial<KeyRow> = {}): KeyRow {
  return {
    id: 'key1',
    userId: ANNA,
    name: 'laptop',
    hash: Uint8Array.from({ length: 32 }, (_, i) => i),
    prefix: 'slc_live_key1',
    last4: 'wxyz',
    createdAt: T0,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    scopes: ['scrape', 'read'],
    domains: [],
    ips: [],
    dailyBudget: null,
    concurrency: null,
    ...change,
  };
}
