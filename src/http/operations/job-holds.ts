import { type ItemRow, type JobRow, OPEN_STATES } from '../../domain/jobs.ts';
import { itemWait, jobWait } from '../../jobs/waiting.ts';
import { type JobHold, jobJson, listedItem } from '../../wire/jobs/job-json.ts';
import type { EndpointDeps } from '../core/deps.ts';

type HoldDeps = Pick<EndpointDeps, 'store' | 'jobEngine' | 'clock' | 'prices'>;

const NOT_HELD: JobHold = { waiting: null, nextTryAt: null };

const mayWait = ({ state, counts }: JobRow): boolean =>
  counts.queued > 0 && OPEN_STATES.some((open) => open === state);

/** The jobs as JSON texts, with what holds them up now. */
export async function jobTexts(deps: HoldDeps, jobs: readonly JobRow[]): Promise<readonly string[]> {
  const { store, jobEngine, clock, prices } = deps;
  const holdUps = await store.jobs.holdUps(jobs.filter(mayWait).map(({ id }) => id));
  const now = clock.now();
  const options = { rules: jobEngine.rules, now };
  return jobs.map((job) => {
    const holdUp = holdUps.get(job.id);
    const hold =
      holdUp === undefined ? NOT_HELD : { waiting: jobWait(job, holdUp, options), nextTryAt: holdUp.retryAt };
    return jobJson(job, now, prices !== null, hold);
  });
}

/** The job as JSON text, with what holds it up now. */
export const jobText = async (deps: HoldDeps, job: JobRow): Promise<string> =>
  (await jobTexts(deps, [job]))[0]!;

/** The items of a job for a list, with why those that wait do. */
export async function listedItems(deps: HoldDeps, job: JobRow, items: readonly ItemRow[]) {
  const { store, jobEngine, clock } = deps;
  const waiting = mayWait(job) ? items.filter(({ state }) => state === 'queued') : [];
  const hosts = [...new Set(waiting.map(({ host }) => host))];
  const { hosts: known, isBusy } = await store.jobs.waitingHosts(job.id, hosts);
  const byName = new Map(known.map((host) => [host.host, host]));
  const context = { rules: jobEngine.rules, now: clock.now(), isBusy };
  return items.map((item) => {
    const isLimited = item.error?.code === 'limit.site';
    return listedItem(item, itemWait(job, { ...item, isLimited }, byName.get(item.host), context));
  });
}
