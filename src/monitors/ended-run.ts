import type { ItemRow, JobRow } from '../domain/jobs.ts';
import type { Change, MonitorRow, MonitorRunRow } from '../domain/monitors.ts';
import type { StoredRecord } from '../domain/record.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { MonitorStore } from '../ports/monitors.ts';
import type { RecordStore } from '../ports/store.ts';
import { recordErrors } from '../wire/record/record-json.ts';
import { NO_DIFFERENCE } from './compare-pages.ts';
import type { SnapshotDeps } from './read-snapshot.ts';

export interface FinishDeps extends SnapshotDeps {
  readonly monitors: MonitorStore;
  readonly jobs: Pick<JobStore, 'results'>;
  readonly records: Pick<RecordStore, 'get'>;
  readonly sealer: Sealer;
}

/** A run whose job has ended. */
export interface EndedRun {
  readonly monitor: MonitorRow;
  readonly run: MonitorRunRow;
  readonly job: JobRow;
  readonly now: number;
}

export const NO_CHANGE: Omit<Change, 'state'> = { reason: null, previousId: null, ...NO_DIFFERENCE };

/**
 * Why a page is not compared: `gone` (404, 410), or the reason of an error; null: it is compared.
 * @param wasOpen the page was got before, so that a sign-in page is news
 */
export function troubleOf(item: ItemRow, record: StoredRecord | null, wasOpen: boolean): string | null {
  if (record !== null) return recordTrouble(record, wasOpen);
  return item.state === 'ok' ? 'record.expired' : (item.error?.code ?? item.outcome ?? item.state);
}

/** The same of a record. */
export function recordTrouble(record: StoredRecord, wasOpen: boolean): string | null {
  const { outcome, errorCode, statusCode } = record;
  const errors = recordErrors(record);
  if (errors.some(({ details }) => (details as { wall?: unknown } | undefined)?.wall === 'login'))
    return wasOpen ? 'signed_out' : 'login';
  if (['failed', 'blocked', 'unaccepted'].includes(outcome)) return errorCode ?? outcome;
  if (statusCode === 404 || statusCode === 410) return 'gone';
  return outcome === 'target_error' ? `status_${statusCode}` : null;
}
