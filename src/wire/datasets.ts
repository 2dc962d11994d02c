import { type Static, Type } from 'typebox';
import {
  COLUMN_TYPES,
  DATASET_RUN_STATES,
  type DatasetColumn,
  type DatasetRow,
  type DatasetRun,
  MAX_COLUMN_NAME_CHARS,
  MAX_COLUMNS,
  type StoredRow,
} from '../domain/datasets.ts';
import { closed, optional, orNull, textOrNull } from '../domain/json-schema.ts';
import type { Written } from './answer/json-members.ts';
import { formatDateTime } from './date-time.ts';

const Time = Type.String({ format: 'date-time' });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const ColumnName = Type.String({ minLength: 1, maxLength: MAX_COLUMN_NAME_CHARS });

export const DatasetRequest = closed(
  {
    name: Name,
    ...optional({
      columns: Type.Array(closed({ name: ColumnName, type: Type.Enum([...COLUMN_TYPES]) }), {
        maxItems: MAX_COLUMNS,
        description:
          'Columns that are there from the start. Others are added with the type of their first value.',
      }),
      key: Type.Array(ColumnName, {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        description: 'Columns by which rows of two runs are the same; default: URL and index.',
      }),
    }),
  },
  { title: 'DatasetRequest' },
);
export type DatasetRequest = Static<typeof DatasetRequest>;

export const DatasetChange = closed({ name: Type.Optional(Name) }, { title: 'DatasetChange' });

export const DatasetImport = closed(
  { job_id: Type.String({ format: 'uuid', description: 'A job that has ended.' }) },
  { title: 'DatasetImport' },
);

export const DatasetObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    user_id: Type.String({ format: 'uuid', description: 'The owner.' }),
    key: orNull(Type.Array(Type.String()), { description: 'null: URL and index.' }),
    columns: Type.Array(
      closed(
        {
          name: Type.String(),
          type: Type.Enum([...COLUMN_TYPES]),
          nulls: Type.Integer({ description: 'Values that the type could not hold; they are null.' }),
        },
        { title: 'DatasetColumn' },
      ),
    ),
    dropped: Type.Integer({ description: 'Values of columns beyond the first 200, which are left out.' }),
    rows: Type.Integer(),
    created_at: Time,
  },
  { title: 'Dataset' },
);

export const DatasetList = closed(
  { items: Type.Array(DatasetObject), next_cursor: orNull(Type.String()) },
  { title: 'DatasetList' },
);

export const DatasetRunObject = closed(
  {
    n: Type.Integer({ description: 'Numbers grow, and may have gaps.' }),
    job_id: Type.String({ format: 'uuid' }),
    schedule_id: orNull(Type.String({ format: 'uuid' })),
    state: Type.Enum([...DATASET_RUN_STATES], {
      description:
        '`importing`: results are being added. `deleting`: its rows go, because there are too many.',
    }),
    at: Time,
    rows: Type.Integer(),
    error: orNull(closed({ code: Type.String(), message: Type.String() }, { title: 'DatasetError' })),
  },
  { title: 'DatasetRun' },
);

export const DatasetRunList = closed(
  { items: Type.Array(DatasetRunObject), next_cursor: orNull(Type.String()) },
  { title: 'DatasetRunList' },
);

const Values = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description });

export const DatasetRowObject = closed(
  {
    row: Type.Integer({ description: 'Its number, which never changes.' }),
    run: Type.Integer(),
    url: Type.String(),
    index: Type.Integer({ description: 'Position among the rows of the page.' }),
    status: orNull(Type.Integer()),
    title: orNull(Type.String()),
    scrape: orNull(Type.String()),
    values: Values('By column; columns without a value are left out.'),
    change: orNull(Type.Enum(['new', 'changed', 'gone']), { description: 'With `diff_to`: how it differs.' }),
    before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      description: 'Of a changed row: its values in the run `diff_to`.',
    }),
  },
  { title: 'DatasetRow' },
);

export const DatasetRowList = closed(
  {
    items: Type.Array(DatasetRowObject),
    next_cursor: textOrNull(
      'Cursor of the next page; null: there are no more. With filters or `diff_to`, a page may be short or empty although there is one.',
    ),
  },
  { title: 'DatasetRowList' },
);

export const datasetObject = (row: DatasetRow): Written<typeof DatasetObject> => ({
  id: row.id,
  name: row.name,
  user_id: row.userId,
  key: row.key === null ? null : [...row.key],
  columns: row.columns.map(({ name, type, nulls }) => ({ name, type, nulls })),
  dropped: row.dropped,
  rows: row.rows,
  created_at: formatDateTime(row.createdAt),
});

export const datasetRunObject = (run: DatasetRun): Written<typeof DatasetRunObject> => ({
  n: run.n,
  job_id: run.jobId,
  schedule_id: run.scheduleId,
  state: run.state,
  at: formatDateTime(run.at),
  rows: Math.max(0, run.lastRow - run.firstRow + 1),
  error: run.error,
});

/** By name, without those that are null. Columns that came after `columns` was read are left out. */
function valuesObject(columns: readonly DatasetColumn[], values: readonly unknown[]) {
  const names = columns.slice(0, values.length).map(({ name }) => name);
  return Object.fromEntries(
    names.map((name, at) => [name, values[at]] as const).filter(([, value]) => value !== null),
  );
}

export function rowObject(
  columns: readonly DatasetColumn[],
  { row, run, data }: StoredRow,
  change: 'new' | 'changed' | 'gone' | null = null,
  before: StoredRow | null = null,
): Written<typeof DatasetRowObject> {
  const { url, index, status, title, scrapeId, values } = data;
  return {
    ...{ row, run, url, index, status, title, scrape: scrapeId },
    values: valuesObject(columns, values),
    change,
    before: before && valuesObject(columns, before.data.values),
  };
}
