import type { MicroUnits } from '../base/numbers.ts';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import { isRepeatable, type Job } from '../domain/job.ts';
import type { EarlyStop, Step } from '../domain/scrape.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { RouteObservation } from './experience.ts';
import { observationOf } from './observations.ts';
import type { EndedAttempt, Plan } from './plan.ts';
import { chooseStep } from './route-choice.ts';
import { hasTime, ROUTES, routeIndex } from './routes.ts';

/** It is the way to the target that fails, whoever goes it: only another kind of exit may help. */
const EXIT_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.refused',
  'connect.timeout',
  'connect.unreachable',
  'proxy.failed',
]);

/** Whether the attempts that ended show that a step cannot succeed either. */
function isRuledOut(step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some((one, at) => attemptRulesOut(one, step) && !isRecovered(one, ended.slice(at + 1)));
}

/**
 * Whether a page that refused says that this step would be refused too, because it lacks what was missing there. Such
 * pages name the address where they mean the client, and the other way round: it is no proof.
 */
function isDiscouraged(step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some((one) => isRefusal(one) && lacksCapability(one, step));
}

/** The way to the target failed, and led there later: it was that one exit, or it has mended. */
function isRecovered(one: EndedAttempt, later: readonly EndedAttempt[]): boolean {
  if (!failedAtExit(one)) return false;
  const { proxyType } = one.step;
  return later.some((after) => after.step.proxyType === proxyType && after.sent && !failedAtExit(after));
}

const failedAtExit = ({ code }: EndedAttempt): boolean => code !== null && EXIT_FAILURES.has(code);

/** Whether one attempt shows it. */
function attemptRulesOut(one: EndedAttempt, step: Step): boolean {
  const { code, failed } = one;
  const sameExit = step.proxyType === one.step.proxyType;
  if (code !== null) return sameExit && EXIT_FAILURES.has(code);
  if (failed === 'wall') return true;
  if (failed === 'rate') return sameExit;
  return !isRefusal(one) && lacksCapability(one, step);
}

const isRefusal = ({ verdict }: EndedAttempt): boolean => isBlocked(verdict) && verdict !== 'wall';

/** Whether a step lacks what was missing in an attempt. */
function lacksCapability({ step: tried, failed }: EndedAttempt, step: Step): boolean {
  const way = ROUTES[routeIndex(step)]!;
  const before = ROUTES[routeIndex(tried)]!;
  if (failed === 'js') return !way.js;
  if (failed === 'fingerprint') return way.fingerprint <= before.fingerprint;
  return failed === 'ip' && way.ip <= before.ip;
}

export interface NextAttempt {
  readonly step: Step;
  /** For `attempts[].reason`. */
  readonly reason: string;
  /** To wait before it, ms: a target that just failed is not hit again at once. */
  readonly pauseMs: number;
  /** Another scraper may follow: this attempt gets a share of the time, not all of it. */
  readonly sharesTime: boolean;
}

/** Under `auto` the same way is taken again only after these (contract §7). */
const REPEATABLE_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.reset',
  'connect.timeout',
  'proxy.failed',
  'browser.crashed',
]);

/** Nothing that is done otherwise would help. */
const FINAL_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.not_found',
  'policy.address',
  'policy.domain',
  'policy.robots',
  'tls.invalid',
  'timeout.total',
  'request.cancelled',
  // Our own trouble: another attempt would add to it.
  'service.unavailable',
]);

const PAUSE_MS = 100;
const PAUSE_MAX_MS = 1_000;

/** The next attempt, or null: stop. Nothing else decides about a further attempt. */
export function nextAttempt(
  plan: Plan,
  job: Job,
  ended: readonly EndedAttempt[],
  remainingMs = Number.POSITIVE_INFINITY,
  spent: MicroUnits = 0,
): NextAttempt | null {
  const last = ended[ended.length - 1];
  if (last === undefined)
    return {
      step: plan.steps[0]!,
      reason: plan.first?.reason ?? 'named by the request',
      pauseMs: 0,
      sharesTime: plan.maxAttempts > 1 && hasTimeForAnother(plan.steps.slice(1), remainingMs),
    };
  if (last.satisfied || ended.length >= plan.maxAttempts) return null;
  if (isFinal(last)) return null;
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((e) => e.sent)) return null;
  const within = withinCeiling(plan, spent);
  const other = plan.steps.length > 1 ? otherAttempt(within, job, ended, remainingMs) : null;
  if (other !== null) return other;
  const repeats = plan.named ? isWorthRepeating(last) : mayBeRepeated(last, ended);
  return repeats && within.steps.some((step) => isSameStep(step, last.step))
    ? repeatedAttempt(plan, last, ended, false)
    : null;
}

/** Whether no other way would help either. */
const isFinal = ({ code }: EndedAttempt): boolean => code !== null && FINAL_FAILURES.has(code);

/** The plan without the steps that what is left of `max_cost` does not pay for. */
function withinCeiling(plan: Plan, spent: MicroUnits): Plan {
  const { affords } = plan;
  return affords === null ? plan : { ...plan, steps: plan.steps.filter((step) => affords(step, spent)) };
}

/** The caller named the scraper and asked for several attempts: what another try may mend. */
const isWorthRepeating = ({ code }: EndedAttempt): boolean => code === null || FAILURES[code].retryable;

/** Under `auto`. Who asked for a pause gets it, and is asked once more; who then still complains means us. */
function mayBeRepeated(last: EndedAttempt, ended: readonly EndedAttempt[]): boolean {
  if (last.code !== null) return REPEATABLE_FAILURES.has(last.code);
  return last.verdict === 'rate' && ended.filter(({ verdict }) => verdict === 'rate').length === 1;
}

function repeatedAttempt(
  { maxAttempts }: Plan,
  last: EndedAttempt,
  ended: readonly EndedAttempt[],
  sharesTime: boolean,
): NextAttempt {
  const times = ended.filter((e) => isSameStep(e.step, last.step)).length;
  return {
    step: last.step,
    reason: `again after ${endReason(last)}`,
    pauseMs: Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (times - 1)),
    sharesTime: sharesTime && ended.length + 1 < maxAttempts,
  };
}

function otherAttempt(
  plan: Plan,
  job: Job,
  ended: readonly EndedAttempt[],
  remainingMs: number,
): NextAttempt | null {
  const last = ended[ended.length - 1]!;
  const tried = ended.map((e) => e.step);
  const fresh = untriedSteps(plan, ended);
  const repeatable =
    last.code !== null &&
    REPEATABLE_FAILURES.has(last.code) &&
    plan.steps.some((step) => isSameStep(step, last.step));
  // A connection that is ended twice is ended on purpose; a pool that fails twice may be all out of order.
  const twice = ended.filter((e) => e.code === last.code && isSameStep(e.step, last.step)).length > 1;
  if (repeatable && !(twice && fresh.length > 0))
    return repeatedAttempt(plan, last, ended, hasTimeForAnother(fresh, remainingMs));
  if (fresh.length === 0) return null;
  const shown: RouteObservation[] = [];
  for (const e of ended) {
    const observation = observationOf(e);
    if (observation !== null) shown.push({ route: routeIndex(e.step), observation });
  }
  const view = plan.outlook(shown);
  const left = { secondsLeft: remainingMs / 1000, last: ended.length + 1 === plan.maxAttempts };
  const open = fresh.filter((step) => !isDiscouraged(step, ended));
  let chosen = chooseStep(job, open, tried, view, left);
  // Where spend alone counts, what the page says is enough.
  if (chosen === null && (job.router.sort !== 'cheapest' || job.router.maxAttempts !== null))
    chosen = chooseStep(
      job,
      fresh.filter((step) => !open.includes(step)),
      tried,
      view,
      left,
    );
  if (chosen === null) return null;
  return {
    step: chosen.step,
    reason: `after ${endReason(last)}: ${chosen.reason}`,
    pauseMs: 0,
    sharesTime:
      ended.length + 1 < plan.maxAttempts &&
      hasTimeForAnother(
        fresh.filter((step) => step !== chosen.step),
        remainingMs,
      ),
  };
}

/** The steps that were not tried and may bring the page. */
const untriedSteps = ({ steps }: Plan, ended: readonly EndedAttempt[]): readonly Step[] =>
  steps.filter((step) => !ended.some((one) => isSameStep(one.step, step)) && !isRuledOut(step, ended));

/** Whether half of the time would be enough for another step. */
const hasTimeForAnother = (steps: readonly Step[], remainingMs: number): boolean =>
  steps.some((step) => hasTime(ROUTES[routeIndex(step)]!, remainingMs / 2_000));

function endReason({ code, verdict, unmet, failed }: EndedAttempt): string {
  if (code !== null) return code;
  if (verdict !== 'ok') return failed === null || failed === verdict ? verdict : `${verdict} (${failed})`;
  return unmet ? 'accept.unmet' : 'an incomplete page';
}

const isSameStep = (a: Step, b: Step): boolean => a.scraper === b.scraper && a.proxyType === b.proxyType;

/**
 * Why `auto` made no further attempt although there is a way that it has not tried; null: it got the page, or nothing is
 * left that may bring it.
 */
export function earlyStop(
  plan: Plan,
  job: Job,
  ended: readonly EndedAttempt[],
  remainingMs: number,
  spent: MicroUnits,
): EarlyStop | null {
  const last = ended[ended.length - 1];
  if (plan.named || last === undefined || last.satisfied || isFinal(last)) return null;
  const { affords } = plan;
  const left = untriedSteps(plan, ended);
  if (left.length === 0) return null;
  const of = (reason: EarlyStop['reason'], why: string): EarlyStop => ({
    reason,
    message: `${why} Not tried: ${left.map((one) => `${one.scraper}/${one.proxyType}`).join(', ')}.`,
  });
  if (ended.length >= plan.maxAttempts)
    return of('max_attempts', `The limit of ${plan.maxAttempts} attempts was reached.`);
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((one) => one.sent))
    return of('method', `${job.method} is sent only once, and may have reached the target.`);
  if (affords !== null && !left.some((one) => affords(one, spent)))
    return of('max_cost', 'The rest of `max_cost` does not pay for another method.');
  if (!left.some((one) => hasTime(ROUTES[routeIndex(one)]!, remainingMs / 1000)))
    return of('timeout', 'Not enough time was left for another method.');
  if (job.router.sort === 'cheapest')
    return of('sort', 'With `sort: cheapest`, no other method was worth its cost.');
  return of('refused_before', 'The other methods recently failed several times on this kind of page.');
}
