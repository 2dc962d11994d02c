import { HUNG_UP } from '../../../../base/abort-reasons.ts';
import { DEADLINE } from '../../../../base/deadline.ts';
import { type Failure, failure } from '../../../../domain/failure.ts';

/**
 * Why a wait for a browser came to its end.
 * @param reason of the signal that ended it
 * @param what was waited for, as the end of a sentence
 */
export function endedWaiting(reason: unknown, what: string): Failure {
  if (reason === HUNG_UP) return failure('request.cancelled', 'The client disconnected.');
  if (reason === DEADLINE)
    return failure('service.unavailable', `The request timed out while it waited for ${what}.`);
  return failure('service.unavailable', 'The service is shutting down.');
}
