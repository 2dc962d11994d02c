import { plural, t } from '@lingui/core/macro';
import type { Job, ListedJobItem } from '../../api/jobs.ts';
import { formatCount, formatDuration, unbroken } from '../../ui/format.ts';
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

interface JobStatePillProps {
  readonly job: Pick<Job, 'state'> & { readonly counts: Pick<Job['counts'], 'ok' | 'failed'> };
}

/** The state; of a job that is done and had failures, with their number. */
export function JobStatePill({ job: { state, counts } }: JobStatePillProps) {
  if (state !== 'done' || counts.failed === 0) return <StatePill look={JOB_STATES[state]} />;
  const label = t`Done, ${formatCount(counts.failed)} failed`;
  return <StatePill look={[label, counts.ok === 0 ? 'red' : 'amber', IconCircleCheck]} />;
}

const ITEM_STATES: Readonly<Record<ListedJobItem['state'], Look>> = {
  queued: [t`Queued`, 'slate', IconClock],
  running: [t`Running`, 'blue', IconPlay],
  ok: [t`Fetched`, 'green', IconCircleCheck],
  failed: [t`Failed`, 'red', IconCircleX],
  skipped: [t`Skipped`, 'slate', IconBlocked],
};

export const ItemStatePill = ({ state }: Pick<ListedJobItem, 'state'>) => (
  <StatePill look={ITEM_STATES[state]} />
);

/** The name of the job, or what it is of. */
export const jobTitle = ({ label, kind, counts: { found } }: Job): string =>
  label ??
  (kind === 'scrape'
    ? t`Scrape`
    : t`${JOB_KINDS[kind]} of ${plural(found, { one: '# item', other: '# items' })}`);

export const endedItems = ({ counts: { ok, failed, skipped } }: Job): number => ok + failed + skipped;

/** Estimated time until the end; null: unknown. */
export const timeLeft = ({ state, eta_s }: Job): string | null =>
  state !== 'running' || eta_s === null
    ? null
    : unbroken(eta_s < 60 ? `${eta_s} s` : formatDuration(eta_s * 1_000));
