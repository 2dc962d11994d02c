import { uuidBytes } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import type { MonitorRow } from '../../domain/monitors.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { visibleUser } from './missing-record.ts';

/** @throws Refusal if the caller may not see such a monitor */
export async function visibleMonitor(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<MonitorRow> {
  const userId = visibleUser(principal);
  const monitor = uuidBytes(id) === null ? null : await store.monitors.get(id.toLowerCase(), userId);
  if (monitor === null)
    throw Refusal.of('request.not_found', 'There is no such monitor, or it is not yours.');
  return monitor;
}
