import type { MemoryBudget } from '../base/memory-budget.ts';
import { deadlineUnder } from '../base/time.ts';
import type { Step } from '../domain/scrape.ts';
import type { Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { Lease } from '../ports/proxies.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';

/** A fetch that shows whether an exit, or a vendor, works. */
export interface TestFetch {
  readonly task: Task;
  readonly step: Step;
  /** The exit; null: for a vendor. */
  readonly lease: Lease | null;
  readonly allowUrl: UrlCheck | null;
  readonly memory: MemoryBudget;
  readonly userId: string;
  readonly signal: AbortSignal;
}

/**
 * Makes one attempt that belongs to no scrape: nothing is stored, and nothing learned about the site. The exit learns from it. The
 * content is freed when `read` returns.
 */
export async function testFetch<T>(
  deps: AttemptDeps,
  { task, step, lease, allowUrl, memory, userId, signal }: TestFetch,
  read: (result: AttemptResult) => T,
): Promise<T> {
  using deadline = deadlineUnder(task.timeoutMs, signal);
  const reservation = memory.open();
  try {
    const chosen = { step, reason: 'a test', pauseMs: 0, sharesTime: false };
    const request = { n: 0, task, chosen, deadline, allowUrl, reservation, userId };
    const alone = { used: [], document: null, clearance: null };
    return read(await runAttempt(deps, { ...request, ...alone }, lease ?? undefined));
  } finally {
    reservation.close();
  }
}
