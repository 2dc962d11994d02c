import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import { deadlineOf } from '../../base/time.ts';
import type { CrawlSettings } from '../../domain/crawl.ts';
import type { Failure } from '../../domain/failure.ts';
import type { FoundLinks } from '../../domain/found-links.ts';
import type { ClaimedItem, JobRow, NewItem, StoredError, VisitedPage } from '../../domain/jobs.ts';
import type { Scrape } from '../../domain/scrape.ts';
import type { Sealer } from '../../domain/sealing.ts';
import type { Method } from '../../domain/task.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SitemapResult } from '../../pipeline/sitemaps.ts';
import type { JobStore } from '../../ports/jobs.ts';
import { isSecretHeader } from '../../wire/answer/headers-json.ts';
import type { ItemContext, ItemScheme, PageFindings } from '../item-scheme.ts';
import { openSpec, type RequestMembers, sealSpec } from '../job-spec.ts';
import { type FoundOn, Frontier, skip } from './frontier.ts';

export interface CrawlSchemeDeps {
  readonly jobs: Pick<JobStore, 'add' | 'get' | 'update'>;
  readonly pipeline: Pick<Pipeline, 'knownRobots' | 'sitemaps'>;
  readonly sealer: Sealer;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
}

/** Rules of crawls that stay compiled. */
const MAX_FRONTIERS = 100;
/** Items that one transaction adds. Between them, the records of scrapes are stored. */
const ITEMS_PER_CALL = 1_000;
/** For all sitemaps of one origin. */
const SITEMAPS_MS = 300_000;
const NOTHING: PageFindings = { found: [], unlisted: 0, skipped: null, page: null };

/** What a crawl does with its items: which request they make, and which URLs are found on their pages. */
export function createCrawlScheme(deps: CrawlSchemeDeps): ItemScheme {
  const frontiers = new Map<string, { readonly spec: Uint8Array; readonly frontier: Frontier }>();
  const keep = (id: string, spec: Uint8Array, frontier: Frontier): void => {
    if (frontiers.size >= MAX_FRONTIERS) frontiers.delete(frontiers.keys().next().value!);
    frontiers.set(id, { spec, frontier });
  };
  const frontierOf = (job: JobRow): Frontier => {
    const known = frontiers.get(job.id);
    if (known !== undefined && Buffer.compare(known.spec, job.spec) === 0) return known.frontier;
    const { crawl, request } = openSpec(job, deps.sealer);
    const moves = ({ movedTo = [] }: CrawlSettings) => movedTo.length;
    // A job that was read shortly before its scope followed a redirect.
    if (known !== undefined && moves(crawl!) < moves(known.frontier.settings)) return known.frontier;
    const frontier = new Frontier(
      crawl!,
      typeof request.method === 'string' ? (request.method.toUpperCase() as Method) : 'GET',
    );
    keep(job.id, job.spec, frontier);
    return frontier;
  };
  const follow: Follow = async (job, frontier, startUrl, finalUrl) => {
    const following = frontier.following(startUrl, finalUrl);
    if (following === null) return null;
    const spec = openSpec((await deps.jobs.get(job.id, null)) ?? job, deps.sealer);
    const sealed = sealSpec({ ...spec, crawl: following.settings }, job.userId, deps.sealer);
    await deps.jobs.update(job.id, { spec: sealed });
    keep(job.id, sealed, following);
    return following;
  };
  return {
    finds: 'page',
    request: (members, job, { url }) => crawlRequest(frontierOf(job), members, url),
    read: (scrape, job, claimed, context) =>
      readPage(deps, frontierOf(job), follow, { scrape, job, claimed, context }),
  };
}

/** Lets the scope of a job follow the redirect of a start URL. @returns null: the scope stays */
type Follow = (
  job: JobRow,
  frontier: Frontier,
  startUrl: string,
  finalUrl: string,
) => Promise<Frontier | null>;

/** The request of an item. Other sites than those of the start URLs do not get the caller's credentials. */
function crawlRequest(frontier: Frontier, members: RequestMembers, url: string): RequestMembers {
  const router = { ...(members.router as RequestMembers | undefined), robots: frontier.settings.robots };
  const ruled = { ...members, ...frontier.ruleMembers(url) };
  const request = {
    ...ruled,
    url,
    router: { ...router, ...(ruled.router as RequestMembers | undefined), robots: router.robots },
  };
  return frontier.isStartSite(url) ? request : withoutCredentials(request);
}

function withoutCredentials({ cookies: _cookies, ...members }: RequestMembers): RequestMembers {
  const { headers } = members;
  const isOpen = (name: unknown): boolean => {
    const lower = String(name).toLowerCase();
    return lower !== 'cookie' && !isSecretHeader(lower);
  };
  if (Array.isArray(headers))
    return {
      ...members,
      headers: headers.filter((header) => isOpen(nameOf(header))),
    };
  if (typeof headers !== 'object' || headers === null) return members;
  return {
    ...members,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isOpen(name))),
  };
}

/** The name in an entry of `headers`: `[name, value]`, `{name, value}` or `"Name: value"`. */
function nameOf(header: unknown): unknown {
  if (typeof header === 'string') return header.split(':', 1)[0]!.trim();
  return Array.isArray(header) ? header[0] : (header as { readonly name?: unknown } | null)?.name;
}

interface VisitedItem {
  readonly scrape: Scrape;
  readonly job: JobRow;
  readonly claimed: ClaimedItem;
  readonly context: ItemContext;
}

async function readPage(
  deps: CrawlSchemeDeps,
  given: Frontier,
  follow: Follow,
  visited: VisitedItem,
): Promise<PageFindings> {
  const { scrape, job, claimed } = visited;
  if (scrape.attempts.length === 0 && scrape.errors[0]?.code === 'policy.robots')
    return { ...NOTHING, skipped: skip('skip.robots', scrape.errors[0].message), isVisit: false };
  const { delivered } = scrape;
  const isStart = claimed.depth === 0;
  const followed =
    isStart && delivered !== null
      ? await follow(job, given, claimed.url, given.canonical(delivered.page.finalUrl))
      : null;
  const frontier = followed ?? given;
  const { settings } = frontier;
  const parent = foundOn(deps, frontier, visited);
  if (isStart && settings.sitemap !== 'ignore') await addSitemaps(deps, frontier, visited, parent);
  if (delivered === null) return NOTHING;
  const finalUrl = frontier.canonical(delivered.page.finalUrl);
  const isRedirected = finalUrl !== claimed.url;
  const refused = isRedirected ? refusedRedirect(frontier, claimed, finalUrl, parent) : null;
  if (refused !== null) return { ...NOTHING, skipped: refused };
  const isPage = delivered.page.statusCode >= 200 && delivered.page.statusCode < 300;
  const page: VisitedPage = {
    redirected: isRedirected ? redirectedItem(frontier, claimed, finalUrl, parent, followed !== null) : null,
    content: isPage && delivered.found?.contentHash ? Buffer.from(delivered.found.contentHash, 'hex') : null,
    blocks: isPage ? (delivered.found?.blocks ?? null) : null,
    delayMs: deps.pipeline.knownRobots(scrape.task, visited.job.userId)?.delayMs ?? 0,
  };
  const follows = isPage && delivered.found !== null && settings.sitemap !== 'only';
  if (!follows) return { ...NOTHING, page };
  const found = followedLinks(frontier, delivered.found, scrape).map((link) => frontier.item(link, parent));
  const last = await addAhead(deps, visited.job.id, found);
  return { found: last, unlisted: delivered.found.left, skipped: null, page };
}

function followedLinks(
  { settings }: Frontier,
  { links, nofollow }: FoundLinks,
  { delivered }: Scrape,
): FoundLinks['links'] {
  const header = delivered!.page.headers.find(([name]) => name === 'x-robots-tag')?.[1] ?? '';
  if (settings.respectsNofollow && (nofollow || /\b(?:nofollow|none)\b/i.test(header))) return [];
  return links.filter(
    (link) => (settings.feeds || link.kind !== 'feed') && !(settings.respectsNofollow && link.nofollow),
  );
}

function foundOn(
  { pipeline, clock }: CrawlSchemeDeps,
  { settings }: Frontier,
  { scrape, job, claimed }: VisitedItem,
): FoundOn {
  const robots =
    settings.robots === 'ignore' && scrape.robots === null
      ? null
      : pipeline.knownRobots(scrape.task, job.userId);
  return {
    parent: claimed.item,
    depth: claimed.depth + 1,
    robots: robots === null ? null : { origin: new URL(scrape.task.url).origin, rule: robots.rule },
    now: clock.now(),
  };
}

/** Why the page that a URL redirects to is no result: it is one that the crawl would not have visited. */
function refusedRedirect(
  frontier: Frontier,
  { depth }: ClaimedItem,
  finalUrl: string,
  parent: FoundOn,
): StoredError | null {
  // Start URLs pass `include`, `exclude` and the others, but not the scope.
  const isStart = depth === 0;
  if (isStart && frontier.isInScope(finalUrl)) return null;
  const reason = frontier.skipReason(new URL(finalUrl), { ...parent, depth });
  return (
    reason && { ...reason, message: `The page redirects to ${finalUrl.slice(0, 300)}. ${reason.message}` }
  );
}

/** The URL that a page was redirected to, as an item that is not visited again. */
function redirectedItem(
  frontier: Frontier,
  { url, depth }: ClaimedItem,
  finalUrl: string,
  parent: FoundOn,
  isFollowed: boolean,
): NewItem {
  const message = `${url.slice(0, 300)} redirects to ${finalUrl.slice(0, 300)}.`;
  const skipped = skip('skip.duplicate', isFollowed ? `${message} The scope follows it.` : message);
  return { ...frontier.item({ url: finalUrl }, { ...parent, depth }), skipped, form: null };
}

/** Adds all items but the last ones, which are stored with the end of the item. Items that are there already stay. */
async function addAhead(
  { jobs, clock }: CrawlSchemeDeps,
  jobId: string,
  items: readonly NewItem[],
): Promise<readonly NewItem[]> {
  let index = 0;
  for (; items.length - index > ITEMS_PER_CALL; index += ITEMS_PER_CALL)
    await jobs.add(jobId, items.slice(index, index + ITEMS_PER_CALL), clock.now());
  return items.slice(index);
}

/**
 * Adds the URLs of the sitemaps of a start URL, unless another start URL has the same origin. Stops when more URLs were found
 * than the crawl visits. If the process ends before the item does, they are read again.
 */
async function addSitemaps(
  deps: CrawlSchemeDeps,
  frontier: Frontier,
  { scrape, job, claimed, context }: VisitedItem,
  parent: FoundOn,
): Promise<void> {
  const { origin } = new URL(claimed.url);
  if (frontier.settings.startUrls.find((url) => new URL(url).origin === origin) !== claimed.url) return;
  const reservation = deps.memory.open();
  using deadline = deadlineOf(SITEMAPS_MS, context.cancel);
  try {
    const request = {
      task: scrape.task,
      proxyType: scrape.proxyType ?? scrape.task.proxyType,
      deadline,
      reservation,
      allowUrl: context.allowUrl,
      userId: job.userId,
    };
    let visits = 0;
    for await (const result of deps.pipeline.sitemaps(request)) {
      if (context.cancel.signal.aborted) return;
      const items = sitemapItems(frontier, result, parent);
      visits += items.filter(({ skipped }) => skipped === null).length;
      const last = await addAhead(deps, job.id, items);
      if (last.length > 0) await deps.jobs.add(job.id, last, deps.clock.now());
      if (job.maxVisits !== null && visits > job.maxVisits) return;
    }
  } finally {
    reservation.close();
  }
}

/** A sitemap that cannot be read is an item that is skipped, so that its absence is noticed. */
function sitemapItems(
  frontier: Frontier,
  { url, statusCode, links, failure: cause }: SitemapResult,
  parent: FoundOn,
): readonly NewItem[] {
  if (cause === null)
    return links.filter(({ kind }) => kind !== 'sitemap').map((link) => frontier.item(link, parent));
  const isAbsent = statusCode !== null && statusCode >= 400 && frontier.settings.sitemap !== 'only';
  if (isAbsent) return [];
  return [{ ...frontier.item({ url }, parent), skipped: unreadSitemap(cause), form: null }];
}

const unreadSitemap = ({ code, message }: Failure): StoredError => ({
  code,
  message: `The sitemap was not read. ${message}`,
});
