import type { Notify } from './notifications.ts';
import type { VerdictKind } from './verdict.ts';
import type { NewWebhook, WebhookEvent, WebhookSource } from './webhooks.ts';

/**
 * A job: work that goes on after its request was answered (contract §13). It consists of items; each item is one scrape, or is
 * skipped. These are the values that the store, the engine and the API share.
 */

export const JOB_KINDS = ['scrape', 'batch', 'crawl'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** `failed`: no start URL was reached, or the job itself cannot go on. */
export const JOB_STATES = ['queued', 'running', 'paused', 'done', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** States in which a job has not ended. */
export const OPEN_STATES = ['queued', 'running', 'paused'] as const satisfies readonly JobState[];

/** `failed`: the scrape failed, was blocked, or its page was not accepted. */
export const ITEM_STATES = ['queued', 'running', 'ok', 'failed', 'skipped'] as const;
export type ItemState = (typeof ITEM_STATES)[number];
export type EndedItemState = Extract<ItemState, 'ok' | 'failed' | 'skipped'>;

/**
 * `asked`: by the user. `key`, `user`: the key was revoked or has expired, the user was disabled. `profile`: the profile of an item is
 * logged out, and the job waits for it.
 */
export const PAUSE_REASONS = ['asked', 'key', 'user', 'budget', 'storage', 'profile'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * Why an item that waits is not started. `retry`: its last try went wrong. `site_limit`: the limits of its
 * site allow no attempt. `pace`: the pause between two requests to its host.
 * `host_limit`: as many run on its host as may. `concurrency`: all places of the job, of the user or of the service are taken.
 * `max_cost`: what runs may use up the `max_cost` of the job. The others: the job is paused, for this reason (`paused`: asked).
 */
export const WAIT_REASONS = [
  'retry',
  'site_limit',
  'pace',
  'host_limit',
  'concurrency',
  'max_cost',
  'paused',
  'key',
  'user',
  'budget',
  'storage',
  'profile',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** What becomes of items whose profile is logged out: they fail, the job waits for the profile, or they run all the same. */
export const ON_LOGGED_OUT = ['stop', 'wait', 'continue'] as const;
export type OnLoggedOut = (typeof ON_LOGGED_OUT)[number];

export interface ItemWait {
  readonly reason: WaitReason;
  /** Not before this time (ms since the epoch); null: it is not known. */
  readonly until: number | null;
}

export const JOB_EVENTS = [
  'started',
  'page',
  'item_failed',
  'paused',
  'resumed',
  'done',
  'cancelled',
  'failed',
] as const;
export type JobEventType = (typeof JOB_EVENTS)[number];

/** How many items are in each state. Duplicates of URLs are no items. */
export type ItemCounts = Readonly<Record<ItemState, number>>;

/** An error as it is stored and reported: a code of the failure table, and a sentence. */
export interface StoredError {
  readonly code: string;
  readonly message: string;
}

/** The last try of a job that went wrong. */
export interface LastError extends StoredError {
  readonly item: number;
  readonly url: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** Times are ms since the epoch. */
export interface JobPause {
  readonly reason: PauseReason;
  readonly since: number;
  /** null: somebody must resume the job. */
  readonly resumesAt: number | null;
}

/** What is set when a job is created. */
export interface JobSettings {
  /** UUID version 7. Of the kind `scrape` it is also the id of the scrape. */
  readonly id: string;
  readonly userId: string;
  /** The key whose scopes, domains and budget hold for the items; null: the user's session. */
  readonly keyId: string | null;
  readonly kind: JobKind;
  readonly name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** JSON text, given back as it is; null: none. */
  readonly metadata: string | null;
  /** -10 to 10; a higher one goes first among the jobs of a user. */
  readonly priority: number;
  /** Items that may run at once; null: as many as the user's jobs may. */
  readonly concurrency: number | null;
  /** Items that may run at once on one host. */
  readonly perHost: number;
  /** Time between the starts of two items on one host, ms. */
  readonly delayMs: number;
  /** For all items together, in micro-units; null: no limit. */
  readonly maxCost: number | null;
  /** How often an item may be tried again. */
  readonly retries: number;
  /** Items that may be visited, skipped ones not counted; null: no limit. */
  readonly maxVisits: number | null;
  /** How long results are kept after the end, ms. */
  readonly keptMs: number;
  readonly createdAt: number;
  /** The request as JSON text, with secrets masked. */
  readonly request: string;
  /** What the engine needs to run the items. Only it knows the format. */
  readonly spec: Uint8Array;
  /** Whose run the job is; null: of no monitor. */
  readonly monitorId: string | null;
  /** The same of a schedule. */
  readonly scheduleId: string | null;
  /** Gets the events of the job; absent or null: nobody does. */
  readonly webhook?: NewWebhook | null;
  /** Who is told of its end; absent or null: nobody. */
  readonly notify?: Notify | null;
}

/** A job as stored. */
export interface JobRow extends Omit<JobSettings, 'webhook' | 'notify'> {
  readonly state: JobState;
  readonly pause: JobPause | null;
  readonly counts: ItemCounts;
  /** URLs that were found again, and are no items. */
  readonly duplicates: number;
  /** Skipped URLs beyond the limit of skipped items. They are no items. */
  readonly unlisted: number;
  /** Scrapes by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of all scrapes so far, in micro-units. */
  readonly cost: number;
  readonly error: StoredError | null;
  /** null: none did. It stays when the item succeeds later. */
  readonly lastError: LastError | null;
  /** URL of the first item; null: the job has not started. */
  readonly firstUrl: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** null: the job has not ended. */
  readonly expiresAt: number | null;
}

/** An item to be added to a job. */
export interface NewItem {
  /** The caller's name for it; null: none. */
  readonly ref: string | null;
  readonly url: string;
  readonly host: string;
  /** Items of a job with the same fingerprint are one (16 bytes); null: the item is never a duplicate. */
  readonly fingerprint: Uint8Array | null;
  /** Links between a start URL and this one. */
  readonly depth: number;
  /** Number of the item on whose page the URL was found; null: none. */
  readonly parent: number | null;
  /** The request of this item, in the engine's format; null: it follows from the job. */
  readonly request: Uint8Array | null;
  /** Whether the request may be sent again after the process died. */
  readonly repeatable: boolean;
  /** Why the URL is not visited; null: it is. */
  readonly skipped: StoredError | null;
  /** The item is skipped if the job has visited many URLs of the same form; null: it has no form that may be endless. */
  readonly form: UrlForm | null;
}

/** The form that many URLs of a site have in common, such as `/item/#`. */
export interface UrlForm {
  readonly text: string;
  /** URLs of this form that a job visits. */
  readonly limit: number;
}

/** What the end of an item says about a visited page of a crawl. */
export interface VisitedPage {
  /**
   * The URL that the page was redirected to, as an item that is skipped. If it is an item already, the redirected item is
   * skipped with the same error, and nothing found on it is added. null: there was no redirect.
   */
  readonly redirected: NewItem | null;
  /** 16 bytes that pages of a host with the same content have in common; null: it shows nothing. */
  readonly content: Uint8Array | null;
  /** The blocks of text on the page, if the crawl leaves out what stands on most pages; null: it does not. */
  readonly blocks: readonly number[] | null;
  /** Pause between two requests that the host asks for, ms. */
  readonly delayMs: number;
}

/** An item that somebody may run now. */
export interface ClaimedItem {
  readonly jobId: string;
  readonly item: number;
  /** Proves the claim. It is no longer valid when the item was claimed again. */
  readonly lease: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly request: Uint8Array | null;
  /** Tries so far, this one included. */
  readonly tries: number;
  /** Id of the record whose page is read again instead of being fetched; null: none. */
  readonly reads: string | null;
}

/** What lists of items show of the last scrape. */
export interface ItemFacts {
  readonly statusCode: number | null;
  readonly verdict: VerdictKind | null;
  readonly title: string | null;
  /** Length of the content. */
  readonly bytes: number | null;
}

/** An item as lists show it. */
export interface ItemRow extends ItemFacts {
  readonly item: number;
  /** Position in the order of ends, from 1; null: the item has not ended. */
  readonly n: number | null;
  readonly ref: string | null;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly parent: number | null;
  readonly state: ItemState;
  readonly tries: number;
  /** Of an item that waits: not started before (ms since the epoch); 0: whenever there is a place. */
  readonly runAt: number;
  readonly outcome: string | null;
  readonly error: StoredError | null;
  /** Id of the last scrape; null: there is none. */
  readonly scrapeId: string | null;
  readonly endedAt: number | null;
}

/**
 * A folder of the URLs of a job: the text of a URL without scheme, query and fragment, up to a slash, such as
 * `example.com/docs/`. The empty text is the folder of all hosts.
 */
export interface ItemFolder {
  readonly folder: string;
  /** Of all items in the folder and below it. */
  readonly counts: ItemCounts;
}

/** Something that happened to a job. */
export interface JobEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly at: number;
  readonly type: JobEventType;
  /** null: the event is about the whole job. */
  readonly item: number | null;
}

/** The event of a webhook that an event of a job is; null: none. An asynchronous scrape ends with its only item. */
export function webhookEventOf(source: WebhookSource, type: JobEventType): WebhookEvent | null {
  if (type === 'paused' || type === 'resumed') return null;
  if (source !== 'scrape') return type;
  if (type === 'page') return 'done';
  if (type === 'item_failed') return 'failed';
  return type === 'done' ? null : type;
}
