import type { Postgres } from '../../postgres/postgres.ts';
import type { CountValue } from '../prepared-statements.ts';

/** One row for each counter, in the order of the key: so that two processes never wait for each other in a circle. */
const ADD_COUNTS = `INSERT INTO stat_counts (user_id, step, at, kind, name, count)
SELECT decode(replace(user_id, '-', ''), 'hex'), step, at, kind, name, sum(count)
FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[]) AS added (user_id, step, at, kind, name, count)
GROUP BY user_id, step, at, kind, name ORDER BY step, at, user_id, kind, name
ON CONFLICT (step, at, user_id, kind, name) DO UPDATE SET count = stat_counts.count + excluded.count`;

const COLUMNS = [0, 1, 2, 3, 4, 5] as const;

/** Adds all counts, or none. @param values user (id as text), step, at, kind, name, count, then the same for the next count */
export async function addCounts(
  postgres: Pick<Postgres, 'write'>,
  values: readonly CountValue[],
): Promise<void> {
  const columns = COLUMNS.map((column) => values.filter((_, index) => index % COLUMNS.length === column));
  await postgres.write([[ADD_COUNTS, columns]]);
}
