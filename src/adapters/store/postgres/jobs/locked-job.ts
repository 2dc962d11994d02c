import {
  type ItemFacts,
  type JobEventType,
  type LastError,
  type StoredError,
  webhookEventOf,
} from '../../../../domain/jobs.ts';
import type { NewWebhook, WebhookSource } from '../../../../domain/webhooks.ts';

/** A row of `jobs`, without what only its creator sets. */
export interface LockedRow {
  id: Buffer;
  user_id: Buffer;
  key_id: string | null;
  kind: string;
  state: string;
  per_host: number;
  delay_ms: number;
  kept_ms: number;
  max_visits: number | null;
  queued: number;
  running: number;
  ok: number;
  failed: number;
  skipped: number;
  duplicates: number;
  unlisted: number;
  visits: number;
  /** JSON object: number of scrapes by outcome. */
  outcomes: string;
  cost: number;
  error: string | null;
  /** JSON text of `LastError`. */
  last_error: string | null;
  started_at: number | null;
  ended_at: number | null;
  expires_at: number | null;
  pause_reason: string | null;
  pause_since: number | null;
  resumes_at: number | null;
  last_item: number;
  last_n: number;
  last_event: number;
  /** 1: people are told of its end. */
  tells: number;
}

/** A row of `job_hosts`. */
export interface LockedHost {
  readonly host: string;
  queued: number;
  running: number;
  ready_at: number;
  delay_ms: number;
  pages: number;
}

/** What becomes of an item that exists: all its columns that may change. */
export interface ItemChange {
  readonly item: number;
  readonly state: string;
  readonly n: number | null;
  readonly tries: number;
  readonly run_at: number;
  readonly outcome: string | null;
  /** JSON text. */
  readonly error: string | null;
  readonly scrape_id: Uint8Array | null;
  readonly ended_at: number | null;
  /** Absent or null: they stay. */
  readonly facts?: ItemFacts | null;
}

/** A row of `job_items` to be inserted. Bytes in hexadecimal. */
export interface AddedItem {
  readonly item: number;
  readonly n: number | null;
  readonly ref: string | null;
  readonly url: string;
  readonly host: string;
  readonly fingerprint: string | null;
  readonly depth: number;
  readonly parent: number | null;
  readonly request: string | null;
  readonly repeatable: number;
  readonly state: string;
  readonly error: string | null;
  readonly ended_at: number | null;
}

export interface AddedEvent {
  readonly sequence: number;
  readonly at: number;
  readonly type: JobEventType;
  readonly item: number | null;
  /** Type of the message to the webhook; null: it does not get this event. */
  readonly message: string | null;
  /** What is sent of the item; null: nothing is stored. */
  readonly content: Uint8Array | null;
}

/** Pages of a host on which a block was found in this transaction. */
interface JobBlockCount {
  readonly host: string;
  readonly block: number;
  pages: number;
  lastPage: number;
}

/** The webhook of a job. */
export interface JobWebhook {
  readonly source: WebhookSource;
  readonly receiver: string;
  readonly events: NewWebhook['events'];
}

export const OPEN: readonly string[] = ['queued', 'running', 'paused'];

/**
 * A job whose row is locked: until the end of the transaction, nobody else changes the job, its items, hosts, counters and
 * events. Changes are made here first, and `writeJobs` stores those of all jobs with a few statements.
 */
export class LockedJob {
  readonly row: LockedRow;
  readonly webhook: JobWebhook | null;
  readonly stateBefore: string;
  readonly hosts = new Map<string, LockedHost>();
  readonly changes = new Map<number, ItemChange>();
  readonly added: AddedItem[] = [];
  readonly events: AddedEvent[] = [];
  /** Items by their fingerprints, as far as they were read. */
  readonly fingerprints = new Map<string, number>();
  /** Counters that were read, by their names in hexadecimal. */
  readonly counters = new Map<string, { count: number; isChanged: boolean }>();
  readonly blocks = new Map<string, JobBlockCount>();
  /** Hosts whose rare blocks are to be forgotten. */
  readonly forgetful = new Set<string>();
  /** When an item ended, which may have been the last; null: none did. */
  endedAt: number | null = null;

  constructor(row: LockedRow, webhook: JobWebhook | null) {
    this.row = row;
    this.webhook = webhook;
    this.stateBefore = row.state;
  }

  get isOpen(): boolean {
    return OPEN.includes(this.row.state);
  }

  addEvent(type: JobEventType, item: number | null, at: number, content: Uint8Array | null = null): void {
    const { webhook, row } = this;
    row.last_event++;
    const event = webhook === null ? null : webhookEventOf(webhook.source, type);
    const isWanted = event !== null && webhook!.events.includes(event);
    this.events.push({
      sequence: row.last_event,
      at,
      type,
      item,
      message: isWanted ? `${webhook!.source}.${event}` : null,
      content: isWanted ? content : null,
    });
  }

  /** An item that ran or waited ends. @returns its position in the order of ends */
  countEnd(from: 'running' | 'queued', state: 'ok' | 'failed' | 'skipped', now: number): number {
    const { row } = this;
    row[from]--;
    row[state]++;
    this.endedAt = now;
    return ++row.last_n;
  }

  /** An item that ran waits again. */
  countBack(): void {
    this.row.running--;
    this.row.queued++;
  }

  noteError(error: StoredError, item: number, url: string, at: number): void {
    const { code, message } = error;
    const lastError: LastError = { code, message, item, url, at };
    this.row.last_error = JSON.stringify(lastError);
  }

  setEnd(state: 'done' | 'failed' | 'cancelled', error: StoredError | string | null, now: number): void {
    const { row } = this;
    row.state = state;
    row.error = error === null || typeof error === 'string' ? error : JSON.stringify(error);
    row.ended_at = now;
    row.expires_at = now + row.kept_ms;
    this.setUnpaused();
    this.addEvent(state, null, now);
  }

  setUnpaused(): void {
    Object.assign(this.row, { pause_reason: null, pause_since: null, resumes_at: null });
  }
}
