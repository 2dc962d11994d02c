import { Type } from 'typebox';
import { uuidBytes } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import type { JobRow } from '../../domain/jobs.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { visibleUser } from './missing-record.ts';

export const JOB_ID = { id: { description: 'Id of the job.', schema: Type.String({ format: 'uuid' }) } };

export const noJobRefusal = (): Refusal =>
  Refusal.of('request.not_found', 'There is no such job: it was deleted, has expired, or is not yours.');

/** @throws Refusal if the caller may not see such a job */
export async function visibleJob(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<JobRow> {
  const job = uuidBytes(id) === null ? null : await store.jobs.get(id.toLowerCase(), visibleUser(principal));
  if (job === null) throw noJobRefusal();
  return job;
}
