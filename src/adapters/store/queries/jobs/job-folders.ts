import { sql } from 'kysely';
import { ITEM_STATES, type ItemFolder } from '../../../../domain/jobs.ts';
import { type Db, idBytes } from '../../schema/tables.ts';
import type { JobDialect } from './job-dialect.ts';
import { MAX_FOLDER_CHARS, MAX_FOLDER_LEVELS } from './job-rules.ts';

/** As a limit: all rows. SQLite computes the columns of a subquery with a limit once, not at each use: twice as fast. */
const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** Finds a row if the folders of the job are counted in `job_folders`. Those of a job older than this table are not. */
export const folderCountQuery = (db: Db, jobId: string) =>
  db.selectFrom('job_folders').select('name').where('job_id', '=', idBytes(jobId)).limit(1);

export function folderQueries({ position, before }: JobDialect) {
  const at = sql.raw(position);

  const withoutQuery = before(before(sql<string>`url`, '#'), '?');

  /** Where an item is in the tree of folders: its URL without scheme, query and fragment, `example.com/docs/a.html`. */
  const place = sql<string>`substr(${withoutQuery}, ${at}(url, '://') + 3)`;

  return {
    /** Whether an item is in a folder, or in one below it. */
    isInFolder: (folder: string) => sql<boolean>`substr(${place}, 1, length(${folder})) = ${folder}`,

    /**
     * The folders one level below, and the folder itself for the items directly in it. Their rows count items that have not ended
     * as `open`. Those that run are few, and counted here.
     */
    foldersQuery(db: Db, jobId: string, parent: string, limit: number, after: string | null) {
      const rest = sql<string>`substr(${place}, ${parent.length + 1}, ${Math.max(MAX_FOLDER_CHARS - parent.length, 0)})`;
      const isDeepest = parent.split('/').length > MAX_FOLDER_LEVELS;
      const name = isDeepest ? sql<string>`''` : sql<string>`substr(${rest}, 1, ${at}(${rest}, '/'))`;
      const running = db
        .selectFrom('job_items')
        .select([name.as('name'), sql<number>`count(*)`.as('items')])
        // By the index of running items: a plain condition on the job would lead to all of its items.
        .where(sql<boolean>`state = 'running' AND lease_until > 0`)
        .where(
          sql<boolean>`CASE WHEN job_id = ${idBytes(jobId)} THEN substr(${place}, 1, length(${parent})) = ${parent} ELSE false END`,
        )
        .groupBy(sql`1`);
      const runningItems = sql<number>`coalesce(running.items, 0)`;
      const query = db
        .selectFrom('job_folders as f')
        .leftJoin(running.as('running'), 'running.name', 'f.name')
        .select([
          sql<string>`parent || f.name`.as('folder'),
          sql<number>`open - ${runningItems}`.as('queued'),
          runningItems.as('running'),
          'ok',
          'failed',
          'skipped',
        ])
        .where('job_id', '=', idBytes(jobId))
        .where('parent', '=', parent)
        .orderBy('f.name')
        .limit(limit);
      return after === null ? query : query.where('f.name', '>', after.slice(parent.length));
    },

    /** The same for a job whose folders are not counted: reads all of its items. */
    uncountedFoldersQuery(db: Db, jobId: string, parent: string, limit: number, after: string | null) {
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
        .select(['folder', ...ITEM_STATES.map(countOf)])
        .groupBy('folder')
        .orderBy('folder')
        .limit(limit);
      return after === null ? query : query.where('folder', '>', after);
    },
  };
}

export type FolderRow = { readonly folder: string } & ItemFolder['counts'];

export const itemFolder = ({ folder, ...counts }: FolderRow): ItemFolder => ({ folder, counts });
