import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Job } from '../../api/jobs.ts';
import { formatCount } from '../../ui/format.ts';
import { solidColor, type Tone } from '../../ui/pill.tsx';
import { endedItems } from './job-state.tsx';
import classes from './jobs.module.css';

const PARTS: readonly (readonly [
  name: 'ok' | 'failed' | 'skipped' | 'running',
  label: string,
  tone: Tone,
])[] = [
  ['ok', t`fetched`, 'green'],
  ['failed', t`failed`, 'red'],
  ['skipped', t`skipped`, 'slate'],
  ['running', t`running`, 'blue'],
];

interface JobProgressProps {
  readonly job: Job;
  /** With the counts below the bar. */
  readonly legend?: boolean;
}

/** A bar of the items that have ended or run, by state. */
export function JobProgress({ job, legend = false }: JobProgressProps) {
  const { counts } = job;
  const ended = endedItems(job);
  return (
    <div>
      <div
        className={classes.track}
        data-thick={legend || undefined}
        role="progressbar"
        aria-label={t`Items that have ended`}
        aria-valuenow={ended}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, counts.found)}
        aria-valuetext={t`${formatCount(ended)} of ${formatCount(counts.found)}`}
      >
        {PARTS.map(([name, , tone]) => (
          <div
            key={name}
            style={{
              width: `${(counts[name] / Math.max(1, counts.found)) * 100}%`,
              background: solidColor(tone),
            }}
          />
        ))}
      </div>
      {legend && (
        <ul className={classes.legend} aria-label={t`Items by state`}>
          {PARTS.map(([name, label, tone]) => (
            <li key={name}>
              <i style={{ background: solidColor(tone) }} />
              {formatCount(counts[name])} {label}
            </li>
          ))}
          <li>
            <i style={{ background: 'var(--sl-line-strong)' }} />
            <Trans>{formatCount(counts.queued)} queued</Trans>
          </li>
        </ul>
      )}
    </div>
  );
}
