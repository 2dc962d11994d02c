import { Type } from 'typebox';
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

/**
 * The first `limit` rows.
 * @param rows one more was asked for, which tells whether there is a next page
 * @param cursorOf what continues after a row
 */
export function pageOf<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string) {
  const page = rows.slice(0, limit);
  return { page, next_cursor: rows.length > limit ? cursorOf(page.at(-1)!) : null };
}
