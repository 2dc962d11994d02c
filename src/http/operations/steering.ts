import type { Principal } from '../../domain/account.ts';
import type { JobRow } from '../../domain/jobs.ts';
import type { MonitorRow } from '../../domain/monitors.ts';
import type { ScheduleRow } from '../../domain/schedules.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { openTarget, targetUrls } from '../../monitors/start-run.ts';
import { openJobOf, scheduledUrls } from '../../schedules/scheduled-job.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { visibleJob } from './visible-job.ts';
import { visibleMonitor } from './visible-monitor.ts';
import { visibleSchedule } from './visible-schedule.ts';

/** A key with a list of domains may not change a job that another key made, if the job has more hosts. */
const MAX_CHECKED_HOSTS = 1_000;

type Steered = { readonly job: JobRow; readonly monitor: MonitorRow; readonly schedule: ScheduleRow };

interface SteeringRule<Row> {
  readonly find: (deps: EndpointDeps, id: string, principal: Principal) => Promise<Row>;
  /** The URLs that a key which did not make it must be allowed to scrape; null: they are not known, or too many. */
  readonly urls: (deps: EndpointDeps, row: Row) => Promise<readonly string[] | null>;
  readonly refusal: string;
}

/**
 * Who may change what runs later: the key that made it, a session, or a key whose domains include its URLs (contract §13, §14).
 * Every endpoint that pauses, resumes, changes, copies or ends a job, a monitor or a schedule finds it by this table.
 */
const STEERING: { readonly [Kind in keyof Steered]: SteeringRule<Steered[Kind]> } = {
  job: {
    find: visibleJob,
    async urls({ store }, { id }) {
      const hosts = await store.jobs.hosts(id, MAX_CHECKED_HOSTS + 1);
      if (hosts.length === 0 || hosts.length > MAX_CHECKED_HOSTS) return null;
      return hosts.map((host) => `http://${host}`);
    },
    refusal:
      'This key has not made the job, and may not scrape all of its hosts. Use the key that made it, or a session.',
  },
  monitor: {
    find: visibleMonitor,
    urls: async ({ sealer }, monitor) => targetUrls(openTarget(monitor, sealer)),
    refusal:
      'This key has not made the monitor, and may not scrape all of its URLs. Use the key that made it, or a session.',
  },
  schedule: {
    find: visibleSchedule,
    urls: async ({ sealer }, schedule) => scheduledUrls(openJobOf(schedule, sealer)),
    refusal:
      'This key has not made the schedule, and may not scrape all of its URLs. Use the key that made it, or a session.',
  },
};

/** A job, monitor or schedule that the caller may change. @throws Refusal if there is none, or if the caller may not change it */
export async function steered<Kind extends keyof Steered>(
  kind: Kind,
  deps: EndpointDeps,
  id: string,
  principal: Principal,
): Promise<Steered[Kind]> {
  const { find, urls, refusal } = STEERING[kind];
  const row = await find(deps, id, principal);
  const { keyId, domains } = principal;
  if (keyId === null || keyId === row.keyId || domains.length === 0) return row;
  const needed = await urls(deps, row);
  if (needed?.every((url) => domainRefusal(principal, new URL(url)) === null) !== true)
    throw Refusal.of('auth.scope', refusal);
  return row;
}
