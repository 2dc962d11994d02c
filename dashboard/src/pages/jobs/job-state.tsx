import { plural, t } from '@lingui/core/macro';
import type { Job, JobItem } from '../../api/jobs.ts';
import { formatDuration } from '../../ui/format.ts';
import {
  IconBlocked,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconPause,
  IconPlay,
} from '../../ui/icons.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';

export const JOB_STATES: Readonly<Record<Job['state'], Look>> = {
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

export const JobStatePill = ({ state }: Pick<Job, 'state'>) => <StatePill look={JOB_STATES[state]} />;

const ITEM_STATES: Readonly<Record<JobItem['state'], Look>> = {
  queued: [t`Queued`, 'slate', IconClock],
  running: [t`Running`, 'blue', IconPlay],
  ok: [t`Fetched`, 'green', IconCircleCheck],
  failed: [t`Failed`, 'red', IconCircleX],
  skipped: [t`Skipped`, 'slate', IconBlocked],
};

export const ItemStatePill = ({ state }: Pick<JobItem, 'state'>) => <StatePill look={ITEM_STATES[state]} />;

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
