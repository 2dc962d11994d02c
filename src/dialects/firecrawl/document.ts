import type { WantedParts } from './draft.ts';
import type { Json } from './members.ts';

/** The members of our scrape response that documents are made of. */
export interface OwnScrape {
  readonly id: string | null;
  readonly status_code: number | null;
  readonly final_url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | null;
  readonly content_encoding: string | null;
  readonly screenshot_url: string | null;
  readonly errors: readonly { readonly message: string }[];
  readonly scraper_data: Json;
  readonly router: {
    readonly proxy_type: string | null;
    readonly outcome: string;
    readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  };
}

/** Warnings that are about the service, and not the page. */
const NOT_SHOWN = new Set(['proxy.direct']);

/** A document of Firecrawl. @param url as it was requested */
export function documentOf(scrape: OwnScrape, url: string, wanted: WantedParts): Json {
  const { scraper_data: data, errors, router } = scrape;
  const warnings = (router.warnings ?? []).filter(({ code }) => !NOT_SHOWN.has(code));
  const told = [...errors, ...warnings].map(({ message }) => message);
  const warning = [...(wanted.notes ?? []), ...told].join(' ');
  const document: Record<string, unknown> = {};
  for (const member of wanted.members) {
    const value = MEMBERS[member]?.(scrape, wanted);
    if (value !== undefined && value !== null) document[member] = value;
  }
  return {
    ...document,
    ...(wanted.actions.length === 0 ? {} : { actions: actionResults(data, wanted.actions) }),
    ...(warning === '' ? {} : { warning }),
    metadata: metadataOf(scrape, url),
  };
}

const urlsOf = (list: unknown): readonly string[] | null =>
  (list as readonly { readonly url: string }[] | null | undefined)?.map(({ url }) => url) ?? null;

/** Members of a document by the names of formats; nothing if there is none. */
const MEMBERS: Readonly<Record<string, (scrape: OwnScrape, wanted: WantedParts) => unknown>> = {
  markdown: ({ scraper_data: { markdown } }) => markdown,
  html: ({ scraper_data: { html } }) => html,
  rawHtml: ({ content, content_encoding: encoding }) => (encoding === 'utf-8' ? content : null),
  links: ({ scraper_data: { links } }) => urlsOf(links),
  images: ({ scraper_data: { images } }) => urlsOf(images),
  screenshot: ({ screenshot_url: url }) => url,
  json: ({ scraper_data: { json } }) => (json as { readonly value: unknown } | null | undefined)?.value,
  attributes: ({ scraper_data: { extract } }, { attributes }) =>
    attributes.map((asked, index) => ({
      ...asked,
      values: (extract as Json | null | undefined)?.[`a${index}`] ?? [],
    })),
  changeTracking: ({ scraper_data: { change } }) => changeTracking(change as Change | undefined),
};

interface Change {
  readonly state: string;
  readonly previous_id: string | null;
  readonly diff: string | null;
}

const CHANGE_STATES: Readonly<Record<string, string>> = {
  first: 'new',
  back: 'new',
  same: 'same',
  changed: 'changed',
  gone: 'removed',
};

/** null: the page could not be compared, which `warning` explains. */
function changeTracking(change: Change | undefined): Json | null {
  const status = change === undefined ? undefined : CHANGE_STATES[change.state];
  if (change === undefined || status === undefined) return null;
  const { previous_id: previous, diff } = change;
  return {
    previousScrapeAt: previous === null ? null : timeOfId(previous),
    changeStatus: status,
    visibility: 'visible',
    ...(diff === null ? {} : { diff: { text: diff } }),
  };
}

/** The time in an id: UUID version 7 (RFC 9562 §5.7). */
export const timeOfId = (id: string): string =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();

interface OwnAction {
  readonly index: number;
  readonly status: string;
  readonly result?: unknown;
}

/** What actions gave, in lists by what they are. @param types of their actions; ours have the same indexes */
function actionResults(data: Json, types: readonly string[]): Json {
  const own = (data.actions as readonly OwnAction[] | undefined) ?? [];
  const of = (type: string) =>
    own.filter(({ index, status }) => types[index] === type && status === 'ok').map(({ result }) => result);
  const pdf = data.pdf as { readonly url: string | null } | null | undefined;
  return {
    screenshots: urlsOf(of('screenshot')),
    scrapes: of('scrape'),
    javascriptReturns: of('executeJavascript').map((value) => ({ type: typeOf(value), value })),
    pdfs: pdf?.url === undefined || pdf.url === null ? [] : [pdf.url],
  };
}

const typeOf = (value: unknown): string =>
  value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value;

interface PageMetadata {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly language?: string | null;
  readonly keywords?: readonly string[];
  readonly robots?: readonly string[];
  readonly favicon?: string | null;
  readonly published?: string | null;
  readonly modified?: string | null;
  readonly open_graph?: Readonly<Record<string, unknown>>;
}

interface ReadDocument {
  readonly title?: string | null;
  readonly pages?: number | null;
  readonly pages_read?: number | null;
}

/** Members with the value null or undefined are left out. */
const present = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/** `og:title` is `ogTitle`, `og:site_name` is `ogSiteName`. */
const openGraphName = (name: string): string =>
  `og${name.replace(/(?:^|[_:-])([a-z])/gi, (_, letter: string) => letter.toUpperCase())}`;

const listOrNull = (list: readonly string[] | undefined): string | null =>
  list === undefined || list.length === 0 ? null : list.join(', ');

function metadataOf({ scraper_data: data, router, ...scrape }: OwnScrape, sourceURL: string): Json {
  const page = (data.metadata ?? {}) as PageMetadata;
  const document = (data.document ?? {}) as ReadDocument;
  const graph = Object.entries(page.open_graph ?? {}).map(([name, value]) => [openGraphName(name), value]);
  const isFailed = router.outcome === 'failed' || router.outcome === 'blocked';
  return present({
    ...Object.fromEntries(graph),
    title: page.title ?? document.title,
    description: page.description,
    language: page.language,
    keywords: listOrNull(page.keywords),
    robots: listOrNull(page.robots),
    favicon: page.favicon,
    publishedTime: page.published,
    modifiedTime: page.modified,
    numPages: document.pages_read,
    totalPages: document.pages,
    sourceURL,
    url: scrape.final_url ?? sourceURL,
    statusCode: scrape.status_code,
    contentType: scrape.headers['content-type'],
    scrapeId: scrape.id,
    proxyUsed: router.proxy_type === 'residential' || router.proxy_type === 'mobile' ? 'stealth' : 'basic',
    cacheState: 'miss',
    creditsUsed: 1,
    error: isFailed ? scrape.errors[0]?.message : null,
  });
}
