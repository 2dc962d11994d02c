import { type Failure, isFailure } from '../../domain/failure.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { crawlJobOf } from '../../jobs/crawl/crawl-job.ts';
import { startJob } from '../../jobs/job-service.ts';
import { CrawlRequest } from '../../wire/jobs/crawl-request.ts';
import { JobAccepted } from '../../wire/jobs/job-json.ts';
import { readJobMembers } from '../../wire/jobs/job-members.ts';
import { MAX_PROBLEMS } from '../../wire/schema/problems.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, problem } from '../core/responses.ts';
import { checkChannels, jobNotify, urlTitle } from '../operations/notify.ts';

export const CRAWLS = [
  endpoint({
    method: 'post',
    path: '/api/v1/crawls/',
    operationId: 'createCrawl',
    idempotent: true,
    summary: 'Crawl a site',
    description:
      'Starts a job that visits the start URLs, and what their pages and sitemaps lead to. Each URL is visited once. URLs that are not visited are items with a reason.',
    access: 'scope:jobs',
    body: jsonBody(CrawlRequest, {
      examples: {
        site: { url: 'https://example.com/', limit: 100 },
        blog: {
          url: 'https://example.com/blog/',
          scope: 'path',
          exclude: ['/blog/tag/**'],
          request: { scraper: 'http', scraper_options: { formats: ['markdown'], only_main_content: true } },
        },
      },
    }),
    responses: {
      202: json('The job is stored.', JobAccepted),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      422: problem('There is no such template: `template.unknown`.'),
    },
    handler: async ({ body, principal, reply }, deps) => {
      const problems: Failure[] = [];
      const { notified, ...members } = readJobMembers(
        body,
        { priced: deps.prices !== null, retentionMs: deps.retentionMs },
        problems,
      );
      const { templates } = deps.store;
      const { userId } = principal;
      const isSent = await deps.webhooks.getsScrapes(userId, 'job', members.webhook);
      const crawl = await crawlJobOf(body, userId, { ...deps, templates }, problems, isSent);
      if (crawl === null || problems.length > 0) throw new Refusal(problems.slice(0, MAX_PROBLEMS));
      for (const url of crawl.job.crawl.startUrls) {
        const refused = domainRefusal(principal, new URL(url));
        if (refused !== null) throw new Refusal([refused]);
      }
      await checkChannels(deps, notified.channels, userId, principal, '');
      const spent = await deps.accounts.budgetLeft(principal);
      if (spent !== null) throw new Refusal([spent]);
      const job = await startJob({ ...deps, jobs: deps.store.jobs, engine: deps.jobEngine }, principal, {
        ...members,
        ...crawl.job,
        notify: jobNotify('job', members.name ?? urlTitle(crawl.job.crawl.startUrls[0]!), notified),
      });
      if (isFailure(job)) throw new Refusal([job]);
      return reply
        .code(202)
        .header('location', `${deps.baseUrl()}/api/v1/jobs/${job.id}/`)
        .send({ id: job.id, state: 'queued' });
    },
  }),
];
