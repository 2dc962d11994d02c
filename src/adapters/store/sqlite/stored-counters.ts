import type { Clock } from '../../../base/time.ts';
import type { SharedCounters } from '../../../ports/coordination.ts';
import type { RunStatements } from '../queries/statements.ts';

const DELETE_EXPIRED = 'DELETE FROM shared_counters WHERE expires_at <= ?';
const ADD = `INSERT INTO shared_counters (name, total, expires_at)
SELECT ?, ?, ? WHERE ? IS NULL OR ? <= 0 OR ? + coalesce((SELECT total FROM shared_counters WHERE name = ?), 0) <= ?
ON CONFLICT (name) DO UPDATE SET total = total + excluded.total RETURNING total`;
const TOTAL = 'SELECT total FROM shared_counters WHERE name = ? AND expires_at > ?';

/** Counters in the database, so that a restart forgets nothing that costs money. */
export const createStoredCounters = (write: RunStatements, clock: Clock): SharedCounters => ({
  async add(name, { amount, limit, expiresAt }) {
    const [, added] = await write([
      [DELETE_EXPIRED, [clock.now()]],
      [ADD, [name, amount, expiresAt, limit, amount, amount, name, limit]],
    ]);
    return (added!.rows[0] as { total: number } | undefined)?.total ?? null;
  },
  async total(name) {
    // By the writer, so that it knows of what was just added.
    const [found] = await write([[TOTAL, [name, clock.now()]]]);
    return (found!.rows[0] as { total: number } | undefined)?.total ?? 0;
  },
});
