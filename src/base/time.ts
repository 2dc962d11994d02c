/**
 * The time, where tests must be able to set it. What runs on real timers (such as `Deadline`), or only measures a duration,
 * reads `performance.now()` itself.
 */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump: only for times that people read, and for record ids. */
  now(): number;
  /** Milliseconds from an arbitrary start, never decreasing. For durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/**
 * The time budget of a scrape, passed down through all its stages. `signal` aborts with the reason `DEADLINE_EXCEEDED`
 * when the time is up, or with the parent's reason when the parent aborts (the client disconnects, or the service shuts
 * down). Its creator disposes of it (`using`).
 */
export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
  readonly signal: AbortSignal;
  /** Whether the time is up. False if only the parent was aborted. */
  expired(): boolean;
  [Symbol.dispose](): void;
}

/** The abort reason when the time is up; compare by identity. */
export const DEADLINE_EXCEEDED: Error = new Error('the time is up');

/** A deadline `ms` from now, which `parent` can abort sooner. */
export function deadlineUnder(ms: number, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent.reason);
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  return new RunningDeadline(ms, controller, () => parent.removeEventListener('abort', onParent));
}

/** A deadline `ms` from now. @param controller may also be aborted by its owner, to end the work sooner */
export function deadlineOf(ms: number, controller = new AbortController()): Deadline {
  return new RunningDeadline(ms, controller);
}

class RunningDeadline implements Deadline {
  readonly signal: AbortSignal;
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #onDispose: (() => void) | undefined;

  constructor(ms: number, controller: AbortController, onDispose?: () => void) {
    this.signal = controller.signal;
    this.#endsAt = performance.now() + ms;
    this.#timer = setTimeout(() => controller.abort(DEADLINE_EXCEEDED), Math.max(0, Math.ceil(ms)));
    this.#onDispose = onDispose;
  }

  remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  expired(): boolean {
    return this.signal.reason === DEADLINE_EXCEEDED || performance.now() >= this.#endsAt;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#onDispose?.();
  }
}

/** Abort reason: the client disconnected. Compare by identity. */
export const CLIENT_DISCONNECTED: Error = new Error('the client disconnected');

/** Abort reason: this replica has lost the right to do the work (`ports/coordination.ts`). Compare by identity. */
export const HOLDING_LOST: Error = new Error('this replica was cut off from the others');

/** Abort reason: the service is shutting down. Compare by identity. */
export const SHUTDOWN: Error = new Error('the service is shutting down');
