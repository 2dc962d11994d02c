import { NET_VERDICT } from '../assess/assess.ts';
import type { Cost } from '../domain/cost.ts';
import { type Failure, type FailureCode, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { FetchedPage, FetchResult } from '../domain/fetch-result.ts';
import type { AcceptCriteria, Job } from '../domain/job.ts';
import type { DataMember } from '../domain/reading.ts';
import type { Attempt, Delivery, Step } from '../domain/scrape.ts';
import { isBrowser } from '../domain/scrapers.ts';
import { isBlocked, type Verdict, type VerdictKind } from '../domain/verdict.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { NextAttempt } from '../router/next.ts';
import type { EndedAttempt } from '../router/plan.ts';
import type { ReadResult } from './read-page.ts';

/** An attempt that has ended: what the router needs to know of it, what is recorded, and its page. */
export interface AttemptResult extends EndedAttempt {
  readonly attempt: Attempt;
  readonly fullVerdict: Verdict;
  /** null: there was no exit, so nothing was fetched. */
  readonly fetched: FetchResult | null;
  /** null: no page came. */
  readonly delivered: Delivery | null;
  /** What the answer says when this attempt is the delivered one. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  /** null: there was none to be had. */
  readonly exit: UsedExit | null;
  /** For an exit, also in vain. */
  readonly waitedMs: number;
}

/** What both endings of an attempt, with a page and without one, have in common. */
export interface AttemptFacts {
  /** From 1; 0 for robots.txt. */
  readonly n: number;
  readonly job: Job;
  readonly chosen: NextAttempt;
  readonly cost: Cost;
  /** Of the exit and of the fetch. */
  readonly warnings: readonly Warning[];
  readonly durationMs: number;
  /** Where the exit is. */
  readonly country: string | null;
  /** Key of the exit; null: there was none to be had. */
  readonly exit: string | null;
  readonly waitedMs: number;
  /** It went out with the cookies of a passed bot check. */
  readonly usedClearance: boolean;
}

const NOTHING_REUSED: readonly string[] = Object.freeze([]);
const COOKIES_REUSED = 'cookies';
const CLEARANCE_REUSED: readonly string[] = Object.freeze([COOKIES_REUSED]);

/** Whether it went out with the cookies of a passed bot check: other requests would not be shown the same page. */
export const usesClearance = ({ attempt }: { readonly attempt: Attempt }): boolean =>
  attempt.reused.includes(COOKIES_REUSED);

/** Whether the scripts of a page run in this step. */
export const runsScripts = ({ scraper }: Step, { options }: Job): boolean =>
  isBrowser(scraper) && options.javascript;

/** An attempt that brought no page. */
export function failedAttempt(
  facts: AttemptFacts,
  fetched: (FetchResult & { page: null }) | null,
  cause: Failure,
): AttemptResult {
  const { code } = cause;
  return {
    step: facts.chosen.step,
    code,
    verdict: 'net',
    failed: null,
    unmet: false,
    satisfied: false,
    sent: fetched?.sent ?? false,
    attempt: attemptOf(facts, fetched, {
      outcome: code === 'request.cancelled' ? 'cancelled' : 'failed',
      verdict: NET_VERDICT,
      statusCode: fetched?.statusCode ?? null,
      failure: cause,
    }),
    fullVerdict: NET_VERDICT,
    fetched,
    delivered: null,
    errors: [cause],
    warnings: facts.warnings,
    exit: usedExit(facts, false),
    waitedMs: facts.waitedMs,
  };
}

/** What another scraper may get whole, where this one did not. */
const INCOMPLETE_CODES: ReadonlySet<FailureCode> = new Set(['content.incomplete', 'redirect.invalid']);
const NO_DATA: readonly DataMember[] = Object.freeze([]);

/** An attempt that brought a page, which was judged and read. */
export function judgedAttempt(
  facts: AttemptFacts,
  fetched: FetchedPage,
  verdict: Verdict,
  read: ReadResult,
): AttemptResult {
  const { page } = fetched;
  const accepted = read.unmet.length === 0;
  const kind = effectiveKind(verdict, facts.job.router.accept, accepted);
  const cut = page.cut ?? read.cut;
  const errors = pageErrors(fetched, verdict, kind, read, cut);
  const satisfied = kind === 'ok' && accepted && (cut === null || !INCOMPLETE_CODES.has(cut.code));
  return {
    step: facts.chosen.step,
    code: null,
    verdict: kind,
    failed: kind === 'ok' ? null : verdict.failed,
    unmet: !accepted,
    satisfied,
    sent: true,
    attempt: attemptOf(facts, fetched, {
      outcome: satisfied && cut === null ? 'ok' : 'rejected',
      verdict,
      statusCode: page.statusCode,
      failure: errors[0] ?? null,
    }),
    fullVerdict: verdict,
    fetched,
    delivered: {
      page,
      content: read.content,
      attempt: facts.n,
      charset: read.charset,
      data: read.reading?.data ?? NO_DATA,
    },
    errors,
    warnings: pageWarnings(facts, verdict, read),
    exit: usedExit(facts, isBlocked(kind)),
    waitedMs: facts.waitedMs,
  };
}

function attemptOf(
  facts: AttemptFacts,
  fetched: FetchResult | null,
  { outcome, verdict, statusCode, failure }: Pick<Attempt, 'outcome' | 'verdict' | 'statusCode' | 'failure'>,
): Attempt {
  const { step, reason } = facts.chosen;
  return {
    n: facts.n,
    scraper: step.scraper,
    proxyType: step.proxyType,
    country: facts.country,
    outcome,
    verdict,
    statusCode,
    failure,
    durationMs: facts.durationMs,
    bytesOut: fetched?.bytesOut ?? 0,
    bytesIn: fetched?.bytesIn ?? 0,
    cost: facts.cost.cost,
    costItems: facts.cost.items,
    reason,
    reused: facts.usedClearance ? CLEARANCE_REUSED : (fetched?.reused ?? NOTHING_REUSED),
  };
}

const usedExit = ({ exit }: AttemptFacts, blocked: boolean): UsedExit | null =>
  exit === null ? null : { exit, blocked };

/** What a page counts as: a caller who says by its content what success is, knows better than the verdict. */
function effectiveKind({ kind }: Verdict, accept: AcceptCriteria | null, met: boolean): VerdictKind {
  const judgesContent = accept !== null && (accept.selector ?? accept.contains ?? accept.jsonPath) !== null;
  return judgesContent && met && (isBlocked(kind) || kind === 'js_shell' || kind === 'empty') ? 'ok' : kind;
}

/** What is wrong with a page. The first is the cause of an answer that is not 200. */
function pageErrors(
  { page }: FetchedPage,
  verdict: Verdict,
  kind: VerdictKind,
  { unmet, reading }: ReadResult,
  cut: Failure | null,
): readonly Failure[] {
  const errors: Failure[] = [];
  if (page.fatal !== undefined) errors.push(page.fatal);
  if (isBlocked(kind)) errors.push(blockedFailure(verdict));
  if (cut !== null) errors.push(cut);
  if (page.missingParts !== undefined) errors.push(...page.missingParts);
  if (reading !== null) errors.push(...reading.failures);
  if (unmet.length > 0)
    errors.push(
      failure('accept.unmet', `The page does not meet ${unmet.map((m) => `accept.${m}`).join(', ')}.`, {
        pointer: '/router/accept',
        details: { unmet },
      }),
    );
  return errors;
}

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

/** `target.blocked`, with what was missing where the page tells it. */
function blockedFailure({ kind, wall, failed, signals }: Verdict): Failure {
  const what = wall === null ? (BLOCK_DESCRIPTIONS[kind] ?? 'a block page') : WALL_DESCRIPTIONS[wall];
  return failure('target.blocked', `The site sent ${what} instead of the page (${signals.join(', ')}).`, {
    details: wall === null ? { verdict: kind, failed } : { verdict: kind, failed, wall },
  });
}

function pageWarnings(
  { warnings: earlier, chosen, job }: AttemptFacts,
  verdict: Verdict,
  { mime, replaced, reading }: ReadResult,
): readonly Warning[] {
  const warnings = [...earlier];
  if (mime.contradictedEssence !== undefined)
    warnings.push({
      code: 'content.gzip',
      message: WARNINGS['content.gzip'],
      details: { content_type: mime.contradictedEssence },
    });
  if (replaced > 0)
    warnings.push({
      code: 'charset.replaced',
      message: `${replaced} × ${WARNINGS['charset.replaced']}`,
      details: { count: replaced },
    });
  if (reading !== null) warnings.push(...reading.warnings);
  const emptyPage = emptyPageWarning(verdict, runsScripts(chosen.step, job));
  if (emptyPage !== null) warnings.push(emptyPage);
  return warnings;
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
