/**
 * Where links for a crawl or a map are found. `page`: in a page; `titled_page`: with the texts of the links; `sitemap`: in a
 * sitemap, an index of sitemaps, a feed or a list of URLs, also packed with gzip.
 */
export type LinkSource = 'page' | 'titled_page' | 'sitemap';

/** A URL that leads on from a page. It is not in any answer. */
export interface FoundLink {
  /** Absolute, http or https, at most 8,192 characters. */
  readonly url: string;
  /** `feed`: a feed of the page. `sitemap`: listed in an index of sitemaps. */
  readonly kind: 'link' | 'feed' | 'sitemap';
  readonly nofollow: boolean;
  /** Text of the link or title of the entry; null: unknown. */
  readonly title: string | null;
  /** RFC 3339; null: unknown. */
  readonly lastModified: string | null;
}

export interface FoundLinks {
  readonly links: readonly FoundLink[];
  /** Links that are not in `links`: beyond the limit, or with a URL that is too long. */
  readonly left: number;
  /** The page asks that none of its links is followed. */
  readonly nofollow: boolean;
  /**
   * Identifies what the page shows, whatever its URL is (16 bytes as hexadecimal digits); null: it shows nothing, or `finds`
   * is `sitemap`.
   */
  readonly contentHash: string | null;
  /** The blocks of text of the page, see `mainContent.commonBlocks`; null: not asked for, or not found in time. */
  readonly blocks: readonly number[] | null;
  /** Why a sitemap could not be read, for people; null: it could. */
  readonly problem: string | null;
}
