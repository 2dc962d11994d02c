import type { FailureCode } from '../domain/failure.ts';
import { FAILURES } from '../domain/failure.ts';
import { isRepeatable, type Job } from '../domain/job.ts';
import type { Micro } from '../domain/micro.ts';
import type { Step } from '../domain/scrape.ts';
import { choose } from './choose.ts';
import type { Ended } from './ended.ts';
import type { Shown } from './experience.ts';
import type { Plan } from './plan.ts';
import { ruledOut, spokenAgainst } from './ruled-out.ts';
import { signOf } from './signs.ts';
import { hasTime, WAYS, wayOf } from './ways.ts';

export interface Next {
  readonly step: Step;
  /** For `attempts[].reason`. */
  readonly reason: string;
  /** To wait before it, ms: a target that just failed is not hit again at once. */
  readonly pauseMs: number;
  /** Another scraper may follow: this attempt gets a share of the time, not all of it. */
  readonly sharesTime: boolean;
}

/** Under `auto` the same way is taken again only after these (contract §7). */
const SAME_AGAIN: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.reset',
  'connect.timeout',
  'proxy.failed',
  'browser.crashed',
]);

/** Nothing that is done otherwise would help. */
const FINAL: ReadonlySet<FailureCode> = new Set([
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
export function next(
  plan: Plan,
  job: Job,
  ended: readonly Ended[],
  remainingMs = Number.POSITIVE_INFINITY,
  spent: Micro = 0,
): Next | null {
  const last = ended[ended.length - 1];
  if (last === undefined)
    return {
      step: plan.steps[0]!,
      reason: plan.first?.because ?? 'named by the request',
      pauseMs: 0,
      sharesTime: plan.maxAttempts > 1 && mayFollow(plan.steps.slice(1), remainingMs),
    };
  if (last.satisfied || ended.length >= plan.maxAttempts) return null;
  if (isFinal(last)) return null;
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((e) => e.sent)) return null;
  const within = withinCeiling(plan, spent);
  const other = plan.steps.length > 1 ? another(within, job, ended, remainingMs) : null;
  if (other !== null) return other;
  const repeats = plan.named ? isWorthRepeating(last) : mayBeRepeated(last, ended);
  return repeats && within.steps.some((step) => same(step, last.step))
    ? again(plan, last, ended, false)
    : null;
}

/** Whether no other way would help either. */
export const isFinal = ({ code }: Ended): boolean => code !== null && FINAL.has(code);

/** The plan without the steps that what is left of `max_cost` does not pay for. */
function withinCeiling(plan: Plan, spent: Micro): Plan {
  const { affords } = plan;
  return affords === null ? plan : { ...plan, steps: plan.steps.filter((step) => affords(step, spent)) };
}

/** The caller named the scraper and asked for several attempts: what another try may mend. */
const isWorthRepeating = ({ code }: Ended): boolean => code === null || FAILURES[code].retryable;

/** Under `auto`. Who asked for a pause gets it, and is asked once more; who then still complains means us. */
function mayBeRepeated(last: Ended, ended: readonly Ended[]): boolean {
  if (last.code !== null) return SAME_AGAIN.has(last.code);
  return last.verdict === 'rate' && ended.filter(({ verdict }) => verdict === 'rate').length === 1;
}

function again({ maxAttempts }: Plan, last: Ended, ended: readonly Ended[], sharesTime: boolean): Next {
  const times = ended.filter((e) => same(e.step, last.step)).length;
  return {
    step: last.step,
    reason: `again after ${whyOf(last)}`,
    pauseMs: Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (times - 1)),
    sharesTime: sharesTime && ended.length + 1 < maxAttempts,
  };
}

function another(plan: Plan, job: Job, ended: readonly Ended[], remainingMs: number): Next | null {
  const last = ended[ended.length - 1]!;
  const tried = ended.map((e) => e.step);
  const fresh = freshOf(plan, ended);
  const repeatable =
    last.code !== null && SAME_AGAIN.has(last.code) && plan.steps.some((step) => same(step, last.step));
  // A connection that is ended twice is ended on purpose; a pool that fails twice may be all out of order.
  const twice = ended.filter((e) => e.code === last.code && same(e.step, last.step)).length > 1;
  if (repeatable && !(twice && fresh.length > 0))
    return again(plan, last, ended, mayFollow(fresh, remainingMs));
  if (fresh.length === 0) return null;
  const shown: Shown[] = [];
  for (const e of ended) {
    const sign = signOf(e);
    if (sign !== null) shown.push({ way: wayOf(e.step), sign });
  }
  const view = plan.outlook(shown);
  const left = { secondsLeft: remainingMs / 1000, last: ended.length + 1 === plan.maxAttempts };
  const open = fresh.filter((step) => !spokenAgainst(step, ended));
  let chosen = choose(job, open, tried, view, left);
  // Where spend alone counts, what the page says is enough.
  if (chosen === null && (job.router.sort !== 'cheapest' || job.router.maxAttempts !== null))
    chosen = choose(
      job,
      fresh.filter((step) => !open.includes(step)),
      tried,
      view,
      left,
    );
  if (chosen === null) return null;
  return {
    step: chosen.step,
    reason: `after ${whyOf(last)}: ${chosen.because}`,
    pauseMs: 0,
    sharesTime:
      ended.length + 1 < plan.maxAttempts &&
      mayFollow(
        fresh.filter((step) => step !== chosen.step),
        remainingMs,
      ),
  };
}

/** The steps that were not tried and may bring the page. */
export const freshOf = ({ steps }: Plan, ended: readonly Ended[]): readonly Step[] =>
  steps.filter((step) => !ended.some((one) => same(one.step, step)) && !ruledOut(step, ended));

/** Whether half of the time would be enough for another step. */
const mayFollow = (steps: readonly Step[], remainingMs: number): boolean =>
  steps.some((step) => hasTime(WAYS[wayOf(step)]!, remainingMs / 2_000));

function whyOf({ code, verdict, unmet, failed }: Ended): string {
  if (code !== null) return code;
  if (verdict !== 'ok') return failed === null || failed === verdict ? verdict : `${verdict} (${failed})`;
  return unmet ? 'accept.unmet' : 'an incomplete page';
}

const same = (a: Step, b: Step): boolean => a.scraper === b.scraper && a.proxyType === b.proxyType;
