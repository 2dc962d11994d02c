import type { Schema } from '../api/types.ts';
import { formatDuration } from '../ui/format.ts';
import { Pill } from '../ui/pill.tsx';
import type { Tone } from '../ui/tone.ts';
import classes from './way-panel.module.css';

const TONES: Readonly<Record<Schema<'Attempt'>['outcome'], Tone>> = {
  ok: 'green',
  rejected: 'amber',
  failed: 'red',
  cancelled: 'slate',
};

/** Each attempt with the reason for it; small enough to be a list on every screen. */
export function AttemptList({ attempts }: { readonly attempts: readonly Schema<'Attempt'>[] }) {
  return (
    <ol className={classes.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.n}>
          <div className={classes.line}>
            <span className={classes.way}>
              {attempt.n}. {attempt.scraper}
              <small> over {attempt.proxy_type}</small>
            </span>
            <Pill tone={TONES[attempt.outcome]}>{attempt.outcome}</Pill>
          </div>
          <div className={classes.detail}>
            {[
              attempt.status_code === null ? null : `status ${attempt.status_code}`,
              attempt.error_code,
              attempt.verdict === null || attempt.verdict === 'ok' ? null : `verdict ${attempt.verdict}`,
              formatDuration(attempt.duration_ms),
              attempt.country,
              attempt.reused.length === 0 ? null : `reused ${attempt.reused.join(', ')}`,
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </div>
          <div className={classes.detail}>Why: {attempt.reason}</div>
        </li>
      ))}
    </ol>
  );
}
