import { Type } from 'typebox';
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
    folder: {
      description:
        'Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them).',
      schema: Type.String(),
    },
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
