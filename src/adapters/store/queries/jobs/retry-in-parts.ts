/** Items that one transaction retries: few enough not to hold up others, and not to exceed the time of a query. */
export const RETRIED_ROWS = 1_000;

/** SQL: what becomes of a failed item that waits again. */
export const REQUEUED_COLUMNS = `state = 'queued', n = NULL, error = NULL, outcome = NULL, ended_at = NULL, tries = 0, run_at = 0`;

export interface RetriedPart {
  /** Items that wait again. */
  readonly count: number;
  /** The last of them; null: no failed item is left, and the job goes on. */
  readonly last: number | null;
}

/**
 * Retries the failed items of a job part by part. The job goes on with the last part, so none of its items fails meanwhile; what an
 * interruption leaves is done by the next retry.
 * @param retryPart retries the first failed items after `after`; null: the state of the job does not allow it
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
