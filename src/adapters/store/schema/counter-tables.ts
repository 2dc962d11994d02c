import { SITE_LATENCY_BUCKETS } from '../../../domain/site-stats.ts';

/** A table of counters. Its first column is `user_id`. */
export interface CounterTable {
  /** Columns of text and of numbers, all in the primary key. */
  readonly key: readonly (readonly [column: string, type: 'text' | 'bigint'])[];
  /** Counters, to which increments are added. */
  readonly sums: readonly string[];
  /** Columns of which the greatest value is kept. */
  readonly greatest: readonly string[];
}

export const LATENCY_COLUMNS = Array.from(
  { length: SITE_LATENCY_BUCKETS },
  (_, bucket) => `latency_${bucket}`,
);

/** The columns of each table are in the order of `key`, `sums`, `greatest`. */
export const COUNTER_TABLES = {
  stat_counts: {
    key: [
      ['user_id', 'text'],
      ['step', 'bigint'],
      ['at', 'bigint'],
      ['kind', 'text'],
      ['name', 'text'],
    ],
    sums: ['count'],
    greatest: [],
  },
  site_counts: {
    key: [
      ['user_id', 'text'],
      ['month', 'bigint'],
      ['host', 'text'],
    ],
    sums: ['scrapes', 'ok', ...LATENCY_COLUMNS],
    greatest: ['last_at'],
  },
  site_costs: {
    key: [
      ['user_id', 'text'],
      ['month', 'bigint'],
      ['host', 'text'],
      ['scraper', 'text'],
      ['proxy_type', 'text'],
      ['unit', 'text'],
    ],
    sums: ['attempts', 'ok', 'unpriced', 'cost'],
    greatest: [],
  },
  usage_counts: {
    key: [
      ['user_id', 'text'],
      ['step', 'bigint'],
      ['at', 'bigint'],
      ['key_id', 'text'],
      ['host', 'text'],
      ['scraper', 'text'],
      ['proxy_type', 'text'],
      ['outcome', 'text'],
      ['unit', 'text'],
    ],
    sums: ['scrapes', 'bytes', 'attempts', 'traffic', 'unpriced', 'cost', ...LATENCY_COLUMNS],
    greatest: [],
  },
} as const satisfies Readonly<Record<string, CounterTable>>;
export type CounterTableName = keyof typeof COUNTER_TABLES;

/** A value of a row; the id of the user is text. */
export type CountValue = string | number;
/** A flat list of the values of all rows: sending a thousand small arrays to the other thread takes much longer. */
export type Increments = readonly [table: CounterTableName, values: readonly CountValue[]];

export function columnsOf({ key, sums, greatest }: CounterTable): readonly string[] {
  return [...key.map(([column]) => column), ...sums, ...greatest];
}

/** What to do with a row of these columns that exists: add the counters up. */
export function onConflict(name: CounterTableName): string {
  const { key, sums, greatest }: CounterTable = COUNTER_TABLES[name];
  const changes = [
    ...sums.map((column) => `${column} = ${name}.${column} + excluded.${column}`),
    ...greatest.map(
      (column) =>
        `${column} = CASE WHEN excluded.${column} > ${name}.${column} THEN excluded.${column} ELSE ${name}.${column} END`,
    ),
  ];
  return `ON CONFLICT (${key.map(([column]) => column).join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
}
