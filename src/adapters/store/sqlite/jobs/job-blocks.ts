import { FORGET_EVERY, MAX_BLOCKS } from '../../queries/jobs/job-rules.ts';
import type { SqliteConnection } from '../database.ts';

/** Counts on how many pages of a host each block of text stands. */
export function prepareJobBlocks(db: SqliteConnection) {
  const countPage = db.prepare<[Buffer, string], { pages: number }>(
    'UPDATE job_hosts SET pages = pages + 1 WHERE job_id = ? AND host = ? RETURNING pages',
  );
  const countBlock = db.prepare(
    `INSERT INTO job_blocks (job_id, host, block, pages, last_page) VALUES (?, ?, ?, 1, ?)
ON CONFLICT (job_id, host, block) DO UPDATE SET pages = pages + 1, last_page = excluded.last_page`,
  );
  const forgetRare = db.prepare(
    `DELETE FROM job_blocks WHERE job_id = @jobId AND host = @host AND block IN (
SELECT block FROM job_blocks WHERE job_id = @jobId AND host = @host
ORDER BY pages DESC, last_page DESC LIMIT -1 OFFSET ${MAX_BLOCKS})`,
  );
  /** Part of a transaction of the caller. @param blocks of one page, each once */
  return function countBlocks(jobId: Buffer, host: string, blocks: readonly number[]): void {
    const { pages } = countPage.get(jobId, host)!;
    for (const block of blocks) countBlock.run(jobId, host, block, pages);
    if (pages % FORGET_EVERY === 0) forgetRare.run({ jobId, host });
  };
}
