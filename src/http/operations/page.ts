import { Type } from 'typebox';
import { uuidBytes } from '../../base/uuid7.ts';
import type { RunCursor, RunListQuery, RunSort } from '../../domain/run-lists.ts';
import { readSearch, SEARCH_TEXT } from '../../wire/jobs/results-query.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';

/** The most rows of a page. */
export const MAX_PAGE_SIZE = 200;

/** The parameters of a list in pages. @param limit the description of `limit` */
export const pageParameters = (limit = 'Per page.') => ({
  limit: {
    description: limit,
    schema: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50 }),
  },
  cursor: { description: '`next_cursor` of the previous page.', schema: Type.String() },
});

export const readPage = (query: QueryReader) => ({
  limit: query.integer('limit', 1, MAX_PAGE_SIZE) ?? 50,
  cursor: query.text('cursor'),
});

/** The query of a list of things with names. */
export const NAMED_PAGES = {
  parameters: {
    q: {
      description: 'Only those whose name contains this text, ASCII letters in any case.',
      schema: SEARCH_TEXT,
    },
    ...pageParameters(),
  },
  read: (query: QueryReader) => ({ ...readPage(query), search: readSearch(query) }),
};

/** The cursor of a page: in the order of creation the id, which is valid in both directions. */
export const runCursor = (value: string | number, id: string, { sort, descending }: RunOrder): string =>
  sort === 'created' ? id : Buffer.from(JSON.stringify([sort, descending, value, id])).toString('base64url');

type RunOrder = Pick<RunListQuery, 'sort' | 'descending'>;

function runCursorOf(text: string, { sort, descending }: RunOrder): RunCursor | null {
  if (sort === 'created') return uuidBytes(text) === null ? null : { value: 0, id: text.toLowerCase() };
  try {
    const [of, down, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isValue =
      sort === 'name' ? typeof value === 'string' && !value.includes('\0') : Number.isSafeInteger(value);
    return of === sort && down === descending && isValue && uuidBytes(String(id)) !== null
      ? { value: value as string | number, id: String(id) }
      : null;
  } catch {
    return null;
  }
}

/** The query of a list of monitors or schedules. */
export const runPages = <S extends RunSort>(sorts: readonly S[], by: string) => ({
  parameters: {
    ...NAMED_PAGES.parameters,
    sort: { description: by, schema: Type.Enum([...sorts], { default: 'created' }) },
    order: {
      description: 'Ascending or descending. Default: `desc`, by name and next run `asc`.',
      schema: Type.Enum(['asc', 'desc']),
    },
    cursor: {
      description: '`next_cursor` of the previous page, with the same `sort` and `order`.',
      schema: Type.String(),
    },
  },
  read(query: QueryReader): RunListQuery<S> {
    const sort = query.oneOf('sort', sorts) ?? ('created' as S);
    const order = query.oneOf('order', ['asc', 'desc'] as const);
    const descending = order === null ? sort !== 'name' && sort !== 'next_run' : order === 'desc';
    const { limit, cursor } = readPage(query);
    const after = cursor === null ? null : runCursorOf(cursor, { sort, descending });
    if (cursor !== null && after === null)
      query.addProblem('cursor', 'is not a cursor of this list in this order');
    return { sort, descending, limit, after, search: readSearch(query) };
  },
});

/**
 * The first `limit` rows.
 * @param rows one more was asked for, which tells whether there is a next page
 * @param cursorOf what continues after a row
 */
export function pageOf<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string) {
  const page = rows.slice(0, limit);
  return { page, next_cursor: rows.length > limit ? cursorOf(page.at(-1)!) : null };
}
