import { type Deadline, deadlineIn } from '../base/deadline.ts';
import { uuid7, uuidText } from '../base/uuid7.ts';
import type { Failure } from '../domain/failure.ts';
import { NO_TIMING } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Scrape } from '../domain/scrape.ts';
import { next } from '../router/next.ts';
import type { Plan } from '../router/plan.ts';
import { type AttemptParts, type Tried, tryOnce } from './attempt.ts';
import { endingOf, sentOnce } from './ending.ts';

export interface RunAsk {
  readonly job: Job;
  readonly plan: Plan;
  readonly requestId: string;
  /** Aborts when the caller hangs up (reason: anything but the deadline's own). */
  readonly signal: AbortSignal;
  /** Monotonic instant at which the request body had been read: the budget counts from here. */
  readonly startedAt: number;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
}

/** The way itself: attempts by the plan until one satisfies or the router says stop. Not yet stored. */
export async function run(parts: AttemptParts, ask: RunAsk): Promise<Scrape> {
  const { job, plan } = ask;
  const { clock } = parts;
  const createdAt = clock.now();
  const id = uuidText(uuid7(createdAt));
  const tried: Tried[] = [];
  if (!job.router.dryRun) {
    using deadline = deadlineIn(job.timeoutMs - (clock.monotonic() - ask.startedAt), ask.signal);
    for (let step = next(plan, job, tried); step !== null; step = next(plan, job, tried)) {
      if (step.pauseMs > 0) await pause(step.pauseMs, deadline);
      tried.push(
        await tryOnce(parts, { n: tried.length + 1, job, chosen: step, deadline, allowUrl: ask.allowUrl }),
      );
    }
  }
  return composed(ask, id, createdAt, tried, clock.monotonic() - ask.startedAt);
}

function composed(
  ask: RunAsk,
  id: string,
  createdAt: number,
  tried: readonly Tried[],
  total: number,
): Scrape {
  const { job, plan, requestId } = ask;
  const common = { id, createdAt, job, requestId, candidates: plan.candidates, cost: null };
  if (tried.length === 0)
    return {
      ...common,
      httpStatus: 200,
      outcome: 'planned',
      delivered: null,
      errors: [],
      warnings: [],
      attempts: [],
      verdict: null,
      redirects: [],
      requestHeaders: null,
      remoteIp: null,
      timing: { ...NO_TIMING, queue: null, total },
      scraper: null,
      proxyType: null,
      sentOnce: false,
    };
  const ending = endingOf(tried);
  const shown = ending.chosen ?? tried[tried.length - 1]!;
  const { fetched } = shown;
  return {
    ...common,
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.chosen?.delivered ?? null,
    errors: ending.errors,
    warnings: shown.warnings,
    attempts: tried.map((t) => t.attempt),
    verdict: shown.verdictFull,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: { ...(fetched?.timing ?? NO_TIMING), queue: null, total },
    scraper: shown.step.scraper,
    proxyType: shown.step.proxyType,
    sentOnce: sentOnce(job, tried),
  };
}

/** Settles after `ms`, or when the deadline ends. */
function pause(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      deadline.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    deadline.signal.addEventListener('abort', done, { once: true });
    if (deadline.signal.aborted) done();
  });
}
