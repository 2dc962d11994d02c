import type { FailureCode } from '../domain/failure.ts';
import type { ItemRow, JobRow } from '../domain/jobs.ts';
import type { Change, ComparedFormat, MonitorRow, MonitorRunRow } from '../domain/monitors.ts';
import type { StoredRecord } from '../domain/record.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { MonitorStore } from '../ports/monitors.ts';
import type { RecordStore } from '../ports/store.ts';
import { recordFaults } from '../wire/record/record-json.ts';
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
export function troubleOf(
  item: ItemRow,
  record: StoredRecord | null,
  format: ComparedFormat,
  wasOpen: boolean,
): string | null {
  if (record !== null) return recordTrouble(record, format, wasOpen);
  return item.state === 'ok' ? 'record.expired' : (item.error?.code ?? item.outcome ?? item.state);
}

/** Errors of a part of the answer that only these formats compare. All others mean that the page is not as it is meant to be. */
const PARTS: Partial<Record<FailureCode, readonly ComparedFormat[]>> = {
  'screenshot.failed': ['screenshot'],
  'pdf.failed': [],
  // A rule that finds nothing, or a format without value: what is compared is read again, or is not there.
  'extract.failed': [],
  'extract.model': ['extract', 'json'],
};

/** The same of a record. Only a page that is whole, and is the page, is compared. */
export function recordTrouble(record: StoredRecord, format: ComparedFormat, wasOpen: boolean): string | null {
  const { outcome, errorCode, statusCode } = record;
  const { errors, asksForRange } = recordFaults(record);
  if (errors.some(({ details }) => (details as { wall?: unknown } | undefined)?.wall === 'login'))
    return wasOpen ? 'signed_out' : 'login';
  if (['failed', 'blocked', 'unaccepted'].includes(outcome)) return errorCode ?? outcome;
  if (statusCode === 404 || statusCode === 410) return 'gone';
  if (outcome === 'target_error' || (statusCode !== null && statusCode >= 400)) return `status_${statusCode}`;
  // A part of the page that nobody asked for (RFC 9110 §15.3.7).
  if (statusCode === 206 && !asksForRange) return 'status_206';
  const error = errors.find(
    ({ code, pointer }) =>
      (PARTS[code as FailureCode]?.includes(format) ?? true) &&
      // Another member of the answer that was cut.
      !(code === 'content.truncated' && pointer !== undefined),
  );
  return error?.code ?? null;
}
