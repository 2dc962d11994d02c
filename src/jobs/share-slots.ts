import type { RunnableJob } from '../ports/jobs.ts';

/** What runs now, as far as it matters for sharing. */
export interface RunningItems {
  readonly ofUser: (userId: string) => number;
  readonly ofJob: (jobId: string) => number;
}

interface Share extends RunnableJob {
  given: number;
}

/**
 * Shares free places among jobs: fairly between users, who get them in turn, the one with the fewest running items first. Of the
 * jobs of a user, the one with the highest priority goes first; equal ones take turns.
 * @param userLimit items of a user that may run at once
 * @returns places by job id, without zeros
 */
export function shareSlots(
  jobs: readonly RunnableJob[],
  free: number,
  running: RunningItems,
  userLimit: (userId: string) => number,
): Map<string, number> {
  const byUser = new Map<string, { readonly jobs: Share[]; count: number; readonly limit: number }>();
  for (const job of jobs) {
    const { userId } = job;
    const user = byUser.get(userId) ?? { jobs: [], count: running.ofUser(userId), limit: userLimit(userId) };
    user.jobs.push({ ...job, given: 0 });
    byUser.set(userId, user);
  }
  const shares = new Map<string, number>();
  for (let left = free; left > 0; left--) {
    let next: { readonly job: Share; readonly user: { count: number } } | null = null;
    for (const user of byUser.values()) {
      if (user.count >= user.limit || (next !== null && user.count >= next.user.count)) continue;
      const job = nextJob(user.jobs, running);
      if (job !== null) next = { job, user };
    }
    if (next === null) break;
    next.user.count++;
    next.job.given++;
    shares.set(next.job.id, next.job.given);
  }
  return shares;
}

/** The job of a user whose item goes next; null: none may run another one. */
function nextJob(jobs: readonly Share[], running: RunningItems): Share | null {
  let best: { readonly job: Share; readonly active: number } | null = null;
  for (const job of jobs) {
    const active = running.ofJob(job.id) + job.given;
    if (job.given >= job.queued || active >= (job.concurrency ?? Number.POSITIVE_INFINITY)) continue;
    if (best !== null && job.priority < best.job.priority) continue;
    if (best !== null && job.priority === best.job.priority && active >= best.active) continue;
    best = { job, active };
  }
  return best?.job ?? null;
}
