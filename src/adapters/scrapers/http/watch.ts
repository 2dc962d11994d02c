import type { Deadline } from '../../../base/deadline.ts';
import { DEADLINE } from '../../../base/deadline.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';

const TOTAL = failure('timeout.total', 'The request timed out.');
const ATTEMPT = failure('timeout.attempt', 'The attempt timed out: its share of the time is used up.');
const CANCELLED = failure('request.cancelled', 'The client disconnected.');

/** What is under way and has to end when the time is up. */
export interface Watched {
  abort(why: Failure): void;
}

/**
 * Watches the deadline and the share of one fetch, with one listener each, and ends what is under way. `failure` tells
 * why the fetch has to end; it never changes once it is set.
 */
export class Watch {
  failure: Failure | null = null;
  #watched: Watched | null = null;
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
  watch(watched: Watched): void {
    this.#watched = watched;
  }

  /** The share of the attempt no longer counts. */
  shareEnds(): void {
    this.#share?.signal.removeEventListener('abort', this);
    this.#share = null;
  }

  /** Either signal has aborted. A share may abort because the deadline did: the deadline is asked first. */
  handleEvent(): void {
    const { signal } = this.#deadline;
    if (this.failure !== null) return;
    if (signal.aborted) this.failure = signal.reason === DEADLINE ? TOTAL : CANCELLED;
    else if (this.#deadline.expired()) this.failure = TOTAL;
    else if (this.#share?.signal.aborted) {
      this.failure = this.#share.signal.reason === DEADLINE ? ATTEMPT : CANCELLED;
    } else return;
    this.#watched?.abort(this.failure);
  }

  dispose(): void {
    this.shareEnds();
    this.#deadline.signal.removeEventListener('abort', this);
  }
}
