import type { Deadline } from '../base/time.ts';
import { orAborted, orTimeout } from '../base/wait.ts';
import type { Job } from '../domain/job.ts';
import { type Plan, replan } from '../router/plan.ts';
import { routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';

/** So many requests go ahead at a kind of page of which little is known; the others wait for what they find. */
const MAX_LEADERS = 3;
/** After so many attempts a kind of page is known. */
const KNOWN_AFTER = 3;
/** A request whose first attempt is this likely to succeed need not wait. */
const SURE = 0.9;
const MAX_WAIT_S = 2;
/** Of the time that a request has left. */
const MAX_WAIT_SHARE = 0.1;
/** A request with less time than this does not wait. */
const MIN_SECONDS_LEFT = 8;

/** The first attempts that are under way at one kind of page. */
interface Flight {
  running: number;
  /** Settles when the next of them ends; null: nobody waits for that. */
  nextEnd: PromiseWithResolvers<void> | null;
}

/** The plan to follow, after a wait or without one. */
export interface CoalescedPlan {
  readonly plan: Plan;
  readonly waitedMs: number;
  /** To be called when the first attempt has ended; later calls do nothing. */
  readonly leave: () => void;
}

/**
 * Keeps many requests for an unknown kind of page from trying every method at once: a few go ahead, the others wait until one
 * of those knows more, and then choose again. Remembers only pages at which a first attempt is under way.
 */
export class RequestCoalescer {
  readonly #flights = new Map<string, Flight>();

  /**
   * Lets a request go ahead, after a wait where others are finding out about the page. A promise only when there is something
   * to wait for.
   */
  join(plan: Plan, job: Job, deadline: Deadline): CoalescedPlan | Promise<CoalescedPlan> {
    // Where there is nothing to choose, the others have nothing to tell.
    if (plan.named || plan.steps.length === 1) return { plan, waitedMs: 0, leave: () => {} };
    const key = siteKeyOf(job.url);
    const outlook = plan.outlook([]);
    const success = outlook.success(routeIndex(plan.steps[0]!));
    const seconds = this.secondsToWait(key, outlook.seen, success, deadline.remaining() / 1000);
    return seconds === 0
      ? { plan, waitedMs: 0, leave: this.enter(key) }
      : this.#joinAfterWait(key, plan, job, seconds * 1000, deadline);
  }

  async #joinAfterWait(
    key: SiteKey,
    plan: Plan,
    job: Job,
    ms: number,
    deadline: Deadline,
  ): Promise<CoalescedPlan> {
    const before = deadline.remaining();
    await this.nextEnd(key, ms, deadline.signal);
    const waitedMs = before - deadline.remaining();
    return { plan: replan(plan, job), waitedMs, leave: this.enter(key) };
  }

  /**
   * Seconds for which a first attempt is to wait; 0: it may go.
   * @param seen attempts at this kind of page that are remembered
   * @param success probability of a page
   */
  secondsToWait(key: SiteKey, seen: number, success: number, secondsLeft: number): number {
    if (seen >= KNOWN_AFTER || success >= SURE || secondsLeft <= MIN_SECONDS_LEFT) return 0;
    const flight = this.#flights.get(keyText(key));
    if (flight === undefined || flight.running < MAX_LEADERS) return 0;
    return Math.min(MAX_WAIT_S, secondsLeft * MAX_WAIT_SHARE);
  }

  /** Counts a first attempt; what is returned is to be called when it has ended, and does nothing the second time. */
  enter(key: SiteKey): () => void {
    const text = keyText(key);
    const flight = this.#flights.get(text) ?? { running: 0, nextEnd: null };
    flight.running++;
    this.#flights.set(text, flight);
    let running = true;
    return () => {
      if (!running) return;
      running = false;
      if (--flight.running === 0) this.#flights.delete(text);
      flight.nextEnd?.resolve();
      flight.nextEnd = null;
    };
  }

  /** Settles when one of the attempts has ended, after `ms`, or with the signal. */
  async nextEnd(key: SiteKey, ms: number, signal: AbortSignal): Promise<void> {
    const flight = this.#flights.get(keyText(key));
    if (flight === undefined) return;
    flight.nextEnd ??= Promise.withResolvers();
    await orAborted(orTimeout(flight.nextEnd.promise, ms, undefined), signal, () => {});
  }
}

const keyText = ({ site, pattern }: SiteKey): string => site + pattern;
