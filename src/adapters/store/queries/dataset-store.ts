import { sql } from 'kysely';
import type { DatasetRow, DatasetRun, RowData, StoredRow } from '../../../domain/datasets.ts';
import type { DatasetStore, RowPair } from '../../../ports/datasets.ts';
import { decodeRow } from '../schema/columns.ts';
import {
  DATASET_COLUMNS,
  DATASET_RUN_COLUMNS,
  type DatasetRunTable,
  type StoredDataset,
} from '../schema/dataset-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { hasName } from './name-search.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

const COLUMNS = Object.keys(DATASET_COLUMNS) as (keyof typeof DATASET_COLUMNS)[];
const RUN_COLUMNS = Object.keys(DATASET_RUN_COLUMNS) as (keyof typeof DATASET_RUN_COLUMNS)[];

/** Rows of one INSERT: a statement of SQLite has at most 32,766 parameters. */
const ROWS_PER_INSERT = 500;
/** Rows that one transaction deletes: few enough not to delay the records of scrapes. */
const DELETED_ROWS = 2_000;
/** Of whole rows that one call reads. */
const MAX_READ_BYTES = 2 ** 20;

const ROW_COLUMNS = ['row', 'run', 'key', 'hash', 'data'] as const;

interface SizedRow {
  readonly row: number;
  readonly bytes: number;
}

interface RowTable {
  readonly row: number;
  readonly run: number;
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
  readonly data: string;
}

const datasetRow = (row: StoredDataset): DatasetRow => decodeRow(DATASET_COLUMNS, row);
const runRow = (row: DatasetRunTable): DatasetRun => decodeRow(DATASET_RUN_COLUMNS, row);
const storedRow = ({ data, ...row }: RowTable): StoredRow => ({ ...row, data: JSON.parse(data) as RowData });

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createDatasetStore(db: Db, read: RunStatements, write: RunStatements): DatasetStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  return {
    ...createDatasetMethods(db, rowsOf, run),
    ...createRunMethods(db, rowsOf, run),
    ...createRowMethods(db, rowsOf),
  };
}

type RowsOf = <T>(query: CompilableQuery) => Promise<T[]>;
type Run = (...queries: readonly CompilableQuery[]) => ReturnType<RunStatements>;

function createDatasetMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<DatasetStore, 'create' | 'get' | 'list' | 'rename' | 'delete' | 'sweep'> {
  const listed = () => db.selectFrom('datasets').select(COLUMNS).where('deleted', '=', 0);
  return {
    async create({ id, userId, name, key, columns, createdAt }, limit) {
      const user = idBytes(userId);
      const values = [
        idBytes(id),
        user,
        name,
        key && JSON.stringify(key),
        JSON.stringify(columns),
        createdAt,
      ];
      const insert = sql`INSERT INTO datasets (id, user_id, name, key, columns, created_at) SELECT ${sql.join(values)}
WHERE (SELECT count(*) FROM datasets WHERE user_id = ${user} AND deleted = 0) < ${limit}`;
      const [result] = await run({ compile: () => insert.compile(db) });
      return result!.changes > 0;
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      let query = listed().where('id', '=', key);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      const [row] = await rowsOf<StoredDataset>(query);
      return row === undefined ? null : datasetRow(row);
    },
    async list(userId, limit, after, search = null) {
      let query = listed().orderBy('id', 'desc').limit(limit);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      if (search !== null) query = query.where(hasName(search));
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return (await rowsOf<StoredDataset>(query)).map(datasetRow);
    },
    async rename(id, name) {
      await run(db.updateTable('datasets').set({ name }).where('id', '=', idBytes(id)));
    },
    async delete(id) {
      const key = idBytes(id);
      await run(
        db.updateTable('schedules').set({ dataset_id: null }).where('dataset_id', '=', key),
        db
          .deleteFrom('dataset_runs')
          .where('dataset', 'in', (eb) => eb.selectFrom('datasets').select('number').where('id', '=', key)),
        db.updateTable('datasets').set({ deleted: 1 }).where('id', '=', key),
      );
    },
    async sweep() {
      const [gone] = await rowsOf<{ number: number }>(
        db.selectFrom('datasets').select('number').where('deleted', '=', 1).limit(1),
      );
      if (gone === undefined) return false;
      const { number } = gone;
      const cells = sql`DELETE FROM dataset_cells WHERE (dataset, col, value, row) IN
(SELECT dataset, col, value, row FROM dataset_cells WHERE dataset = ${number} LIMIT ${DELETED_ROWS})`;
      const rows = sql`DELETE FROM dataset_rows WHERE (dataset, row) IN
(SELECT dataset, row FROM dataset_rows WHERE dataset = ${number} LIMIT ${DELETED_ROWS})`;
      const [inCells, inRows] = await run(
        { compile: () => cells.compile(db) },
        { compile: () => rows.compile(db) },
      );
      if (inCells!.changes === 0 && inRows!.changes === 0)
        await run(db.deleteFrom('datasets').where('number', '=', number));
      return true;
    },
  };
}

const inParts = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / ROWS_PER_INSERT) }, (_, part) =>
    list.slice(part * ROWS_PER_INSERT, (part + 1) * ROWS_PER_INSERT),
  );

function createRunMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<
  DatasetStore,
  'addRun' | 'runs' | 'run' | 'importing' | 'putPage' | 'endRun' | 'deleteRows' | 'deleteRun' | 'deleting'
> {
  const ofRun = ({ dataset, n }: Pick<DatasetRun, 'dataset' | 'n'>) =>
    db.updateTable('dataset_runs').where('dataset', '=', dataset).where('n', '=', n);
  const openRuns = async (state: 'importing' | 'deleting') => {
    const runs = await rowsOf<DatasetRunTable>(
      db
        .selectFrom('dataset_runs')
        .select(RUN_COLUMNS)
        .where('state', '=', state)
        .orderBy('dataset')
        .orderBy('n')
        .limit(1_000),
    );
    const first = runs.filter(({ dataset }, at) => runs[at - 1]?.dataset !== dataset);
    if (first.length === 0) return [];
    const datasets = await rowsOf<StoredDataset>(
      db
        .selectFrom('datasets')
        .select(COLUMNS)
        .where(
          'number',
          'in',
          first.map(({ dataset }) => dataset),
        ),
    );
    const byNumber = new Map(datasets.map((row) => [row.number, datasetRow(row)]));
    return first.flatMap((row) => {
      const dataset = byNumber.get(row.dataset);
      return dataset === undefined ? [] : [{ run: runRow(row), dataset }];
    });
  };
  return {
    async addRun(dataset, { jobId, scheduleId, at }) {
      const [job, schedule] = [idBytes(jobId), scheduleId === null ? null : idBytes(scheduleId)];
      const isNew = sql<boolean>`NOT EXISTS (SELECT 1 FROM dataset_runs AS r WHERE r.dataset = ${dataset} AND r.job_id = ${job})`;
      const insert = sql`INSERT INTO dataset_runs (dataset, n, job_id, schedule_id, state, at)
SELECT number, last_run, ${job}, ${schedule}, 'importing', ${at} FROM datasets WHERE number = ${dataset} AND deleted = 0 AND last_run > 0
ON CONFLICT DO NOTHING`;
      const [taken] = await run(
        db
          .updateTable('datasets')
          .set((eb) => ({ last_run: eb('last_run', '+', 1) }))
          .where('number', '=', dataset)
          .where('deleted', '=', 0)
          .where(isNew)
          .returning('last_run'),
        { compile: () => insert.compile(db) },
      );
      return (taken!.rows[0] as { last_run: number } | undefined)?.last_run ?? null;
    },
    async runs(dataset, limit, before) {
      let query = db
        .selectFrom('dataset_runs')
        .select(RUN_COLUMNS)
        .where('dataset', '=', dataset)
        .orderBy('n', 'desc')
        .limit(limit);
      if (before !== null) query = query.where('n', '<', before);
      return (await rowsOf<DatasetRunTable>(query)).map(runRow);
    },
    async run(dataset, n) {
      const query = db.selectFrom('dataset_runs').select(RUN_COLUMNS).where('dataset', '=', dataset);
      const [row] = await rowsOf<DatasetRunTable>(query.where('n', '=', n));
      return row === undefined ? null : runRow(row);
    },
    importing: () => openRuns('importing'),
    deleting: () => openRuns('deleting'),
    async putPage({ run: of, lastRow, after, rows, cells, columns, dropped }) {
      const { dataset, n } = of;
      const newLastRow = lastRow + rows.length;
      const first = rows[0]?.row ?? null;
      await run(
        ...inParts(rows).map((part) =>
          db
            .insertInto('dataset_rows')
            .values(part.map(({ data, ...row }) => ({ ...row, dataset, data: JSON.stringify(data) })))
            .onConflict((conflict) => conflict.doNothing()),
        ),
        ...inParts(cells).map((part) =>
          db
            .insertInto('dataset_cells')
            .values(part.map(({ column, value, row }) => ({ dataset, col: column, value, row })))
            .onConflict((conflict) => conflict.doNothing()),
        ),
        db
          .updateTable('datasets')
          .set((eb) => ({
            columns: JSON.stringify(columns),
            dropped,
            rows: eb('rows', '+', rows.length),
            last_row: newLastRow,
          }))
          .where('number', '=', dataset)
          .where('last_row', '=', lastRow)
          .where(
            sql<boolean>`EXISTS (SELECT 1 FROM dataset_runs AS r WHERE r.dataset = ${dataset} AND r.n = ${n} AND r.after = ${of.after} AND r.last_row = ${of.lastRow})`,
          ),
        ofRun(of)
          .set({ after, ...(first === null ? {} : { last_row: newLastRow }) })
          .set((eb) =>
            first === null
              ? {}
              : {
                  first_row: eb.case().when('first_row', '=', 0).then(first).else(eb.ref('first_row')).end(),
                },
          )
          .where('after', '=', of.after)
          .where('last_row', '=', of.lastRow)
          .where(
            sql<boolean>`EXISTS (SELECT 1 FROM datasets AS d WHERE d.number = ${dataset} AND d.last_row = ${newLastRow})`,
          ),
      );
    },
    async endRun(of, state, error) {
      await run(ofRun(of).set({ state, error: error === null ? null : JSON.stringify(error) }));
    },
    async deleteRows(dataset, { first, last }, cells) {
      const values = new Map(
        cells.map((cell) => [`${cell.column} ${Buffer.from(cell.value).toString('hex')}`, cell]),
      );
      // One value a statement: SQLite would look at all entries of the dataset for a list of them.
      const deletions = [...values.values()].map(({ column, value }) =>
        db
          .deleteFrom('dataset_cells')
          .where('dataset', '=', dataset)
          .where('col', '=', column)
          .where('value', '=', value)
          .where('row', '>=', first)
          .where('row', '<=', last),
      );
      const ofRows = sql`dataset = ${dataset} AND row >= ${first} AND row <= ${last}`;
      // Those that another process has deleted are not counted again.
      const count = sql<number>`rows - (SELECT count(*) FROM dataset_rows WHERE ${ofRows})`;
      await run(...deletions, db.updateTable('datasets').set({ rows: count }).where('number', '=', dataset), {
        compile: () => sql`DELETE FROM dataset_rows WHERE ${ofRows}`.compile(db),
      });
    },
    async deleteRun({ dataset, n }) {
      await run(db.deleteFrom('dataset_runs').where('dataset', '=', dataset).where('n', '=', n));
    },
  };
}

function createRowMethods(
  db: Db,
  rowsOf: RowsOf,
): Pick<DatasetStore, 'rows' | 'rowsOf' | 'cells' | 'rowsWith' | 'differing'> {
  const sizes = (dataset: number) =>
    db
      .selectFrom('dataset_rows')
      .select(['row', sql<number>`octet_length(data)`.as('bytes')])
      .where('dataset', '=', dataset);
  /** The first rows of those, as many as have `MAX_READ_BYTES`. */
  async function wholeRows(dataset: number, wanted: readonly SizedRow[]): Promise<StoredRow[]> {
    let bytes = 0;
    const fit: number[] = [];
    for (const one of wanted) {
      fit.push(one.row);
      bytes += one.bytes;
      if (bytes >= MAX_READ_BYTES) break;
    }
    if (fit.length === 0) return [];
    const query = db.selectFrom('dataset_rows').select(ROW_COLUMNS).where('dataset', '=', dataset);
    const found = await rowsOf<RowTable>(query.where('row', 'in', fit));
    const byRow = new Map(found.map((row) => [row.row, row]));
    return fit.flatMap((row) => byRow.get(row) ?? []).map(storedRow);
  }
  return {
    async rows(dataset, { first, last, isDescending }, limit) {
      const query = sizes(dataset)
        .where('row', '>=', first)
        .where('row', '<=', last)
        .orderBy('row', isDescending ? 'desc' : 'asc')
        .limit(limit);
      return await wholeRows(dataset, await rowsOf<SizedRow>(query));
    },
    async rowsOf(dataset, rows) {
      if (rows.length === 0) return [];
      const found = await rowsOf<SizedRow>(sizes(dataset).where('row', 'in', [...rows]));
      const byRow = new Map(found.map((one) => [one.row, one]));
      return await wholeRows(
        dataset,
        rows.flatMap((row) => byRow.get(row) ?? []),
      );
    },
    async cells(dataset, { column, from, to }, { isDescending, after }, limit) {
      const direction = isDescending ? 'desc' : 'asc';
      let query = db
        .selectFrom('dataset_cells')
        .select(['value', 'row'])
        .where('dataset', '=', dataset)
        .where('col', '=', column)
        .where('value', '>=', from)
        .orderBy('value', direction)
        .orderBy('row', direction)
        .limit(limit);
      if (to !== null) query = query.where('value', '<', to);
      if (after !== null) {
        const { value, row } = after;
        query = query.where(
          isDescending
            ? sql<boolean>`(value, row) < (${value}, ${row})`
            : sql<boolean>`(value, row) > (${value}, ${row})`,
        );
      }
      return await rowsOf<{ value: Uint8Array; row: number }>(query);
    },
    async rowsWith(dataset, column, value, before, limit) {
      const query = db
        .selectFrom('dataset_cells')
        .select('row')
        .where('dataset', '=', dataset)
        .where('col', '=', column)
        .where('value', '=', value)
        .where('row', '<', before)
        .orderBy('row', 'desc')
        .limit(limit);
      return (await rowsOf<{ row: number }>(query)).map(({ row }) => row);
    },
    async differing(dataset, { of, other }, { first, last, only }, limit) {
      const isMissing = sql`b.row IS NULL`;
      const differs = only === 'missing' ? isMissing : sql`(${isMissing} OR b.hash <> a.hash)`;
      const query = sql`SELECT a.row, b.row AS other FROM dataset_rows AS a
LEFT JOIN dataset_rows AS b ON b.dataset = a.dataset AND b.row =
(SELECT c.row FROM dataset_rows AS c WHERE c.dataset = a.dataset AND c.run = ${other} AND c.key = a.key LIMIT 1)
WHERE a.dataset = ${dataset} AND a.row >= ${first} AND a.row <= ${last} AND a.run = ${of} AND ${differs}
ORDER BY a.row LIMIT ${limit}`;
      return await rowsOf<RowPair>({ compile: () => query.compile(db) });
    },
  };
}
