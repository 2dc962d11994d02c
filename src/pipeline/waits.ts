import { DEADLINE_EXCEEDED, type Deadline, SHUTDOWN } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';

/** Settles after `ms`; with false when the signal came first. */
export function delay(ms: number, { signal }: Pick<Deadline, 'signal'>): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (whole: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      resolve(whole);
    };
    const aborted = () => end(false);
    const timer = setTimeout(end, ms, true);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
  });
}

/** Why a wait ended before its time, when it was not the time of the request; null: it was. */
export function waitFailure({ signal }: Deadline): Failure | null {
  if (signal.reason === DEADLINE_EXCEEDED) return null;
  return signal.reason === SHUTDOWN
    ? failure('service.unavailable', 'The service is shutting down; the scrape was stopped.')
    : failure('request.cancelled', 'The client disconnected.');
}
