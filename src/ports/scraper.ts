import type { MemoryReservation } from '../base/memory-budget.ts';
import type { Deadline } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import type { FetchedPage, FetchResult } from '../domain/fetch-result.ts';
import type { Job } from '../domain/job.ts';
import type { ScraperName } from '../domain/scrapers.ts';
import type { BrowserActivity, BrowserReadiness, InstalledBrowser } from '../domain/system.ts';
import type { Lease } from './proxies.ts';

/** What one attempt asks of a scraper. */
export interface FetchRequest {
  readonly job: Job;
  readonly lease: Lease;
  /** Whoever has to wait, waits in turn with other users. */
  readonly userId: string;
  /** The whole budget of the request. When it ends during the body, what came is delivered as cut. */
  readonly deadline: Deadline;
  /**
   * The attempt's share of the time, null when no other attempt may follow. It stops counting when the head of the
   * answer has arrived, or when bytes of a method that is sent once are out (contract §1, `timeout_ms`).
   */
  readonly attemptDeadline: Deadline | null;
  /**
   * Judges every main-document URL, the first and each redirect, before anything is sent to it; a failure (policy.domain)
   * ends the fetch.
   */
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  /**
   * Whom to ask before more than 256 KiB of a body are held. While there is no room, nothing more is read from the
   * target; when the deadline ends meanwhile, the failure is `service.unavailable`. The page's body may be memory of
   * the room, and is gone when that is closed.
   */
  readonly reservation: MemoryReservation;
  /**
   * For browsers: the answer to the same request, fetched before; its document is shown at its final URL, with its cookies,
   * in place of being fetched again. Status, headers and request headers are those of that fetch.
   */
  readonly document?: FetchedPage | null;
}

/**
 * One way of getting a page.
 *
 * Every implementation keeps this: `fetch` settles, always, at the latest 500 ms (browser: 2 s) after `deadline`;
 * it never rejects for what the target, the network or the caller's abort does; whatever it opened is closed when
 * it has settled. Abort of `deadline.signal` by the caller gives the failure `request.cancelled`.
 */
export interface Scraper {
  readonly name: ScraperName;
  fetch(order: FetchRequest): Promise<FetchResult>;
  /** Why it cannot be used here, as far as is known; null: it can. Absent: it always can. */
  unavailable?(): string | null;
  /** Why it cannot do this job here, as far as is known; null: it can. */
  refusal?(job: Job): Failure | null;
  /**
   * Finds out for `refusal`, or without a job for `unavailable`. null: it is known. May take seconds; never rejects.
   */
  discover?(job: Job | null): Promise<void> | null;
  /** Closes idle connections and the like. After it, `fetch` is not called. */
  close(): Promise<void>;
}

/** What this machine has of browsers. */
export interface BrowserMonitor {
  /** All that were found, the preferred ones first. May take seconds; never rejects. */
  list(): Promise<readonly InstalledBrowser[]>;
  state(): BrowserReadiness;
  /** What runs, and what has become of those that ran. */
  activity(): BrowserActivity;
}
