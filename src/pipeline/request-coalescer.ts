import { hash } from 'node:crypto';
import type { Deadline } from '../base/time.ts';
import { orAborted, orTimeout } from '../base/wait.ts';
import type { Task } from '../domain/task.ts';
import type { SharedLimits } from '../ports/coordination.ts';
import type { Experience } from '../router/experience.ts';
import { type Plan, replan } from '../router/plan.ts';
import { routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';

/** So many first attempts may run at once at an unknown kind of page. Other requests wait for their results. */
const MAX_LEADERS = 3;
/** After so many attempts, a kind of page is known well enough that no request waits. */
const KNOWN_AFTER = 3;
/** A request whose first attempt is this likely to succeed does not wait. */
const SURE = 0.9;
const MAX_WAIT_S = 2;
/** A wait takes at most this share of the remaining time of a request. */
const MAX_WAIT_SHARE = 0.1;
/** A request with less time than this does not wait. */
const MIN_SECONDS_LEFT = 8;

/** The running first attempts at one kind of page, in this process. */
interface Flight {
  running: number;
  /** Resolves when the next of these attempts ends; null: no request waits for that. */
  nextEnd: PromiseWithResolvers<void> | null;
}

/** The plan to follow, perhaps changed after a wait. */
export interface CoalescedPlan {
  readonly plan: Plan;
  readonly waitedMs: number;
  /** To be called when the first attempt has ended; later calls do nothing. */
  readonly leave: () => void;
}

/** What the coalescers of all replicas share. */
interface SharedFlights {
  readonly limits: SharedLimits;
  readonly experience: Pick<Experience, 'onApplied' | 'shareSoon'>;
}

/**
 * Keeps many simultaneous requests for an unknown kind of page from trying every route: a few go ahead, the others wait until
 * one of those attempts has ended, and then plan again with what it showed.
 */
export class RequestCoalescer {
  readonly #flights = new Map<string, Flight>();
  readonly #shared: SharedFlights | null;

  /** @param shared null: there are no other replicas */
  constructor(shared: SharedFlights | null) {
    this.#shared = shared;
    if (shared !== null) shared.experience.onApplied = (key) => this.#wake(keyText(key));
  }

  /**
   * Lets a request start its first attempt, after a wait if enough others are trying this kind of page. The result is a
   * promise only if there is a wait.
   */
  join(plan: Plan, task: Task, deadline: Deadline): CoalescedPlan | Promise<CoalescedPlan> {
    // With a single step, the results of others cannot change the plan.
    if (plan.named || plan.steps.length === 1) return { plan, waitedMs: 0, leave: () => {} };
    const key = siteKeyOf(task.url);
    const outlook = plan.outlook([]);
    const success = outlook.success(routeIndex(plan.steps[0]!, plan.routes));
    const secondsLeft = deadline.remaining() / 1000;
    const seconds = this.secondsToWait(key, outlook.attemptCount, success, secondsLeft);
    if (seconds > 0) return this.#joinAfterWait(key, plan, task, seconds * 1000, deadline);
    return this.#shared === null || !mayWait(outlook.attemptCount, success, secondsLeft)
      ? { plan, waitedMs: 0, leave: this.enter(key) }
      : this.#joinWithOthers(this.#shared, key, plan, task, deadline);
  }

  /** Counts the attempt as one of those of all replicas, or waits for what the other replicas learn. */
  async #joinWithOthers(
    { limits, experience }: SharedFlights,
    key: SiteKey,
    plan: Plan,
    task: Task,
    deadline: Deadline,
  ): Promise<CoalescedPlan> {
    const leave = this.enter(key);
    const name = `first attempts ${hash('sha256', keyText(key), 'base64url')}`;
    // If the replicas cannot agree, nobody waits.
    const holding = await Promise.resolve(limits.take([{ name, limit: MAX_LEADERS }])).catch(
      () => NOT_COUNTED,
    );
    if (holding === null) {
      leave();
      return this.#joinAfterWait(key, plan, task, waitSeconds(deadline.remaining() / 1000) * 1000, deadline);
    }
    return {
      plan,
      waitedMs: 0,
      leave: () => {
        leave();
        holding.release();
        experience.shareSoon?.();
      },
    };
  }

  async #joinAfterWait(
    key: SiteKey,
    plan: Plan,
    task: Task,
    ms: number,
    deadline: Deadline,
  ): Promise<CoalescedPlan> {
    const before = deadline.remaining();
    await this.nextEnd(key, ms, deadline.signal);
    const waitedMs = before - deadline.remaining();
    return { plan: replan(plan, task), waitedMs, leave: this.enter(key) };
  }

  /**
   * How many seconds a first attempt should wait; 0: it may start.
   * @param attemptCount number of recorded attempts at this kind of page
   * @param success P(page) of the first attempt
   */
  secondsToWait(key: SiteKey, attemptCount: number, success: number, secondsLeft: number): number {
    if (!mayWait(attemptCount, success, secondsLeft)) return 0;
    const flight = this.#flights.get(keyText(key));
    return flight === undefined || flight.running < MAX_LEADERS ? 0 : waitSeconds(secondsLeft);
  }

  /** Counts a first attempt as running. @returns to be called when it has ended; further calls do nothing */
  enter(key: SiteKey): () => void {
    const text = keyText(key);
    const flight = this.#flights.get(text) ?? { running: 0, nextEnd: null };
    flight.running++;
    this.#flights.set(text, flight);
    let running = true;
    return () => {
      if (!running) return;
      running = false;
      flight.running--;
      this.#wake(text);
    };
  }

  /** Resolves when one of the first attempts has ended, after `ms`, or when the signal aborts. */
  async nextEnd(key: SiteKey, ms: number, signal: AbortSignal): Promise<void> {
    const text = keyText(key);
    const flight = this.#flights.get(text) ?? { running: 0, nextEnd: null };
    this.#flights.set(text, flight);
    flight.nextEnd ??= Promise.withResolvers();
    await orAborted(orTimeout(flight.nextEnd.promise, ms, undefined), signal, () => {});
    if (flight.running === 0 && this.#flights.get(text) === flight) this.#flights.delete(text);
  }

  #wake(text: string): void {
    const flight = this.#flights.get(text);
    if (flight === undefined) return;
    flight.nextEnd?.resolve();
    flight.nextEnd = null;
    if (flight.running === 0) this.#flights.delete(text);
  }
}

const mayWait = (attemptCount: number, success: number, secondsLeft: number): boolean =>
  attemptCount < KNOWN_AFTER && success < SURE && secondsLeft > MIN_SECONDS_LEFT;

const waitSeconds = (secondsLeft: number): number => Math.min(MAX_WAIT_S, secondsLeft * MAX_WAIT_SHARE);

const NOT_COUNTED = { release() {} };

const keyText = ({ site, pattern }: SiteKey): string => site + pattern;
