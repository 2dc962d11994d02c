import type { Clock } from '../../base/time.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Task } from '../../domain/task.ts';
import { loadTemplates } from '../../pipeline/extract-template.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { TemplateStore } from '../../ports/store.ts';
import { type CrawlRequestBody, readCrawl } from '../../wire/jobs/crawl-request.ts';
import { type ItemRequest, withPrefix } from '../../wire/jobs/item-request.ts';
import { maskedCrawlJson } from '../../wire/jobs/masked-crawl.ts';
import type { JobToStart } from '../job-service.ts';
import { Frontier } from './frontier.ts';

/** What a crawl says about its job. The job members are not in it. */
type CrawlJob = Pick<
  JobToStart,
  'kind' | 'members' | 'templates' | 'items' | 'perHost' | 'delayMs' | 'maxVisits' | 'request'
> &
  Required<Pick<JobToStart, 'crawl'>>;

interface AcceptedCrawl {
  readonly job: CrawlJob;
  /** That of the first start URL, and those that the rules make of it. */
  readonly tasks: readonly Task[];
}

function addProblems(
  { pipeline }: { readonly pipeline: Pick<Pipeline, 'problems'> },
  { task }: ItemRequest,
  pointer: string,
  problems: Failure[],
): void {
  for (const problem of pipeline.problems(task)) problems.push(withPrefix(problem, pointer));
}

const DEFAULT_LIMIT = 1_000;
const DEFAULT_PER_HOST = 2;

/**
 * The job of a crawl, with the start URLs as its first items, and the requests of its pages. Templates are those of now.
 * @param userId whose crawl it is
 * @param isSent see `readItemRequest`
 * @returns null: there are problems
 */
export async function crawlJobOf(
  body: CrawlRequestBody,
  userId: string,
  deps: {
    readonly templates: TemplateStore;
    readonly pipeline: Pick<Pipeline, 'problems'>;
    readonly clock: Clock;
  },
  problems: Failure[],
  isSent = false,
): Promise<AcceptedCrawl | null> {
  const rules = body.rules?.map(({ request }) => request) ?? [];
  const templates = await loadTemplates(deps.templates, userId, [body.request, ...rules]);
  const read = readCrawl(body, templates, problems, isSent);
  if (read !== null) {
    addProblems(deps, read.first, '/request', problems);
    // What is wrong with the request of all pages is not told again for each rule.
    if (problems.length === 0)
      for (const [n, request] of read.ruled.entries())
        addProblems(deps, request, `/rules/${n}/request`, problems);
  }
  if (read === null || problems.length > 0) return null;
  const written = new Frontier(read.settings, read.first.task.method);
  const startUrls = read.settings.startUrls.map((url) => written.canonical(url));
  const start = { parent: null, depth: 0, robots: null, now: deps.clock.now() };
  const job: CrawlJob = {
    kind: 'crawl',
    perHost: body.per_host ?? DEFAULT_PER_HOST,
    delayMs: body.delay_ms ?? 0,
    maxVisits: body.limit ?? DEFAULT_LIMIT,
    request: maskedCrawlJson(body),
    members: read.members,
    templates,
    crawl: { ...read.settings, startUrls },
    items: startUrls.map((url) => written.item({ url }, start)),
  };
  return { job, tasks: [read.first, ...read.ruled].map(({ task }) => task) };
}
