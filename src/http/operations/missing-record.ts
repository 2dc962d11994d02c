import { Type } from 'typebox';
import { uuid7Time, uuidBytes } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { seesAllUsers } from '../../wire/record/record-query.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { problem } from '../core/responses.ts';

export const noRecordRefusal = (): Refusal =>
  Refusal.of(
    'request.not_found',
    'There is no such record: it was deleted, has expired, belonged to a run that its monitor does not keep any more (`keep`), or is not yours.',
  );

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
  return Refusal.of('record.expired', message);
}

export const EXPIRED = problem('The record has expired: `record.expired`.');

export const RECORD_ID = {
  id: { description: 'Id of the record.', schema: Type.String({ format: 'uuid' }) },
};

/** The id of a record in lower case, as it is stored. @throws Refusal if it is not a UUID */
export function recordId(id: string): string {
  if (uuidBytes(id) === null) throw noRecordRefusal();
  return id.toLowerCase();
}

/** The user whose records the caller may see; null: all users. */
export const visibleUser = (principal: Principal): string | null =>
  seesAllUsers(principal) ? null : principal.userId;

/** The result of a lookup of the record `id`. @throws Refusal if there is no such record */
export async function existing<T>(id: string, lookup: Promise<T | null>, deps: EndpointDeps): Promise<T> {
  const value = await lookup;
  if (value === null) throw missingRecord(id, deps);
  return value;
}
