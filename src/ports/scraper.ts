import type { MemoryReservation } from '../base/memory-budget.ts';
import type { Deadline } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import type { FetchedPage, FetchResult } from '../domain/fetch-result.ts';
import type { ReportStep } from '../domain/progress.ts';
import type { ScraperName } from '../domain/scrapers.ts';
import type { BrowserActivity, BrowserReadiness, InstalledBrowser } from '../domain/system.ts';
import type { Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { LentProfile } from './logins.ts';
import type { Lease } from './proxies.ts';

/** What an attempt hands to a scraper. */
export interface FetchRequest {
  readonly task: Task;
  readonly lease: Lease;
  /** Queues (slots of browsers) serve the users in turn. */
  readonly userId: string;
  /** The deadline of the scrape. If it expires during the body, the part received so far is delivered. */
  readonly deadline: Deadline;
  /**
   * The time limit of this attempt; null if no other attempt may follow. It no longer applies when the response header has
   * been received, or when bytes of a request that must not be repeated have been sent (contract §1, `timeout_ms`).
   */
  readonly attemptDeadline: Deadline | null;
  /**
   * Checks the URL of the main document, and of each redirect, before anything is sent to it. A failure (policy.domain) ends
   * the fetch.
   */
  readonly allowUrl: UrlCheck | null;
  /**
   * Reserves the memory of bodies larger than 256 KiB. While no memory is available, nothing is read from the target; if the
   * deadline expires meanwhile, the failure is `service.unavailable`. The body of the page may be in memory of the
   * reservation; closing the reservation frees it.
   */
  readonly reservation: MemoryReservation;
  /**
   * For browsers: the response to the same request, fetched before. Its document is loaded at its final URL, with its cookies,
   * and not fetched again. Status, headers and request headers are those of that fetch.
   */
  readonly document?: FetchedPage | null;
  /** What `task` has the values of; absent or null: of none. */
  readonly profile?: LentProfile | null;
  /** Gets what the attempt does, as far as the scraper knows; absent: nobody asks. */
  readonly onStep?: ReportStep | undefined;
}

/**
 * One method to fetch a page.
 *
 * Every implementation guarantees: `fetch` settles at the latest 500 ms (browser: 2 s) after `deadline`; it never rejects
 * because of the target, the network or an abort by the caller; it has closed all that it opened when it settles. If the
 * caller aborts `deadline.signal`, the failure is `request.cancelled`.
 */
export interface Scraper {
  readonly name: ScraperName;
  fetch(request: FetchRequest): Promise<FetchResult>;
  /** Why the scraper cannot be used on this machine, as far as is known; null if it can. Absent: it always can. */
  unavailable?(): string | null;
  /** Why the scraper cannot do this task on this machine, as far as is known; null if it can. */
  refusal?(task: Task): Failure | null;
  /**
   * Finds out whether the machine can do the task (for `refusal`), or without a task whether the scraper works at all (for
   * `unavailable`), such as by looking for browsers. May take seconds; never rejects.
   * @returns null: it is known already
   */
  discover?(task: Task | null): Promise<void> | null;
  /** Closes idle connections and the like. `fetch` must not be called afterwards. */
  close(): Promise<void>;
}

/** The browsers of this machine, or those of workers that this replica uses. */
export interface BrowserMonitor {
  /** All browsers that were found, the preferred ones first. May take seconds; never rejects. */
  list(): Promise<readonly InstalledBrowser[]>;
  state(): BrowserReadiness;
  /** The running browsers, and statistics of earlier ones. */
  activity(): BrowserActivity;
  /** Scrapes of this replica that wait for a browser, here or on a worker; each counts on one replica only. */
  waiting(): number;
}
