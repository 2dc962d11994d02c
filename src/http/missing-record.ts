import { uuid7Time } from '../base/uuid7.ts';
import { failure } from '../domain/failure.ts';
import type { EndpointDeps } from './deps.ts';
import { Refusal } from './refusal.ts';

export const noRecordRefusal = (): Refusal =>
  new Refusal([
    failure('request.not_found', 'There is no such record: it was deleted, has expired, or is not yours.'),
  ]);

const DAY_MS = 86_400_000;
/** How long an expired record is reported as expired. Later, it is reported like a record that never existed. */
const EXPIRED_MS = 90 * DAY_MS;

/** The refusal for a record that is not stored. The time in its id tells whether it has expired. */
export function missingRecord(
  id: string,
  { retentionMs, clock }: Pick<EndpointDeps, 'retentionMs' | 'clock'>,
): Refusal {
  const sinceExpiry = clock.now() - uuid7Time(id) - retentionMs;
  if (sinceExpiry < 0 || sinceExpiry > EXPIRED_MS) return noRecordRefusal();
  const days = Math.round(retentionMs / DAY_MS);
  const message = `Records are kept for ${days} days. The record with this id, if there was one, has expired.`;
  return new Refusal([failure('record.expired', message)]);
}
