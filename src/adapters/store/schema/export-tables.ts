import type { ClaimedExport } from '../../../domain/exports.ts';
import { columnsFor, type TableOf } from './columns.ts';

export interface ExportTables {
  exports: ExportTable;
}

const column = columnsFor<ClaimedExport>();
/** What the creator of an export sets. */
export const EXPORT_SETTINGS = {
  id: column.id('id'),
  user_id: column.id('userId'),
  job_id: column.id('jobId'),
  schedule_id: column.optionalId('scheduleId'),
  run_n: column.plain('runN'),
  name: column.plain('name'),
  format: column.plain('format'),
  kind: column.plain('kind'),
  target: column.plain('target'),
  spec: column.plain('spec'),
  created_at: column.plain('createdAt'),
};
export const EXPORT_COLUMNS = {
  ...EXPORT_SETTINGS,
  state: column.plain('state'),
  tries: column.plain('tries'),
  next_at: column.plain('nextAt'),
  lease: column.plain('lease'),
  status: column.plain('status'),
  error: column.json('error'),
  bytes: column.plain('bytes'),
  sent_to: column.plain('sentTo'),
  ended_at: column.plain('endedAt'),
};
type ExportTable = TableOf<typeof EXPORT_COLUMNS> & { lease_until: number };
export type StoredExport = TableOf<typeof EXPORT_COLUMNS>;
