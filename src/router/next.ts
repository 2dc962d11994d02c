import type { MicroUnits } from '../base/numbers.ts';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import { isRepeatable, type Job } from '../domain/job.ts';
import type { EarlyStop, Step } from '../domain/scrape.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { RouteObservation } from './experience.ts';
import { observationOf } from './observations.ts';
import type { EndedAttempt, Plan } from './plan.ts';
import { type ChosenStep, chooseStep } from './route-choice.ts';
import { hasTime, ROUTES, routeIndex } from './routes.ts';

export interface NextAttempt {
  readonly step: Step;
  /** For `attempts[].reason`. */
  readonly reason: string;
  /** To wait before it: a target that just failed is not hit again at once. */
  readonly pauseMs: number;
  /** Another scraper may follow: this attempt gets a share of the time, not all of it. */
  readonly sharesTime: boolean;
}

/** The next attempt, or null: stop. Nothing else decides about a further attempt. */
export function nextAttempt(
  plan: Plan,
  job: Job,
  ended: readonly EndedAttempt[],
  remainingMs = Number.POSITIVE_INFINITY,
  spent: MicroUnits = 0,
): NextAttempt | null {
  const last = ended[ended.length - 1];
  if (last === undefined) return firstAttempt(plan, remainingMs);
  if (last.satisfied || ended.length >= plan.maxAttempts || isFinal(last)) return null;
  if (wasSentOnce(job, ended)) return null;
  const affordable = affordablePlan(plan, spent);
  const other = plan.steps.length > 1 ? otherAttempt(affordable, job, ended, remainingMs) : null;
  if (other !== null) return other;
  const repeats = plan.named ? isWorthRepeating(last) : mayBeRepeated(last, ended);
  return repeats && affordable.steps.some((step) => isSameStep(step, last.step))
    ? repeatedAttempt(plan, last, ended, false)
    : null;
}

function firstAttempt(plan: Plan, remainingMs: number): NextAttempt {
  return {
    step: plan.steps[0]!,
    reason: plan.first?.reason ?? 'named by the request',
    pauseMs: 0,
    sharesTime: plan.maxAttempts > 1 && hasTimeForAnother(plan.steps.slice(1), remainingMs),
  };
}

/** Failures after which no other step would help either. */
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

const isFinal = ({ code }: EndedAttempt): boolean => code !== null && FINAL_FAILURES.has(code);

/** Whether a method that is sent only once, unless the caller asks for more attempts, may have reached the target. */
const wasSentOnce = ({ method, router }: Job, ended: readonly EndedAttempt[]): boolean =>
  !isRepeatable(method) && router.maxAttempts === null && ended.some(({ sent }) => sent);

/** The plan with the steps that the rest of `max_cost` pays for. */
function affordablePlan(plan: Plan, spent: MicroUnits): Plan {
  const { affords } = plan;
  return affords === null ? plan : { ...plan, steps: plan.steps.filter((step) => affords(step, spent)) };
}

/** Where the caller named the scraper and asked for several attempts: whether the same may succeed when it is repeated. */
const isWorthRepeating = ({ code }: EndedAttempt): boolean => code === null || FAILURES[code].retryable;

/** Under `auto` the same step is repeated only after these (contract §7). */
const REPEATABLE_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.reset',
  'connect.timeout',
  'proxy.failed',
  'browser.crashed',
]);

/** The same under `auto`. A site that asked for a pause is retried once after it; if it asks again, it means this service. */
function mayBeRepeated(last: EndedAttempt, ended: readonly EndedAttempt[]): boolean {
  if (last.code !== null) return REPEATABLE_FAILURES.has(last.code);
  return last.verdict === 'rate' && ended.filter(({ verdict }) => verdict === 'rate').length === 1;
}

const PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

function repeatedAttempt(
  { maxAttempts }: Plan,
  last: EndedAttempt,
  ended: readonly EndedAttempt[],
  sharesTime: boolean,
): NextAttempt {
  const times = ended.filter(({ step }) => isSameStep(step, last.step)).length;
  return {
    step: last.step,
    reason: `again after ${endReason(last)}`,
    pauseMs: Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (times - 1)),
    sharesTime: sharesTime && ended.length + 1 < maxAttempts,
  };
}

/** An attempt by a step that was not tried, or by the last one once more where its failure may pass. null: none is worth it. */
function otherAttempt(
  plan: Plan,
  job: Job,
  ended: readonly EndedAttempt[],
  remainingMs: number,
): NextAttempt | null {
  const last = ended[ended.length - 1]!;
  const untried = untriedSteps(plan, ended);
  const repeatable =
    last.code !== null &&
    REPEATABLE_FAILURES.has(last.code) &&
    plan.steps.some((step) => isSameStep(step, last.step));
  // A connection that is reset twice is reset on purpose; a pool whose proxies fail twice may fail as a whole.
  const failedTwice =
    ended.filter(({ code, step }) => code === last.code && isSameStep(step, last.step)).length > 1;
  if (repeatable && !(failedTwice && untried.length > 0))
    return repeatedAttempt(plan, last, ended, hasTimeForAnother(untried, remainingMs));
  const chosen = untried.length === 0 ? null : chooseUntried(plan, job, untried, ended, remainingMs);
  if (chosen === null) return null;
  const others = untried.filter((step) => step !== chosen.step);
  return {
    step: chosen.step,
    reason: `after ${endReason(last)}: ${chosen.reason}`,
    pauseMs: 0,
    sharesTime: ended.length + 1 < plan.maxAttempts && hasTimeForAnother(others, remainingMs),
  };
}

function chooseUntried(
  plan: Plan,
  job: Job,
  untried: readonly Step[],
  ended: readonly EndedAttempt[],
  remainingMs: number,
): ChosenStep | null {
  const tried = ended.map(({ step }) => step);
  const outlook = plan.outlook(observationsOf(ended));
  const limits = { secondsLeft: remainingMs / 1000, last: ended.length + 1 === plan.maxAttempts };
  const promising = untried.filter((step) => !isDiscouraged(step, ended));
  const chosen = chooseStep(job, promising, tried, outlook, limits);
  // Where only the cost counts, what a page says of itself is reason enough to stop.
  if (chosen !== null || (job.router.sort === 'cheapest' && job.router.maxAttempts === null)) return chosen;
  const discouraged = untried.filter((step) => !promising.includes(step));
  return chooseStep(job, discouraged, tried, outlook, limits);
}

function observationsOf(ended: readonly EndedAttempt[]): RouteObservation[] {
  return ended.flatMap((attempt) => {
    const observation = observationOf(attempt);
    return observation === null ? [] : { route: routeIndex(attempt.step), observation };
  });
}

/** The steps that were not tried and may bring the page. */
const untriedSteps = ({ steps }: Plan, ended: readonly EndedAttempt[]): readonly Step[] =>
  steps.filter(
    (step) => !ended.some((attempt) => isSameStep(attempt.step, step)) && !isRuledOut(step, ended),
  );

/** Whether the attempts that ended show that a step cannot succeed. */
function isRuledOut(step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some(
    (attempt, at) => attemptRulesOut(attempt, step) && !hasRecovered(attempt, ended.slice(at + 1)),
  );
}

function attemptRulesOut(attempt: EndedAttempt, step: Step): boolean {
  const { code, failed } = attempt;
  const sameExit = step.proxyType === attempt.step.proxyType;
  if (code !== null) return sameExit && EXIT_FAILURES.has(code);
  if (failed === 'wall') return true;
  if (failed === 'rate') return sameExit;
  return !isRefusal(attempt) && lacksCapability(attempt, step);
}

/** The connection to the target fails, whatever scraper makes it: only another kind of exit may help. */
const EXIT_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.refused',
  'connect.timeout',
  'connect.unreachable',
  'proxy.failed',
]);

const failedAtExit = ({ code }: EndedAttempt): boolean => code !== null && EXIT_FAILURES.has(code);

/** Whether a later attempt reached the target through the kind of exit that failed here. */
function hasRecovered(attempt: EndedAttempt, later: readonly EndedAttempt[]): boolean {
  if (!failedAtExit(attempt)) return false;
  const { proxyType } = attempt.step;
  return later.some((other) => other.step.proxyType === proxyType && other.sent && !failedAtExit(other));
}

/**
 * Whether a page that refused says that this step would be refused too, because it lacks what was missing there. That is no
 * proof: such pages blame the address where they mean the client, and the other way round.
 */
function isDiscouraged(step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some((attempt) => isRefusal(attempt) && lacksCapability(attempt, step));
}

const isRefusal = ({ verdict }: EndedAttempt): boolean => isBlocked(verdict) && verdict !== 'wall';

/** Whether a step lacks what was missing in an attempt. */
function lacksCapability({ step: tried, failed }: EndedAttempt, step: Step): boolean {
  const route = ROUTES[routeIndex(step)]!;
  const triedRoute = ROUTES[routeIndex(tried)]!;
  if (failed === 'js') return !route.js;
  if (failed === 'fingerprint') return route.fingerprint <= triedRoute.fingerprint;
  return failed === 'ip' && route.ip <= triedRoute.ip;
}

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
 * Why `auto` made no further attempt although there is a step that it has not tried; null: it got the page, or nothing is
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
  const untried = untriedSteps(plan, ended);
  if (untried.length === 0) return null;
  const stop = (reason: EarlyStop['reason'], why: string): EarlyStop => ({
    reason,
    message: `${why} Not tried: ${untried.map((step) => `${step.scraper}/${step.proxyType}`).join(', ')}.`,
  });
  if (ended.length >= plan.maxAttempts)
    return stop('max_attempts', `The limit of ${plan.maxAttempts} attempts was reached.`);
  if (wasSentOnce(job, ended))
    return stop('method', `${job.method} is sent only once, and may have reached the target.`);
  if (affords !== null && !untried.some((step) => affords(step, spent)))
    return stop('max_cost', 'The rest of `max_cost` does not pay for another method.');
  if (!untried.some((step) => hasTime(ROUTES[routeIndex(step)]!, remainingMs / 1000)))
    return stop('timeout', 'Not enough time was left for another method.');
  if (job.router.sort === 'cheapest')
    return stop('sort', 'With `sort: cheapest`, no other method was worth its cost.');
  return stop('refused_before', 'The other methods recently failed several times on this kind of page.');
}
