import { type Failure, isFailure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import type { MonitorKind, MonitorRow } from '../domain/monitors.ts';
import type { Sealer } from '../domain/sealing.ts';
import { type JobServiceDeps, type JobToStart, startJob } from '../jobs/job-service.ts';
import { itemOfRequest } from '../jobs/request-job.ts';
import { loadTemplates } from '../pipeline/extract-template.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { TemplateStore } from '../ports/store.ts';
import { readItemRequest } from '../wire/jobs/item-request.ts';
import { addProblem, MAX_PROBLEMS } from '../wire/schema/problems.ts';

export interface StartRunDeps extends JobServiceDeps {
  readonly pipeline: Pick<Pipeline, 'problems'>;
  readonly templates: TemplateStore;
}

/** What a monitor runs: the members of a scrape request, or of a batch. */
export interface MonitorTarget {
  readonly kind: MonitorKind;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Pages that a monitor of a batch has at most: each is compared in each run. */
const MAX_REQUESTS = 1_000;
/** Runs may be kept for long. Their results are deleted with them. */
const KEPT_MS = 90 * 86_400_000;
const RETRIES = 2;
const PER_HOST = 2;

type RunJob = Pick<JobToStart, 'kind' | 'members' | 'templates' | 'items'>;

/**
 * The job of a run. Templates are those of now.
 * @returns problems: the request is not valid
 */
export async function runJobOf(
  { kind, members }: MonitorTarget,
  userId: string,
  { templates: store, pipeline, sealer }: Pick<StartRunDeps, 'templates' | 'pipeline' | 'sealer'>,
): Promise<RunJob | readonly Failure[]> {
  const problems: Failure[] = [];
  const { requests: list, defaults } = kind === 'request' ? { requests: [members], defaults: {} } : members;
  if (!Array.isArray(list) || list.length < 1 || list.length > MAX_REQUESTS) {
    addProblem(problems, '/batch/requests', `must be a list of 1 to ${MAX_REQUESTS} requests`);
    return problems;
  }
  const common = isObject(defaults) ? defaults : {};
  const templates = await loadTemplates(store, userId, [common, ...list]);
  const items = list.flatMap((value: unknown, index) => {
    const pointer = kind === 'request' ? '/request' : `/batch/requests/${index}`;
    const request = readItemRequest(value, common, templates, pointer, problems);
    if (request === null) return [];
    problems.push(...pipeline.problems(request.task));
    return [itemOfRequest(request, userId, sealer)];
  });
  if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
  return { kind: kind === 'request' ? 'scrape' : 'batch', members: common, templates, items };
}

/** Requests may contain passwords and cookies, so they are stored encrypted. @param userId whose monitor it is */
export const sealTarget = (target: MonitorTarget, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('monitor.target', userId, Buffer.from(JSON.stringify(target)));

/** Starts the job of a run. @returns why it cannot be started; null: it is */
export async function startRun(
  deps: StartRunDeps,
  monitor: MonitorRow,
  jobId: string,
): Promise<Failure | null> {
  const opened = deps.sealer.open('monitor.target', monitor.userId, monitor.spec);
  const target = JSON.parse(opened.toString()) as MonitorTarget;
  const job = await runJobOf(target, monitor.userId, deps);
  if (!('items' in job)) return job[0]!;
  const started = await startJob(deps, monitor, {
    ...job,
    id: jobId,
    name: monitor.name,
    tags: { monitor: monitor.id },
    metadata: null,
    priority: 0,
    concurrency: null,
    perHost: PER_HOST,
    delayMs: 0,
    maxCost: null,
    retries: RETRIES,
    maxVisits: null,
    keptMs: KEPT_MS,
    request: monitor.request,
    // A monitor sends its own events.
    webhook: 'none',
  });
  return isFailure(started) ? started : null;
}
