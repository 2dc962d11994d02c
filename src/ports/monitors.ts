import type { JobState } from '../domain/jobs.ts';
import type {
  CompareOptions,
  MonitorRow,
  MonitorRunRow,
  PageSnapshot,
  RunResult,
  Schedule,
} from '../domain/monitors.ts';
import type { NotificationFacts, Notify } from '../domain/notifications.ts';
import type { LastMonitorRun, RunListQuery } from '../domain/run-lists.ts';
import type { NewWebhook, WebhookEvent } from '../domain/webhooks.ts';

export interface NewMonitor
  extends Omit<MonitorRow, 'lastN' | 'errors' | 'isGone' | 'changedAt' | 'state' | 'pauseReason'> {
  /** null: nothing is sent. */
  readonly webhook: NewWebhook | null;
  readonly notify: Notify;
}

/** What an ended run changes on its monitor. */
export interface RunEnd {
  readonly result: RunResult;
  readonly scrapeId: string | null;
  /** Of a run of one request: what was compared; null: the page was not got. */
  readonly snapshot: Uint8Array | null;
  readonly errors: number;
  readonly isGone: boolean;
  /** What is sent to the webhook of the monitor, if it wants it. */
  readonly event: WebhookEvent | null;
  /** What people are told of the event, if they want to know of it. */
  readonly facts: NotificationFacts;
  readonly now: number;
}

export interface RunningMonitor extends MonitorRunRow {
  /** null: there is no such job. */
  readonly jobState: JobState | null;
}

export interface MonitorChange {
  readonly name?: string;
  readonly schedule?: Schedule;
  readonly jitterS?: number;
  readonly keep?: number;
  readonly nextAt?: number | null;
  /** null: nothing is sent any more. */
  readonly webhook?: NewWebhook | null;
  readonly notify?: Notify;
  /** Begins with a new baseline. */
  readonly compare?: CompareOptions;
  /** With a change of the request, too, the baseline is new. */
  readonly request?: {
    readonly request: string;
    readonly spec: Uint8Array;
    readonly kind: MonitorRow['kind'];
  };
}

/**
 * Monitors, their runs, and what the next run is compared with. Every implementation guarantees what JobStore does: methods are
 * transactions, and what they have resolved survives `kill -9`; each due time of a monitor begins at most one run.
 */
export interface MonitorStore {
  /** @returns false: the user has `limit` monitors already */
  create(monitor: NewMonitor, limit: number): Promise<boolean>;
  /** @param userId null: any user */
  get(id: string, userId: string | null): Promise<MonitorRow | null>;
  /** @param userId null: of all users */
  list(userId: string | null, query: RunListQuery): Promise<readonly MonitorRow[]>;
  /** The last ended run of each of these monitors that has one. */
  lastRuns(ids: readonly string[]): Promise<ReadonlyMap<string, LastMonitorRun>>;
  /** Active ones whose last run failed; those with the most failed runs in a row come first. @param userId null: of all users */
  failing(
    userId: string | null,
    limit: number,
  ): Promise<readonly Pick<MonitorRow, 'id' | 'userId' | 'name' | 'errors'>[]>;
  update(id: string, change: MonitorChange): Promise<void>;
  /** @returns the jobs of its runs, which the caller must delete */
  delete(id: string): Promise<readonly string[]>;
  /** @returns false: it is paused already */
  pause(id: string, reason: 'asked' | 'key' | 'user'): Promise<boolean>;
  /** @param keyId the key whose rights hold from now on @returns false: it is not paused */
  resume(id: string, keyId: string | null, nextAt: number | null): Promise<boolean>;
  /** Moves monitors from one key to another. */
  moveKey(fromKeyId: string, toKeyId: string): Promise<void>;

  /** Active monitors whose next run is due. */
  due(now: number, limit: number): Promise<readonly MonitorRow[]>;
  /**
   * Begins a run, and sets the time of the next one.
   * @param dueAt `nextAt` of the monitor as it was read; null: the run was asked for, and `nextAt` stays
   * @returns number of the run; null: another process has begun it
   */
  begin(
    id: string,
    run: {
      readonly dueAt: number | null;
      readonly nextAt: number | null;
      readonly jobId: string;
      readonly now: number;
    },
  ): Promise<number | null>;
  /** The same for a run that is skipped. */
  skip(id: string, run: { readonly dueAt: number; readonly nextAt: number | null }): Promise<void>;
  /** Runs under way. */
  running(): Promise<readonly RunningMonitor[]>;
  /** The newest first. @param before number of the run after the page; null: the first page */
  runs(id: string, limit: number, before: number | null): Promise<readonly MonitorRunRow[]>;
  /** The number of the run with this job; null: the monitor has none, or does not keep it any more. */
  runOfJob(id: string, jobId: string): Promise<number | null>;
  /** What was compared in the latest runs of a monitor of one request, the oldest first. */
  snapshots(id: string, limit: number): Promise<readonly Uint8Array[]>;

  /** The page of a URL as of the latest run before `n`; null: there was none. */
  page(id: string, url: string, n: number): Promise<PageSnapshot | null>;
  /** URLs that have a page before `n`, in order. */
  pageUrls(
    id: string,
    n: number,
    after: string,
    limit: number,
  ): Promise<readonly { readonly url: string; readonly scrapeId: string }[]>;
  /** Stores what the next run is compared with, as long as the run is under way. */
  putPage(id: string, n: number, page: PageSnapshot): Promise<void>;
  /** URLs of earlier runs whose pages are gone: `endRun` deletes their pages. Only of a run under way. */
  putGone(id: string, n: number, urls: readonly string[]): Promise<void>;
  /** Only of a run under way. Then pages of earlier runs that have a newer one, or are gone, are deleted. @returns false: it has ended already */
  endRun(id: string, n: number, end: RunEnd): Promise<boolean>;
  /**
   * Deletes runs but the newest `keep`, the newest `keep` that found a change, and the newest `keep` that were errors; of a crawl, also
   * the pages that none of the newest has got: crawls may visit other pages each time.
   * @returns the jobs of the deleted runs, which the caller must delete
   */
  sweep(id: string, keep: number): Promise<readonly string[]>;
}
