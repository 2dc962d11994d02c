import { Type } from 'typebox';
import { columnNamed, type IndexedColumn, OWN_COLUMNS, timeOf } from '../../datasets/columns.ts';
import type { DiffPlace } from '../../datasets/compare-runs.ts';
import { FILTER_OPERATORS, type RowCursor, type RowFilter, type RowSort } from '../../datasets/query-rows.ts';
import type { DatasetColumn } from '../../domain/datasets.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { refuse } from './run-requests.ts';

const MAX_FILTERS = 10;
const MAX_FILTER_CHARS = 1_000;

export const ROW_PARAMETERS = {
  filter: {
    description:
      'A JSON list of `{"column", "op", "value"}`: rows that pass all. `op`: eq, ne, lt, le, gt, ge, contains, starts (both without regard to case), null, not_null. Columns of each row: `$url`, `$status`, `$title`.',
    schema: Type.String(),
  },
  sort: {
    description:
      'A column, with `-` before it from the greatest value on; rows without a value come last. Texts are sorted by their first 48 bytes, in lower case. Default: the newest rows first.',
    schema: Type.String(),
  },
  run: { description: 'Only rows of this run.', schema: Type.Integer({ minimum: 1 }) },
  diff_to: {
    description:
      'The number of a run: rows of `run` (default: the latest one) that are new or have changed since, then those that are gone. Without `filter` and `sort`.',
    schema: Type.Integer({ minimum: 1 }),
  },
} as const;

export const readRowQuery = (query: QueryReader) => ({
  filter: query.text('filter'),
  sort: query.text('sort'),
  run: query.integer('run', 1, 999_999),
  diffTo: query.integer('diff_to', 1, 999_999),
});

/** @throws Refusal */
export function readFilters(text: string | null, columns: readonly DatasetColumn[]): readonly RowFilter[] {
  if (text === null) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    refuse('/filter', 'must be a JSON list');
  }
  if (!Array.isArray(list) || list.length > MAX_FILTERS)
    refuse('/filter', `must be a JSON list of at most ${MAX_FILTERS} filters`);
  return list.map((one: unknown, at) => readFilter(one, `/filter/${at}`, columns));
}

function readFilter(one: unknown, pointer: string, columns: readonly DatasetColumn[]): RowFilter {
  if (!isObject(one)) refuse(pointer, 'must be an object with `column`, `op` and `value`');
  for (const name of Object.keys(one))
    if (!['column', 'op', 'value'].includes(name)) refuse(`${pointer}/${name}`, 'is unknown');
  const column = known(one.column, `${pointer}/column`, columns);
  const op = FILTER_OPERATORS.find((name) => name === one.op);
  if (op === undefined) refuse(`${pointer}/op`, `must be one of ${FILTER_OPERATORS.join(', ')}`);
  const { value = null } = one;
  if (op === 'null' || op === 'not_null') {
    if (value !== null) refuse(`${pointer}/value`, `is not for ${op}`);
    return { column, op, value: null };
  }
  const type = op === 'contains' || op === 'starts' ? 'text' : column.type;
  if (type === 'json') refuse(`${pointer}/op`, 'must be contains, null or not_null for JSON');
  const isFit =
    type === 'number'
      ? typeof value === 'number'
      : type === 'boolean'
        ? typeof value === 'boolean'
        : typeof value === 'string' &&
          value.length <= MAX_FILTER_CHARS &&
          (type === 'text' || timeOf(value) !== null);
  if (!isFit) refuse(`${pointer}/value`, `must be a ${type === 'date-time' ? 'date or time' : type}`);
  return { column, op, value: value as string | number | boolean };
}

function known(name: unknown, pointer: string, columns: readonly DatasetColumn[]): IndexedColumn {
  const column = typeof name === 'string' ? columnNamed(columns, name) : null;
  if (column === null)
    refuse(
      pointer,
      `must be a column of the dataset, or one of ${OWN_COLUMNS.map((own) => own.name).join(', ')}`,
    );
  return column;
}

/** @throws Refusal */
export function readSort(text: string | null, columns: readonly DatasetColumn[]): RowSort | null {
  if (text === null) return null;
  const isDescending = text.startsWith('-') && columnNamed(columns, text) === null;
  const column = known(isDescending ? text.slice(1) : text, '/sort', columns);
  if (column.type === 'json') refuse('/sort', 'is a column of JSON, which has no order');
  return { column, isDescending };
}

export const cursorText = ({ value, row, isLast }: RowCursor): string =>
  `${row}${isLast ? 'l' : value === null ? '' : `v${value}`}`;

/** @throws Refusal */
export function readCursor(text: string | null): RowCursor | null {
  if (text === null) return null;
  const match = /^(\d{1,12})(l|v(?:[0-9a-f]{2})+)?$/.exec(text);
  if (match === null) refuse('/cursor', 'is not a cursor of this list');
  const [, row, rest] = match;
  return { row: Number(row), isLast: rest === 'l', value: rest?.startsWith('v') ? rest.slice(1) : null };
}

export const diffCursorText = ({ phase, row }: DiffPlace): string => `${phase === 'run' ? 'n' : 'g'}${row}`;

/** @throws Refusal */
export function readDiffCursor(text: string | null): DiffPlace {
  if (text === null) return { phase: 'run', row: 0 };
  const match = /^([ng])(\d{1,12})$/.exec(text);
  if (match === null) refuse('/cursor', 'is not a cursor of this list');
  return { phase: match[1] === 'n' ? 'run' : 'gone', row: Number(match[2]) };
}
