import type { MicroUnits } from '../base/numbers.ts';
import { FAILURES, type FailureCode } from '../domain/failure.ts';
import type { EarlyStop, Step } from '../domain/scrape.ts';
import { isVendor } from '../domain/scrapers.ts';
import { isRepeatable, type Task } from '../domain/task.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { RouteObservation } from './experience.ts';
import { observationOf } from './observations.ts';
import { type EndedAttempt, isSameStep, type Plan } from './plan.ts';
import { againAfter, nextAfter, REASONS } from './reasons.ts';
import { type ChosenStep, chooseStep } from './route-choice.ts';
import { hasTime, type Route, routeIndex } from './routes.ts';

export interface NextAttempt {
  readonly step: Step;
  /** For `attempts[].reason`. */
  readonly reason: string;
  /** Pause before the attempt, for a target that has just failed. */
  readonly pauseMs: number;
  /** Another attempt may follow, so that this one gets only a share of the remaining time. */
  readonly sharesTime: boolean;
}

/** The next attempt; null: stop. Only this function decides whether there is a further attempt. */
export function nextAttempt(
  plan: Plan,
  task: Task,
  ended: readonly EndedAttempt[],
  remainingMs = Number.POSITIVE_INFINITY,
  spent: MicroUnits = 0,
): NextAttempt | null {
  const last = ended[ended.length - 1];
  if (last === undefined) return firstAttempt(plan, remainingMs);
  if (last.satisfied || ended.length >= plan.maxAttempts || isFinal(last)) return null;
  if (isAnswer(plan, task, last)) return null;
  if (mustNotBeSentAgain(task, ended)) return null;
  const affordable = affordablePlan(plan, spent);
  const other = plan.steps.length > 1 ? otherAttempt(affordable, task, ended, remainingMs) : null;
  if (other !== null) return other;
  const repeats = plan.named ? isWorthRepeating(last) : mayBeRepeated(last, ended);
  return repeats && affordable.steps.some((step) => isSameStep(step, last.step))
    ? repeatedAttempt(plan, last, ended, { sharesTime: false })
    : null;
}

function firstAttempt(plan: Plan, remainingMs: number): NextAttempt {
  return {
    step: plan.steps[0]!,
    reason: plan.first?.reason ?? REASONS.named,
    pauseMs: 0,
    sharesTime: plan.maxAttempts > 1 && hasTimeForAnother(plan.routes, plan.steps.slice(1), remainingMs),
  };
}

/** Failures after which no other step can succeed. */
const FINAL_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.not_found',
  'policy.address',
  'policy.domain',
  'policy.robots',
  'tls.invalid',
  'timeout.total',
  'request.cancelled',
  // The service is overloaded: another attempt would make it worse.
  'service.unavailable',
]);

const isFinal = ({ code }: EndedAttempt): boolean => code !== null && FINAL_FAILURES.has(code);

/**
 * Whether a refusal is the target's answer, whoever asks: a bare 403, where the site has recently given pages to the same method.
 * Whoever sets `max_attempts` wants to know.
 */
const isAnswer = ({ named, isOpen }: Plan, { router }: Task, { bare403, step }: EndedAttempt): boolean =>
  bare403 === true && !named && router.maxAttempts === null && isOpen(step);

/** Whether the request may have reached the target and must not be repeated, because of its method (contract §7). */
const mustNotBeSentAgain = ({ method, router }: Task, ended: readonly EndedAttempt[]): boolean =>
  !isRepeatable(method) && router.maxAttempts === null && ended.some(({ sent }) => sent);

/** The plan with only those steps that stay within the remaining part of `max_cost`. */
function affordablePlan(plan: Plan, spent: MicroUnits): Plan {
  const { affords } = plan;
  return affords === null ? plan : { ...plan, steps: plan.steps.filter((step) => affords(step, spent)) };
}

/** Whether a scraper named by the caller may succeed at another attempt. */
const isWorthRepeating = ({ code }: EndedAttempt): boolean => code === null || FAILURES[code].retryable;

/** `auto` repeats the same step only after these failures (contract §7). */
const REPEATABLE_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.reset',
  'connect.timeout',
  'proxy.failed',
  'browser.crashed',
]);

/** Whether the failure of the last attempt may be gone at another one by the same step: of the network, or of the site itself. */
const mayBePassing = ({ code, verdict }: EndedAttempt): boolean =>
  code === null ? verdict === 'error_page' : REPEATABLE_FAILURES.has(code);

/** Whether `auto` may repeat the step. A site that had an error, or asked for a pause, is retried only once. */
function mayBeRepeated(last: EndedAttempt, ended: readonly EndedAttempt[]): boolean {
  if (last.code !== null) return mayBePassing(last);
  const isTemporary = last.verdict === 'rate' || last.verdict === 'error_page';
  return isTemporary && ended.filter((attempt) => endedAlike(attempt, last)).length === 1;
}

/** Whether two attempts ended in the same way. */
const endedAlike = (one: EndedAttempt, other: EndedAttempt): boolean =>
  one.code === other.code && one.verdict === other.verdict;

/** Pause before the first repetition of a step. It doubles with each further one. */
const PAUSE_MS = 100;
/** The same after an error of the site: it takes a moment to recover. */
const SITE_PAUSE_MS = 500;
const MAX_PAUSE_MS = 1_000;

function repeatedAttempt(
  { maxAttempts }: Plan,
  last: EndedAttempt,
  ended: readonly EndedAttempt[],
  { sharesTime }: Pick<NextAttempt, 'sharesTime'>,
): NextAttempt {
  const attempts = ended.filter(({ step }) => isSameStep(step, last.step)).length;
  return {
    step: last.step,
    reason: againAfter(last),
    pauseMs: Math.min(
      MAX_PAUSE_MS,
      (last.verdict === 'error_page' ? SITE_PAUSE_MS : PAUSE_MS) * 2 ** (attempts - 1),
    ),
    sharesTime: sharesTime && ended.length + 1 < maxAttempts,
  };
}

/** An attempt by an untried step, or by the last step again if its failure may be temporary; null if none is worth it. */
function otherAttempt(
  plan: Plan,
  task: Task,
  ended: readonly EndedAttempt[],
  remainingMs: number,
): NextAttempt | null {
  const last = ended[ended.length - 1]!;
  const untried = untriedSteps(plan, ended).filter((step) => !plan.isOnTrial(step));
  const repeatable = mayBePassing(last) && plan.steps.some((step) => isSameStep(step, last.step));
  // A second reset is probably intended by the site, and a second proxy failure may concern the whole pool.
  const failedTwice =
    ended.filter((attempt) => endedAlike(attempt, last) && isSameStep(attempt.step, last.step)).length > 1;
  if (repeatable && !(failedTwice && untried.length > 0))
    return repeatedAttempt(plan, last, ended, {
      sharesTime: hasTimeForAnother(plan.routes, untried, remainingMs),
    });
  const chosen = untried.length === 0 ? null : chooseUntried(plan, task, untried, ended, remainingMs);
  if (chosen === null) return null;
  const others = untried.filter((step) => step !== chosen.step);
  return {
    step: chosen.step,
    reason: nextAfter(last, chosen.reason),
    pauseMs: 0,
    sharesTime: ended.length + 1 < plan.maxAttempts && hasTimeForAnother(plan.routes, others, remainingMs),
  };
}

function chooseUntried(
  plan: Plan,
  task: Task,
  untried: readonly Step[],
  ended: readonly EndedAttempt[],
  remainingMs: number,
): ChosenStep | null {
  const tried = ended.map(({ step }) => step);
  const { routes } = plan;
  const outlook = plan.outlook(observationsOf(routes, ended));
  const limits = { secondsLeft: remainingMs / 1000, isLastAttempt: ended.length + 1 === plan.maxAttempts };
  const promising = untried.filter((step) => !isDiscouraged(routes, step, ended));
  const chosen = chooseStep(task, promising, tried, outlook, limits);
  // With `cheapest`, a discouraged step is not worth its cost, unless the caller has set the number of attempts.
  if (chosen !== null || (task.router.sort === 'cheapest' && task.router.maxAttempts === null)) return chosen;
  const discouraged = untried.filter((step) => !promising.includes(step));
  return chooseStep(task, discouraged, tried, outlook, limits);
}

function observationsOf(routes: readonly Route[], ended: readonly EndedAttempt[]): RouteObservation[] {
  return ended.flatMap((attempt) => {
    const observation = observationOf(attempt);
    const route = routeIndex(attempt.step, routes);
    return observation === null || route < 0 ? [] : { route, observation };
  });
}

/** The untried steps that may return the page. */
const untriedSteps = ({ routes, steps }: Plan, ended: readonly EndedAttempt[]): readonly Step[] =>
  steps.filter(
    (step) => !ended.some((attempt) => isSameStep(attempt.step, step)) && !isRuledOut(routes, step, ended),
  );

/** Whether the earlier attempts show that a step cannot succeed. */
function isRuledOut(routes: readonly Route[], step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some(
    (attempt, index) =>
      attemptRulesOut(routes, attempt, step) && !hasRecovered(attempt, ended.slice(index + 1)),
  );
}

function attemptRulesOut(routes: readonly Route[], attempt: EndedAttempt, step: Step): boolean {
  const { code, missing } = attempt;
  const sameExit = exitOf(step) === exitOf(attempt.step);
  if (code !== null) return sameExit && EXIT_FAILURES.has(code);
  if (missing === 'wall') return true;
  if (missing === 'rate') return sameExit;
  return !isRefusal(attempt) && lacksCapability(routes, attempt, step);
}

/** Steps with the same text reach the target from the same addresses. Each vendor has its own. */
const exitOf = ({ scraper, proxyType }: Step): string =>
  isVendor(scraper) ? `${scraper}/${proxyType}` : proxyType;

/** The connection to the target fails for every scraper. Only another proxy type may help. */
const EXIT_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.refused',
  'connect.timeout',
  'connect.unreachable',
  'proxy.failed',
]);

const failedAtExit = ({ code }: EndedAttempt): boolean => code !== null && EXIT_FAILURES.has(code);

/** Whether a later attempt reached the target by the proxy type that failed in this attempt. */
function hasRecovered(attempt: EndedAttempt, later: readonly EndedAttempt[]): boolean {
  if (!failedAtExit(attempt)) return false;
  const exit = exitOf(attempt.step);
  return later.some((other) => exitOf(other.step) === exit && other.sent && !failedAtExit(other));
}

/**
 * Whether a refusal suggests that this step would be refused, too, because it lacks the same capability. That is not certain:
 * refusals often blame the address although the client is the reason, or the client although it is the address.
 */
function isDiscouraged(routes: readonly Route[], step: Step, ended: readonly EndedAttempt[]): boolean {
  return ended.some((attempt) => isRefusal(attempt) && lacksCapability(routes, attempt, step));
}

/** Whether the site refused this visitor. A `wall` is no such refusal: it is the same for all visitors. */
const isRefusal = ({ verdict }: EndedAttempt): boolean => isBlocked(verdict) && verdict !== 'wall';

/** Whether a step lacks the capability that was missing in an attempt. */
function lacksCapability(
  routes: readonly Route[],
  { step: tried, missing }: EndedAttempt,
  step: Step,
): boolean {
  const route = routes[routeIndex(step, routes)];
  const triedRoute = routes[routeIndex(tried, routes)];
  // A vendor has every capability, and what one lacks says nothing about another.
  if (route === undefined || route.vendor === true || triedRoute === undefined) return false;
  if (missing === 'js') return !route.js;
  if (missing === 'fingerprint') return route.fingerprint <= triedRoute.fingerprint;
  return missing === 'ip' && route.ip <= triedRoute.ip;
}

/** Whether half of the remaining time is enough for another step. */
const hasTimeForAnother = (routes: readonly Route[], steps: readonly Step[], remainingMs: number): boolean =>
  steps.some((step) => hasTimeFor(routes, step, remainingMs / 2));

const hasTimeFor = (routes: readonly Route[], step: Step, remainingMs: number): boolean => {
  const route = routes[routeIndex(step, routes)];
  return route !== undefined && hasTime(route, remainingMs / 1000);
};

/**
 * Why `auto` made no further attempt although there are untried steps; null if it got the page, or no untried step may return
 * it.
 */
export function earlyStop(
  plan: Plan,
  task: Task,
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
  if (isAnswer(plan, task, last))
    return stop('answered', 'The site has recently given pages to this method, so the 403 is its answer.');
  if (ended.length >= plan.maxAttempts)
    return stop('max_attempts', `The limit of ${plan.maxAttempts} attempts was reached.`);
  if (mustNotBeSentAgain(task, ended))
    return stop('method', `${task.method} is sent only once, and may have reached the target.`);
  if (affords !== null && !untried.some((step) => affords(step, spent)))
    return stop('max_cost', 'The rest of `max_cost` does not pay for another method.');
  if (!untried.some((step) => hasTimeFor(plan.routes, step, remainingMs)))
    return stop('timeout', 'Not enough time was left for another method.');
  if (task.router.sort === 'cheapest')
    return stop('sort', 'With `sort: cheapest`, no other method was worth its cost.');
  return stop('refused_before', 'The other methods recently failed several times on this kind of page.');
}
