import { assess, NET_VERDICT } from '../assess/assess.ts';
import type { SiteTexts } from '../assess/text-comparison.ts';
import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { type Clock, type Deadline, deadlineIn, SHUTDOWN } from '../base/time.ts';
import { bypassesProxy, portOf } from '../base/url-patterns.ts';
import { attemptCost, type Cost, NO_COST, type Prices, UNKNOWN_COST } from '../domain/cost.ts';
import {
  type Failure,
  type FailureCode,
  failure,
  isFailure,
  WARNINGS,
  type Warning,
} from '../domain/failure.ts';
import type { FetchedPage, FetchResult } from '../domain/fetch-result.ts';
import type { AcceptCriteria, CallerCookie, Job } from '../domain/job.ts';
import type { Upstream } from '../domain/proxy.ts';
import { type DataMember, dataLength, needsReading } from '../domain/reading.ts';
import type { Attempt, Delivery, Step } from '../domain/scrape.ts';
import { isBrowser } from '../domain/scrapers.ts';
import { isBlocked, type Verdict, type VerdictKind } from '../domain/verdict.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { Lease, Proxies, UsedExit } from '../ports/proxies.ts';
import type { Scraper } from '../ports/scraper.ts';
import type { NextAttempt } from '../router/next.ts';
import type { EndedAttempt } from '../router/plan.ts';
import { type ReadResult, readLargePage, readPage, readParsedPage } from './read-page.ts';

const BLOCK_DESCRIPTIONS: Partial<Record<VerdictKind, string>> = {
  challenge: 'a bot challenge',
  captcha: 'a captcha',
  block: 'an access-denied page',
};
const WALL_DESCRIPTIONS = {
  login: 'a login page',
  geo: 'a notice that it is not available in this location',
  consent: 'a consent page',
};

/** What a page is taken for in choosing and ending: who says by its content what success is, knows better. */
function effectiveKind({ kind }: Verdict, accept: AcceptCriteria | null, met: boolean): VerdictKind {
  const seen = accept !== null && (accept.selector ?? accept.contains ?? accept.jsonPath) !== null;
  return seen && met && (isBlocked(kind) || kind === 'js_shell' || kind === 'empty') ? 'ok' : kind;
}

/** `target.blocked`, with what was missing where the page tells it. */
function blockedFailure({ kind, wall, failed, signals }: Verdict): Failure {
  const what = wall === null ? (BLOCK_DESCRIPTIONS[kind] ?? 'a block page') : WALL_DESCRIPTIONS[wall];
  return failure('target.blocked', `The site sent ${what} instead of the page (${signals.join(', ')}).`, {
    details: wall === null ? { verdict: kind, failed } : { verdict: kind, failed, wall },
  });
}

const EMPTY_AFTER_SCRIPTS =
  'The page was empty when it was read, although its scripts ran. It may load content later: set wait_for_selector or wait_for_load_state.';

const REDIRECTS_BY_SCRIPT =
  'The page redirects by script or refresh, which only a browser follows. Try `scraper: browser`.';
const REDIRECT_SIGNALS = new Set(['shell/refresh-header', 'shell/meta-refresh', 'shell/script-redirect']);

/** What the caller should know of a page that shows nothing, or is not the one that its readers get to. */
function emptyPageWarning({ kind, signals }: Verdict, scriptsRan: boolean): Warning | null {
  if (kind === 'empty') return { code: 'page.empty', message: WARNINGS['page.empty'] };
  if (kind !== 'js_shell') return null;
  if (REDIRECT_SIGNALS.has(signals[0]!)) return { code: 'page.js_shell', message: REDIRECTS_BY_SCRIPT };
  return { code: 'page.js_shell', message: scriptsRan ? EMPTY_AFTER_SCRIPTS : WARNINGS['page.js_shell'] };
}

/** Cookies that a site gave to a browser which had passed its check. */
export interface Clearance {
  readonly cookies: readonly CallerCookie[];
  /** Checks are passed for an address: they mean nothing through another exit. */
  readonly exit: string;
}

const COOKIES_REUSED = 'cookies';

/** It went out with the cookies of a passed check: what it shows, others would not be shown. */
export const usesClearance = ({ attempt }: { readonly attempt: Attempt }): boolean =>
  attempt.reused.includes(COOKIES_REUSED);

/**
 * What of a pass is of use to a job; null: nothing. Cookies of the caller win, and those that have expired are not sent.
 * @param now wall clock, ms since the epoch
 */
export function usableClearance(job: Job, { cookies, exit }: Clearance, now: number): Clearance | null {
  const own = new Set(job.cookies.map(({ name }) => name));
  const left = cookies.filter(
    ({ name, expires }) => !own.has(name) && (expires === null || expires * 1_000 > now),
  );
  return left.length === 0 ? null : { cookies: left, exit };
}

/** The job with the cookies of the check. */
function withClearance(job: Job, { cookies }: Clearance): Job {
  return { ...job, cookies: [...job.cookies, ...cookies] };
}

/**
 * Whether all of an attempt went past the proxy of its lease, because the caller's `bypass` says so: then it tells
 * nothing of the proxy, and is paid as a connection of this host's own.
 */
function bypassedProxy(upstream: Upstream | null, step: Step, job: Job, fetched: FetchResult): boolean {
  if (upstream === null || upstream.bypass.length === 0) return false;
  const { bypass } = upstream;
  // What a page needs besides may be anywhere.
  if (isBrowser(step.scraper)) return bypass.includes('*');
  const { redirects, page } = fetched;
  // Where a redirect would have led that brought no page is not told.
  if (page === null && redirects.length > 0) return bypass.includes('*');
  const urls = [job.url, ...redirects.map(({ url }) => url), page?.finalUrl ?? job.url];
  return urls.map((url) => new URL(url)).every((url) => bypassesProxy(bypass, url.hostname, portOf(url)));
}

/** One attempt, ended: its line for people, and what came of it. */
export interface AttemptResult extends EndedAttempt {
  readonly attempt: Attempt;
  readonly fullVerdict: Verdict;
  readonly fetched: FetchResult | null;
  readonly delivered: Delivery | null;
  /** Of this attempt, were it the delivered one. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  /** null: there was none to be had. */
  readonly exit: UsedExit | null;
  /** For an exit, also in vain. */
  readonly waitedMs: number;
}

/** What fetching and judging leave to be told. */
type LeaseMembers = 'exit' | 'waitedMs';

export interface AttemptDeps {
  readonly scrapers: ReadonlyMap<Step['scraper'], Scraper>;
  readonly proxies: Proxies;
  readonly clock: Clock;
  readonly reader: PageReader;
  readonly texts: SiteTexts;
  /** null: nothing is priced. */
  readonly prices: Prices | null;
}

interface AttemptRequest {
  readonly n: number;
  readonly job: Job;
  readonly chosen: NextAttempt;
  readonly deadline: Deadline;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly reservation: MemoryReservation;
  readonly userId: string;
  /** Of the attempts before. */
  readonly used: readonly UsedExit[];
  /** What the attempt before has fetched, for a browser to show. */
  readonly document: FetchedPage | null;
  /** Cookies of a passed check, for an HTTP client. */
  readonly clearance: Clearance | null;
}

/** Leases an exit, fetches, judges, gives the exit back. Never rejects for what the world does. */
export async function runAttempt(parts: AttemptDeps, ask: AttemptRequest): Promise<AttemptResult> {
  const { job, chosen, deadline } = ask;
  const started = parts.clock.monotonic();
  const leased = parts.proxies.lease({
    type: chosen.step.proxyType,
    proxy: job.proxy,
    userId: ask.userId,
    used: ask.used,
    signal: deadline.signal,
  });
  const lease = leased instanceof Promise ? await leased : leased;
  const waitedMs = leased instanceof Promise ? parts.clock.monotonic() - started : 0;
  if (isFailure(lease)) {
    const cost = parts.prices === null ? UNKNOWN_COST : NO_COST;
    const told = { cost, warnings: [], durationMs: waitedMs, country: null };
    return { ...failedAttempt(ask, null, causeOf(lease, deadline), told), exit: null, waitedMs };
  }
  try {
    const tried = await fetchAndJudge(parts, withLeasedClearance(ask, lease), lease, started);
    const { fetched, code, verdict, errors } = tried;
    const [bytesOut, bytesIn] = [fetched?.bytesOut ?? 0, fetched?.bytesIn ?? 0];
    if (fetched === null || !bypassedProxy(lease.upstream, tried.step, job, fetched))
      lease.report({ failure: code === null ? null : errors[0]!, verdict, bytesOut, bytesIn });
    return { ...tried, exit: { exit: lease.exit, blocked: isBlocked(verdict) }, waitedMs };
  } finally {
    lease.release();
  }
}

/** With the cookies of the check that this exit has passed. */
function withLeasedClearance(ask: AttemptRequest, lease: Lease): AttemptRequest {
  const { clearance, chosen } = ask;
  if (clearance === null) return ask;
  if (clearance.exit !== lease.exit || isBrowser(chosen.step.scraper)) return { ...ask, clearance: null };
  return { ...ask, job: withClearance(ask.job, clearance) };
}

async function fetchAndJudge(
  parts: AttemptDeps,
  ask: AttemptRequest,
  lease: Lease,
  started: number,
): Promise<Omit<AttemptResult, LeaseMembers>> {
  const { job, chosen, deadline, reservation } = ask;
  const attemptDeadline = chosen.sharesTime ? deadlineIn(deadline.remaining() / 2, deadline.signal) : null;
  try {
    const scraper = parts.scrapers.get(chosen.step.scraper)!;
    const { allowUrl, userId, document } = ask;
    const fetched = await scraper.fetch({
      job,
      lease,
      userId,
      deadline,
      attemptDeadline,
      allowUrl,
      reservation,
      document,
    });
    const duration = parts.clock.monotonic() - started;
    const bytes = fetched.bytesIn + fetched.bytesOut;
    const past = bypassedProxy(lease.upstream, chosen.step, job, fetched);
    const exitPrice = lease.upstream === null || past ? (parts.prices?.direct ?? null) : lease.price;
    const cost = attemptCost(parts.prices, chosen.step.scraper, exitPrice, bytes);
    const warnings =
      lease.warnings.length + fetched.warnings.length === 0 ? [] : [...lease.warnings, ...fetched.warnings];
    const told = { cost, warnings, durationMs: duration, country: past ? null : lease.country };
    if (fetched.page === null) return failedAttempt(ask, fetched, causeOf(fetched.failure, deadline), told);
    const { page } = fetched;
    // Before anything is made of the body, which may then be gone.
    const scripted = runsScripts(chosen.step, job);
    const texts = isEvidenceOfSite(ask) ? parts.texts : null;
    const verdict = assess(page, { url: job.url, scripted, at: parts.clock.now(), texts });
    let read: ReadResult | Failure;
    if (page.body.length > SMALL_BYTES)
      read = await readLargePage(page, job, deadline, reservation, parts.reader);
    else {
      reservation.countUnreserved(page.body.length);
      read = needsReading(job)
        ? await readParsedPage(page, job, deadline, parts.reader)
        : readPage(page, job);
    }
    // What was made of it is kept until the answer has been sent.
    if ('reading' in read && read.reading !== null)
      reservation.countUnreserved(dataLength(read.reading.data));
    if (isFailure(read)) {
      const lost = { ...fetched, page: null, failure: read, statusCode: page.statusCode };
      return failedAttempt(ask, lost, causeOf(read, deadline), told);
    }
    return judgedAttempt(ask, fetched, { verdict, read, ...told });
  } finally {
    attemptDeadline?.[Symbol.dispose]();
  }
}

const runsScripts = (step: Step, job: Job): boolean => isBrowser(step.scraper) && job.browser.javascript;

/** What came through a proxy of the caller's own, or from nobody knows whom, is no word of the site; robots.txt is no page. */
const isEvidenceOfSite = ({ n, job, chosen, clearance }: AttemptRequest): boolean =>
  n > 0 && clearance === null && chosen.step.proxyType !== 'custom' && job.options.verifyTls;

const NOTHING_REUSED: readonly string[] = Object.freeze([]);
const CLEARANCE_REUSED: readonly string[] = Object.freeze([COOKIES_REUSED]);
const NO_DATA: readonly DataMember[] = Object.freeze([]);

/** The caller has not left: it is the service that ends the scrape. */
function causeOf(cause: Failure, deadline: Deadline): Failure {
  if (cause.code !== 'request.cancelled' || deadline.signal.reason !== SHUTDOWN) return cause;
  return failure('service.unavailable', 'The service is shutting down; the scrape was stopped.');
}

/** What both endings of an attempt tell of it. */
interface AttemptSummary {
  readonly cost: Cost;
  readonly warnings: readonly Warning[];
  readonly durationMs: number;
  readonly country: string | null;
}

function failedAttempt(
  ask: AttemptRequest,
  fetched: (FetchResult & { page: null }) | null,
  cause: Failure,
  { cost, warnings, durationMs, country }: AttemptSummary,
): Omit<AttemptResult, LeaseMembers> {
  const { step, reason } = ask.chosen;
  const attempt: Attempt = {
    n: ask.n,
    scraper: step.scraper,
    proxyType: step.proxyType,
    country,
    outcome: cause.code === 'request.cancelled' ? 'cancelled' : 'failed',
    verdict: NET_VERDICT,
    statusCode: fetched?.statusCode ?? null,
    failure: cause,
    durationMs,
    bytesOut: fetched?.bytesOut ?? 0,
    bytesIn: fetched?.bytesIn ?? 0,
    cost: cost.cost,
    costItems: cost.items,
    reason,
    reused: ask.clearance === null ? (fetched?.reused ?? NOTHING_REUSED) : CLEARANCE_REUSED,
  };
  return {
    step,
    code: cause.code,
    verdict: 'net',
    failed: null,
    unmet: false,
    satisfied: false,
    sent: fetched?.sent ?? false,
    attempt,
    fullVerdict: NET_VERDICT,
    fetched,
    delivered: null,
    errors: [cause],
    warnings,
  };
}

/** What another scraper may get whole, where this one did not. */
const INCOMPLETE_CODES: ReadonlySet<FailureCode> = new Set(['content.incomplete', 'redirect.invalid']);

interface JudgedFetch extends AttemptSummary {
  readonly verdict: Verdict;
  readonly read: ReadResult;
}

function judgedAttempt(
  ask: AttemptRequest,
  fetched: FetchedPage,
  { verdict, read, cost, warnings: exitWarnings, durationMs, country }: JudgedFetch,
): Omit<AttemptResult, LeaseMembers> {
  const { n, job } = ask;
  const { step, reason } = ask.chosen;
  const { page } = fetched;
  const { unmet } = read;
  const accepted = unmet.length === 0;
  const kind = effectiveKind(verdict, job.router.accept, accepted);
  const errors: Failure[] = [];
  const warnings = [...exitWarnings];
  // The cause of the answer comes first.
  if (page.fatal !== undefined) errors.push(page.fatal);
  if (isBlocked(kind)) errors.push(blockedFailure(verdict));
  const cut = page.cut ?? read.cut;
  if (cut !== null) errors.push(cut);
  if (page.missingParts !== undefined) errors.push(...page.missingParts);
  if (read.reading !== null) errors.push(...read.reading.failures);
  if (!accepted)
    errors.push(
      failure('accept.unmet', `The page does not meet ${unmet.map((m) => `accept.${m}`).join(', ')}.`, {
        pointer: '/router/accept',
        details: { unmet },
      }),
    );
  if (read.mime.contradictedEssence !== undefined)
    warnings.push({
      code: 'content.gzip',
      message: WARNINGS['content.gzip'],
      details: { content_type: read.mime.contradictedEssence },
    });
  if (read.replaced > 0)
    warnings.push({
      code: 'charset.replaced',
      message: `${read.replaced} × ${WARNINGS['charset.replaced']}`,
      details: { count: read.replaced },
    });
  if (read.reading !== null) warnings.push(...read.reading.warnings);
  const notice = emptyPageWarning(verdict, runsScripts(step, job));
  if (notice !== null) warnings.push(notice);

  const broken = cut !== null && INCOMPLETE_CODES.has(cut.code);
  const satisfied = kind === 'ok' && accepted && !broken;
  return {
    step,
    code: null,
    verdict: kind,
    failed: kind === 'ok' ? null : verdict.failed,
    unmet: !accepted,
    satisfied,
    sent: true,
    attempt: {
      n,
      scraper: step.scraper,
      proxyType: step.proxyType,
      country,
      outcome: satisfied && cut === null ? 'ok' : 'rejected',
      verdict,
      statusCode: page.statusCode,
      failure: errors[0] ?? null,
      durationMs,
      bytesOut: fetched.bytesOut,
      bytesIn: fetched.bytesIn,
      cost: cost.cost,
      costItems: cost.items,
      reason,
      reused: ask.clearance === null ? (fetched.reused ?? NOTHING_REUSED) : CLEARANCE_REUSED,
    },
    fullVerdict: verdict,
    fetched,
    delivered: {
      page,
      content: read.content,
      attempt: n,
      charset: read.charset,
      data: read.reading?.data ?? NO_DATA,
    },
    errors,
    warnings,
  };
}
