/**
 * One wall-clock budget that is handed down the whole way of a scrape.
 * `signal` aborts with the reason `DEADLINE` when the time is up, or with the parent's reason when the
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
export const DEADLINE: Error = new Error('the time is up');

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
  const timer = setTimeout(() => controller.abort(DEADLINE), Math.max(0, Math.ceil(ms)));
  return {
    at,
    signal,
    remaining: () => Math.max(0, at - performance.now()),
    expired: () => signal.reason === DEADLINE || performance.now() >= at,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
