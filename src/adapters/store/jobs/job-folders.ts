import { sql } from 'kysely';
import type { ItemFolder } from '../../../domain/jobs.ts';
import { type Db, idBytes } from '../tables.ts';
import type { JobDialect } from './job-dialect.ts';

/** As a limit: all rows. SQLite computes the columns of a subquery with a limit once, not at each use: twice as fast. */
const ALL_ROWS = Number.MAX_SAFE_INTEGER;

export function folderQueries({ position, before }: JobDialect) {
  const at = sql.raw(position);

  const withoutQuery = before(before(sql<string>`url`, '#'), '?');

  /** Where an item is in the tree of folders: its URL without scheme, query and fragment, `example.com/docs/a.html`. */
  const place = sql<string>`substr(${withoutQuery}, ${at}(url, '://') + 3)`;

  return {
    /** Whether an item is in a folder, or in one below it. */
    isInFolder: (folder: string) => sql<boolean>`substr(${place}, 1, length(${folder})) = ${folder}`,

    /** The folders one level below, and the folder itself for the items directly in it. */
    foldersQuery(db: Db, jobId: string, parent: string, limit: number, after: string | null) {
      const rest = sql<string>`substr(place, length(${parent}) + 1)`;
      const items = db
        .selectFrom('job_items')
        .select(['state', place.as('place')])
        .where('job_id', '=', idBytes(jobId))
        .limit(ALL_ROWS);
      const placed = db
        .selectFrom(items.as('items'))
        .select(['state', sql<string>`${parent} || substr(${rest}, 1, ${at}(${rest}, '/'))`.as('folder')])
        .where(sql<boolean>`substr(place, 1, length(${parent})) = ${parent}`)
        .limit(ALL_ROWS);
      const countOf = (state: string) =>
        sql<number>`sum(case when state = ${state} then 1 else 0 end)`.as(state);
      const query = db
        .selectFrom(placed.as('placed'))
        .select(['folder', ...(['queued', 'running', 'ok', 'failed', 'skipped'] as const).map(countOf)])
        .groupBy('folder')
        .orderBy('folder')
        .limit(limit);
      return after === null ? query : query.where('folder', '>', after);
    },
  };
}

export type FolderRow = { readonly folder: string } & ItemFolder['counts'];

export const itemFolder = ({ folder, ...counts }: FolderRow): ItemFolder => ({ folder, counts });
