/** Time as the service sees it. Passed in, so that tests can move it. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump; only for what people read and for record ids. */
  now(): number;
  /** Milliseconds that never go back, from an arbitrary start. For every duration and deadline. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/**
 * One wall-clock budget that is handed down the whole way of a scrape.
 * `signal` aborts with the reason `DEADLINE_EXCEEDED` when the time is up, or with the parent's reason when the
 * parent aborts (a client that hangs up, shutdown). Whoever makes one clears it (`using`).
 */
export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
  /** The monotonic instant (ms) at which it ends. */
  readonly at: number;
  readonly signal: AbortSignal;
  /** True once the time itself is up (not when the parent was cancelled). */
  expired(): boolean;
  [Symbol.dispose](): void;
}

/** The abort reason of a spent deadline; compare by identity. */
export const DEADLINE_EXCEEDED: Error = new Error('the time is up');

/** A deadline `ms` from now, also aborted by `parent`. A child never outlives the time of its parent. */
export function deadlineIn(ms: number, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent.reason);
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  const deadline = deadlineOf(ms, controller);
  return {
    ...deadline,
    [Symbol.dispose]() {
      deadline[Symbol.dispose]();
      parent.removeEventListener('abort', onParent);
    },
  };
}

/** A deadline `ms` from now on the controller of whoever may end the work sooner: for each scrape, without a second one. */
export function deadlineOf(ms: number, controller = new AbortController()): Deadline {
  const at = performance.now() + ms;
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(DEADLINE_EXCEEDED), Math.max(0, Math.ceil(ms)));
  return {
    at,
    signal,
    remaining: () => Math.max(0, at - performance.now()),
    expired: () => signal.reason === DEADLINE_EXCEEDED || performance.now() >= at,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Why work was ended from outside, as `AbortSignal.reason`; compare by identity. `DEADLINE` is in deadline.ts. */

export const CLIENT_DISCONNECTED: Error = new Error('the caller hung up');

export const SHUTDOWN: Error = new Error('the service is shutting down');
