import { BARE_403, NET_VERDICT } from '../assess/assess.ts';
import type { Cost } from '../domain/cost.ts';
import { type Failure, type FailureCode, failure, WARNINGS, type Warning } from '../domain/failure.ts';
import { type FetchedPage, type FetchResult, NO_TIMING } from '../domain/fetch-result.ts';
import type { ModelTask } from '../domain/json-extraction.ts';
import type { DataMember, RuleResult } from '../domain/reading.ts';
import type { Attempt, Delivery, Step } from '../domain/scrape.ts';
import { isBrowser } from '../domain/scrapers.ts';
import type { AcceptCriteria, Task } from '../domain/task.ts';
import { isBlocked, senderOf, type Verdict, type VerdictKind } from '../domain/verdict.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { NextAttempt } from '../router/next.ts';
import type { EndedAttempt } from '../router/plan.ts';
import { withMainDownload } from './main-download.ts';
import type { ReadResult } from './read-page.ts';
import { toldTimeout } from './timeout-message.ts';

/** An attempt that has ended: the facts for the router, the attempt as it is recorded, and its page. */
export interface AttemptResult extends EndedAttempt {
  readonly attempt: Attempt;
  readonly fullVerdict: Verdict;
  /** null: there was no exit, so nothing was fetched. */
  readonly fetched: FetchResult | null;
  /** The page with its content; null: the attempt failed without a page. */
  readonly delivered: Delivery | null;
  /** The `errors` and `warnings` of the response if the page of this attempt is delivered. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  /** What a model is to look for in the page; null: nothing. */
  readonly modelTask: ModelTask | null;
  /** null: no exit was available. */
  readonly exit: UsedExit | null;
  /** Time that the attempt waited for an exit, also if it got none. */
  readonly waitedMs: number;
}

/** The facts of an attempt that `failedAttempt` and `judgedAttempt` need. */
export interface AttemptFacts {
  /** Number of the attempt within the scrape, from 1; 0 for the fetch of robots.txt. */
  readonly n: number;
  readonly task: Task;
  readonly chosen: NextAttempt;
  readonly cost: Cost;
  /** Warnings about the exit and from the fetch. */
  readonly warnings: readonly Warning[];
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Country of the exit; null: not known. */
  readonly country: string | null;
  /** Key of the exit; null: no exit was available. */
  readonly exit: string | null;
  /** No proxy was used. */
  readonly direct: boolean;
  /** Time that the attempt waited for an exit, also if it got none. */
  readonly waitedMs: number;
  /** The attempt sent the cookies of a passed bot check. */
  readonly usedClearance: boolean;
}

/** Values of `attempts[].reused`. */
const NOTHING_REUSED: readonly string[] = Object.freeze([]);
const COOKIES_REUSED = 'cookies';
const CLEARANCE_REUSED: readonly string[] = Object.freeze([COOKIES_REUSED]);

/** Whether the attempt sent the cookies of a passed bot check: without them the site may show another page. */
export const usesClearance = ({ attempt }: { readonly attempt: Attempt }): boolean =>
  attempt.reused.includes(COOKIES_REUSED);

/** Whether the scripts of the page run in an attempt by this step. */
export const runsScripts = ({ scraper }: Step, { options }: Task): boolean =>
  isBrowser(scraper) && options.javascript;

/** The result of an attempt without a page. */
export function failedAttempt(
  facts: AttemptFacts,
  fetched: (FetchResult & { page: null }) | null,
  reason: Failure,
): AttemptResult {
  const cause = fetched === null ? reason : toldTimeout(reason, facts, fetched);
  const { code } = cause;
  return {
    step: facts.chosen.step,
    code,
    verdict: 'net',
    missing: null,
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
    modelTask: null,
    exit: usedExit(facts, { blocked: false }),
    waitedMs: facts.waitedMs,
  };
}

/** The page was cut, or it is a redirect to an invalid location. Another scraper may get the whole page. */
const INCOMPLETE_CODES: ReadonlySet<FailureCode> = new Set(['content.incomplete', 'redirect.invalid']);
const NO_DATA: readonly DataMember[] = Object.freeze([]);
const NO_RULES: readonly RuleResult[] = Object.freeze([]);

/** The result of an attempt with a page. */
export function judgedAttempt(
  facts: AttemptFacts,
  fetched: FetchedPage,
  verdict: Verdict,
  read: ReadResult,
): AttemptResult {
  const { page } = fetched;
  const accepted = read.unmet.length === 0;
  const kind = effectiveKind(verdict, facts.task.router.accept, accepted);
  const cut = page.cut === null ? read.cut : toldTimeout(page.cut, facts, fetched, true);
  const errors = pageErrors(fetched, verdict, kind, read, cut);
  const satisfied = kind === 'ok' && accepted && (cut === null || !INCOMPLETE_CODES.has(cut.code));
  return {
    step: facts.chosen.step,
    code: null,
    verdict: kind,
    missing: kind === 'ok' ? null : verdict.missing,
    unmet: !accepted,
    satisfied,
    sent: true,
    bare403: verdict.signals.includes(BARE_403),
    attempt: attemptOf(facts, fetched, {
      outcome: satisfied && cut === null ? 'ok' : 'rejected',
      verdict,
      statusCode: page.statusCode,
      failure: errors[0] ?? null,
    }),
    fullVerdict: verdict,
    fetched,
    delivered: {
      page: withMainDownload(page, read.mime.essence),
      content: read.content,
      attempt: facts.n,
      charset: read.charset,
      data: read.reading?.data ?? NO_DATA,
      found: read.reading?.found ?? null,
      rules: read.reading?.rules ?? NO_RULES,
      ...(fetched.vendor && { vendor: fetched.vendor }),
    },
    errors,
    warnings: pageWarnings(facts, verdict, read),
    modelTask: read.reading?.modelTask ?? null,
    exit: usedExit(facts, { blocked: isBlocked(kind) }),
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
    direct: facts.direct,
    country: facts.country,
    outcome,
    verdict,
    statusCode,
    failure,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    queuedMs: facts.waitedMs + (fetched?.queuedMs ?? 0),
    timing: fetched?.timing ?? NO_TIMING,
    bytesOut: fetched?.bytesOut ?? 0,
    bytesIn: fetched?.bytesIn ?? 0,
    cost: facts.cost.cost,
    costItems: facts.cost.items,
    reason,
    reused: facts.usedClearance ? CLEARANCE_REUSED : (fetched?.reused ?? NOTHING_REUSED),
  };
}

const usedExit = ({ exit }: AttemptFacts, { blocked }: Pick<UsedExit, 'blocked'>): UsedExit | null =>
  exit === null ? null : { exit, blocked };

/** The verdict that counts: a page that meets the caller's conditions on its content is `ok`, whatever it looks like. */
function effectiveKind({ kind }: Verdict, accept: AcceptCriteria | null, met: boolean): VerdictKind {
  const judgesContent = accept !== null && (accept.selector ?? accept.contains ?? accept.jsonPath) !== null;
  return judgesContent && met && (isBlocked(kind) || kind === 'js_shell' || kind === 'empty') ? 'ok' : kind;
}

/** The faults of a page. If the answer of Sluice is not a 200, the first one is its cause. */
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
      failure(
        'accept.unmet',
        `The page does not meet ${unmet.map((member) => `accept.${member}`).join(', ')}.`,
        {
          pointer: '/router/accept',
          details: { unmet },
        },
      ),
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
  age: 'a page that asks for the age of the visitor',
  cookies: 'a page that asks for cookies',
};

/** The failure `target.blocked`, with the missing capability if the page shows it. */
function blockedFailure(verdict: Verdict): Failure {
  const { kind, wall, missing } = verdict;
  const shown =
    senderOf(verdict) === 'queue' ? 'a waiting room' : (BLOCK_DESCRIPTIONS[kind] ?? 'a block page');
  const what = wall === null ? shown : WALL_DESCRIPTIONS[wall];
  return failure('target.blocked', `The site sent ${what} instead of the page.`, {
    details: wall === null ? { verdict: kind, failed: missing } : { verdict: kind, failed: missing, wall },
  });
}

function pageWarnings(
  { warnings: attemptWarnings, chosen, task }: AttemptFacts,
  verdict: Verdict,
  { mime, replaced, reading }: ReadResult,
): readonly Warning[] {
  const warnings = [...attemptWarnings];
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
  const emptyPage = emptyPageWarning(verdict, runsScripts(chosen.step, task));
  if (emptyPage !== null) warnings.push(emptyPage);
  return warnings;
}

const EMPTY_AFTER_SCRIPTS =
  'The page was empty when it was read, although its scripts ran. It may load content later: set wait_for_selector or wait_for_load_state.';
const REDIRECTS_BY_SCRIPT =
  'The page redirects by script or refresh, which only a browser follows. Try `scraper: browser`.';
const REDIRECT_SIGNALS = new Set(['shell/refresh-header', 'shell/meta-refresh', 'shell/script-redirect']);

/** The warning about a page that shows nothing, or that redirects its readers to another one. */
function emptyPageWarning({ kind, signals }: Verdict, scriptsRan: boolean): Warning | null {
  if (kind === 'empty') return { code: 'page.empty', message: WARNINGS['page.empty'] };
  if (kind !== 'js_shell') return null;
  if (REDIRECT_SIGNALS.has(signals[0]!)) return { code: 'page.js_shell', message: REDIRECTS_BY_SCRIPT };
  return { code: 'page.js_shell', message: scriptsRan ? EMPTY_AFTER_SCRIPTS : WARNINGS['page.js_shell'] };
}
