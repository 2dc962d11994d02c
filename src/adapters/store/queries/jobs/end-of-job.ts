import type { StoredError } from '../../../../domain/jobs.ts';
import type { tellStatements } from '../tell.ts';

/** Columns of a job that has ended. */
export interface EndedJob {
  readonly kind: string;
  readonly state: 'done' | 'failed';
  readonly ok: number;
  readonly failed: number;
  readonly skipped: number;
  /** JSON text. */
  readonly error: string | null;
}

/** What people are told of the end of a job. A job has failed, too, of which no item was OK; a scrape has one item. */
export function endOfJob(
  sourceId: Uint8Array,
  sequence: number,
  { kind, state, ok, failed, skipped, error }: EndedJob,
  at: number,
): Parameters<typeof tellStatements>[0] {
  const event = ok === 0 && (failed > 0 || kind === 'scrape') ? 'failed' : state;
  const message = error === null ? null : (JSON.parse(error) as StoredError).message;
  return {
    sourceId,
    sequence,
    event,
    type: `${kind === 'scrape' ? 'scrape' : 'job'}.${event}`,
    at,
    facts: { kind, ok, failed, skipped, error: message },
  };
}
