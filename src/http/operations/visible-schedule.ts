import { uuidBytes } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import type { ScheduleRow } from '../../domain/schedules.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { visibleUser } from './missing-record.ts';

/** @throws Refusal if the caller may not see such a schedule */
export async function visibleSchedule(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<ScheduleRow> {
  const userId = visibleUser(principal);
  const schedule = uuidBytes(id) === null ? null : await store.schedules.get(id.toLowerCase(), userId);
  if (schedule === null)
    throw Refusal.of('request.not_found', 'There is no such schedule, or it is not yours.');
  return schedule;
}
