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

/** What is under way and has to end when the time is up. */
export interface Abortable {
  abort(why: Failure): void;
}

/**
 * Watches the deadline and the share of one fetch, with one listener each, and ends what is under way. `failure` tells
 * why the fetch has to end; it never changes once it is set.
 */
export class DeadlineWatcher {
  failure: Failure | null = null;
  #target: Abortable | null = null;
  #share: Deadline | null;
  readonly #deadline: Deadline;

  constructor(deadline: Deadline, share: Deadline | null) {
    this.#deadline = deadline;
    this.#share = share;
    if (deadline.signal.aborted) this.handleEvent();
    else {
      deadline.signal.addEventListener('abort', this);
      if (share === null) return;
      if (share.signal.aborted) this.handleEvent();
      else share.signal.addEventListener('abort', this);
    }
  }

  /** This is under way from now on. */
  watch(watched: Abortable): void {
    this.#target = watched;
  }

  /** The share of the attempt no longer counts. */
  ignoreShare(): void {
    this.#share?.signal.removeEventListener('abort', this);
    this.#share = null;
  }

  /** Either signal has aborted. A share may abort because the deadline did: the deadline is asked first. */
  handleEvent(): void {
    const { signal } = this.#deadline;
    if (this.failure !== null) return;
    if (signal.aborted) this.failure = signal.reason === DEADLINE_EXCEEDED ? TOTAL_TIMEOUT : CANCELLED;
    else if (this.#deadline.expired()) this.failure = TOTAL_TIMEOUT;
    else if (this.#share?.signal.aborted) {
      this.failure = this.#share.signal.reason === DEADLINE_EXCEEDED ? ATTEMPT_TIMEOUT : CANCELLED;
    } else return;
    this.#target?.abort(this.failure);
  }

  dispose(): void {
    this.ignoreShare();
    this.#deadline.signal.removeEventListener('abort', this);
  }
}
