import type { Postgres } from '../../postgres/postgres.ts';
import {
  COUNTER_TABLES,
  type CounterTable,
  type CounterTableName,
  columnsOf,
  type Increments,
  onConflict,
} from '../schema/counter-tables.ts';

/** Adds one row for each counter, in the order of the key: so that two processes never wait for each other in a circle. */
function addSql(name: CounterTableName): string {
  const table: CounterTable = COUNTER_TABLES[name];
  const key = table.key.map(([column]) => column);
  const types = [
    ...table.key.map(([, type]) => type),
    ...[...table.sums, ...table.greatest].map(() => 'bigint'),
  ];
  const values = [
    `decode(replace(user_id, '-', ''), 'hex')`,
    ...key.slice(1),
    ...table.sums.map((column) => `sum(${column})`),
    ...table.greatest.map((column) => `max(${column})`),
  ];
  const columns = columnsOf(table).join(', ');
  return `INSERT INTO ${name} (${columns}) SELECT ${values.join(', ')}
FROM unnest(${types.map((type) => `?::${type}[]`).join(', ')}) AS added (${columns})
GROUP BY ${key.join(', ')} ORDER BY ${key.join(', ')}
${onConflict(name)}`;
}

/** Adds all increments, or none. */
export async function addCounts(
  postgres: Pick<Postgres, 'write'>,
  increments: readonly Increments[],
): Promise<void> {
  await postgres.write(
    increments.map(([name, values]) => {
      const width = columnsOf(COUNTER_TABLES[name]).length;
      const columns = Array.from({ length: width }, (_, column) =>
        values.filter((_value, index) => index % width === column),
      );
      return [addSql(name), columns];
    }),
  );
}
