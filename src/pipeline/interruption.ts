import { DEADLINE_EXCEEDED, type Deadline, HOLDING_LOST, SHUTDOWN } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';

export const CANCELLED: Failure = failure('request.cancelled', 'The client disconnected.');
/** By the reason of the signal, if it is not the caller who ended the scrape. */
const STOPPED: ReadonlyMap<unknown, Failure> = new Map([
  [SHUTDOWN, failure('service.unavailable', 'The service is shutting down; the scrape was stopped.')],
  [
    HOLDING_LOST,
    failure('service.unavailable', 'This replica was cut off from the others; the scrape was stopped.'),
  ],
]);

/** Why the signal of a deadline aborted, as a failure; null: the time was up. */
export function interruptionOf({ signal }: Deadline): Failure | null {
  if (signal.reason === DEADLINE_EXCEEDED) return null;
  return STOPPED.get(signal.reason) ?? CANCELLED;
}

/** The cause of a failed attempt. If the service stopped it, the failure says so. */
export function interruptionOr(cause: Failure, { signal }: Deadline): Failure {
  return cause.code === 'request.cancelled' ? (STOPPED.get(signal.reason) ?? cause) : cause;
}
