import { Type } from 'typebox';
import { FAILURES } from '../../domain/failure.ts';
import { ITEM_SORTS, type ItemCursor, type ItemQuery } from '../../domain/job-lists.ts';
import { ITEM_STATES, type ItemState } from '../../domain/jobs.ts';
import type { QueryReader } from '../schema/query-reader.ts';

export const RESULT_PARTS = ['none', 'formats', 'full'] as const;
export type ResultPart = (typeof RESULT_PARTS)[number];

export interface JobResultsQuery {
  /** `n` of the last item that the caller has. */
  readonly after: number;
  readonly limit: number;
  readonly include: ResultPart;
  /** Only items in this folder or below it; '': all. */
  readonly folder: string;
  /** null: all that have ended. */
  readonly states: readonly ItemState[] | null;
  /** A stream goes on while the job runs. */
  readonly follow: boolean;
}

/** A folder ends with a slash; '' is the folder of all hosts. */
function readFolder(query: QueryReader): string {
  const folder = query.text('folder') ?? '';
  if (folder !== '' && !folder.endsWith('/'))
    query.addProblem('folder', 'must be a host with a path that ends with `/`, such as `example.com/docs/`');
  return folder;
}

const FOLDER = {
  description:
    'Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them).',
  schema: Type.String(),
};

const ERROR_CODES = Object.keys(FAILURES);

const ENDED = ['ok', 'failed', 'skipped'] as const satisfies readonly ItemState[];

/** The parameter `state`: one or several states, separated by commas. */
const stateParameter = (states: readonly ItemState[]) => ({
  description: `Only items in these states, separated by commas: ${states.join(', ')}. Default: all of them.`,
  schema: Type.String(),
});

function readStates(query: QueryReader, allowed: readonly ItemState[]): readonly ItemState[] | null {
  const names = query.text('state')?.split(',');
  if (names === undefined) return null;
  const states = allowed.filter((state) => names.includes(state));
  if (names.some((name) => !states.some((state) => state === name)))
    return query.addProblem('state', `must be of ${allowed.join(', ')}, separated by commas`);
  return states;
}

/** The parameter `state` of results and exports. */
export const ENDED_STATES = stateParameter(ENDED);
export const readEndedStates = (query: QueryReader) => readStates(query, ENDED);

/** A number of an item or a value that items are sorted by, and the number of the item. */
function readItemCursor(query: QueryReader): ItemCursor | null {
  const text = query.text('cursor');
  const [, value, item] = /^(\d{1,15})-(\d{1,9})$/.exec(text ?? '') ?? [];
  if (text !== null && item === undefined) query.addProblem('cursor', 'is not a cursor of this list');
  return item === undefined ? null : { value: Number(value), item: Number(item) };
}

export const itemCursor = ({ value, item }: ItemCursor): string => `${value}-${item}`;

const MAX_SEARCH_CHARS = 200;
/** The parameter `q`. */
export const SEARCH_TEXT = Type.String({ maxLength: MAX_SEARCH_CHARS });

export function readSearch(query: QueryReader): string | null {
  const text = query.text('q');
  if (text === null || (text.length <= MAX_SEARCH_CHARS && !text.includes('\0'))) return text;
  return query.addProblem('q', `may have at most ${MAX_SEARCH_CHARS} characters, and no NUL`);
}

/** The query of `GET /api/v1/jobs/{id}/items/`. */
export const ITEMS_QUERY = {
  parameters: {
    state: stateParameter(ITEM_STATES),
    q: {
      description:
        'Only items whose URL or title contains this text, ASCII letters in any case. A page searches 10,000 items, so it may be short or empty although there is a next one.',
      schema: SEARCH_TEXT,
    },
    folder: FOLDER,
    error_code: {
      description: 'Only items with this error. Searched as with `q`.',
      schema: Type.Enum(ERROR_CODES),
    },
    sort: {
      description:
        'By number, by the order of ends, by status or by size. Items that have none of it are not listed then.',
      schema: Type.Enum([...ITEM_SORTS], { default: 'item' }),
    },
    order: {
      description: 'Ascending or descending.',
      schema: Type.Enum(['asc', 'desc'], { default: 'asc' }),
    },
    limit: {
      description: 'Items per page.',
      schema: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    },
    cursor: {
      description: '`next_cursor` of the previous page, with the same `sort` and `order`.',
      schema: Type.String(),
    },
  },
  read: (query: QueryReader): ItemQuery => ({
    states: readStates(query, ITEM_STATES),
    search: readSearch(query),
    folder: readFolder(query),
    errorCode: query.oneOf('error_code', ERROR_CODES),
    sort: query.oneOf('sort', ITEM_SORTS) ?? 'item',
    descending: query.oneOf('order', ['asc', 'desc'] as const) === 'desc',
    limit: query.integer('limit', 1, 200) ?? 50,
    after: readItemCursor(query),
  }),
};

/** The query of `GET /api/v1/jobs/{id}/results/`. The cursor is the number of the last item. */
export const RESULTS_QUERY = {
  parameters: {
    cursor: { description: '`next_cursor` of the previous page.', schema: Type.String() },
    limit: {
      description: 'Items per page.',
      schema: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    },
    include: {
      description:
        'What is returned of each scrape: nothing, its `scraper_data` (`formats`), or the whole scrape (`full`).',
      schema: Type.Enum([...RESULT_PARTS], { default: 'formats' }),
    },
    state: ENDED_STATES,
    folder: FOLDER,
    follow: {
      description: '`1`, with `Accept: application/x-ndjson`: the stream goes on until the job has ended.',
      schema: Type.Enum(['0', '1'], { default: '0' }),
    },
  },
  read(query: QueryReader): JobResultsQuery {
    const cursor = query.text('cursor');
    if (cursor !== null && !/^\d{1,9}$/.test(cursor))
      query.addProblem('cursor', 'is not a cursor of this list');
    return {
      after: cursor === null ? 0 : Number(cursor) || 0,
      limit: query.integer('limit', 1, 200) ?? 50,
      include: query.oneOf('include', RESULT_PARTS) ?? 'formats',
      folder: readFolder(query),
      states: readEndedStates(query),
      follow: query.oneOf('follow', ['0', '1'] as const) === '1',
    };
  },
};

export interface JobFoldersQuery {
  readonly folder: string;
  readonly limit: number;
  readonly after: string | null;
}

/** The query of `GET /api/v1/jobs/{id}/folders/`. The cursor is the last folder. */
export const FOLDERS_QUERY = {
  parameters: {
    folder: {
      description: 'The folder whose folders are listed, such as `example.com/docs/`. Default: the hosts.',
      schema: Type.String(),
    },
    limit: {
      description: 'Folders per page.',
      schema: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
    },
    cursor: { description: '`next_cursor` of the previous page.', schema: Type.String() },
  },
  read(query: QueryReader): JobFoldersQuery {
    const folder = readFolder(query);
    const after = query.text('cursor');
    if (after !== null && !after.startsWith(folder))
      query.addProblem('cursor', 'is not a cursor of this list');
    return { folder, limit: query.integer('limit', 1, 1_000) ?? 200, after };
  },
};
