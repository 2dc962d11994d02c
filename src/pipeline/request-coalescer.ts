import type { Deadline } from '../base/time.ts';
import type { Job } from '../domain/job.ts';
import { type Plan, replan } from '../router/plan.ts';
import { routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';

/** So many scouts go first to a target of which nothing is known; the others wait for what they find. */
const MAX_LEADERS = 3;
const KNOWN_AFTER = 3;
/** Who is so sure of a page need not wait for others. */
const SURE = 0.9;
const WAIT_S = 2;
const WAIT_SHARE = 0.1;
/** With less time than this nobody waits. */
const MIN_SECONDS_TO_WAIT = 8;

interface Flight {
  going: number;
  readonly waiting: Set<() => void>;
}

/** Keeps a crowd from trying every way at an unknown target at once. Holds nothing of targets at which nobody is. */
export class RequestCoalescer {
  readonly #flights = new Map<string, Flight>();

  /** Seconds for which a first attempt is to wait for the scouts; 0: it may go. */
  secondsToWait(key: SiteKey, seen: number, p: number, secondsLeft: number): number {
    if (seen >= KNOWN_AFTER || p >= SURE || secondsLeft <= MIN_SECONDS_TO_WAIT) return 0;
    const flight = this.#flights.get(keyText(key));
    if (flight === undefined || flight.going < MAX_LEADERS) return 0;
    return Math.min(WAIT_S, secondsLeft * WAIT_SHARE);
  }

  join(key: SiteKey): void {
    const text = keyText(key);
    const flight = this.#flights.get(text);
    if (flight === undefined) this.#flights.set(text, { going: 1, waiting: new Set() });
    else flight.going++;
  }

  /** The first attempt has ended: who waits may look again. */
  leave(key: SiteKey): void {
    const text = keyText(key);
    const flight = this.#flights.get(text);
    if (flight === undefined) return;
    if (--flight.going <= 0) this.#flights.delete(text);
    const waiting = [...flight.waiting];
    flight.waiting.clear();
    for (const go of waiting) go();
  }

  /** Calls `go` when somebody leaves; what comes back takes that away again. */
  onLeave(key: SiteKey, go: () => void): () => void {
    const waiting = this.#flights.get(keyText(key))?.waiting;
    waiting?.add(go);
    return () => waiting?.delete(go);
  }
}

const keyText = ({ site, pattern }: SiteKey): string => site + pattern;

interface CoalescedPlan {
  readonly plan: Plan;
  readonly waitedMs: number;
  /** To be called when the first attempt has ended. */
  readonly leave: () => void;
}

const NOTHING_JOINED: () => void = () => {};

/** A crowd at an unknown site does not try every way at once: a few go first, the others wait for what they find. */
export async function coalesce(
  gate: RequestCoalescer,
  plan: Plan,
  job: Job,
  deadline: Deadline,
): Promise<CoalescedPlan> {
  const key = siteKeyOf(job.url);
  const view = plan.outlook([]);
  const p = view.success(routeIndex(plan.steps[0]!));
  const seconds = gate.secondsToWait(key, view.seen, p, deadline.remaining() / 1000);
  let waitedMs = 0;
  let now = plan;
  if (seconds > 0) {
    const before = deadline.remaining();
    await nextLeave(gate, job, seconds * 1000, deadline);
    waitedMs = before - deadline.remaining();
    now = replan(plan, job);
  }
  gate.join(key);
  return { plan: now, waitedMs, leave: () => gate.leave(key) };
}

/** Whether there is a choice at all, about which scouts could tell something. */
export const mayCoalesce = (plan: Plan): boolean => !plan.named && plan.steps.length > 1;

/** There is nothing to find out. */
export const withoutCoalescing = (plan: Plan): CoalescedPlan => ({
  plan,
  waitedMs: 0,
  leave: NOTHING_JOINED,
});

/** Settles when one of the scouts is back, after `ms`, or when the deadline ends. */
function nextLeave(gate: RequestCoalescer, job: Job, ms: number, { signal }: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stay();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stay = gate.onLeave(siteKeyOf(job.url), done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
