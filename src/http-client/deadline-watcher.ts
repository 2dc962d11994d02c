import type { Deadline } from '../base/time.ts';
import { DEADLINE_EXCEEDED } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import { failure } from '../domain/failure.ts';

const TOTAL_TIMEOUT = failure('timeout.total', 'The request timed out.');
const ATTEMPT_TIMEOUT = failure(
  'timeout.attempt',
  'The attempt timed out: its share of the time is used up.',
);
const CANCELLED = failure('request.cancelled', 'The client disconnected.');

/** An operation that a `DeadlineWatcher` can abort. */
export interface Abortable {
  abort(cause: Failure): void;
}

/**
 * Watches the deadlines of the request and of the attempt, and aborts the current operation of a fetch when one of them ends.
 * `failure` is then the reason; once set, it does not change.
 */
export class DeadlineWatcher {
  failure: Failure | null = null;
  #target: Abortable | null = null;
  #attemptDeadline: Deadline | null;
  readonly #deadline: Deadline;

  constructor(deadline: Deadline, attemptDeadline: Deadline | null) {
    this.#deadline = deadline;
    this.#attemptDeadline = attemptDeadline;
    if (deadline.signal.aborted) this.handleEvent();
    else {
      deadline.signal.addEventListener('abort', this);
      if (attemptDeadline === null) return;
      if (attemptDeadline.signal.aborted) this.handleEvent();
      else attemptDeadline.signal.addEventListener('abort', this);
    }
  }

  /** Sets the current operation, in place of the previous one. */
  watch(target: Abortable): void {
    this.#target = target;
  }

  /** From now on only the deadline of the request applies. */
  ignoreAttemptDeadline(): void {
    this.#attemptDeadline?.signal.removeEventListener('abort', this);
    this.#attemptDeadline = null;
  }

  /**
   * Called when either signal aborts. The deadline of the request also aborts that of the attempt, so it is checked first.
   */
  handleEvent(): void {
    const { signal } = this.#deadline;
    if (this.failure !== null) return;
    if (signal.aborted) this.failure = signal.reason === DEADLINE_EXCEEDED ? TOTAL_TIMEOUT : CANCELLED;
    else if (this.#deadline.expired()) this.failure = TOTAL_TIMEOUT;
    else if (this.#attemptDeadline?.signal.aborted) {
      this.failure = this.#attemptDeadline.signal.reason === DEADLINE_EXCEEDED ? ATTEMPT_TIMEOUT : CANCELLED;
    } else return;
    this.#target?.abort(this.failure);
  }

  dispose(): void {
    this.ignoreAttemptDeadline();
    this.#deadline.signal.removeEventListener('abort', this);
  }
}
