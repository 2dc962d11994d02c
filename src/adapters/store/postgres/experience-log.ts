import type { ExperienceLog, LoggedChanges } from '../../../ports/experience-log.ts';
import type { Postgres } from '../../postgres/postgres.ts';

/** Key of the lock that puts the transactions of `append` in one order. */
const APPEND_LOCK = 0x536c_0001;

export function createExperienceLog(postgres: Postgres): ExperienceLog {
  return {
    // One after the other, so that positions become visible in their order.
    append: (origin, batch, data) =>
      postgres.transaction(async ({ run }) => {
        await run('SELECT pg_advisory_xact_lock(?)', [APPEND_LOCK]);
        await run(
          `INSERT INTO experience_log (origin, batch, added_at, data) VALUES (?, ?, clock_timestamp(), ?)
ON CONFLICT (origin, batch) DO NOTHING`,
          [origin, batch, data],
        );
        const { rows } = await run('SELECT position FROM experience_log WHERE origin = ? AND batch = ?', [
          origin,
          batch,
        ]);
        return (rows[0] as { position: number }).position;
      }),
    async after(position, limit) {
      const [result] = await postgres.write([
        [
          'SELECT position, origin, data FROM experience_log WHERE position > ? ORDER BY position LIMIT ?',
          [position, limit],
        ],
      ]);
      return result!.rows as LoggedChanges[];
    },
    async sweep(ageS) {
      await postgres.write([
        [`DELETE FROM experience_log WHERE added_at < clock_timestamp() - make_interval(secs => ?)`, [ageS]],
      ]);
    },
  };
}
