import type { ItemState } from '../../../../domain/jobs.ts';
import { MAX_FOLDER_CHARS, MAX_FOLDER_LEVELS } from '../../queries/jobs/job-rules.ts';
import type { SqliteConnection } from '../database.ts';

/**
 * The rows of `job_folders` that count an item. Of `https://a.test/docs/x.html`: `a.test/` in '', `docs/` in `a.test/`, and '' in
 * `a.test/docs/`. PostgreSQL has the function `folders_of`, which gives the same.
 */
export function foldersOf(url: string): readonly { readonly parent: string; readonly name: string }[] {
  const withoutQuery = url.split(/[?#]/, 1)[0]!;
  const place = withoutQuery.slice(withoutQuery.indexOf('://') + 3).slice(0, MAX_FOLDER_CHARS);
  const segments = place.split('/').slice(0, -1);
  const folders: { readonly parent: string; readonly name: string }[] = [];
  let parent = '';
  for (const segment of segments.slice(0, MAX_FOLDER_LEVELS)) {
    const name = `${segment}/`;
    folders.push({ parent, name });
    parent += name;
  }
  folders.push({ parent, name: '' });
  return folders;
}

/** The column of `job_folders` that counts items of a state. */
const columnOf = (state: ItemState) => (state === 'queued' || state === 'running' ? 'open' : state);

/** Keeps the counts of `job_folders`. Each function is a part of a transaction of the caller. */
export function prepareFolderCounts(db: SqliteConnection) {
  const anyRow = db.prepare<[Buffer], unknown>('SELECT 1 FROM job_folders WHERE job_id = ? LIMIT 1');
  const add = db.prepare(
    `INSERT INTO job_folders (job_id, parent, name, open, ok, failed, skipped) VALUES (?, ?, ?, ?, 0, 0, ?)
ON CONFLICT DO UPDATE SET open = open + excluded.open, skipped = skipped + excluded.skipped`,
  );
  const prepareMove = (from: ItemState, to: ItemState) => {
    const [less, more] = [columnOf(from), columnOf(to)];
    const move = db.prepare(
      `UPDATE job_folders SET ${less} = ${less} - 1, ${more} = ${more} + 1 WHERE job_id = ? AND parent = ? AND name = ?`,
    );
    return (jobId: Buffer, url: string): void => {
      for (const { parent, name } of foldersOf(url)) move.run(jobId, parent, name);
    };
  };
  return {
    /** Whether the folders of a job are counted. @param items that it has already */
    areCounted: (jobId: Buffer, items: number): boolean => items === 0 || anyRow.get(jobId) !== undefined,
    countAdded(jobId: Buffer, url: string, isSkipped: boolean): void {
      const counts = isSkipped ? [0, 1] : [1, 0];
      for (const { parent, name } of foldersOf(url)) add.run(jobId, parent, name, ...counts);
    },
    /** For items that change their states. They change nothing for a job whose folders are not counted. */
    countEnded: {
      ok: prepareMove('running', 'ok'),
      failed: prepareMove('running', 'failed'),
      skipped: prepareMove('running', 'skipped'),
    },
    countRetried: { ok: prepareMove('ok', 'queued'), failed: prepareMove('failed', 'queued') },
  };
}
