import { createHash } from 'node:crypto';
import { StorageError } from '../../../ports/store.ts';
import {
  openPostgres,
  type PostgresConnection,
  type PostgresOptions,
  withDirectConnection,
} from '../../postgres/postgres.ts';
import { COPY_TABLE, migratePostgres } from '../postgres/migrate.ts';
import { makePartitions } from '../postgres/records/partitions.ts';
import { openConnection, type SqliteConnection } from '../sqlite/database.ts';
import { translateErrors } from '../sqlite/sqlite-errors.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

type Value = string | number | Uint8Array | null;
type Row = Readonly<Record<string, Value>>;

export interface CopyOptions {
  /** The database of SQLite, with the newest schema. Nobody writes to it. */
  readonly file: string;
  /** A number that no other database has: only the copy of the same one is continued. */
  readonly sourceId: number;
  readonly to: PostgresOptions;
  /** Called after each table, with all its rows. */
  readonly onTable: (table: string, rows: number) => void;
  /** Copies what is not in the tables, before the copy ends. */
  readonly copyBlobs: () => Promise<void>;
}

const MAX_BATCH_ROWS = 500;
const MAX_BATCH_BYTES = 8 * 2 ** 20;
const DAY_MS = 86_400_000;
/** Older records are in the default partition. */
const MAX_PARTITIONS = 400;

/**
 * Copies all rows of a database of SQLite to PostgreSQL, and then compares both. What an earlier call has copied is not
 * copied again. Rejects with `StorageError` if the target has other data, or if they differ in the end.
 */
export async function copyToPostgres(options: CopyOptions): Promise<void> {
  await migratePostgres({ ...options.to, isCopying: true });
  const db = translateErrors(() =>
    openConnection({ file: options.file, durability: 'normal', readonly: true }),
  );
  try {
    await withDirectConnection(options.to, async (connection) => {
      await beginCopy(connection, options.sourceId);
      await makePastPartitions(db, options.to);
      for (const table of COPIED_TABLES) {
        const copy = await TableCopy.open(db, connection, table);
        options.onTable(table.name, await copy.copyRows());
        if (table.numbered !== undefined) await setNextNumber(db, connection, table.name, table.numbered);
      }
      await options.copyBlobs();
      for (const table of COPIED_TABLES) await (await TableCopy.open(db, connection, table)).compare();
      await connection.run(`DROP TABLE ${COPY_TABLE}`);
    });
  } finally {
    db.close();
  }
}

/** Takes an empty database, or one with an unfinished copy of the same source. */
async function beginCopy(connection: PostgresConnection, sourceId: number): Promise<void> {
  // Of the session: another copy waits for nothing, but fails.
  const { rows: locks } = await connection.run(
    `SELECT pg_try_advisory_lock(hashtext('sluice copy')) AS taken`,
  );
  if ((locks[0] as { taken: number }).taken === 0)
    throw new StorageError('another sluice copy to this database is running');
  const { rows } = await connection.run('SELECT to_regclass(?)::text AS name', [COPY_TABLE]);
  if ((rows[0] as { name: string | null }).name === null) {
    for (const table of ['users', 'records', 'jobs', 'stat_counts', 'blob_chunks'])
      if ((await connection.run(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length > 0)
        throw new StorageError(`the database is not empty: its table ${table} has rows`);
    await connection.run(
      `CREATE TABLE ${COPY_TABLE} (source BIGINT NOT NULL, name TEXT PRIMARY KEY, last TEXT NOT NULL, copied BIGINT NOT NULL)`,
    );
    await connection.run(`INSERT INTO ${COPY_TABLE} VALUES (?, '', '', 0)`, [sourceId]);
    return;
  }
  const begun = await connection.run(`SELECT source FROM ${COPY_TABLE} LIMIT 1`);
  const source = (begun.rows[0] as { source: number } | undefined)?.source;
  if (source !== undefined && source !== sourceId)
    throw new StorageError('the database has an unfinished copy of another data folder');
}

/** So that days whose records have expired are dropped at once, as those of new records. */
async function makePastPartitions(db: SqliteConnection, to: PostgresOptions): Promise<void> {
  const first = db.prepare('SELECT min(id) FROM records').pluck().get() as Buffer | null;
  if (first === null) return;
  const now = Date.now();
  const from = Math.max(first.readUIntBE(0, 6), now - MAX_PARTITIONS * DAY_MS);
  const postgres = openPostgres(to);
  try {
    await makePartitions(postgres, from, now);
  } finally {
    await postgres.close();
  }
}

/** A row gets the next number after all that were ever given. */
async function setNextNumber(
  db: SqliteConnection,
  connection: PostgresConnection,
  table: string,
  column: string,
): Promise<void> {
  const highest = db.prepare(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck().get() as number;
  const given = db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as
    | number
    | undefined;
  await connection.run('SELECT setval(pg_get_serial_sequence(?, ?), ?, false)', [
    table,
    column,
    Math.max(highest, given ?? 0) + 1,
  ]);
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** One table, in both databases. */
class TableCopy {
  readonly #db: SqliteConnection;
  readonly #connection: PostgresConnection;
  readonly #table: CopiedTable;
  readonly #columns: readonly Column[];

  private constructor(
    db: SqliteConnection,
    connection: PostgresConnection,
    table: CopiedTable,
    columns: readonly Column[],
  ) {
    this.#db = db;
    this.#connection = connection;
    this.#table = table;
    this.#columns = columns;
  }

  static async open(
    db: SqliteConnection,
    connection: PostgresConnection,
    table: CopiedTable,
  ): Promise<TableCopy> {
    const { rows } = await connection.run(
      `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position`,
      [table.name],
    );
    return new TableCopy(db, connection, table, rows as Column[]);
  }

  /** @returns the number of rows, with those that were copied before */
  async copyRows(): Promise<number> {
    const { name } = this.#table;
    const { rows } = await this.#connection.run(`SELECT last, copied FROM ${COPY_TABLE} WHERE name = ?`, [
      name,
    ]);
    const progress = rows[0] as { last: string; copied: number } | undefined;
    let copied = progress?.copied ?? 0;
    for (const batch of this.#sourceBatches(progress === undefined ? null : decodeKey(progress.last))) {
      copied += batch.length;
      await this.#insert(batch, copied);
    }
    return copied;
  }

  /** The rows and how far the copy is, in one transaction: no row is copied twice. */
  async #insert(batch: readonly Row[], copied: number): Promise<void> {
    const { name, key } = this.#table;
    const columns = this.#columns.map((column) => column.name);
    const places = `(${columns.map(() => '?').join(', ')})`;
    const connection = this.#connection;
    await connection.run('BEGIN');
    await connection.run(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${batch.map(() => places).join(', ')}`,
      batch.flatMap((row) => columns.map((column) => row[column])),
    );
    await connection.run(
      `INSERT INTO ${COPY_TABLE} (source, name, last, copied) SELECT source, ?, ?, ? FROM ${COPY_TABLE} WHERE name = ''
ON CONFLICT (name) DO UPDATE SET last = EXCLUDED.last, copied = EXCLUDED.copied`,
      [name, encodeKey(key.map((column) => batch.at(-1)![column]!)), copied],
    );
    await connection.run('COMMIT');
  }

  /** Rejects with `StorageError` if the tables differ. */
  async compare(): Promise<void> {
    const source = new RowHash(this.#columns);
    for (const batch of this.#sourceBatches(null)) for (const row of batch) source.add(row);
    const target = new RowHash(this.#columns);
    for await (const row of this.#targetRows()) target.add(row);
    if (source.rows !== target.rows)
      throw new StorageError(
        `the copy of the table ${this.#table.name} has ${target.rows} rows instead of ${source.rows}`,
      );
    if (source.digest() !== target.digest())
      throw new StorageError(`the copy of the table ${this.#table.name} differs from its source`);
  }

  /** Rows of the source as PostgreSQL stores them, by their keys. @param after the key of the last row before them */
  *#sourceBatches(after: readonly Value[] | null): Generator<readonly Row[]> {
    const { name, key, source = name } = this.#table;
    const columns = this.#columns.map((column) =>
      column.name === 'id' && source !== name ? 'records.id' : column.name,
    );
    const keys = key.map((column) => (source === name ? column : `records.${column}`)).join(', ');
    const select = `SELECT ${columns.join(', ')} FROM ${source}`;
    const rest = `ORDER BY ${keys} LIMIT ${MAX_BATCH_ROWS}`;
    const first = this.#db.prepare<unknown[], Row>(`${select} ${rest}`);
    const next = this.#db.prepare<unknown[], Row>(
      `${select} WHERE (${keys}) > (${key.map(() => '?').join(', ')}) ${rest}`,
    );
    for (let last = after; ; ) {
      const batch: Row[] = [];
      let bytes = 0;
      for (const row of last === null ? first.iterate() : next.iterate(...last)) {
        batch.push(this.#converted(row));
        bytes += sizeOf(row);
        if (bytes > MAX_BATCH_BYTES) break;
      }
      if (batch.length === 0) return;
      last = key.map((column) => batch.at(-1)![column]!);
      yield batch;
    }
  }

  #converted(row: Row): Row {
    return Object.fromEntries(this.#columns.map(({ name, type }) => [name, toType(row[name] ?? null, type)]));
  }

  async *#targetRows(): AsyncGenerator<Row> {
    const { name, key } = this.#table;
    const keys = key.join(', ');
    const columns = this.#columns.map((column) => column.name).join(', ');
    let last: readonly Value[] | null = null;
    for (;;) {
      const after: string = last === null ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`;
      const { rows } = await this.#connection.run(
        `SELECT ${columns} FROM ${name} ${after} ORDER BY ${keys} LIMIT ${MAX_COMPARED_ROWS}`,
        last ?? [],
      );
      yield* rows as Row[];
      if (rows.length < MAX_COMPARED_ROWS) return;
      last = key.map((column) => (rows.at(-1) as Row)[column]!);
    }
  }
}

/** Of contents of 256 KiB, so few that they fit into memory. */
const MAX_COMPARED_ROWS = 100;

const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8),
    0,
  );

/** SQLite stores any value in any column. */
function toType(value: Value, type: string): Value {
  if (type === 'bytea' && typeof value === 'string') return Buffer.from(value);
  // As every text is stored in PostgreSQL, which has no NUL.
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (typeof value === 'number' && type !== 'double precision') return Math.round(value);
  return value;
}

/** A hash of rows in the order of their keys. */
class RowHash {
  rows = 0;
  readonly #columns: readonly Column[];
  readonly #hash = createHash('sha256');

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  add(row: Row): void {
    this.rows++;
    for (const { name } of this.#columns) {
      const value = row[name] ?? null;
      const bytes = value instanceof Uint8Array ? value : String(value);
      const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
      this.#hash.update(`${value === null ? 'n' : typeof value} ${length}:`).update(bytes);
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** As JSON; bytes in hexadecimal in an array. */
const encodeKey = (key: readonly Value[]): string =>
  JSON.stringify(
    key.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value)),
  );

const decodeKey = (text: string): Value[] =>
  (JSON.parse(text) as (string | number | [string])[]).map((value) =>
    Array.isArray(value) ? Buffer.from(value[0], 'hex') : value,
  );
