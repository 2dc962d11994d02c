import type { FailureCode } from '../domain/failure.ts';
import { FAILURES } from '../domain/failure.ts';
import { isRepeatable, type Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import type { Plan } from './plan.ts';

/** What the decision about a further attempt needs to know of one that ended. */
export interface Ended {
  readonly step: Step;
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** The page is all that was asked for: whole, `ok`, meets `accept`. */
  readonly satisfied: boolean;
  /** A byte of the request may have reached the target. */
  readonly sent: boolean;
}

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

const FINAL: ReadonlySet<FailureCode> = new Set([
  'dns.not_found',
  'policy.address',
  'policy.domain',
  'policy.robots',
  'timeout.total',
  'request.cancelled',
  // Our own trouble: another attempt would add to it.
  'service.unavailable',
]);

const PAUSE_MS = 100;
const PAUSE_MAX_MS = 1_000;

/** The next attempt, or null: stop. Nothing else decides about a further attempt. */
export function next(plan: Plan, job: Job, ended: readonly Ended[]): Next | null {
  const last = ended[ended.length - 1];
  if (last === undefined) {
    const step = plan.steps[0]!;
    const reason = plan.named ? 'named by the request' : 'cheapest way that can do the request';
    return {
      step,
      reason,
      pauseMs: 0,
      sharesTime: !plan.named && plan.steps.length > 1 && plan.maxAttempts > 1,
    };
  }
  if (last.satisfied || ended.length >= plan.maxAttempts) return null;
  if (last.code !== null && FINAL.has(last.code)) return null;
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((e) => e.sent)) return null;

  const why = last.code ?? (last.verdict === 'ok' ? 'accept.unmet or cut' : last.verdict);
  const fresh = plan.named ? undefined : plan.steps.find((s) => !ended.some((e) => same(e.step, s)));
  const again = mayRepeat(plan, last);
  if (!again && fresh === undefined) return null;
  const times = ended.filter((e) => same(e.step, last.step)).length;
  return {
    step: again ? last.step : fresh!,
    reason: again ? `again after ${why}` : `after ${why}`,
    pauseMs: again ? Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (times - 1)) : 0,
    sharesTime: !plan.named && fresh !== undefined && ended.length + 1 < plan.maxAttempts,
  };
}

function mayRepeat(plan: Plan, last: Ended): boolean {
  if (!plan.named) return last.code !== null && SAME_AGAIN.has(last.code);
  // The caller named the scraper and asked for several attempts: repeat what another try may mend.
  if (last.code !== null) return FAILURES[last.code].retryable;
  return true;
}

const same = (a: Step, b: Step): boolean => a.scraper === b.scraper && a.proxyType === b.proxyType;
