/** The members of a crawl that say which pages it visits (contract §13), as the store keeps them. */

export const CRAWL_SCOPES = ['host', 'path', 'domain', 'any'] as const;
/** Which URLs belong to a crawl, compared with its start URLs. */
export type CrawlScope = (typeof CRAWL_SCOPES)[number];

export const SITEMAP_MODES = ['include', 'only', 'ignore'] as const;
export type SitemapMode = (typeof SITEMAP_MODES)[number];

/** A request that pages get whose URLs match. */
export interface CrawlRule {
  readonly match: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Plain data: it is stored as JSON. */
export interface CrawlSettings {
  /** Canonical URLs, at least one. */
  readonly startUrls: readonly string[];
  /** Where start URLs were redirected within their site, so that the scope `path` follows; absent: nowhere yet. */
  readonly movedTo?: readonly string[];
  readonly maxDepth: number;
  /** Globs, or regular expressions between slashes. Empty: every URL. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly scope: CrawlScope;
  readonly sitemap: SitemapMode;
  /** Whether links to feeds are followed. */
  readonly feeds: boolean;
  /** Whether `rel=nofollow` and `<meta name=robots content=nofollow>` hold. */
  readonly respectsNofollow: boolean;
  /** Parameters of queries that are dropped, as names or regular expressions between slashes; true: all. */
  readonly ignoreQuery: readonly string[] | true;
  readonly maxUrlsPerPattern: number;
  readonly robots: 'respect' | 'ignore';
  readonly rules: readonly CrawlRule[];
}
