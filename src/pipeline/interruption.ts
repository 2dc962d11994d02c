import { DEADLINE_EXCEEDED, type Deadline, SHUTDOWN } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';

export const CANCELLED: Failure = failure('request.cancelled', 'The client disconnected.');
const SHUTTING_DOWN = failure('service.unavailable', 'The service is shutting down; the scrape was stopped.');

/** Why the signal of a deadline aborted, as a failure; null: the time was up. */
export function interruptionOf({ signal }: Deadline): Failure | null {
  if (signal.reason === DEADLINE_EXCEEDED) return null;
  return signal.reason === SHUTDOWN ? SHUTTING_DOWN : CANCELLED;
}

/** The cause of a failed attempt. If it was cancelled because the service shuts down, the failure says so. */
export function interruptionOr(cause: Failure, { signal }: Deadline): Failure {
  return cause.code === 'request.cancelled' && signal.reason === SHUTDOWN ? SHUTTING_DOWN : cause;
}
