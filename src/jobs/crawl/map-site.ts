import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import { type Deadline, deadlineOf } from '../../base/time.ts';
import type { Principal } from '../../domain/account.ts';
import type { FoundLink } from '../../domain/found-links.ts';
import { ANY_RECORD } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';
import type { Task } from '../../domain/task.ts';
import { domainRefusal, type UrlCheck, urlCheckOf } from '../../domain/url-check.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SitemapResult } from '../../pipeline/sitemaps.ts';
import type { RecordStore } from '../../ports/store.ts';
import type { DropReason, Frontier } from './frontier.ts';

export type MapSource = 'sitemap' | 'page' | 'feed' | 'record';

export interface MappedUrl {
  readonly url: string;
  readonly source: MapSource;
  readonly title: string | null;
  /** RFC 3339; null: unknown. */
  readonly lastModified: string | null;
}

export interface SiteMap {
  readonly items: readonly MappedUrl[];
  readonly sitemaps: readonly Pick<SitemapResult, 'url' | 'statusCode' | 'links' | 'failure'>[];
  /** The scrape of the page; null: it was not fetched. */
  readonly page: Scrape | null;
  /** How many URLs are not in `items`, by reason. */
  readonly dropped: Readonly<Record<MapDropReason, number>>;
  /** There are more than the limit. */
  readonly truncated: boolean;
}

/** `domain`: the key may not scrape it. `unread`: too long, or beyond the limits of one page or sitemap. */
export const MAP_DROP_REASONS = [
  'robots',
  'scope',
  'domain',
  'include',
  'exclude',
  'trap',
  'search',
  'duplicate',
  'unread',
] as const;
type MapDropReason = (typeof MAP_DROP_REASONS)[number];

export interface MapRequest {
  readonly task: Task;
  readonly plan: NonNullable<ReturnType<Pipeline['plan']>['plan']>;
  readonly frontier: Frontier;
  readonly principal: Principal;
  /** Words that URL or title must contain; empty: any. */
  readonly words: readonly string[];
  readonly limit: number;
  readonly cancel: AbortController;
  readonly requestId: string;
}

export interface MapDeps {
  readonly pipeline: Pick<Pipeline, 'run' | 'sitemaps' | 'knownRobots'>;
  readonly records: Pick<RecordStore, 'list'>;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
}

/** Records of the host that are looked at. */
const MAX_RECORDS = 200;
/** Left of the time when the sitemaps must have been read. */
const MARGIN_MS = 500;

/** The URLs of a site: of its sitemaps, of one page with its feeds, and of the user's earlier scrapes. No record is made. */
export async function mapSite(deps: MapDeps, request: MapRequest): Promise<SiteMap> {
  const { frontier, task } = request;
  const { sitemap } = frontier.settings;
  using deadline = deadlineOf(Math.max(1, task.timeoutMs - MARGIN_MS), request.cancel);
  const [page, sitemaps, records] = await Promise.all([
    sitemap === 'only' ? null : scrapePage(deps, request),
    sitemap === 'ignore' ? [] : allSitemaps(deps, request, deadline),
    sitemap === 'only' ? [] : earlierUrls(deps, request),
  ]);
  const finalUrl = page?.delivered?.page.finalUrl;
  const followed = finalUrl === undefined ? null : frontier.following(task.url, frontier.canonical(finalUrl));
  const collector = new UrlCollector(deps, { ...request, frontier: followed ?? frontier });
  for (const { links, left } of sitemaps) {
    collector.drop('unread', left);
    for (const link of links) if (link.kind !== 'sitemap') collector.add(link, 'sitemap');
  }
  const found = page?.delivered?.found ?? null;
  if (page !== null && page.delivered !== null)
    collector.add({ url: page.delivered.page.finalUrl, title: null, lastModified: null }, 'page');
  collector.drop('unread', found?.left ?? 0);
  for (const link of found?.links ?? []) collector.add(link, link.kind === 'feed' ? 'feed' : 'page');
  for (const url of records) collector.add({ url, title: null, lastModified: null }, 'record');
  return { ...collector.result(), sitemaps, page };
}

const allowUrlOf = ({ principal }: MapRequest): UrlCheck | null => urlCheckOf(principal.domains);

async function scrapePage({ pipeline, memory, clock }: MapDeps, request: MapRequest): Promise<Scrape> {
  const { task, plan, principal, cancel, requestId } = request;
  const reservation = memory.open();
  try {
    const { scrape } = await pipeline.run({
      task: { ...task, finds: 'titled_page', router: { ...task.router, retain: 'none' } },
      plan,
      principal,
      requestId,
      cancel,
      startedAt: clock.monotonic(),
      reservation,
      allowUrl: allowUrlOf(request),
      // A map has no record.
      store: async () => {},
    });
    return scrape;
  } finally {
    reservation.close();
  }
}

async function allSitemaps(
  { pipeline, memory }: MapDeps,
  request: MapRequest,
  deadline: Deadline,
): Promise<readonly SitemapResult[]> {
  const { task, plan, principal, limit } = request;
  const reservation = memory.open();
  const { proxyType } = plan.steps[0]!;
  const results: SitemapResult[] = [];
  let urls = 0;
  try {
    const fetching = {
      task,
      proxyType,
      deadline,
      reservation,
      allowUrl: allowUrlOf(request),
      userId: principal.userId,
    };
    for await (const result of pipeline.sitemaps(fetching)) {
      results.push(result);
      urls += result.links.filter(({ kind }) => kind !== 'sitemap').length;
      // Some URLs of a sitemap are dropped, so more of them are read than are returned.
      if (urls > 2 * limit || deadline.signal.aborted) break;
    }
    return results;
  } finally {
    reservation.close();
  }
}

async function earlierUrls(
  { records }: MapDeps,
  { task, principal }: MapRequest,
): Promise<readonly string[]> {
  const filter = { ...ANY_RECORD, userId: principal.userId, host: task.host, status: 200 };
  const { items } = await records.list(filter, MAX_RECORDS, null);
  // Records are found by host alone; another port is another site.
  const { port } = new URL(task.url);
  return items.flatMap(({ url, method }) =>
    url !== null && method === 'GET' && new URL(url).port === port ? [url] : [],
  );
}

class UrlCollector {
  readonly #items = new Map<string, MappedUrl>();
  readonly #dropped = Object.fromEntries(MAP_DROP_REASONS.map((reason) => [reason, 0])) as Record<
    MapDropReason,
    number
  >;
  readonly #request: MapRequest;
  readonly #found: Parameters<Frontier['dropReason']>[1];
  #truncated = false;

  constructor({ pipeline, clock }: MapDeps, request: MapRequest) {
    this.#request = request;
    const { task, principal } = request;
    const robots = pipeline.knownRobots(task, principal.userId);
    const { origin } = new URL(task.url);
    this.#found = {
      parent: 0,
      depth: 0,
      robots: robots === null ? null : { origin, rule: robots.rule },
      now: clock.now(),
    };
  }

  drop(reason: MapDropReason, count: number): void {
    this.#dropped[reason] += count;
  }

  add(
    { url: href, title, lastModified }: Pick<FoundLink, 'url' | 'title' | 'lastModified'>,
    source: MapSource,
  ): void {
    const { frontier, limit } = this.#request;
    const url = frontier.canonical(href);
    const known = this.#items.get(url);
    if (known !== undefined) {
      if (known.title === null && title !== null) this.#items.set(url, { ...known, title });
      this.#dropped.duplicate++;
      return;
    }
    const reason = this.#reasonOf(new URL(url), title);
    if (reason !== null) this.#dropped[reason]++;
    else if (this.#items.size >= limit) this.#truncated = true;
    else this.#items.set(url, { url, source, title, lastModified });
  }

  #reasonOf(url: URL, title: string | null): MapDropReason | null {
    const { frontier, principal, words } = this.#request;
    const reason: DropReason | null = frontier.dropReason(url, this.#found);
    // Depth is no limit of maps.
    if (reason !== null && reason !== 'depth') return reason;
    if (domainRefusal(principal, url) !== null) return 'domain';
    if (words.length === 0) return null;
    const text = `${decoded(url.href)} ${title ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? null : 'search';
  }

  result(): Pick<SiteMap, 'items' | 'dropped' | 'truncated'> {
    return { items: [...this.#items.values()], dropped: this.#dropped, truncated: this.#truncated };
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    // Not UTF-8.
    return url;
  }
}
