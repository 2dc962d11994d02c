import { type Failure, failure } from '../domain/failure.ts';
import type { FoundLink } from '../domain/found-links.ts';
import type { AttemptDeps } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { type BesideRequest, fetchBeside } from './fetch-beside.ts';
import type { RobotsChecker } from './robots.ts';

/** A sitemap that was read, or that could not be read. */
export interface SitemapResult {
  readonly url: string;
  /** Status of the response; null: there was none. */
  readonly statusCode: number | null;
  readonly links: readonly FoundLink[];
  /** Entries that are not in `links`: beyond the limit, or without a URL that can be requested. */
  readonly left: number;
  /** null: it was read. */
  readonly failure: Failure | null;
}

/** The limit of an unpacked sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_BYTES = 50 * 2 ** 20;
const MAX_REDIRECTS = 5;
/** Where sitemaps stand that robots.txt does not name. The first one that is there is read. */
const USUAL_PATHS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap.txt',
];
/** An index leads to sitemaps, and by mistake to another index. Loops end here, too. */
const MAX_NESTING = 3;
/** Sitemaps of one site: an index may list 50,000. */
const MAX_SITEMAPS = 1_000;

interface SitemapToRead {
  readonly url: string;
  readonly nesting: number;
}

/**
 * Reads the sitemaps of the origin of a task one after another: those that robots.txt names, or else one at a usual place, and
 * those that an index lists. Each is read once. The caller may stop at any result.
 */
export async function* readSitemaps(
  deps: AttemptDeps,
  robots: Pick<RobotsChecker, 'sitemaps'>,
  request: BesideRequest,
): AsyncGenerator<SitemapResult> {
  const { origin } = new URL(request.task.url);
  const named = await robots.sitemaps(deps, request);
  const waiting: SitemapToRead[] = [];
  for (const text of named) {
    const url = URL.parse(text, origin);
    if (url !== null && /^https?:$/.test(url.protocol)) waiting.push({ url: url.href, nesting: 0 });
  }
  const seen = new Set<string>();
  if (waiting.length === 0) {
    const usual = await atUsualPlace(deps, request, origin);
    seen.add(usual.url);
    waiting.push(...childrenOf(usual, 0));
    yield usual;
  }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (request.deadline.signal.aborted || seen.size >= MAX_SITEMAPS) return;
    if (seen.has(next.url)) continue;
    seen.add(next.url);
    const result = await readSitemap(deps, request, next.url);
    if (next.nesting < MAX_NESTING) waiting.push(...childrenOf(result, next.nesting));
    yield result;
  }
}

const childrenOf = ({ links }: SitemapResult, nesting: number): SitemapToRead[] =>
  links.filter(({ kind }) => kind === 'sitemap').map(({ url }) => ({ url, nesting: nesting + 1 }));

/** The first of the usual places that has a sitemap, or else the result of the first place. */
async function atUsualPlace(
  deps: AttemptDeps,
  request: BesideRequest,
  origin: string,
): Promise<SitemapResult> {
  let first: SitemapResult | null = null;
  for (const path of USUAL_PATHS) {
    const result = await readSitemap(deps, request, `${origin}${path}`);
    first ??= result;
    if (result.failure === null) return result;
    // No other place is better if the site does not answer, or has a sitemap that cannot be read.
    const missing =
      result.statusCode !== null && (result.statusCode >= 400 || result.failure.code === 'extract.failed');
    if (!missing) break;
  }
  return first!;
}

async function readSitemap(deps: AttemptDeps, request: BesideRequest, url: string): Promise<SitemapResult> {
  const file = {
    url,
    maxContentBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
    finds: 'sitemap',
    reason: 'a sitemap',
  } as const;
  const refused = request.allowUrl?.(new URL(url)) ?? null;
  if (refused !== null) return unread(url, null, refused);
  return await fetchBeside(deps, request, file, (result) => sitemapOf(url, result));
}

const unread = (url: string, statusCode: number | null, cause: Failure): SitemapResult => ({
  url,
  statusCode,
  links: [],
  left: 0,
  failure: cause,
});

function sitemapOf(url: string, { delivered, errors }: AttemptResult): SitemapResult {
  if (delivered === null) return unread(url, null, errors[0]!);
  const { page, found } = delivered;
  const { statusCode } = page;
  if (statusCode >= 300)
    return unread(url, statusCode, failure('extract.failed', `The server answered with ${statusCode}.`));
  if (page.cut !== null) {
    const tooLong = page.cut.code === 'content.truncated';
    const message = `A sitemap may have at most ${MAX_BYTES / 2 ** 20} MiB; this one has more.`;
    return unread(url, statusCode, tooLong ? failure('content.truncated', message) : page.cut);
  }
  const problem = found === null ? 'The file takes too long to read.' : found.problem;
  if (problem !== null) return unread(url, statusCode, failure('extract.failed', problem));
  return { url, statusCode, links: found!.links, left: found!.left, failure: null };
}
