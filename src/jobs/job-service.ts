import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { uuid7, uuid7Time } from '../base/uuid7.ts';
import type { Principal } from '../domain/account.ts';
import type { CrawlSettings } from '../domain/crawl.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { JobKind, JobRow, JobSettings, NewItem, OnLoggedOut } from '../domain/jobs.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { ExtractTemplates } from '../domain/template.ts';
import type { UserLimits } from '../domain/user-limits.ts';
import type { WebhookMembers } from '../domain/webhooks.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { NotificationStore } from '../ports/notifications.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { JobEngine } from './engine.ts';
import { type RequestMembers, sealSpec } from './job-spec.ts';

/** Items that are stored in one transaction. Between them, the records of other scrapes are stored. */
const ITEMS_PER_CALL = 1_000;

const LIMIT_MESSAGES = {
  'limit.jobs': ({ open_jobs: limit }: UserLimits) =>
    `A user may have at most ${limit} jobs that have not ended. Wait for one to end, or cancel one.`,
  'limit.items': ({ queued_items: limit }: UserLimits) =>
    `The jobs of a user may have at most ${limit} items that wait. Wait for some to end.`,
} as const;

/** Whose run a job is; absent: of nothing. */
type RunOf = 'monitorId' | 'scheduleId';

export interface JobToStart
  extends Omit<JobSettings, 'id' | 'userId' | 'keyId' | 'createdAt' | 'spec' | 'webhook' | RunOf>,
    Partial<Pick<JobSettings, RunOf>> {
  /** Absent: a new one. */
  readonly id?: string;
  readonly kind: JobKind;
  /** `webhook` of the request; null: only the user's default; `none`: nothing is sent, whatever the default is. */
  readonly webhook: WebhookMembers | null | 'none';
  /** Members of all requests. */
  readonly members: RequestMembers;
  /** The templates that requests name. */
  readonly templates: ExtractTemplates;
  readonly items: Iterable<NewItem>;
  /** Absent: the job is no crawl. */
  readonly crawl?: CrawlSettings;
  /** Absent: `stop`. */
  readonly onLoggedOut?: OnLoggedOut;
}

export interface JobServiceDeps {
  readonly accounts: Pick<Accounts, 'limits'>;
  readonly jobs: JobStore;
  readonly engine: Pick<JobEngine, 'wake' | 'abort'>;
  readonly sealer: Sealer;
  readonly webhooks: Pick<Webhooks, 'prepare'>;
  readonly clock: Clock;
}

/** A job that does not run yet. The code that opens it must start or discard it. */
export interface OpenedJob {
  readonly id: string;
  add(items: readonly NewItem[]): Promise<void>;
  /**
   * @param templates that its requests name
   * @returns the limit that does not allow it; then nothing is left of the job
   */
  start(templates: ExtractTemplates): Promise<Failure | null>;
  /** Deletes the job. */
  discard(): Promise<void>;
}

/** Stores a job without items. @returns why its webhook may not be used, if it may not */
export async function openJob(
  { jobs, accounts, engine, sealer, webhooks, clock }: JobServiceDeps,
  principal: Pick<Principal, 'userId' | 'keyId'>,
  {
    members,
    crawl,
    onLoggedOut = 'stop',
    webhook: asked,
    id = uuid7(clock.now()),
    ...settings
  }: Omit<JobToStart, 'items' | 'templates'>,
): Promise<OpenedJob | Failure> {
  const now = clock.now();
  const scrapeId = settings.kind === 'scrape' ? id : null;
  const { userId, keyId } = principal;
  const specWith = (templates: ExtractTemplates) =>
    sealSpec({ request: members, templates, scrapeId, crawl: crawl ?? null, onLoggedOut }, userId, sealer);
  const [source, pointer] =
    settings.kind === 'scrape' ? (['scrape', '/router/webhook'] as const) : (['job', '/webhook'] as const);
  const webhook = asked === 'none' ? null : await webhooks.prepare(userId, source, asked, pointer);
  if (isFailure(webhook)) return webhook;
  await jobs.create({
    monitorId: null,
    scheduleId: null,
    ...settings,
    id,
    userId,
    keyId,
    createdAt: uuid7Time(id),
    spec: specWith({}),
    webhook,
  });
  return {
    id,
    async add(items) {
      for (let from = 0; from < items.length; from += ITEMS_PER_CALL)
        await jobs.add(id, items.slice(from, from + ITEMS_PER_CALL), now);
    },
    async start(templates) {
      const limits = accounts.limits(userId);
      const allowed = { openJobs: limits.open_jobs, queuedItems: limits.queued_items };
      const limit = await jobs.start(id, clock.now(), allowed, specWith(templates));
      if (limit !== null) return failure(limit, LIMIT_MESSAGES[limit](limits));
      engine.wake();
      return null;
    },
    async discard() {
      await jobs.delete(id);
    },
  };
}

/** Stores a job with its items and starts it. @returns its id; or the limit that does not allow it, or why its webhook may not be used */
export async function startJob(
  deps: JobServiceDeps,
  principal: Pick<Principal, 'userId' | 'keyId'>,
  { templates, items, ...settings }: JobToStart,
): Promise<{ readonly id: string } | Failure> {
  const job = await openJob(deps, principal, settings);
  if (isFailure(job)) return job;
  await job.add([...items]);
  return (await job.start(templates)) ?? { id: job.id };
}

/**
 * Starts a job with the settings, the webhook and the first items of another.
 * @param keyId the key (null: session) whose rights hold
 * @returns its id, or the limit that does not allow it
 */
export async function cloneJob(
  {
    jobs,
    accounts,
    engine,
    deliveries,
    notifications,
    clock,
  }: Pick<JobServiceDeps, 'jobs' | 'accounts' | 'engine' | 'clock'> & {
    readonly deliveries: Pick<WebhookStore, 'webhookOf'>;
    readonly notifications: Pick<NotificationStore, 'notifyOf'>;
  },
  job: JobRow,
  keyId: string | null,
): Promise<{ readonly id: string } | Failure> {
  const now = clock.now();
  const id = uuid7(now);
  await jobs.create({
    ...job,
    id,
    keyId,
    createdAt: uuid7Time(id),
    monitorId: null,
    scheduleId: null,
    webhook: await deliveries.webhookOf(job.id),
    notify: await notifications.notifyOf(job.id),
  });
  let after = 0;
  for (;;) {
    const items = await jobs.originals(job.id, after, ITEMS_PER_CALL);
    await jobs.add(id, items, now);
    if (items.length < ITEMS_PER_CALL) break;
    after = items.at(-1)!.item;
  }
  const limits = accounts.limits(job.userId);
  const allowed = { openJobs: limits.open_jobs, queuedItems: limits.queued_items };
  const limit = await jobs.start(id, clock.now(), allowed);
  if (limit !== null) return failure(limit, LIMIT_MESSAGES[limit](limits));
  engine.wake();
  return { id };
}
