import { DEADLINE } from '../../../base/deadline.ts';
import { type Failure, failure } from '../../../domain/failure.ts';
import { refusalOf } from './cdp/refusal.ts';
import { refused } from './visit/net-failure.ts';

/** Reasons of the signal of a scrape, beside those of its deadline. */
export const SHARE: Error = new Error('the share of the attempt is used up');
export const CRASHED: Error = new Error('the page or its browser has ended');

/** What the caller wants to be there before the page is cannot be put there. */
export class StorageRefused extends Error {}

/** What ended a scrape that gave no page. @param error what was thrown meanwhile */
export function whyEnded(signal: AbortSignal, error: unknown): Failure {
  if (signal.aborted && signal.reason === DEADLINE) return failure('timeout.total', 'The request timed out.');
  if (signal.aborted && signal.reason === SHARE)
    return failure('timeout.attempt', 'The attempt timed out: its share of the time is used up.');
  if (signal.aborted && signal.reason !== CRASHED)
    return failure('request.cancelled', 'The client disconnected.');
  if (!signal.aborted && error instanceof StorageRefused)
    return failure('scraper.unsupported_option', `The browser does not take this storage: ${error.message}`, {
      pointer: '/scraper_options/storage_state',
    });
  const refusal = signal.aborted ? null : refusalOf(error);
  if (refusal !== null) return refused(refusal);
  const words = error instanceof Error && error !== CRASHED ? ` (${error.message.split('\n', 1)[0]})` : '';
  return failure('browser.crashed', `The browser ended before the page could be read${words}.`);
}
