import type { Accounts } from '../account/accounts.ts';
import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { type Principal, payerOf } from '../domain/account.ts';
import { type Failure, isFailure, WARNINGS, type Warning } from '../domain/failure.ts';
import type { ClaimedItem, ItemFacts, JobRow, PauseReason, StoredError } from '../domain/jobs.ts';
import { loginRefusal } from '../domain/login-refusal.ts';
import type { NewRecord } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Sealer } from '../domain/sealing.ts';
import { isRepeatable, type Task } from '../domain/task.ts';
import { requestedTemplate } from '../domain/template.ts';
import { domainRefusal, urlCheckOf } from '../domain/url-check.ts';
import type { Events } from '../observe/events.ts';
import type { Metrics } from '../observe/metrics.ts';
import { pageTitle } from '../pipeline/page-title.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ItemEnd, JobStore } from '../ports/jobs.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { parseTask } from '../wire/request/parse-task.ts';
import type { ItemContext, ItemScheme, PageFindings } from './item-scheme.ts';
import { itemRequest, type JobSpec, openItemRequest, SpecCache } from './job-spec.ts';
import { type ReadAgainDeps, readAgain } from './read-again.ts';
import { retryPause, siteWait } from './retry.ts';
import { RunningCosts } from './running-costs.ts';
import { webhookContent } from './webhook-content.ts';

export type ItemResult =
  | { readonly kind: 'ended' }
  /** The item could not run; its job pauses. */
  | {
      readonly kind: 'paused';
      readonly reason: PauseReason;
      readonly resumesAt: number | null;
      /** The key that the item had; the job may have another one by now. */
      readonly keyId: string | null;
    }
  /** Nothing is left of the job's `max_cost`. */
  | { readonly kind: 'cost_cap' }
  /** Items that run may use up `max_cost`, so this one waits for them. */
  | { readonly kind: 'waits' }
  /** The service stops, or the job was cancelled. */
  | { readonly kind: 'aborted' };

/**
 * Runs an item that was claimed.
 * @param cancel ends the scrape
 * @param store stores the end; rejects if the lease is lost
 */
export type ItemRunner = (
  claimed: ClaimedItem,
  cancel: AbortController,
  store: (end: ItemEnd) => Promise<void>,
) => Promise<ItemResult>;

export interface ItemRunnerDeps extends Pick<ReadAgainDeps, 'records' | 'blobs'> {
  readonly jobs: Pick<JobStore, 'get' | 'commonBlocks'>;
  readonly accounts: Pick<
    Accounts,
    'currentJobPrincipal' | 'reserveBudget' | 'budgetLeft' | 'releaseBudget' | 'spend'
  >;
  readonly pipeline: Pick<Pipeline, 'discover' | 'problems' | 'plan' | 'read' | 'run'>;
  readonly schemes: Readonly<Partial<Record<JobRow['kind'], ItemScheme>>>;
  /** Webhooks of the jobs. */
  readonly deliveries: Pick<WebhookStore, 'webhookOf'>;
  readonly sealer: Sealer;
  readonly memory: MemoryBudget;
  readonly events: Events;
  readonly metrics: Pick<Metrics, 'changeInFlight'>;
  readonly clock: Clock;
}

interface RunDeps extends ItemRunnerDeps {
  readonly specs: SpecCache;
}

const NO_FINDINGS: PageFindings = { found: [], unlisted: 0, skipped: null, page: null };
const DAY_MS = 86_400_000;

/** 00:00 UTC after `now`. */
export const nextMidnight = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

export function createItemRunner({ sealer, ...others }: ItemRunnerDeps): ItemRunner {
  const costs = new RunningCosts();
  const deps: RunDeps = { ...others, sealer, specs: new SpecCache(sealer) };
  const jobOf = readJobs(others);
  return async (claimed, cancel, store) => {
    const job = await jobOf(claimed.jobId);
    if (job === null) return { kind: 'aborted' };
    const principal = await deps.accounts.currentJobPrincipal(job.userId, job.keyId);
    if (typeof principal === 'string')
      return { kind: 'paused', reason: principal, resumesAt: null, keyId: job.keyId };
    return await runFor(deps, costs, { job, principal, claimed, cancel, store });
  };
}

/** How long a job is used as it was read. Keys that are revoked, and jobs that are cancelled, are noticed at once. */
const JOB_AGE_MS = 200;

/** Reads the jobs of items. Items that start at almost the same time share one reading. */
function readJobs({ jobs, clock }: Pick<ItemRunnerDeps, 'jobs' | 'clock'>) {
  const read = new Map<string, { readonly at: number; readonly job: Promise<JobRow | null> }>();
  return async (id: string): Promise<JobRow | null> => {
    const now = clock.monotonic();
    const known = read.get(id);
    if (known !== undefined && now - known.at < JOB_AGE_MS) {
      const job = await known.job;
      // What a job has cost so far decides whether an item may start.
      if (job === null || job.maxCost === null) return job;
    }
    for (const [other, { at }] of read) if (now - at >= JOB_AGE_MS) read.delete(other);
    const job = jobs.get(id, null);
    read.set(id, { at: now, job });
    return await job;
  };
}

interface ItemRun {
  readonly job: JobRow;
  readonly principal: Principal;
  readonly claimed: ClaimedItem;
  readonly cancel: AbortController;
  readonly store: (end: ItemEnd) => Promise<void>;
}

async function runFor(deps: RunDeps, costs: RunningCosts, run: ItemRun): Promise<ItemResult> {
  const { accounts } = deps;
  const { job, principal } = run;
  const requested = taskOf(deps, run);
  if (isFailure(requested)) return await endWithout(deps, run, 'failed', requested);
  const task = await withCommonBlocks(deps, run, requested);
  const refusedHost = domainRefusal(principal, new URL(task.url));
  if (refusedHost !== null)
    return await endWithout(deps, run, 'skipped', { ...refusedHost, code: 'skip.policy' });
  const refusedLogin = loginRefusal(principal, task);
  if (refusedLogin !== null) return await endWithout(deps, run, 'failed', refusedLogin);
  const reread = run.claimed.reads === null ? null : await readStored(deps, run, task);
  if (reread !== null) return reread;
  const payer = payerOf(principal, task.host);
  const exhausted = await accounts.reserveBudget(payer);
  if (exhausted !== null) return budgetPause(deps, job);
  let counted = false;
  try {
    await deps.pipeline.discover(task);
    const planned = deps.pipeline.plan(task);
    if (planned.plan === null) return await endWithout(deps, run, 'failed', planned.failure);
    const price = planned.plan.price?.(planned.plan.steps[0]!)?.fixed ?? 0;
    const reserved = costs.reserve(job, price);
    if (reserved !== null) return { kind: reserved };
    try {
      counted = true;
      return await scrape(deps, run, task, planned.plan);
    } finally {
      costs.release(job, price);
    }
  } finally {
    if (!counted) accounts.releaseBudget(payer);
  }
}

const budgetPause = ({ clock }: RunDeps, job: JobRow): ItemResult => ({
  kind: 'paused',
  reason: 'budget',
  resumesAt: nextMidnight(clock.now()),
  keyId: job.keyId,
});

/** So often a job looks whether its profile is ready again, if nobody tells it. */
const PROFILE_PAUSE_MS = 60_000;

const profilePause = ({ clock }: RunDeps, job: JobRow): ItemResult => ({
  kind: 'paused',
  reason: 'profile',
  resumesAt: clock.now() + PROFILE_PAUSE_MS,
  keyId: job.keyId,
});

const wasRefusedLoggedOut = ({ attempts, errors }: Scrape): boolean =>
  attempts.length === 0 && errors[0]?.code === 'profile.logged_out';

const COST_CAP: StoredError = {
  code: 'extract.model',
  message: 'The job has reached its `max_cost`, so the model was not asked again.',
};

/** Ends an item by its stored page. It counts as no scrape; what the model costs counts. @returns null: the page must be fetched */
async function readStored(deps: RunDeps, run: ItemRun, task: Task): Promise<ItemResult | null> {
  const { accounts, clock } = deps;
  const { job, principal, claimed, cancel, store } = run;
  if (task.options.json === null) return null;
  if (principal.dailyBudget?.unit === 'cost' && (await accounts.budgetLeft(principal)) !== null)
    return budgetPause(deps, job);
  const isSpent = job.maxCost !== null && job.cost >= job.maxCost;
  const { signal } = cancel;
  const read = isSpent ? COST_CAP : await readAgain(deps, claimed.reads!, { task, principal, signal });
  if (read === null) return null;
  if (read === 'aborted' || signal.aborted) return { kind: 'aborted' };
  const [record, error, cost] = 'record' in read ? [read.record, read.failure, read.cost] : [null, read, 0];
  await store({
    ...identity(claimed),
    state: 'ok',
    retryAt: 0,
    outcome: record?.outcome ?? 'partial',
    error: error === null ? null : storedError(error),
    facts: null,
    cost,
    record,
    webhookContent: null,
    found: [],
    unlisted: 0,
    page: null,
    now: clock.now(),
  });
  accounts.spend(principal, cost);
  return { kind: 'ended' };
}

/** The scrape request of an item, checked again: options may have become unavailable since it was accepted. */
function taskOf(deps: RunDeps, { job, claimed }: ItemRun): Task | Failure {
  const own = claimed.request === null ? null : openItemRequest(claimed.request, job.userId, deps.sealer);
  const spec = deps.specs.open(job);
  const written = itemRequest(spec, claimed.url, own);
  const scheme = deps.schemes[job.kind];
  const members = scheme === undefined ? written : scheme.request(written, job, claimed);
  const { task, problems } = parseTask(
    members,
    spec.templates[requestedTemplate(members) ?? ''] ?? null,
    job.kind === 'crawl',
  );
  if (task === null) return problems[0]!;
  const problem = deps.pipeline.problems(task)[0];
  // The history finds the scrapes of a job by this tag.
  const tags = { ...task.router.tags, job: job.id };
  return problem ?? { ...task, router: { ...task.router, tags }, finds: scheme?.finds ?? null };
}

/** With what stands on most pages of the host so far, if that is to be left out. */
async function withCommonBlocks({ jobs }: RunDeps, { job, claimed }: ItemRun, task: Task): Promise<Task> {
  const { options } = task;
  if (options.mainContent.commonBlocks === null) return task;
  const commonBlocks = await jobs.commonBlocks(job.id, claimed.host);
  return { ...task, options: { ...options, mainContent: { ...options.mainContent, commonBlocks } } };
}

async function scrape(
  deps: RunDeps,
  run: ItemRun,
  task: Task,
  plan: NonNullable<ReturnType<Pipeline['plan']>['plan']>,
): Promise<ItemResult> {
  const { job, principal, claimed, cancel, store } = run;
  const { clock, memory, metrics, accounts, events } = deps;
  const { onLoggedOut = 'stop' } = deps.specs.open(job);
  let stored: 'visit' | 'no visit' | 'profile' | null = null;
  const allowUrl = urlCheckOf(principal.domains);
  const reservation = memory.open();
  // Also aborted by the deadline of the scrape, which is an end of the item, and no reason to give it back.
  const ending = new AbortController();
  const onCancel = () => ending.abort(cancel.signal.reason);
  cancel.signal.addEventListener('abort', onCancel, { once: true });
  if (cancel.signal.aborted) onCancel();
  metrics.changeInFlight(1);
  try {
    const { scrape: done, storing } = await deps.pipeline.run({
      task,
      plan,
      principal,
      requestId: `job:${job.id}:${claimed.item}`,
      cancel: ending,
      startedAt: clock.monotonic(),
      reservation,
      allowUrl,
      ...(onLoggedOut === 'continue' ? {} : { refusesLoggedOut: true }),
      ...reservedId(deps, job, claimed),
      ...(claimed.reads === null ? {} : { complete: tellRefetched }),
      store: async (record, answered) => {
        if (cancel.signal.aborted) return;
        if (onLoggedOut === 'wait' && wasRefusedLoggedOut(answered.scrape)) {
          stored = 'profile';
          return;
        }
        const ended = await endOf(deps, run, task, answered.scrape, record, { cancel, allowUrl });
        const end = { ...ended, webhookContent: await webhookContent(deps, run, ended.state, answered) };
        await store(end);
        stored = end.record === null ? 'no visit' : 'visit';
      },
    });
    if (stored === 'no visit' || stored === 'profile') {
      accounts.releaseBudget(payerOf(principal, task.host));
      return stored === 'profile' ? profilePause(deps, job) : { kind: 'ended' };
    }
    accounts.spend(principal, done.cost);
    events.scrapeEnded(done, principal, { storing });
    return { kind: stored === null ? 'aborted' : 'ended' };
  } finally {
    metrics.changeInFlight(-1);
    reservation.close();
  }
}

const REFETCHED: Warning = { code: 'content.refetched', message: WARNINGS['content.refetched'] };

const tellRefetched = async (scrape: Scrape): Promise<Scrape> => ({
  ...scrape,
  warnings: [...scrape.warnings, REFETCHED],
});

/** The id that the caller of an asynchronous scrape already has. */
function reservedId(deps: RunDeps, job: JobRow, { tries }: ClaimedItem) {
  const { scrapeId } = deps.specs.open(job);
  return { id: scrapeId !== null && tries === 1 ? scrapeId : uuid7(deps.clock.now()) };
}

/** The end of an item whose scrape has ended. */
async function endOf(
  { schemes, clock, specs }: RunDeps,
  { job, claimed }: ItemRun,
  task: Task,
  scrape: Scrape,
  record: NewRecord,
  context: ItemContext,
): Promise<Omit<ItemEnd, 'webhookContent'>> {
  const now = clock.now();
  const wait = siteWait(scrape);
  if (wait !== null) return waitingEnd(claimed, storedError(scrape.errors[0]!), now, wait);
  const isAwaited = job.kind === 'crawl' && claimed.depth === 0;
  const pause =
    isRepeatable(task.method) && claimed.tries <= job.retries
      ? (retryPause(scrape, claimed.tries, now, isAwaited) ?? pauseOfLogin(scrape, specs.open(job)))
      : null;
  const failed = ['failed', 'blocked', 'unaccepted'].includes(scrape.outcome);
  const findings =
    pause === null
      ? ((await schemes[job.kind]?.read(scrape, job, claimed, context)) ?? NO_FINDINGS)
      : NO_FINDINGS;
  const isVisit = findings.isVisit ?? true;
  // Of a page that was got, and whose model gave no answer: it can be read again (contract §13).
  const unread = scrape.errors.find(({ code, attempt }) => code === 'extract.model' && attempt === undefined);
  const error = pause !== null ? reasonToRetry(scrape) : ((failed ? scrape.errors[0] : unread) ?? null);
  return {
    ...identity(claimed),
    state: pause !== null ? 'queued' : findings.skipped !== null ? 'skipped' : failed ? 'failed' : 'ok',
    retryAt: now + (pause ?? 0),
    outcome: isVisit ? scrape.outcome : null,
    error: findings.skipped ?? (error === null ? null : storedError(error)),
    facts: isVisit ? pageFacts(scrape) : null,
    cost: scrape.cost ?? 0,
    record: isVisit ? record : null,
    found: findings.found,
    unlisted: findings.unlisted,
    page: findings.page,
    now,
  };
}

/** An item that has found its profile logged out is tried again when the profile is ready, which its job waits for. */
const pauseOfLogin = ({ task, verdict }: Scrape, { onLoggedOut }: JobSpec): number | null =>
  onLoggedOut === 'wait' && task.options.profile !== null && verdict?.wall === 'login' ? 0 : null;

/** What went wrong with a scrape that is tried again. A model that gave no answer is no reason: see `recordToRead` of the store. */
function reasonToRetry({ errors, delivered, verdict }: Scrape): StoredError {
  const cause = errors.find(({ code }) => code !== 'extract.model');
  if (cause !== undefined) return cause;
  const status = `status ${delivered?.page.statusCode}`;
  return {
    code: 'target.status',
    message:
      verdict?.kind === 'rate'
        ? `The target says that there were too many requests (${status}).`
        : `The target answered with ${status}.`,
  };
}

/** What the lists of items show of a scrape, as far as its record may be kept. */
function pageFacts(scrape: Scrape): ItemFacts {
  const { task, delivered, verdict } = scrape;
  const isKept = task.router.retain !== 'none';
  const hasContent = task.router.retain === 'full';
  return {
    statusCode: isKept ? (delivered?.page.statusCode ?? null) : null,
    verdict: isKept ? (verdict?.kind ?? null) : null,
    title: hasContent ? pageTitle(scrape) : null,
    bytes: hasContent ? (delivered?.content?.bytes.length ?? null) : null,
  };
}

/** The limits of the site allow no attempt now, so the item waits. */
const waitingEnd = (
  claimed: ClaimedItem,
  error: StoredError,
  now: number,
  waitMs: number,
): Omit<ItemEnd, 'webhookContent'> => ({
  ...identity(claimed),
  state: 'queued',
  retryAt: now + waitMs,
  isUncounted: true,
  outcome: null,
  error,
  cost: 0,
  record: null,
  found: [],
  unlisted: 0,
  page: null,
  facts: null,
  now,
});

/** Ends an item without a scrape. */
async function endWithout(
  { clock }: RunDeps,
  { claimed, store }: ItemRun,
  state: 'failed' | 'skipped',
  error: StoredError,
): Promise<ItemResult> {
  await store({
    ...identity(claimed),
    state,
    retryAt: 0,
    outcome: null,
    error: storedError(error),
    facts: null,
    cost: 0,
    record: null,
    webhookContent: null,
    found: [],
    unlisted: 0,
    page: null,
    now: clock.now(),
  });
  return { kind: 'ended' };
}

const identity = ({ jobId, item, lease }: ClaimedItem) => ({ jobId, item, lease });
const storedError = ({ code, message }: StoredError): StoredError => ({ code, message });
