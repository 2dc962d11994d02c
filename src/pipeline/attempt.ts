import { assess } from '../assess/assess.ts';
import type { SiteTexts } from '../assess/text-comparison.ts';
import type { MemoryReservation } from '../base/memory-budget.ts';
import { type Clock, type Deadline, deadlineUnder } from '../base/time.ts';
import { bypassesProxy, portOf } from '../base/url-patterns.ts';
import { attemptCost, NO_COST, type Prices, UNKNOWN_COST, vendorCost } from '../domain/cost.ts';
import { type Failure, isFailure } from '../domain/failure.ts';
import type { FetchedPage, FetchResult } from '../domain/fetch-result.ts';
import type { ReportStep } from '../domain/progress.ts';
import type { Step } from '../domain/scrape.ts';
import { isBrowser, isVendor, type ScraperName } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import { isTestHost } from '../domain/test-hosts.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { VendorFacts } from '../domain/vendors.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { UsedProfile } from '../ports/profiles.ts';
import type { Lease, Proxies, UsedExit } from '../ports/proxies.ts';
import type { Scraper } from '../ports/scraper.ts';
import type { NextAttempt } from '../router/next.ts';
import {
  type AttemptFacts,
  type AttemptResult,
  failedAttempt,
  judgedAttempt,
  runsScripts,
} from './attempt-result.ts';
import { type Clearance, withClearance } from './clearance-cache.ts';
import { interruptionOr } from './interruption.ts';
import { readPage } from './read-page.ts';

export interface AttemptDeps {
  readonly scrapers: Scrapers;
  readonly proxies: Proxies;
  readonly clock: Clock;
  readonly reader: PageReader;
  readonly documents: DocumentReader;
  /** null: the operator has none. */
  readonly model: LanguageModel | null;
  readonly texts: SiteTexts;
  /** null: no prices are configured. */
  readonly prices: Prices | null;
}

/** The scrapers of this program, which do not change, and those of vendors, whose file may. */
export interface Scrapers {
  get(name: ScraperName): Scraper | undefined;
  /** Those of this program. */
  values(): Iterable<Scraper>;
  vendors?(): readonly VendorFacts[];
}

interface AttemptRequest {
  /** Number of the attempt within the scrape, from 1; 0 for robots.txt. */
  readonly n: number;
  readonly task: Task;
  readonly chosen: NextAttempt;
  readonly deadline: Deadline;
  readonly allowUrl: UrlCheck | null;
  readonly reservation: MemoryReservation;
  readonly userId: string;
  /** The exits of earlier attempts. */
  readonly used: readonly UsedExit[];
  /** The document of the last attempt, which a browser loads instead of fetching it; null: none. */
  readonly document: FetchedPage | null;
  /** Cookies of a passed bot check, for an HTTP client; null: none. */
  readonly clearance: Clearance | null;
  /** What `task` has the cookies of; absent or null: of none. */
  readonly profile?: UsedProfile | null;
  readonly onStep?: ReportStep | undefined;
}

interface AttemptStart {
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  /** The same time, monotonic. */
  readonly began: number;
  /** Time that it waited for an exit. */
  readonly waitedMs: number;
}

/**
 * Makes one attempt: leases an exit, fetches, judges and reads the page, releases the exit. Rejects only because of bugs.
 * @param leased the exit to use; absent: one that fits
 */
export async function runAttempt(
  deps: AttemptDeps,
  request: AttemptRequest,
  leased?: Lease,
): Promise<AttemptResult> {
  const startedAt = deps.clock.now();
  const began = deps.clock.monotonic();
  const leasing = leased ?? leaseOf(deps.proxies, request);
  if (leasing instanceof Promise) request.onStep?.({ phase: 'waiting', waitingFor: 'proxy' });
  const lease = leasing instanceof Promise ? await leasing : leasing;
  const waitedMs = leasing instanceof Promise ? deps.clock.monotonic() - began : 0;
  const start: AttemptStart = { startedAt, began, waitedMs };
  if (isFailure(lease)) return attemptWithoutExit(deps, request, lease, start);
  try {
    return await attemptByLease(lease, deps, withClearanceOf(lease, request), start);
  } finally {
    lease.release();
  }
}

function leaseOf(
  proxies: Proxies,
  { chosen: { step }, task, userId, used, deadline, profile }: AttemptRequest,
): ReturnType<Proxies['lease']> {
  if (isTestHost(task.host)) return TEST_LEASE;
  if (isVendor(step.scraper)) return vendorLease(step, task);
  const { signal } = deadline;
  return proxies.lease({
    type: step.proxyType,
    proxy: task.proxy,
    // All who use a shared profile have the exit of its owner.
    userId: profile?.exit == null ? userId : profile.userId,
    used,
    signal,
  });
}

/** Test hosts are in this process, whatever the operator allows without a proxy. */
const TEST_LEASE: Lease = {
  ...{ proxyType: 'none', country: null, exit: 'direct', upstream: null, price: null, warnings: [] },
  report() {},
  release() {},
};

/** A vendor has exits of its own. */
const vendorLease = ({ scraper, proxyType }: Step, { proxy }: Task): Lease => ({
  proxyType,
  country: proxy.country,
  exit: `${scraper}/${proxyType}`,
  upstream: null,
  price: null,
  warnings: [],
  report() {},
  release() {},
});

async function attemptByLease(
  lease: Lease,
  deps: AttemptDeps,
  request: AttemptRequest,
  { startedAt, began, waitedMs }: AttemptStart,
): Promise<AttemptResult> {
  const { n, task, chosen, deadline, clearance } = request;
  using attemptDeadline = chosen.sharesTime ? deadlineUnder(deadline.remaining() / 2, deadline.signal) : null;
  const fetched = await fetchPage(lease, deps, request, attemptDeadline);
  const bypassed = bypassedProxy(lease, chosen.step, task, fetched);
  const facts: AttemptFacts = {
    n,
    task,
    chosen,
    cost: isTestHost(task.host) ? NO_COST : costOf(lease, deps.prices, chosen.step, fetched, bypassed),
    warnings:
      lease.warnings.length + fetched.warnings.length === 0 ? [] : [...lease.warnings, ...fetched.warnings],
    startedAt,
    durationMs: deps.clock.monotonic() - began,
    country: bypassed ? null : lease.country,
    exit: lease.exit,
    direct: bypassed || (lease.upstream === null && !isVendor(chosen.step.scraper)),
    waitedMs,
    usedClearance: clearance !== null,
  };
  const result =
    fetched.page === null
      ? failedAttempt(facts, fetched, interruptionOr(fetched.failure, deadline))
      : await judgeAndRead(deps, request, fetched, facts);
  if (!bypassed)
    lease.report({
      failure: result.code === null ? null : result.errors[0]!,
      verdict: result.verdict,
      bytesOut: fetched.bytesOut,
      bytesIn: fetched.bytesIn,
    });
  return result;
}

function attemptWithoutExit(
  { prices }: AttemptDeps,
  { n, task, chosen, deadline }: AttemptRequest,
  cause: Failure,
  { startedAt, waitedMs }: AttemptStart,
): AttemptResult {
  const facts: AttemptFacts = {
    n,
    task,
    chosen,
    cost: prices === null ? UNKNOWN_COST : NO_COST,
    warnings: [],
    startedAt,
    durationMs: waitedMs,
    country: null,
    exit: null,
    direct: false,
    waitedMs,
    usedClearance: false,
  };
  return failedAttempt(facts, null, interruptionOr(cause, deadline));
}

function fetchPage(
  lease: Lease,
  { scrapers }: AttemptDeps,
  { task, chosen, deadline, allowUrl, userId, reservation, document, profile = null, onStep }: AttemptRequest,
  attemptDeadline: Deadline | null,
): Promise<FetchResult> {
  // A browser is waited for first, and reports this itself.
  if (!isBrowser(chosen.step.scraper)) onStep?.({ phase: 'fetching' });
  const scraper = scrapers.get(chosen.step.scraper)!;
  return scraper.fetch({
    task,
    lease,
    userId,
    deadline,
    attemptDeadline,
    allowUrl,
    reservation,
    document,
    profile,
    onStep,
  });
}

async function judgeAndRead(
  deps: AttemptDeps,
  request: AttemptRequest,
  fetched: FetchedPage,
  facts: AttemptFacts,
): Promise<AttemptResult> {
  const { task, chosen, deadline, reservation } = request;
  const { page } = fetched;
  request.onStep?.({ phase: 'reading' });
  // Before `readPage`, which may free the memory of the body.
  const verdict = assess(page, {
    url: task.url,
    scripted: page.scripted ?? runsScripts(chosen.step, task),
    at: deps.clock.now(),
    texts: isEvidenceOfSite(request) ? deps.texts : null,
  });
  const { reader, documents, model } = deps;
  const reading = readPage(page, task, { deadline, reservation, reader, documents, model });
  if (!(reading instanceof Promise)) return judgedAttempt(facts, fetched, verdict, reading);
  const began = deps.clock.monotonic();
  const read = await reading;
  const timing = { ...fetched.timing, read: deps.clock.monotonic() - began };
  if (!isFailure(read)) return judgedAttempt(facts, { ...fetched, timing }, verdict, read);
  const unread = { ...fetched, timing, page: null, failure: read, statusCode: page.statusCode };
  return failedAttempt(facts, unread, interruptionOr(read, deadline));
}

/**
 * Whether other callers would get the same page: not robots.txt (`n` is 0), and not through a caller's own proxy, from an
 * unverified peer, or with a profile or the cookies of a passed bot check.
 */
const isEvidenceOfSite = ({ n, task, chosen, clearance, profile = null }: AttemptRequest): boolean =>
  n > 0 &&
  clearance === null &&
  profile === null &&
  chosen.step.proxyType !== 'custom' &&
  task.options.verifyTls;

/** The request with the cookies of the clearance, if the step is an HTTP client and the lease has the exit of the clearance. */
function withClearanceOf(lease: Lease, request: AttemptRequest): AttemptRequest {
  const { clearance, chosen, task } = request;
  if (clearance === null) return request;
  if (clearance.exit !== lease.exit || isBrowser(chosen.step.scraper)) return { ...request, clearance: null };
  return { ...request, task: withClearance(task, clearance) };
}

function costOf(
  lease: Lease,
  prices: Prices | null,
  { scraper }: Step,
  { bytesIn, bytesOut, vendor }: FetchResult,
  bypassed: boolean,
) {
  if (isVendor(scraper)) return vendor === undefined ? NO_COST : vendorCost(vendor);
  const exitPrice = lease.upstream === null || bypassed ? (prices?.direct ?? null) : lease.price;
  return attemptCost(prices, scraper, exitPrice, bytesIn + bytesOut);
}

/**
 * Whether no connection of an attempt used the proxy of its lease, because of the caller's `bypass`. Then the attempt shows
 * nothing about the proxy, and has the price of a direct connection.
 */
function bypassedProxy({ upstream }: Lease, step: Step, task: Task, fetched: FetchResult): boolean {
  if (upstream === null || upstream.bypass.length === 0) return false;
  const { bypass } = upstream;
  // A page in a browser may load resources from any host.
  if (isBrowser(step.scraper)) return bypass.includes('*');
  const { redirects, page } = fetched;
  // If there is no page after a redirect, the last URL is not known.
  if (page === null && redirects.length > 0) return bypass.includes('*');
  const urls = [task.url, ...redirects.map(({ url }) => url), page?.finalUrl ?? task.url];
  return urls.map((url) => new URL(url)).every((url) => bypassesProxy(bypass, url.hostname, portOf(url)));
}
