import { type Failure, isFailure } from '../domain/failure.ts';
import type { MonitorRow } from '../domain/monitors.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { Task } from '../domain/task.ts';
import { batchReader } from '../jobs/batch-items.ts';
import { crawlJobOf } from '../jobs/crawl/crawl-job.ts';
import { type JobServiceDeps, type JobToStart, startJob } from '../jobs/job-service.ts';
import { itemOfRequest } from '../jobs/request-job.ts';
import { loadTemplates } from '../pipeline/extract-template.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { TemplateStore } from '../ports/store.ts';
import type { MonitorBatch } from '../wire/jobs/batch-request.ts';
import type { MonitorCrawl } from '../wire/jobs/crawl-request.ts';
import { withPrefix } from '../wire/jobs/item-request.ts';
import { readJobMembers } from '../wire/jobs/job-members.ts';
import { maskedRequestJson } from '../wire/request/masked-request.ts';
import { MAX_PROBLEMS } from '../wire/schema/problems.ts';

export interface StartRunDeps extends JobServiceDeps {
  readonly pipeline: Pick<Pipeline, 'problems'>;
  readonly templates: TemplateStore;
  /** Whether there are costs to limit. */
  readonly priced: () => boolean;
}

/** What a monitor runs. */
export type MonitorTarget =
  | { readonly kind: 'request'; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: 'crawl'; readonly members: MonitorCrawl }
  | { readonly kind: 'batch'; readonly members: MonitorBatch };

/** Runs may be kept for long. Their results are deleted with them. */
const KEPT_MS = 90 * 86_400_000;
const RETRIES = 2;
const PER_HOST = 2;

type RunJob = Omit<JobToStart, 'id' | 'name' | 'tags' | 'metadata' | 'keptMs' | 'webhook'>;

/** A request that a run makes. */
export interface MonitoredRequest {
  readonly task: Task;
  /** Of the request in the monitor. */
  readonly pointer: string;
}

interface AcceptedTarget {
  readonly job: RunJob;
  /** Of a crawl: that of the first start URL, and those that its rules make of it. */
  readonly requests: readonly MonitoredRequest[];
}

type TargetDeps = Pick<StartRunDeps, 'templates' | 'pipeline' | 'sealer' | 'clock' | 'priced'>;

/**
 * The job of a run, and its requests. Templates are those of now.
 * @returns problems: the request is not valid
 */
export async function runJobOf(
  target: MonitorTarget,
  userId: string,
  deps: TargetDeps,
): Promise<AcceptedTarget | readonly Failure[]> {
  const problems: Failure[] = [];
  const accepted =
    target.kind === 'crawl'
      ? await crawlOf(target.members, userId, deps, problems)
      : await requestsOf(target, userId, deps, problems);
  if (accepted === null || problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
  return accepted;
}

async function crawlOf(
  members: MonitorCrawl,
  userId: string,
  deps: TargetDeps,
  problems: Failure[],
): Promise<AcceptedTarget | null> {
  const found: Failure[] = [];
  const settings = readJobMembers(members, { priced: deps.priced(), retentionMs: KEPT_MS }, found);
  const crawl = await crawlJobOf(members, userId, deps, found);
  problems.push(...found.map((problem) => withPrefix(problem, '/crawl')));
  const { priority, concurrency, maxCost, retries } = settings;
  return (
    crawl && {
      job: { ...crawl.job, priority, concurrency, maxCost, retries },
      requests: crawl.tasks.map((task, n) => ({
        task,
        pointer: n === 0 ? '/crawl/request' : `/crawl/rules/${n - 1}/request`,
      })),
    }
  );
}

async function requestsOf(
  { kind, members }: Exclude<MonitorTarget, { kind: 'crawl' }>,
  userId: string,
  { templates: store, pipeline, sealer }: TargetDeps,
  problems: Failure[],
): Promise<AcceptedTarget> {
  const list = kind === 'request' ? [members] : members.requests;
  const common = (kind === 'batch' && members.defaults) || {};
  const templates = await loadTemplates(store, userId, [common, ...list]);
  const read = batchReader({ defaults: common, pointer: '/batch/defaults', templates, pipeline });
  const requests: MonitoredRequest[] = [];
  const items = list.flatMap((value: unknown, index) => {
    const pointer = kind === 'request' ? '/request' : `/batch/requests/${index}`;
    const request = read(value, pointer, problems);
    if (request === null) return [];
    requests.push({ task: request.task, pointer });
    return [itemOfRequest(request, userId, sealer)];
  });
  const job: RunJob = {
    priority: 0,
    concurrency: null,
    maxCost: null,
    retries: RETRIES,
    kind: kind === 'request' ? 'scrape' : 'batch',
    members: common,
    templates,
    items,
    perHost: PER_HOST,
    delayMs: 0,
    maxVisits: null,
    request: kind === 'request' ? maskedRequestJson(members) : JSON.stringify({ requests: list.length }),
  };
  return { job, requests };
}

/** Requests may contain passwords and cookies, so they are stored encrypted. @param userId whose monitor it is */
export const sealTarget = (target: MonitorTarget, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('monitor.target', userId, Buffer.from(JSON.stringify(target)));

export function openTarget({ userId, spec }: MonitorRow, sealer: Sealer): MonitorTarget {
  return JSON.parse(sealer.open('monitor.target', userId, spec).toString()) as MonitorTarget;
}

/** The URLs that a run requests first; of a crawl, those that it starts with. */
export function targetUrls({ kind, members }: MonitorTarget): readonly string[] {
  if (kind === 'request') return [String(members.url)];
  if (kind === 'crawl') return members.urls ?? [members.url!];
  return members.requests.map((request) => String({ ...members.defaults, ...(request as object) }.url));
}

/** Starts the job of a run. @returns why it cannot be started; null: it is */
export async function startRun(
  deps: StartRunDeps,
  monitor: MonitorRow,
  jobId: string,
): Promise<Failure | null> {
  const accepted = await runJobOf(openTarget(monitor, deps.sealer), monitor.userId, deps);
  if (!('job' in accepted)) return accepted[0]!;
  const started = await startJob(deps, monitor, {
    ...accepted.job,
    id: jobId,
    name: monitor.name,
    tags: { monitor: monitor.id },
    monitorId: monitor.id,
    metadata: null,
    keptMs: KEPT_MS,
    // A monitor sends its own events.
    webhook: 'none',
  });
  return isFailure(started) ? started : null;
}
