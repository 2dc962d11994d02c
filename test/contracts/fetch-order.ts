import type { MemoryReservation } from '../../src/base/memory-budget.ts';
import { MemoryBudget } from '../../src/base/memory-budget.ts';
import { type Deadline, deadlineOf } from '../../src/base/time.ts';
import { type BrowserOptions, DEFAULT_BROWSER_OPTIONS } from '../../src/domain/browser-options.ts';
import type { Failure } from '../../src/domain/failure.ts';
import type { FetchedPage, FetchResult } from '../../src/domain/fetch-result.ts';
import type { Upstream } from '../../src/domain/proxy.ts';
import { DEFAULT_SCRAPER_OPTIONS, type ScraperOptions } from '../../src/domain/scraper-options.ts';
import type { Task } from '../../src/domain/task.ts';
import type { UrlCheck } from '../../src/domain/url-check.ts';
import type { FetchRequest, Scraper } from '../../src/ports/scraper.ts';
import { task } from '../helpers/task.ts';

export type JobChange = Partial<Omit<Task, 'options' | 'browser'>> & {
  readonly options?: Partial<ScraperOptions>;
  readonly browser?: Partial<BrowserOptions>;
};

/** Far more than a fetch needs, also on a machine that has much else to do. */
export const LATEST_MS = 60_000;

export function jobFor(url: string, change: JobChange = {}): Task {
  const { options, browser, ...rest } = change;
  const { href, hostname } = new URL(url);
  return {
    ...task({ url: href, host: hostname, timeoutMs: LATEST_MS, scraper: 'http' }),
    ...rest,
    options: { ...DEFAULT_SCRAPER_OPTIONS, ...options },
    browser: { ...DEFAULT_BROWSER_OPTIONS, ...browser },
  };
}

/** A check of URLs by a function; the list of its domains says nothing. */
export const urlCheck = (check: (url: URL) => Failure | null): UrlCheck =>
  Object.assign(check, { domains: [] });

export interface OrderChange {
  readonly deadline?: Deadline;
  readonly share?: Deadline | null;
  readonly allowUrl?: FetchRequest['allowUrl'];
  readonly exit?: string;
  readonly room?: MemoryReservation;
  readonly upstream?: Upstream | null;
}

export function orderFor(
  task: Task,
  deadline: Deadline,
  change: Omit<OrderChange, 'deadline'> = {},
): FetchRequest {
  const { share = null, allowUrl = null, exit = 'direct', upstream = null } = change;
  const { room = new MemoryBudget(2 ** 30).open() } = change;
  const facts = { proxyType: 'datacenter' as const, country: null, price: null, warnings: [] };
  const lease = { ...facts, exit, upstream, report() {}, release() {} };
  return { task, lease, userId: 'u', deadline, attemptDeadline: share, allowUrl, reservation: room };
}

/** One fetch with a deadline of its own. */
export async function fetchWith(
  scraper: Scraper,
  url: string,
  change: JobChange = {},
  order: OrderChange = {},
): Promise<FetchResult> {
  using own = deadlineOf(change.timeoutMs ?? LATEST_MS);
  const { deadline = own, ...rest } = order;
  return await scraper.fetch(orderFor(jobFor(url, change), deadline, rest));
}

/** The page of a fetch that must have one. */
export async function pageOf(
  scraper: Scraper,
  url: string,
  change: JobChange = {},
  order: OrderChange = {},
): Promise<FetchedPage> {
  const fetched = await fetchWith(scraper, url, change, order);
  if (fetched.page === null) throw new Error(`no page: ${JSON.stringify(fetched.failure)}`);
  return fetched;
}

export function textOf(fetched: FetchedPage): string {
  return Buffer.from(fetched.page.body).toString('utf8');
}
