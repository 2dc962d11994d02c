import type { AuditEvent, AuditFilter } from '../domain/audit.ts';

/** The audit log. The same guarantees as RecordStore. Changes of accounts add their events in the transaction of the change. */
export interface AuditStore {
  append(event: AuditEvent): Promise<void>;
  /**
   * The newest first.
   * @param after id of the last event of the previous page
   */
  list(filter: AuditFilter, limit: number, after: string | null): Promise<readonly AuditEvent[]>;
  /** Deletes events from before `before` (ms since the epoch), and the oldest beyond `max`. */
  sweep(before: number, max: number): Promise<void>;
}
