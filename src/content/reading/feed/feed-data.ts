export type FeedKind = 'rss' | 'rdf' | 'atom' | 'json_feed' | 'sitemap' | 'sitemap_index';

/** `scraper_data.feed`. Dates are RFC 3339, URLs absolute; what the feed does not tell is null or empty. */
export interface Feed {
  readonly kind: FeedKind;
  readonly title: string | null;
  readonly description: string | null;
  /** The page that the feed belongs to. */
  readonly url: string | null;
  readonly language: string | null;
  readonly updated: string | null;
  /** The next part of the feed (RFC 5005, JSON Feed). */
  readonly next: string | null;
  /** Those of sitemaps are `SitemapEntry`. */
  readonly items: readonly (FeedEntry | SitemapEntry)[];
  /** The feed has more items than are read. */
  readonly truncated: boolean;
}

/** An item of RSS, Atom or JSON Feed. */
export interface FeedEntry {
  readonly id: string | null;
  readonly url: string | null;
  /** Without markup. */
  readonly title: string | null;
  /** Text or HTML, as it is written. */
  readonly summary: string | null;
  /** Text or HTML, as it is written. */
  readonly content: string | null;
  readonly published: string | null;
  readonly updated: string | null;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly image: string | null;
  readonly attachments: readonly FeedAttachment[];
}

export interface FeedAttachment {
  readonly url: string;
  readonly type: string | null;
  readonly bytes: number | null;
}

/** A page in a sitemap, or a sitemap in an index (https://www.sitemaps.org/protocol.html). */
export interface SitemapEntry {
  readonly url: string;
  readonly updated: string | null;
  readonly change_frequency: string | null;
  /** 0 to 1. */
  readonly priority: number | null;
}
