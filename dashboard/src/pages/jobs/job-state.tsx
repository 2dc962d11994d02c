import { plural, t } from '@lingui/core/macro';
import type { Job, JobItem } from '../../api/jobs.ts';
import { formatDuration } from '../../ui/format.ts';
import {
  type Icon,
  IconBlocked,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconPause,
  IconPlay,
} from '../../ui/icons.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';

export const JOB_STATES: Readonly<Record<Job['state'], readonly [label: string, tone: Tone, icon: Icon]>> = {
  queued: [t`Queued`, 'slate', IconClock],
  running: [t`Running`, 'blue', IconPlay],
  paused: [t`Paused`, 'amber', IconPause],
  done: [t`Done`, 'green', IconCircleCheck],
  cancelled: [t`Cancelled`, 'slate', IconBlocked],
  failed: [t`Failed`, 'red', IconCircleX],
};

export const JOB_KINDS: Readonly<Record<Job['kind'], string>> = {
  scrape: t`Scrape`,
  batch: t`Batch`,
  crawl: t`Crawl`,
};

export function JobStatePill({ state }: { readonly state: Job['state'] }) {
  const [label, tone, icon] = JOB_STATES[state];
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  );
}

const ITEM_STATES: Readonly<Record<JobItem['state'], readonly [label: string, tone: Tone, icon: Icon]>> = {
  queued: [t`Queued`, 'slate', IconClock],
  running: [t`Running`, 'blue', IconPlay],
  ok: [t`Fetched`, 'green', IconCircleCheck],
  failed: [t`Failed`, 'red', IconCircleX],
  skipped: [t`Skipped`, 'slate', IconBlocked],
};

export function ItemStatePill({ state }: { readonly state: JobItem['state'] }) {
  const [label, tone, icon] = ITEM_STATES[state];
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  );
}

/** The name of the job, or what it is. */
export const jobTitle = ({ name, kind, counts: { found } }: Job): string =>
  name ??
  (kind === 'scrape'
    ? t`Scrape`
    : t`${JOB_KINDS[kind]} of ${plural(found, { one: '# item', other: '# items' })}`);

export const endedItems = ({ counts: { ok, failed, skipped } }: Job): number => ok + failed + skipped;

/** Estimated time until the end; null: unknown. */
export const timeLeft = ({ state, eta_s }: Job): string | null =>
  state !== 'running' || eta_s === null ? null : eta_s < 60 ? `${eta_s} s` : formatDuration(eta_s * 1_000);
