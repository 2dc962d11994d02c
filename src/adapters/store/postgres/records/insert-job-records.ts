import type { NewRecord } from '../../../../domain/record.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { insertStatement, packRecord } from './insert-records.ts';
import { shareContents } from './share-contents.ts';

/**
 * Inserts records of jobs, as a part of a transaction. A content that another record of the user's jobs has is stored once. A record
 * whose id exists is left out.
 */
export async function insertJobRecords(
  connection: PostgresConnection,
  records: readonly { readonly record: NewRecord; readonly jobId: Uint8Array }[],
): Promise<void> {
  if (records.length === 0) return;
  const shared = await shareContents(
    connection,
    records.map(({ record }) => record),
  );
  const packed = records.map(({ record, jobId }, index) => packRecord(record, jobId, shared[index]));
  const sharedBy = new Map<string, number>();
  for (const [index, { id }] of packed.entries())
    if (shared[index]! !== null) sharedBy.set(id, shared[index]!);
  const { rows } = await connection.run(...insertStatement(packed));
  for (const { id } of rows as { id: string }[]) sharedBy.delete(id);
  for (const unused of sharedBy.values()) {
    await connection.run('UPDATE shared_contents SET uses = uses - 1 WHERE number = ?', [unused]);
    await connection.run('DELETE FROM shared_contents WHERE number = ? AND uses = 0', [unused]);
  }
}
