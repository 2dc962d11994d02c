import type { JobRow, PauseReason } from '../../../../domain/jobs.ts';
import { decodeRow } from '../../schema/columns.ts';
import { type Db, JOB_PROGRESS, JOB_SETTINGS, type SelectedJob } from '../../schema/tables.ts';

/** States of jobs that lists do not show: not started yet, or being deleted. */
export const HIDDEN_STATES = ['created', 'deleted'] as const;

export const jobQuery = (db: Db) => db.selectFrom('jobs').selectAll().where('state', 'not in', HIDDEN_STATES);

export function jobRow(row: SelectedJob): JobRow {
  const { queued, running, ok, failed, skipped } = row;
  const { pause_reason: reason, pause_since: since, resumes_at: resumesAt } = row;
  return {
    ...decodeRow(JOB_SETTINGS, row),
    ...decodeRow(JOB_PROGRESS, row),
    counts: { queued, running, ok, failed, skipped },
    pause: reason === null ? null : { reason: reason as PauseReason, since: since!, resumesAt },
  };
}
