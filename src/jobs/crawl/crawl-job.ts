import type { Clock } from '../../base/time.ts';
import type { Failure } from '../../domain/failure.ts';
import { loadTemplates } from '../../pipeline/extract-template.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { TemplateStore } from '../../ports/store.ts';
import { type CrawlRequestBody, readCrawl } from '../../wire/jobs/crawl-request.ts';
import { maskedCrawlJson } from '../../wire/jobs/masked-crawl.ts';
import type { JobToStart } from '../job-service.ts';
import { Frontier } from './frontier.ts';

/** What a crawl says about its job. The job members are not in it. */
export type CrawlJob = Pick<
  JobToStart,
  'kind' | 'members' | 'templates' | 'items' | 'perHost' | 'delayMs' | 'maxVisits' | 'request'
> &
  Required<Pick<JobToStart, 'crawl'>>;

const DEFAULT_LIMIT = 1_000;
const DEFAULT_PER_HOST = 2;

/**
 * The job of a crawl, with the start URLs as its first items. Templates are those of now.
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
): Promise<CrawlJob | null> {
  const rules = body.rules?.map(({ request }) => request) ?? [];
  const templates = await loadTemplates(deps.templates, userId, [body.request, ...rules]);
  const read = readCrawl(body, templates, problems, isSent);
  if (read !== null) problems.push(...deps.pipeline.problems(read.first.task));
  if (read === null || problems.length > 0) return null;
  const written = new Frontier(read.settings, read.first.task.method);
  const startUrls = read.settings.startUrls.map((url) => written.canonical(url));
  const start = { parent: null, depth: 0, robots: null, now: deps.clock.now() };
  return {
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
}
