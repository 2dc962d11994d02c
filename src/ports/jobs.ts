import type { ItemPage, ItemQuery, JobFilter, JobListPage, JobOrder } from '../domain/job-lists.ts';
import type {
  ClaimedItem,
  EndedItemState,
  ItemFacts,
  ItemFolder,
  ItemRow,
  ItemState,
  JobEvent,
  JobRow,
  JobSettings,
  NewItem,
  PauseReason,
  StoredError,
  VisitedPage,
} from '../domain/jobs.ts';
import type { NewRecord } from '../domain/record.ts';

/** Limits of a user, checked when items are added. */
export interface JobLimits {
  /** Jobs that have not ended. */
  readonly openJobs: number;
  /** Items of these jobs that wait. */
  readonly queuedItems: number;
}

/** A job with items that wait, for the decision whose items run next. */
export interface RunnableJob {
  readonly id: string;
  readonly userId: string;
  readonly priority: number;
  readonly concurrency: number | null;
  readonly queued: number;
  readonly running: number;
}

export interface ClaimRequest {
  readonly jobs: readonly { readonly id: string; readonly limit: number }[];
  readonly now: number;
  /** When the leases end. */
  readonly leaseUntil: number;
  /** Items that may run at once on one host, over all jobs. */
  readonly perHost: number;
}

export interface ClaimResult {
  readonly items: readonly ClaimedItem[];
  /**
   * For each job without a claimed item: when one may be ready (ms); null: when an item that runs now has ended, here or elsewhere.
   */
  readonly readyAt: ReadonlyMap<string, number | null>;
}

/** How the work on an item ended. All of it is stored, or nothing. */
export interface ItemEnd {
  readonly jobId: string;
  readonly item: number;
  readonly lease: number;
  /** `queued`: it is tried again. */
  readonly state: EndedItemState | 'queued';
  /** When a retry may start (ms). */
  readonly retryAt: number;
  /** Nothing was fetched, so that an item that is tried again has as many tries as before. Absent: the try counts. */
  readonly isUncounted?: boolean;
  /** Outcome of the scrape; null: there was none. */
  readonly outcome: string | null;
  readonly error: StoredError | null;
  /** Of the page; null: as they are. */
  readonly facts: ItemFacts | null;
  /** Cost of the scrape, micro-units. */
  readonly cost: number;
  /** The record of the scrape; null: there is none, `scrapeId` is null too. */
  readonly record: NewRecord | null;
  /** Is stored with the delivery of this end, if there is one; null: nothing. */
  readonly webhookContent: Uint8Array | null;
  /** Items found on the page. */
  readonly found: readonly NewItem[];
  /** Skipped URLs on the page that are not in `found`. */
  readonly unlisted: number;
  /** null: the job is no crawl, or no page was visited. */
  readonly page: VisitedPage | null;
  readonly now: number;
}

/** A host of a job with items that wait. Times are ms since the epoch. */
export interface WaitingHost {
  readonly host: string;
  /** Items of the job that run there. */
  readonly running: number;
  /** Items of other jobs that run there. */
  readonly elsewhere: number;
  /** When the next item may start there. */
  readonly readyAt: number;
  /** Pause that the host asks for. */
  readonly delayMs: number;
  /** When the first of its items that wait may run. */
  readonly runAt: number;
  /** Whether the limits of its site did not allow that item when it was tried last. */
  readonly isLimited: boolean;
}

/** Hosts of a job with items that wait. */
export interface WaitingHosts {
  readonly hosts: readonly WaitingHost[];
  /** Whether any item runs now, of whatever job. */
  readonly isBusy: boolean;
}

/** What keeps the items of a job waiting. `hosts`: at most 20, those that may start an item first. */
export interface HoldUp extends WaitingHosts {
  /** When the first item that waits for a retry is tried again (ms); null: none waits for one. */
  readonly retryAt: number | null;
}

/** `lost`: somebody else has claimed the item, or the job is gone, so nothing was stored. */
export type ItemEndResult = 'stored' | 'lost';

/**
 * Jobs and their items. Every implementation guarantees:
 * - What a method has resolved survives `kill -9`, as with RecordStore. If the storage fails, methods reject with StorageError.
 * - Each method is one transaction. Counts of a job always equal the states of its items.
 * - A claim is a lease. `end` stores nothing if the lease is not the latest of its item.
 * - An item ends once: its `n` is the next number of the job.
 */
export interface JobStore {
  /**
   * Adds a job that does not run yet, and is in no list; `add` adds its items, `start` starts it. What was not started is
   * deleted by `recover`.
   */
  create(job: JobSettings): Promise<void>;
  add(jobId: string, items: readonly NewItem[], now: number): Promise<void>;
  /**
   * Starts a job whose items are complete. If a limit does not allow it, the job is deleted.
   * @param spec replaces that of `create`; absent: it stays
   * @returns the limit that does not allow it
   */
  start(
    jobId: string,
    now: number,
    limits: JobLimits,
    spec?: Uint8Array,
  ): Promise<null | 'limit.jobs' | 'limit.items'>;
  /** Deletes a job with its items and events, not with its records. @returns false: there is no such job */
  delete(jobId: string): Promise<boolean>;

  /** @param userId null: any user */
  get(jobId: string, userId: string | null): Promise<JobRow | null>;
  /**
   * A page of jobs. In another order than that of their creation, it is of the newest 10,000 jobs of the owner and the time; with a
   * search, it looks at 10,000, so that it may be short or empty although there is a next one. A job whose value changes between
   * two pages may be in both or in none.
   */
  list(filter: JobFilter, order: JobOrder): Promise<JobListPage>;
  /**
   * Ended items in the order of `n`.
   * @param after `n` of the last item of the previous page, 0: the first page
   * @param filter only items in this folder or below it; and only of these states
   */
  results(
    jobId: string,
    after: number,
    limit: number,
    filter?: { readonly folder?: string; readonly states?: readonly ItemState[] | null },
  ): Promise<readonly ItemRow[]>;
  /**
   * A page of all items. It looks at no more than 10,000 of them: with a search, a folder or a code, or with states in the order of
   * status or size, it may be short or empty although there is a next one.
   */
  itemPage(jobId: string, query: ItemQuery): Promise<ItemPage>;
  /**
   * The folders one level below `parent`, by their names (in the order of their UTF-8 bytes). If items are directly in
   * `parent`, an entry of this name counts them alone. An item deeper than 10 folders, or in a folder of more than 500 characters,
   * counts as directly in the last folder above it. It takes no longer for a job of many items.
   * @param after the last folder of the previous page, null: the first page
   */
  folders(jobId: string, parent: string, limit: number, after: string | null): Promise<readonly ItemFolder[]>;
  /** Items in the order of their numbers. @param state null: of all states */
  items(jobId: string, state: ItemState | null, after: number, limit: number): Promise<readonly ItemRow[]>;
  /** The items that the job began with, as they were added. @param after number of the last item of the previous page */
  originals(
    jobId: string,
    after: number,
    limit: number,
  ): Promise<readonly (NewItem & { readonly item: number })[]>;
  /** @param after sequence of the last event that is known */
  events(jobId: string, after: number, limit: number): Promise<readonly JobEvent[]>;

  /** At most `limit` hosts of items of the job that were not skipped when they were added, in any order. */
  hosts(jobId: string, limit: number): Promise<readonly string[]>;
  /** Blocks of text that stand on most pages of a host that the job has read: on at least three, and on more than half. */
  commonBlocks(jobId: string, host: string): Promise<readonly number[]>;

  /** Of each job with items that wait. It takes no longer for a job of many items. */
  holdUps(jobIds: readonly string[]): Promise<ReadonlyMap<string, HoldUp>>;
  /** Those of the hosts that have items which wait. */
  waitingHosts(jobId: string, hosts: readonly string[]): Promise<WaitingHosts>;

  /** Jobs whose state lets items start, and that have items that wait. */
  runnable(): Promise<readonly RunnableJob[]>;
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Makes leases longer. @returns those that are lost */
  renew(
    leases: readonly Pick<ClaimedItem, 'jobId' | 'item' | 'lease'>[],
    leaseUntil: number,
  ): Promise<readonly Pick<ClaimedItem, 'jobId' | 'item' | 'lease'>[]>;
  /** In the order of `ends`. */
  end(ends: readonly ItemEnd[]): Promise<readonly ItemEndResult[]>;
  /** Those of the jobs that were cancelled, have failed or were deleted: their items need not run on. */
  stopped(jobIds: readonly string[]): Promise<readonly string[]>;
  /**
   * Calls `onChange` with the id of each job whose state another service has changed, perhaps also of those that this one changes.
   * Messages may be lost, so callers also ask from time to time. Until the store is closed.
   */
  listen(onChange: (jobId: string) => void): void;
  /** Gives items back that were not run, as if they had not been claimed. */
  release(leases: readonly Pick<ClaimedItem, 'jobId' | 'item' | 'lease'>[], now: number): Promise<void>;
  /**
   * Items whose lease has ended wait again, if their request may be repeated; others fail with `interrupted`. Deletes jobs that
   * were not started within an hour.
   * @param all also items whose lease has not ended: their process is known to be dead
   */
  recover(now: number, all: boolean, interrupted: StoredError): Promise<number>;

  /**
   * Only of a job that is queued or running.
   * @param keyId only if the job still has this key; undefined: whatever key it has
   * @returns false: it was not paused
   */
  pause(
    jobId: string,
    reason: PauseReason,
    resumesAt: number | null,
    now: number,
    keyId?: string | null,
  ): Promise<boolean>;
  /**
   * Only of a paused job.
   * @param keyId the key (null: session) whose rights hold from now on; undefined: as before
   * @returns false: it is not paused
   */
  resume(jobId: string, keyId: string | null | undefined, now: number): Promise<boolean>;
  /** Resumes paused jobs whose time has come. @returns their ids */
  resumeDue(now: number): Promise<readonly string[]>;
  /** Paused jobs with this reason resume by `resumeDue` from now on. */
  resumeSoon(reason: PauseReason, now: number): Promise<void>;
  /** Items that wait are never run; those that run may still end. @returns false: the job has ended already */
  cancel(jobId: string, now: number): Promise<boolean>;
  /** Ends a job that cannot go on. */
  fail(jobId: string, error: StoredError, now: number): Promise<void>;
  /** Skips at most `limit` items that wait. @returns how many */
  skipQueued(jobId: string, reason: StoredError, limit: number, now: number): Promise<number>;
  /**
   * Failed items wait again, and those that are `ok` with an error: they are claimed to read their record again. Only of a job that
   * has ended or is paused.
   * @returns how many; null: the state does not allow it
   */
  retryFailed(jobId: string, now: number): Promise<number | null>;
  /**
   * Items that wait for a retry may start at once, one after the other if their host wants pauses. Only of a job that is queued or
   * running.
   * @param items their numbers; null: all
   * @returns how many waited for a retry; null: the state does not allow it
   */
  tryNow(jobId: string, items: readonly number[] | null, now: number): Promise<number | null>;
  update(
    jobId: string,
    change: Partial<Pick<JobSettings, 'concurrency' | 'priority' | 'maxVisits' | 'spec'>>,
  ): Promise<boolean>;
  /** Moves open jobs from one key to another, when a key is rotated, and resumes those that paused because of the key. */
  moveKey(fromKeyId: string, toKeyId: string, now: number): Promise<void>;

  /** Ids of at most `limit` jobs whose results have expired, and are not marked as deleted. */
  expired(now: number, limit: number): Promise<readonly string[]>;
  markResultsDeleted(jobId: string): Promise<void>;
  /** Ids of at most `limit` jobs whose results expired before `before`. */
  outdated(before: number, limit: number): Promise<readonly string[]>;
}
