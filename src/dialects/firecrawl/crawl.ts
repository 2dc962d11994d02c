import { BadRequest } from './bad-request.ts';
import type { DialectCall } from './dialect-call.ts';
import { newDraft, type ScrapeDraft } from './draft.ts';
import { JOB_MEMBERS, type JobDraft, jobOf } from './job-members.ts';
import {
  booleanAt,
  choiceAt,
  type Json,
  type Members,
  numberAt,
  objectAt,
  readMembers,
  refused,
  stored,
  supported,
  textsAt,
} from './members.ts';
import { targetAt } from './scrape.ts';
import { CLIENT_MEMBERS, readScrapeOptions } from './scrape-options.ts';
import { settle } from './settle.ts';

interface CrawlDraft extends JobDraft {
  readonly scrape: ScrapeDraft;
  include: readonly string[];
  exclude: readonly string[];
  matchesWholeUrl: boolean;
  scope: { entireDomain: boolean; subdomains: boolean; external: boolean };
}

export const SITEMAP_MODES = { include: 'include', only: 'only', skip: 'ignore' } as const;

const NO_SETTINGS = 'Sluice makes no settings from a prompt; give includePaths, excludePaths and limit.';

/** The members of `POST /v2/crawl` besides `url`. */
export const CRAWL_MEMBERS: Members<CrawlDraft> = {
  prompt: refused(NO_SETTINGS),
  includePaths: stored('regular expressions (RE2); here they also see the query', 'include', textsAt),
  excludePaths: stored('as includePaths', 'exclude', textsAt),
  regexOnFullURL: stored('the expressions see the whole URL', 'matchesWholeUrl', booleanAt),
  maxDiscoveryDepth: supported('0 to 50; default 50', (value, { job }, at) => {
    job.max_depth = numberAt(value, at);
  }),
  sitemap: supported('`include`, `only`, `skip`', (value, { job }, at) => {
    job.sitemap = SITEMAP_MODES[choiceAt(value, at, ['include', 'only', 'skip'])];
  }),
  ignoreQueryParameters: supported('URLs are the same but for their queries', (value, { job }, at) => {
    if (booleanAt(value, at)) job.ignore_query = true;
  }),
  deduplicateSimilarURLs: supported(
    'whatever it says: each canonical URL is visited once, and pages with the same content are one',
    (value, _, at) => {
      booleanAt(value, at);
    },
  ),
  limit: supported('1 to 100,000; default 10,000', (value, { job }, at) => {
    job.limit = numberAt(value, at);
  }),
  crawlEntireDomain: supported(
    '`false` (default): only below the path of the URL',
    (value, { scope }, at) => {
      scope.entireDomain = booleanAt(value, at);
    },
  ),
  allowSubdomains: supported('all hosts of the domain', (value, { scope }, at) => {
    scope.subdomains = booleanAt(value, at);
  }),
  allowExternalLinks: supported('all hosts', (value, { scope }, at) => {
    scope.external = booleanAt(value, at);
  }),
  ignoreRobotsTxt: supported('if the operator allows it', (value, { job }, at) => {
    if (booleanAt(value, at)) job.robots = 'ignore';
  }),
  robotsUserAgent: refused(
    'rules of robots.txt are those for the User-Agent that is sent; set it in headers.',
  ),
  delay: supported('seconds between pages of a host, one at a time', (value, { job }, at) => {
    const seconds = numberAt(value, at);
    if (seconds > 0) Object.assign(job, { delay_ms: Math.round(seconds * 1_000), per_host: 1 });
  }),
  scrapeOptions: supported('see the options of scrapes', (value, { scrape }, at) => {
    readScrapeOptions(value, scrape, at);
  }),
  ...JOB_MEMBERS,
  ...CLIENT_MEMBERS,
};

/** Their defaults. */
export const newCrawl = (): CrawlDraft => ({
  job: { limit: 10_000, max_depth: 50 },
  scrape: newDraft(),
  include: [],
  exclude: [],
  matchesWholeUrl: false,
  scope: { entireDomain: false, subdomains: false, external: false },
});

/** `POST /v2/crawl`. */
export async function startCrawl({ body, caller, deps, idempotency }: DialectCall): Promise<Json> {
  const { url, ...options } = objectAt(body, 'The request');
  const draft = newCrawl();
  readMembers(CRAWL_MEMBERS, { ...options, scrapeOptions: options.scrapeOptions ?? {} }, draft, '');
  const target = targetAt(url, 'url');
  await settle(draft.scrape, { caller, hasModel: deps.hasModel });
  // These two may have secrets.
  const { scrapeOptions: _, webhook: __, ...kept } = options;
  const memory = { url: target, options: kept };
  const job = jobOf(draft, draft.scrape, { name: 'request', hasModel: deps.hasModel }, memory);
  const { id } = await caller.post('/api/v1/crawls/', { ...job, ...crawlOf(draft, target) }, idempotency);
  return { success: true, id, url: `${deps.baseUrl()}/v2/crawl/${id}` };
}

/** The members of our crawl that are not in `job`. */
export function crawlOf(draft: CrawlDraft, url: string): Json {
  const { concurrency, per_host: perHost } = draft.job;
  const isLimited = concurrency !== undefined && perHost === undefined;
  return {
    url,
    scope: scopeOf(draft),
    ...patternsOf(draft),
    ...(isLimited ? { per_host: Math.min(concurrency as number, MAX_PER_HOST) } : {}),
  };
}

/** Contract §13. */
const MAX_PER_HOST = 64;

function scopeOf({ scope: { entireDomain, subdomains, external } }: CrawlDraft): string {
  if (external) return 'any';
  if (subdomains) return 'domain';
  return entireDomain ? 'host' : 'path';
}

const patternsOf = ({ include, exclude, matchesWholeUrl }: CrawlDraft) => ({
  ...(include.length === 0 ? {} : { include: include.map((source) => patternOf(source, matchesWholeUrl)) }),
  ...(exclude.length === 0 ? {} : { exclude: exclude.map((source) => patternOf(source, matchesWholeUrl)) }),
});

/** Our form of an expression: between slashes; one that begins with `^http` sees the whole URL. */
function patternOf(source: string, matchesWholeUrl: boolean): string {
  if (source.includes('**'))
    throw new BadRequest(
      `${JSON.stringify(source)} is not a regular expression: \`**\` repeats nothing. Write .*`,
    );
  if (!matchesWholeUrl || /^\^https?\??:/.test(source)) return `/${source}/`;
  return `/^https?:.*(?:${source})/`;
}

/** `POST /v2/crawl/params-preview`. */
export const previewCrawl = (): never => {
  throw new BadRequest(`crawl/params-preview is not supported by this service: ${NO_SETTINGS}`);
};
