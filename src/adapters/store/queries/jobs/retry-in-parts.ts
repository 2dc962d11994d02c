/** Items that one transaction retries: few enough not to hold up others, and not to exceed the time of a query. */
export const RETRIED_ROWS = 1_000;

/** SQL: what becomes of an item that waits again. The error of one that was not failed says that its record is to be read again. */
export const REQUEUED_COLUMNS = `state = 'queued', n = NULL, error = CASE WHEN state = 'failed' THEN NULL ELSE error END,
outcome = NULL, ended_at = NULL, tries = 0, run_at = 0`;

/** SQL: the items of a job after one that are tried again. An item that is `ok` has an error only if its page was not read to the end. */
export const retriedItems = (job: string, after: string): string =>
  `SELECT item FROM job_items WHERE job_id = ${job} AND item > ${after} AND state = 'failed'
UNION ALL SELECT item FROM job_items WHERE job_id = ${job} AND item > ${after} AND state = 'ok' AND error IS NOT NULL
ORDER BY item LIMIT ${RETRIED_ROWS}`;

/** SQL: the record that a claimed item reads again; null: its page is fetched. */
export const recordToRead = (table: string): string =>
  `CASE WHEN ${table}.error LIKE '{"code":"extract.model"%' THEN ${table}.scrape_id END`;

/**
 * SQL: items of a job that wait for a retry.
 * @param among SQL of the numbers of those that are wanted; they hold only if `isGiven` is not null
 */
export const waitingForRetry = (job: string, now: string, among: string, isGiven: string): string =>
  `SELECT item FROM job_items WHERE job_id = ${job} AND state = 'queued' AND tries > 0 AND run_at > ${now}
AND (${isGiven} IS NULL OR item IN ${among}) ORDER BY run_at, item LIMIT ${RETRIED_ROWS}`;

/** Calls `part` until it has changed fewer rows than a part has. @returns how many in all; null: the state did not allow it */
export async function allParts(part: () => Promise<number | null>): Promise<number | null> {
  let total: number | null = null;
  for (;;) {
    const count = await part();
    // After the first part: the job has ended or was paused meanwhile.
    if (count === null) return total;
    total = (total ?? 0) + count;
    if (count < RETRIED_ROWS) return total;
  }
}

export interface RetriedPart {
  /** Items that wait again. */
  readonly count: number;
  /** The last of them; null: no such item is left, and the job goes on. */
  readonly last: number | null;
}

/**
 * Retries the items of a job that have failed, or whose model has, part by part. The job goes on with the last part, so none of its items fails meanwhile; what an
 * interruption leaves is done by the next retry.
 * @param retryPart retries the first such items after `after`; null: the state of the job does not allow it
 * @returns how many wait again; null: the state did not allow it
 */
export async function retryInParts(
  retryPart: (after: number) => Promise<RetriedPart | null>,
): Promise<number | null> {
  let total: number | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const part = await retryPart(after);
    // After the first part: someone else has resumed the job.
    if (part === null) break;
    total = (total ?? 0) + part.count;
    after = part.last;
  }
  return total;
}
