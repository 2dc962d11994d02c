import assert from 'node:assert/strict';
import { eventually, type ServiceApi } from '../helpers/service.ts';

/** A run of a schedule, as far as tests look at it. */
export interface ScheduledRun {
  readonly n: number;
  readonly state: string;
  readonly reason: string | null;
  readonly missed: number;
  readonly due_at: string;
  readonly job_id: string | null;
  readonly job_state: string | null;
  readonly ok: number;
  readonly failed: number;
}

export const SCHEDULES = '/api/v1/schedules/';

/** Makes a schedule that is not due in the time of a test. @returns its id */
export async function makeSchedule(service: ServiceApi, body: object, key?: string): Promise<string> {
  const whole = { name: 'nightly', schedule: { cron: '0 3 29 2 *' }, ...body };
  const made = await service.api(
    'POST',
    SCHEDULES,
    key === undefined ? { body: whole } : { body: whole, key },
  );
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return (made.body as { id: string }).id;
}

export const scheduledRuns = async (service: Pick<ServiceApi, 'api'>, id: string) =>
  ((await service.api('GET', `${SCHEDULES}${id}/runs/`)).body as { items: ScheduledRun[] }).items;

/** Runs the schedule now. @returns the run, when its job has ended */
export async function runScheduleNow(service: ServiceApi, id: string): Promise<ScheduledRun> {
  const begun = await service.api('POST', `${SCHEDULES}${id}/run/`);
  assert.equal(begun.status, 202, JSON.stringify(begun.body));
  const { n } = begun.body as { n: number };
  const runOf = async () => (await scheduledRuns(service, id)).find((run) => run.n === n);
  await eventually(async () => ['ended', 'missed'].includes((await runOf())!.state));
  return (await runOf())!;
}
