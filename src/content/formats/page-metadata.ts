/** What a page says of itself, as it stands in `scraper_data.metadata`. Every member is always there. */
export interface PageMetadata {
  readonly title: string | null;
  readonly description: string | null;
  readonly canonical: string | null;
  readonly language: string | null;
  readonly author: string | null;
  readonly site_name: string | null;
  readonly image: string | null;
  readonly favicon: string | null;
  readonly keywords: readonly string[];
  /** As the page writes them. */
  readonly published: string | null;
  readonly modified: string | null;
  readonly generator: string | null;
  /** Directives, lower-case. */
  readonly robots: readonly string[];
  readonly charset: string | null;
  readonly content_type: string;
  readonly open_graph: Readonly<Record<string, string | readonly string[]>>;
  readonly twitter: Readonly<Record<string, string | readonly string[]>>;
  readonly json_ld: readonly unknown[];
  readonly feeds: readonly { readonly url: string; readonly type: string; readonly title: string | null }[];
  readonly alternates: readonly { readonly language: string; readonly url: string }[];
}

/** What stands in the message, not in the page. */
export interface MessageFacts {
  readonly charset: string | null;
  readonly contentType: string;
}

export function noMetadata({ charset, contentType }: MessageFacts): PageMetadata {
  return {
    title: null,
    description: null,
    canonical: null,
    language: null,
    author: null,
    site_name: null,
    image: null,
    favicon: null,
    keywords: [],
    published: null,
    modified: null,
    generator: null,
    robots: [],
    charset,
    content_type: contentType,
    open_graph: {},
    twitter: {},
    json_ld: [],
    feeds: [],
    alternates: [],
  };
}
