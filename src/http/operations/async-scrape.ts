import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../domain/account.ts';
import { FAILURES, type FailureCode, failure, isFailure } from '../../domain/failure.ts';
import type { JobRow } from '../../domain/jobs.ts';
import { startJob } from '../../jobs/job-service.ts';
import { type ScrapeOfJob, scrapeJob } from '../../jobs/scrape-job.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { checkChannels, jobNotify, urlTitle } from './notify.ts';

/** Whether the caller prefers to get the result later (RFC 7240 §4.1). */
export function prefersAsync({ headers }: FastifyRequest): boolean {
  const prefer = headers.prefer;
  const fields = Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '');
  return fields.split(',').some((preference) => /^\s*respond-async\s*(?:;|$)/i.test(preference));
}

const RETAIN_REFUSAL = failure(
  'request.validation',
  '`/router/retain` must be `full` with `Prefer: respond-async`, because the result is the record; or `/router/webhook` must get the event `done` with `include: full`.',
  { pointer: '/router/retain' },
);

const COMPARE_REFUSAL = failure(
  'request.validation',
  '`/router/compare_to` is not for `Prefer: respond-async`; use a monitor.',
  { pointer: '/router/compare_to' },
);

interface AcceptedScrape extends ScrapeOfJob {
  /** undefined: a new one. */
  readonly id: string | undefined;
}

/** Stores the scrape as a job, and sends 202 with its id. */
export async function acceptAsync(
  deps: EndpointDeps,
  principal: Principal,
  { id, task, members, template }: AcceptedScrape,
  reply: FastifyReply,
): Promise<void> {
  const { retain, webhook, notify } = task.router;
  if (retain !== 'full' && !(await deps.webhooks.getsScrapes(principal.userId, 'scrape', webhook)))
    throw new Refusal([RETAIN_REFUSAL]);
  if (task.router.compareTo !== null) throw new Refusal([COMPARE_REFUSAL]);
  if (notify !== null) await checkChannels(deps, notify.channels, principal.userId, principal, '/router');
  const job = await startJob({ ...deps, jobs: deps.store.jobs, engine: deps.jobEngine }, principal, {
    ...scrapeJob({ task, members, template }, { retries: 0, keptMs: deps.retentionMs }),
    ...(id === undefined ? {} : { id }),
    // It may be the one that logs in.
    onLoggedOut: 'continue',
    notify: notify && jobNotify('scrape', urlTitle(task.url), notify),
  });
  if (isFailure(job)) throw new Refusal([job]);
  const location = `${deps.baseUrl()}/api/v1/scrape/${job.id}/`;
  reply
    .code(202)
    .headers({ location, 'preference-applied': 'respond-async', 'cache-control': 'no-store' })
    .send({ id: job.id, state: 'queued' });
}

/** How long a caller should wait before it asks again, in seconds. */
const RETRY_AFTER_S = '1';
const MAX_WAIT_MS = 60_000;

/** The job of an asynchronous scrape that has no record; null: there is none. */
export async function asyncScrape(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  userId: string | null,
): Promise<JobRow | null> {
  const job = await store.jobs.get(id, userId);
  return job?.kind === 'scrape' ? job : null;
}

/** Waits until the scrape has ended, at most `ms`. @returns whether it has */
export async function waitForEnd(
  deps: Pick<EndpointDeps, 'store' | 'jobEngine' | 'clock'>,
  id: string,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = deps.clock.monotonic() + Math.min(ms, MAX_WAIT_MS);
  for (;;) {
    const job = await deps.store.jobs.get(id, null);
    if (job === null || job.endedAt !== null) return true;
    const left = until - deps.clock.monotonic();
    if (left <= 0 || signal.aborted) return false;
    await deps.jobEngine.change(id, Math.min(left, POLL_MS), signal);
  }
}

/** An end that another process has stored is noticed after this time. */
const POLL_MS = 1_000;

/** Sends the state of a scrape without a record. @throws Refusal if it ended without one */
export async function sendAsyncState(
  { store }: Pick<EndpointDeps, 'store'>,
  job: JobRow,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (job.endedAt === null)
    return reply
      .code(202)
      .headers({ 'retry-after': RETRY_AFTER_S, 'cache-control': 'no-store' })
      .send({ id: job.id, state: job.counts.running > 0 ? 'running' : 'queued' });
  const [item] = await store.jobs.items(job.id, null, 0, 1);
  const { code, message } = item?.error ?? {
    code: 'request.not_found',
    message: 'The scrape was cancelled.',
  };
  throw Refusal.of(publicCode(code), message);
}

/** The code as the cause of an answer: codes without a status appear only in lists of errors. */
function publicCode(code: string): FailureCode {
  return Object.hasOwn(FAILURES, code) && FAILURES[code as FailureCode].status !== null
    ? (code as FailureCode)
    : 'request.not_found';
}
