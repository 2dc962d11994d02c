import type { Accounts } from '../account/accounts.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { ScheduledKind, ScheduleRow } from '../domain/schedules.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { Task } from '../domain/task.ts';
import { requestedTemplate } from '../domain/template.ts';
import { batchReader } from '../jobs/batch-items.ts';
import { crawlJobOf } from '../jobs/crawl/crawl-job.ts';
import { type JobServiceDeps, type JobToStart, startJob } from '../jobs/job-service.ts';
import { itemOfRequest } from '../jobs/request-job.ts';
import { scrapeJob } from '../jobs/scrape-job.ts';
import { loadTemplate, loadTemplates } from '../pipeline/extract-template.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { NotificationStore } from '../ports/notifications.ts';
import type { TemplateStore } from '../ports/store.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { BatchRequest } from '../wire/jobs/batch-request.ts';
import { CrawlRequest, type CrawlRequestBody } from '../wire/jobs/crawl-request.ts';
import { withPrefix } from '../wire/jobs/item-request.ts';
import { readJobMembers } from '../wire/jobs/job-members.ts';
import { maskedRequestJson } from '../wire/request/masked-request.ts';
import { parseTask } from '../wire/request/parse-task.ts';
import { bodyParser } from '../wire/schema/body-parser.ts';
import { addProblem, MAX_PROBLEMS } from '../wire/schema/problems.ts';

export interface ScheduledJobDeps {
  readonly pipeline: Pick<Pipeline, 'problems'>;
  readonly templates: TemplateStore;
  readonly webhooks: Pick<Webhooks, 'getsScrapes'>;
  readonly sealer: Sealer;
  readonly clock: JobServiceDeps['clock'];
  /** Whether there are costs to limit. */
  readonly priced: () => boolean;
  /** How long records are kept, ms. */
  readonly retentionMs: number;
}

type Members = Readonly<Record<string, unknown>>;

/** What a schedule starts: the kind, and the members of the request that starts such a job at once. */
export interface ScheduledJob {
  readonly kind: ScheduledKind;
  readonly members: Members;
}

interface AcceptedJob {
  readonly job: JobToStart;
  /** The URLs that a run requests first. */
  readonly urls: readonly string[];
  /** Requests that are planned when the schedule is made; of a batch none: its requests are planned one by one when they run. */
  readonly requests: readonly { readonly task: Task; readonly pointer: string }[];
  /** The members as JSON text, secrets masked; of a batch with `urls` instead of `requests`. */
  readonly request: string;
}

/** Items of a batch that run at once on one host, as of batches that start at once. */
const BATCH_PER_HOST = 8;
const RETRIES = 2;
const POINTER = '/job';
/** URLs of a batch that its schedule shows. */
const MAX_SHOWN_URLS = 1_000;

const parseBatch = bodyParser(BatchRequest, (body) => body as BatchRequest);
const parseCrawl = bodyParser(CrawlRequest, (body) => body as CrawlRequestBody);

/**
 * The job of a run. Templates are those of now.
 * @returns problems, with pointers below `/job`: it is not valid
 */
export async function scheduledJobOf(
  job: ScheduledJob,
  userId: string,
  deps: ScheduledJobDeps,
): Promise<AcceptedJob | readonly Failure[]> {
  const problems: Failure[] = [];
  const accepted = await READERS[job.kind](job.members, userId, deps, problems);
  if (accepted !== null && problems.length === 0) return accepted;
  return problems.slice(0, MAX_PROBLEMS).map((problem) => withPrefix(problem, POINTER));
}

type ReadJob = (
  members: Members,
  userId: string,
  deps: ScheduledJobDeps,
  problems: Failure[],
) => Promise<AcceptedJob | null>;

const READERS: Readonly<Record<ScheduledKind, ReadJob>> = {
  scrape: readScrape,
  batch: readBatch,
  crawl: readCrawl,
};

async function readScrape(
  members: Members,
  userId: string,
  { pipeline, templates, webhooks, retentionMs }: ScheduledJobDeps,
  problems: Failure[],
): Promise<AcceptedJob | null> {
  const name = requestedTemplate(members);
  const template =
    name === null ? null : await loadTemplate(templates, userId, name, '/scraper_options/extract');
  if (template !== null && isFailure(template)) {
    problems.push(template);
    return null;
  }
  const { task, problems: found } = parseTask(members, template);
  problems.push(...(found ?? []));
  if (task === null) return null;
  problems.push(...pipeline.problems(task));
  const { retain, webhook, compareTo } = task.router;
  if (retain !== 'full' && !(await webhooks.getsScrapes(userId, 'scrape', webhook)))
    addProblem(
      problems,
      '/router/retain',
      'must be `full`, because the result is the record; or `/router/webhook` must get the event `done` with `include: full`',
    );
  if (compareTo !== null) addProblem(problems, '/router/compare_to', 'is not for schedules; use a monitor');
  const job = scrapeJob({ task, members, template }, { retries: RETRIES, keptMs: retentionMs });
  return { job, urls: [task.url], requests: [{ task, pointer: POINTER }], request: job.request };
}

const jobRules = ({ priced, retentionMs }: ScheduledJobDeps) => ({ priced: priced(), retentionMs });

async function readBatch(
  body: Members,
  userId: string,
  deps: ScheduledJobDeps,
  problems: Failure[],
): Promise<AcceptedJob | null> {
  const parsed = parseBatch(body);
  if (parsed.problems !== null) {
    problems.push(...parsed.problems);
    return null;
  }
  const { requests, defaults = {}, invalid = 'refuse', ...members } = parsed.value;
  const settings = readJobMembers(members, jobRules(deps), problems);
  const templates = await loadTemplates(deps.templates, userId, [
    defaults,
    ...requests.map((request) => ({ ...defaults, ...(request as object) })),
  ]);
  const isSent = await deps.webhooks.getsScrapes(userId, 'job', settings.webhook);
  const { pipeline } = deps;
  const read = batchReader({ defaults, pointer: '/defaults', templates, isSent, pipeline });
  const ofRequests: Failure[] = [];
  const valid = requests.flatMap((value, index) => read(value, `/requests/${index}`, ofRequests) ?? []);
  if (invalid === 'refuse' || valid.length === 0) problems.push(...ofRequests);
  const urls = valid.map(({ task }) => task.url);
  const request = maskedRequestJson({ ...members, defaults, invalid });
  return {
    job: {
      ...settings,
      kind: 'batch',
      perHost: BATCH_PER_HOST,
      delayMs: 0,
      maxVisits: null,
      request,
      members: defaults,
      templates,
      items: valid.map((one) => itemOfRequest(one, userId, deps.sealer)),
    },
    urls,
    requests: [],
    request: JSON.stringify({
      ...JSON.parse(request),
      urls: urls.slice(0, MAX_SHOWN_URLS).map(withoutUserinfo),
      requests_total: requests.length,
    }),
  };
}

function withoutUserinfo(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

async function readCrawl(
  body: Members,
  userId: string,
  deps: ScheduledJobDeps,
  problems: Failure[],
): Promise<AcceptedJob | null> {
  const parsed = parseCrawl(body);
  if (parsed.problems !== null) {
    problems.push(...parsed.problems);
    return null;
  }
  const settings = readJobMembers(parsed.value, jobRules(deps), problems);
  const isSent = await deps.webhooks.getsScrapes(userId, 'job', settings.webhook);
  const crawl = await crawlJobOf(parsed.value, userId, deps, problems, isSent);
  return (
    crawl && {
      job: { ...settings, ...crawl.job },
      urls: crawl.job.crawl.startUrls,
      requests: crawl.tasks.map((task, n) => ({
        task,
        pointer: n === 0 ? `${POINTER}/request` : `${POINTER}/rules/${n - 1}/request`,
      })),
      request: crawl.job.request,
    }
  );
}

/** Requests may contain passwords and cookies, so they are stored encrypted. @param userId whose schedule it is */
export const sealJob = (job: ScheduledJob, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('schedule.job', userId, Buffer.from(JSON.stringify(job)));

/** Members of a job by which people are told. Of the runs of a schedule, the schedule says who is. */
export function notifyProblems({ kind, members }: ScheduledJob): readonly Failure[] {
  const problems: Failure[] = [];
  const pointer = kind === 'scrape' ? `${POINTER}/router` : POINTER;
  const object = kind === 'scrape' ? members.router : members;
  for (const member of ['channels', 'notify_on'])
    if (typeof object === 'object' && object !== null && member in object)
      addProblem(
        problems,
        `${pointer}/${member}`,
        `is not for jobs of a schedule: use \`${member}\` of the schedule`,
      );
  return problems;
}

export const openJobOf = (
  { userId, spec }: Pick<ScheduleRow, 'userId' | 'spec'>,
  sealer: Sealer,
): ScheduledJob => JSON.parse(sealer.open('schedule.job', userId, spec).toString()) as ScheduledJob;

/** The URLs that a run requests first, as far as the stored request tells. */
export function scheduledUrls({ kind, members }: ScheduledJob): readonly string[] {
  const { url, urls, requests, defaults } = members as {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly requests?: readonly object[];
    readonly defaults?: object;
  };
  if (kind === 'batch')
    return requests!.map((request) => String(({ ...defaults, ...request } as { url?: unknown }).url));
  return urls ?? [url!];
}

export interface StartScheduledDeps
  extends JobServiceDeps,
    Omit<ScheduledJobDeps, 'sealer' | 'clock' | 'webhooks'> {
  readonly accounts: Pick<Accounts, 'limits' | 'currentJobPrincipal' | 'budgetLeft'>;
  readonly webhooks: Pick<Webhooks, 'prepare' | 'getsScrapes'>;
  readonly notifications: Pick<NotificationStore, 'notifyOf'>;
}

/** Starts the job of a run. @returns why it cannot be started; null: it is */
export async function startScheduledJob(
  deps: StartScheduledDeps,
  schedule: ScheduleRow,
  jobId: string,
): Promise<Failure | null> {
  const principal = await deps.accounts.currentJobPrincipal(schedule.userId, schedule.keyId);
  if (typeof principal === 'string') return NO_RIGHTS[principal];
  const spent = await deps.accounts.budgetLeft(principal);
  if (spent !== null) return spent;
  const accepted = await scheduledJobOf(openJobOf(schedule, deps.sealer), schedule.userId, deps);
  if (!('job' in accepted)) return accepted[0]!;
  const { job } = accepted;
  const name = job.name ?? schedule.name;
  const told = await deps.notifications.notifyOf(schedule.id);
  // Of the job, so that it is a use of the channels until it has ended.
  const source = job.kind === 'scrape' ? ('scrape' as const) : ('job' as const);
  const notify = told && { ...told, source, title: name };
  const started = await startJob(deps, schedule, {
    ...job,
    id: jobId,
    name,
    scheduleId: schedule.id,
    notify,
  });
  return isFailure(started) ? started : null;
}

const NO_RIGHTS = {
  key: failure('auth.invalid', 'The key of the schedule was revoked, or has expired.'),
  user: failure('auth.disabled', 'The user of the schedule was disabled.'),
} as const;
