import { DEADLINE_EXCEEDED, type Deadline, SHUTDOWN } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';

/** Why a wait ended before its time, when it was not the time of the request; null: it was. */
export function waitFailure({ signal }: Deadline): Failure | null {
  if (signal.reason === DEADLINE_EXCEEDED) return null;
  return signal.reason === SHUTDOWN
    ? failure('service.unavailable', 'The service is shutting down; the scrape was stopped.')
    : failure('request.cancelled', 'The client disconnected.');
}
