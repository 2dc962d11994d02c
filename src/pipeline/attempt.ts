import { assess, NET } from '../assess/assess.ts';
import type { SiteTexts } from '../assess/site-texts.ts';
import { SHUTDOWN } from '../base/abort-reasons.ts';
import { type ByteRoom, SMALL_BYTES } from '../base/byte-room.ts';
import type { Clock } from '../base/clock.ts';
import { type Deadline, deadlineIn } from '../base/deadline.ts';
import { type Cost, costOf, NO_COST, UNKNOWN_COST } from '../domain/cost.ts';
import { type Failure, type FailureCode, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { Fetched, FetchedPage } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Prices } from '../domain/prices.ts';
import { asksReading, type DataMember, lengthOfData } from '../domain/reading.ts';
import type { Attempt, Delivered, Step } from '../domain/scrape.ts';
import { isBlocked, type Verdict } from '../domain/verdict.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { Lease, Proxies, UsedExit } from '../ports/proxies.ts';
import type { Scraper } from '../ports/scraper.ts';
import { CAPABILITIES } from '../router/capabilities.ts';
import type { Ended } from '../router/ended.ts';
import type { Next } from '../router/next.ts';
import { blockedBy, kindFor, noticeOf } from './blocked.ts';
import { COOKIES_REUSED, type Pass, withPass } from './pass.ts';
import { wentPast } from './past-proxy.ts';
import { type ReadPage, readAskedPage, readLargePage, readPage } from './read-page.ts';

/** One attempt, ended: its line for people, and what came of it. */
export interface Tried extends Ended {
  readonly attempt: Attempt;
  readonly verdictFull: Verdict;
  readonly fetched: Fetched | null;
  readonly delivered: Delivered | null;
  /** Of this attempt, were it the delivered one. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  /** null: there was none to be had. */
  readonly exit: UsedExit | null;
  /** For an exit, also in vain. */
  readonly waitedMs: number;
}

/** What fetching and judging leave to be told. */
type OfLease = 'exit' | 'waitedMs';

export interface AttemptParts {
  readonly scrapers: ReadonlyMap<Step['scraper'], Scraper>;
  readonly proxies: Proxies;
  readonly clock: Clock;
  readonly reader: PageReader;
  readonly texts: SiteTexts;
  /** null: nothing is priced. */
  readonly prices: Prices | null;
}

export interface AttemptAsk {
  readonly n: number;
  readonly job: Job;
  readonly chosen: Next;
  readonly deadline: Deadline;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly room: ByteRoom;
  readonly userId: string;
  /** Of the attempts before. */
  readonly used: readonly UsedExit[];
  /** What the attempt before has fetched, for a browser to show. */
  readonly document: FetchedPage | null;
  /** Cookies of a passed check, for an HTTP client. */
  readonly pass: Pass | null;
}

/** Leases an exit, fetches, judges, gives the exit back. Never rejects for what the world does. */
export async function tryOnce(parts: AttemptParts, ask: AttemptAsk): Promise<Tried> {
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
  if ('code' in lease) {
    const cost = parts.prices === null ? UNKNOWN_COST : NO_COST;
    const told = { cost, warnings: [], durationMs: waitedMs, country: null };
    return { ...failed(ask, null, causeOf(lease, deadline), told), exit: null, waitedMs };
  }
  try {
    const tried = await goOut(parts, passing(ask, lease), lease, started);
    const { fetched, code, verdict, errors } = tried;
    const [bytesOut, bytesIn] = [fetched?.bytesOut ?? 0, fetched?.bytesIn ?? 0];
    if (fetched === null || !wentPast(lease.upstream, tried.step, job, fetched))
      lease.report({ failure: code === null ? null : errors[0]!, verdict, bytesOut, bytesIn });
    return { ...tried, exit: { exit: lease.exit, blocked: isBlocked(verdict) }, waitedMs };
  } finally {
    lease.release();
  }
}

/** With the cookies of the check that this exit has passed. */
function passing(ask: AttemptAsk, lease: Lease): AttemptAsk {
  const { pass, chosen } = ask;
  if (pass === null) return ask;
  if (pass.exit !== lease.exit || CAPABILITIES[chosen.step.scraper].engine !== 'http')
    return { ...ask, pass: null };
  return { ...ask, job: withPass(ask.job, pass) };
}

async function goOut(
  parts: AttemptParts,
  ask: AttemptAsk,
  lease: Lease,
  started: number,
): Promise<Omit<Tried, OfLease>> {
  const { job, chosen, deadline, room } = ask;
  const share = chosen.sharesTime ? deadlineIn(deadline.remaining() / 2, deadline.signal) : null;
  try {
    const scraper = parts.scrapers.get(chosen.step.scraper)!;
    const { allowUrl, userId, document } = ask;
    const fetched = await scraper.fetch({ job, lease, userId, deadline, share, allowUrl, room, document });
    const duration = parts.clock.monotonic() - started;
    const bytes = fetched.bytesIn + fetched.bytesOut;
    const past = wentPast(lease.upstream, chosen.step, job, fetched);
    const exitPrice = lease.upstream === null || past ? (parts.prices?.direct ?? null) : lease.price;
    const cost = costOf(parts.prices, chosen.step.scraper, exitPrice, bytes);
    const warnings =
      lease.warnings.length + fetched.warnings.length === 0 ? [] : [...lease.warnings, ...fetched.warnings];
    const told = { cost, warnings, durationMs: duration, country: past ? null : lease.country };
    if (fetched.page === null) return failed(ask, fetched, causeOf(fetched.failure, deadline), told);
    const { page } = fetched;
    // Before anything is made of the body, which may then be gone.
    const scripted = runsScripts(chosen.step, job);
    const texts = tellsOfSite(ask) ? parts.texts : null;
    const verdict = assess(page, { url: job.url, scripted, at: parts.clock.now(), texts });
    let read: ReadPage | Failure;
    if (page.body.length > SMALL_BYTES) read = await readLargePage(page, job, deadline, room, parts.reader);
    else {
      room.count(page.body.length);
      read = asksReading(job) ? await readAskedPage(page, job, deadline, parts.reader) : readPage(page, job);
    }
    // What was made of it is kept until the answer has been sent.
    if ('reading' in read && read.reading !== null) room.count(lengthOfData(read.reading.data));
    if ('code' in read) {
      const lost = { ...fetched, page: null, failure: read, statusCode: page.statusCode };
      return failed(ask, lost, causeOf(read, deadline), told);
    }
    return judged(ask, fetched, { verdict, read, ...told });
  } finally {
    share?.[Symbol.dispose]();
  }
}

const runsScripts = (step: Step, job: Job): boolean =>
  CAPABILITIES[step.scraper].engine === 'browser' && job.browser.javascript;

/** What came through a proxy of the caller's own, or from nobody knows whom, is no word of the site; robots.txt is no page. */
const tellsOfSite = ({ n, job, chosen, pass }: AttemptAsk): boolean =>
  n > 0 && pass === null && chosen.step.proxyType !== 'custom' && job.options.verifyTls;

const NOTHING_REUSED: readonly string[] = Object.freeze([]);
const PASS_REUSED: readonly string[] = Object.freeze([COOKIES_REUSED]);
const NO_DATA: readonly DataMember[] = Object.freeze([]);

/** The caller has not left: it is the service that ends the scrape. */
function causeOf(cause: Failure, deadline: Deadline): Failure {
  if (cause.code !== 'request.cancelled' || deadline.signal.reason !== SHUTDOWN) return cause;
  return failure('service.unavailable', 'The service is shutting down; the scrape was stopped.');
}

/** What both endings of an attempt tell of it. */
interface Told {
  readonly cost: Cost;
  readonly warnings: readonly Warning[];
  readonly durationMs: number;
  readonly country: string | null;
}

function failed(
  ask: AttemptAsk,
  fetched: (Fetched & { page: null }) | null,
  cause: Failure,
  { cost, warnings, durationMs, country }: Told,
): Omit<Tried, OfLease> {
  const { step, reason } = ask.chosen;
  const attempt: Attempt = {
    n: ask.n,
    scraper: step.scraper,
    proxyType: step.proxyType,
    country,
    outcome: cause.code === 'request.cancelled' ? 'cancelled' : 'failed',
    verdict: NET,
    statusCode: fetched?.statusCode ?? null,
    failure: cause,
    durationMs,
    bytesOut: fetched?.bytesOut ?? 0,
    bytesIn: fetched?.bytesIn ?? 0,
    cost: cost.cost,
    costItems: cost.items,
    reason,
    reused: ask.pass === null ? (fetched?.reused ?? NOTHING_REUSED) : PASS_REUSED,
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
    verdictFull: NET,
    fetched,
    delivered: null,
    errors: [cause],
    warnings,
  };
}

/** What another scraper may get whole, where this one did not. */
const BROKEN: ReadonlySet<FailureCode> = new Set(['content.incomplete', 'redirect.invalid']);

interface Seen extends Told {
  readonly verdict: Verdict;
  readonly read: ReadPage;
}

function judged(
  ask: AttemptAsk,
  fetched: FetchedPage,
  { verdict, read, cost, warnings: exitWarnings, durationMs, country }: Seen,
): Omit<Tried, OfLease> {
  const { n, job } = ask;
  const { step, reason } = ask.chosen;
  const { page } = fetched;
  const { unmet } = read;
  const accepted = unmet.length === 0;
  const kind = kindFor(verdict, job.router.accept, accepted);
  const errors: Failure[] = [];
  const warnings = [...exitWarnings];
  // The cause of the answer comes first.
  if (page.fatal !== undefined) errors.push(page.fatal);
  if (isBlocked(kind)) errors.push(blockedBy(verdict));
  const cut = page.cut ?? read.cut;
  if (cut !== null) errors.push(cut);
  if (page.missed !== undefined) errors.push(...page.missed);
  if (read.reading !== null) errors.push(...read.reading.failures);
  if (!accepted)
    errors.push(
      failure('accept.unmet', `The page does not meet ${unmet.map((m) => `accept.${m}`).join(', ')}.`, {
        pointer: '/router/accept',
        details: { unmet },
      }),
    );
  if (read.mime.wrong !== undefined)
    warnings.push({
      code: 'content.gzip',
      message: WARNINGS['content.gzip'],
      details: { content_type: read.mime.wrong },
    });
  if (read.replaced > 0)
    warnings.push({
      code: 'charset.replaced',
      message: `${read.replaced} × ${WARNINGS['charset.replaced']}`,
      details: { count: read.replaced },
    });
  if (read.reading !== null) warnings.push(...read.reading.warnings);
  const notice = noticeOf(verdict, runsScripts(step, job));
  if (notice !== null) warnings.push(notice);

  const broken = cut !== null && BROKEN.has(cut.code);
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
      reused: ask.pass === null ? (fetched.reused ?? NOTHING_REUSED) : PASS_REUSED,
    },
    verdictFull: verdict,
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
