import { classNames } from './class-words.ts';
import type { ContentSelection } from './content-selection.ts';
import { JsonLdCollector, nameInVocabulary, type UnreadJsonLd } from './json-ld.ts';
import { relOf } from './page-links.ts';
import { partElements } from './page-part.ts';
import { attributeOf, elementsOf, type TreeNode, textContent } from './page-tree.ts';
import { type PageUrls, type ParsedPage, rootElement, webUrl } from './parsed-page.ts';
import { truncateText } from './visible-text.ts';

/** `scraper_data.metadata`: what a page states about itself. Every member is always present. */
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
  /** As written in the page. */
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

/** The members that come from the HTTP message and not from the page. */
interface MessageMetadata {
  readonly charset: string | null;
  readonly contentType: string;
}

function emptyMetadata({ charset, contentType }: MessageMetadata): PageMetadata {
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

/** Names of `meta` for the day on which an article came out: of publishers, repositories, analytics, content systems. */
const PUBLISHED = words(`
  citation_publication_date citation_online_date citation_date citation_cover_date bepress_citation_date
  bepress_citation_online_date prism.publicationdate eprints.date dc.date.issued dcterms.issued dc.issued
  dc.date.published dcterms.published parsely-pub-date sailthru.date article.published article:published article_date_original
  originalpublicationdate original-publish-date publication_date publication-date publicationdate publishdate publish_date
  publish-date publishtime publish_time published_time published published_at published-date published_date
  datepublished date_published date-published pubdate pub_date cxenseparse:recs:publishtime cxenseparse:publishtime
  shareaholic:article_published_time rnews:datepublished weibo:article:create_at bt:pubdate release_date date.release
  dateposted uploaddate article.created dcsext.articlefirstpublished gentics.publishdate
`);
/** Names that also mean the day of the file. */
const DATE = words(
  'date dc.date dcterms.date dcterms.created dc.date.created dc.created created creation_date datecreated',
);
const MODIFIED = words(`
  article:modified dc.date.modified dcterms.modified dc.modified datemodified date_modified date-modified last-modified
  last_modified lastmodified lastmod last-updated last_updated updated_time updated_at article.updated article:updated
  revised modified weibo:article:update_at prism.modificationdate
`);
const AUTHOR = words(`
  author dc.creator dcterms.creator dc.contributor citation_author bepress_citation_author eprints.creators_name
  parsely-author sailthru.author article.author rnews:author cxenseparse:author shareaholic:article_author_name byl
`);
/** Names of properties in the body, by microdata and RDFa; the prefix of a vocabulary is left out. */
const BODY_PROPERTIES = new Set([
  'datepublished',
  'datemodified',
  'dateposted',
  'uploaddate',
  'issued',
  'pubdate',
]);
/** Class names of a date: microformats (`h-entry`, hAtom), WordPress. */
const DATE_CLASSES = new Set([
  'dt-published',
  'published',
  'entry-date',
  'post-date',
  'pubdate',
  'date-published',
]);
/** Things in the body whose dates are not those of the page. */
const OTHER_ITEM =
  /(?:Comment|UserComments|Review|Answer|Person|Organization|WebSite|ImageObject|Rating|Offer)$/i;
const MAX_DATE_LENGTH = 100;
const MAX_ITEM_LEVELS = 60;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const MAX_NAMES = 100;
const MAX_VALUES = 20;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2000;

/** How much of a text is read: more than a value may have, because white space is collapsed. */
const MAX_SOURCE_LENGTH = 4 * MAX_VALUE_LENGTH;

/** Trims a text, joins its lines, and limits its length; null if it is empty. */
function shortText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const line = text.slice(0, MAX_SOURCE_LENGTH).replace(/\s+/g, ' ').trim();
  return line === '' ? null : truncateText(line, MAX_VALUE_LENGTH);
}

/** Values by name. A name may have several values. */
class NamedValues {
  readonly #values = new Map<string, string[]>();

  add(name: string, value: string | null): void {
    if (value === null || name === '' || name.length > MAX_NAME_LENGTH) return;
    const known = this.#values.get(name);
    if (known !== undefined) {
      if (known.length < MAX_VALUES && !known.includes(value)) known.push(value);
    } else if (this.#values.size < MAX_NAMES) this.#values.set(name, [value]);
  }

  first(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.#values.get(name)?.[0];
      if (value !== undefined) return value;
    }
    return null;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** A text for each name, or a list if there are several. */
  object(): Record<string, string | string[]> {
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, string | string[]>;
    for (const [name, values] of this.#values) object[name] = values.length === 1 ? values[0]! : values;
    return object;
  }
}

const MAX_HEAD_LINKS = 100;
const FEED_TYPES = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
]);
/** Vocabularies that belong to Open Graph (https://ogp.me), by the prefix of `property`. */
const OPEN_GRAPH_NAME = /^(?:og|article|book|profile|video|music|product|fb):/;

/** A name with the whole address of the vocabulary instead of its prefix. */
const OPEN_GRAPH_ADDRESS = /^https?:\/\/ogp\.me\/ns#/;
/** A page may declare vocabularies for types of its own (https://ogp.me, "Object Types"). */
const MAX_VOCABULARIES = 20;

/** The media type of an element, lower-case, without parameters; empty if there is none. */
function mediaTypeOf(element: TreeNode): string {
  return (attributeOf(element, 'type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Collects metadata from the elements of a page. */
class MetadataCollector {
  title: string | null = null;
  canonical: string | null = null;
  icon: string | null = null;
  touchIcon: string | null = null;
  language: string | null = null;
  publishedTime: string | null = null;
  readonly metaValues = new NamedValues();
  readonly openGraph = new NamedValues();
  readonly twitter = new NamedValues();
  readonly itemprops = new NamedValues();
  readonly jsonLd = new JsonLdCollector();
  readonly feeds: { url: string; type: string; title: string | null }[] = [];
  readonly alternates: { language: string; url: string }[] = [];
  readonly #urls: PageUrls;
  /** Prefixes of vocabularies that the page declares. */
  readonly #vocabularies = new Set<string>();

  constructor(urls: PageUrls) {
    this.#urls = urls;
  }

  collect(element: TreeNode): void {
    if (isMarkedUpInBody(element)) this.#markedUp(element);
    switch (element.tagName) {
      case 'html':
        this.language ??= shortText(attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang'));
        this.#declareVocabularies(element);
        break;
      case 'head':
        this.#declareVocabularies(element);
        break;
      case 'title':
        // SVG has titles too.
        if (element.namespaceURI === undefined || element.namespaceURI.endsWith('xhtml'))
          this.title ??= shortText(textContent(element, MAX_SOURCE_LENGTH));
        break;
      case 'meta':
        this.#meta(element);
        break;
      case 'link':
        this.#link(element);
        break;
      case 'script':
        if (mediaTypeOf(element) === 'application/ld+json') this.jsonLd.add(textContent(element, 2 ** 20));
        break;
    }
  }

  /** A date that the body marks up, by microdata, RDFa, microformats or `pubdate`. */
  #markedUp(element: TreeNode): void {
    const names = [attributeOf(element, 'itemprop'), attributeOf(element, 'property')]
      .flatMap((written) =>
        written === null ? [] : words(written.slice(0, MAX_SOURCE_LENGTH).toLowerCase()),
      )
      .map(nameInVocabulary)
      .filter((name) => BODY_PROPERTIES.has(name));
    const isPublished = attributeOf(element, 'pubdate') !== null || hasDateClass(element);
    if ((names.length === 0 && !isPublished) || isOfOtherItem(element)) return;
    const value = markedUpDate(element);
    for (const name of names) this.itemprops.add(name, value);
    if (isPublished) this.publishedTime ??= value;
  }

  /** The names in `prefix="a: https://a/ b: https://b/"` and in `xmlns:` attributes. */
  #declareVocabularies({ attrs }: TreeNode): void {
    for (const { name, value } of attrs ?? []) {
      const prefixes =
        name === 'prefix'
          ? [...value.slice(0, MAX_SOURCE_LENGTH).matchAll(/(\S+):\s/g)].map((match) => match[1]!)
          : name.startsWith('xmlns:')
            ? [name.slice(6)]
            : [];
      for (const prefix of prefixes)
        if (this.#vocabularies.size < MAX_VOCABULARIES) this.#vocabularies.add(prefix.toLowerCase());
    }
  }

  #isOpenGraph(key: string, name: string): boolean {
    if (OPEN_GRAPH_NAME.test(name)) return true;
    const colon = name.indexOf(':');
    return key === 'property' && colon > 0 && this.#vocabularies.has(name.slice(0, colon));
  }

  #meta(element: TreeNode): void {
    const value = shortText(attributeOf(element, 'content'));
    if (value === null) return;
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-language')
      this.metaValues.add('content-language', value);
    // Pages use each of the attributes with each of the vocabularies.
    for (const key of ['property', 'name', 'itemprop']) {
      const name = attributeOf(element, key)?.trim().toLowerCase().replace(OPEN_GRAPH_ADDRESS, 'og:');
      if (name === undefined || name === '') continue;
      if (name.startsWith('twitter:')) this.twitter.add(name.slice(8), value);
      else if (this.#isOpenGraph(key, name))
        this.openGraph.add(name.startsWith('og:') ? name.slice(3) : name, value);
      else (key === 'itemprop' ? this.itemprops : this.metaValues).add(name, value);
    }
  }

  #link(element: TreeNode): void {
    const rel = relOf(element);
    const href = rel.length === 0 ? null : attributeOf(element, 'href');
    // An empty `href` is not a link to the page itself: it is ignored (WHATWG HTML §4.2.4).
    const url = href === null || href.trim() === '' ? null : webUrl(href, this.#urls.base);
    if (url === null) return;
    if (rel.includes('canonical')) this.canonical ??= url;
    if (rel.includes('icon')) this.icon ??= url;
    else if (rel.includes('apple-touch-icon')) this.touchIcon ??= url;
    if (!rel.includes('alternate') || rel.includes('stylesheet')) return;
    const type = mediaTypeOf(element);
    const language = shortText(attributeOf(element, 'hreflang'));
    if (FEED_TYPES.has(type)) {
      if (this.feeds.length < MAX_HEAD_LINKS)
        this.feeds.push({ url, type, title: shortText(attributeOf(element, 'title')) });
    } else if (language !== null && this.alternates.length < MAX_HEAD_LINKS)
      this.alternates.push({ language, url });
  }
}

/**
 * The metadata of an HTML page. If there are several sources for a value, the most specific one counts.
 * @param selection not null: of the values that the body shows or marks up, only those in the selection count
 */
export function htmlMetadata(
  page: ParsedPage,
  message: MessageMetadata,
  selection: ContentSelection | null = null,
): { readonly metadata: PageMetadata; readonly unread: readonly UnreadJsonLd[] } {
  const { tree, urls } = page;
  const collected = new MetadataCollector(urls);
  const selected = selection === null ? null : new Set(partElements({ document: page, selection }));
  for (const element of elementsOf(tree.root))
    if (selected === null || selected.has(element) || !isMarkedUpInBody(element)) collected.collect(element);
  const { metaValues, openGraph, twitter, itemprops, jsonLd } = collected;
  const image =
    openGraph.first('image', 'image:url', 'image:secure_url') ?? twitter.first('image', 'image:src');
  const metadata = {
    ...emptyMetadata(message),
    title: collected.title ?? openGraph.first('title') ?? twitter.first('title'),
    description:
      metaValues.first('description') ?? openGraph.first('description') ?? twitter.first('description'),
    canonical: collected.canonical,
    language: collected.language ?? metaValues.first('content-language'),
    author:
      metaValues.first(...AUTHOR) ??
      unlessUrl(openGraph.first('article:author')) ??
      shortText(jsonLd.first('author', 'creator')),
    site_name: openGraph.first('site_name') ?? metaValues.first('application-name'),
    image: image === null ? null : webUrl(image, urls.base),
    favicon: collected.icon ?? collected.touchIcon,
    keywords: splitCommaList(metaValues.first('keywords')),
    published:
      openGraph.first('article:published_time', 'published_time', 'article:published') ??
      shortText(jsonLd.first('datePublished', 'uploadDate', 'datePosted')) ??
      itemprops.first('datepublished', 'uploaddate', 'dateposted') ??
      metaValues.first(...PUBLISHED) ??
      openGraph.first('book:release_date', 'video:release_date', 'music:release_date') ??
      collected.publishedTime ??
      itemprops.first('issued', 'pubdate') ??
      metaValues.first(...DATE) ??
      shortText(jsonLd.first('dateCreated')),
    modified:
      openGraph.first('article:modified_time', 'updated_time', 'modified_time') ??
      shortText(jsonLd.first('dateModified')) ??
      itemprops.first('datemodified') ??
      metaValues.first(...MODIFIED),
    generator: metaValues.first('generator'),
    robots: [
      ...new Set(
        metaValues
          .all('robots')
          .flatMap(splitCommaList)
          .map((directive) => directive.toLowerCase()),
      ),
    ],
    open_graph: openGraph.object(),
    twitter: twitter.object(),
    json_ld: jsonLd.blocks,
    feeds: collected.feeds,
    alternates: collected.alternates,
  };
  return { metadata, unread: jsonLd.unread };
}

/** Whether the element says something about what is around it, which need not be what the page is about. */
function isMarkedUpInBody(element: TreeNode): boolean {
  if (element.parentNode?.tagName === 'head') return false;
  const { tagName, attrs = [] } = element;
  if (tagName === 'time') return true;
  if (attrs.some(({ name }) => name === 'itemprop')) return true;
  if (tagName === 'meta' || tagName === 'link') return false;
  return attrs.some(({ name }) => name === 'property') || hasDateClass(element);
}

const hasDateClass = (element: TreeNode): boolean =>
  (element.tagName === 'time' || element.tagName === 'abbr') &&
  classNames(element).some((name) => DATE_CLASSES.has(name));

/** Whether the nearest item around an element is a comment, a person or the like. */
function isOfOtherItem(element: TreeNode): boolean {
  let node = element.parentNode;
  for (
    let level = 0;
    node?.tagName !== undefined && level < MAX_ITEM_LEVELS;
    level++, node = node.parentNode
  ) {
    const type = attributeOf(node, 'itemtype') ?? attributeOf(node, 'typeof');
    if (type !== null)
      return type
        .trim()
        .split(/\s+/, 5)
        .some((one) => OTHER_ITEM.test(one));
  }
  return false;
}

/** A date as the element states it, else its text; null: there is none. */
function markedUpDate(element: TreeNode): string | null {
  for (const name of ['content', 'datetime', 'value', ...(element.tagName === 'abbr' ? ['title'] : [])]) {
    const value = shortText(attributeOf(element, name));
    if (value !== null) return value;
  }
  const text = shortText(textContent(element, MAX_DATE_LENGTH + 1));
  return text !== null && text.length <= MAX_DATE_LENGTH && /\d/.test(text) ? text : null;
}

/** The author, unless it is the URL of a profile. */
function unlessUrl(author: string | null): string | null {
  return author === null || /^https?:/i.test(author) ? null : author;
}

function splitCommaList(text: string | null): string[] {
  if (text === null) return [];
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').slice(0, 100);
}

/** The metadata of a feed (RSS 2.0, RSS 1.0, Atom), or of other XML as far as its root element has members of the same names. */
export function xmlMetadata({ tree, urls }: ParsedPage, message: MessageMetadata): PageMetadata {
  const root = rootElement(tree);
  const children = (node: TreeNode | null | undefined) => node?.childNodes ?? [];
  const channel = children(root).find((node) => node.tagName === 'channel') ?? root;
  const members = children(channel).filter((node) => node.tagName !== undefined);
  const text = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const member = members.find((node) => node.tagName === name);
      const value = member === undefined ? null : shortText(textContent(member, MAX_SOURCE_LENGTH));
      if (value !== null) return value;
    }
    return null;
  };
  const author = members.find((node) => node.tagName === 'author');
  const authorName = children(author).find((node) => node.tagName === 'name');
  const image = members.find((node) => node.tagName === 'image');
  const imageUrl = children(image).find((node) => node.tagName === 'url');
  const homepage = feedHomepage(members);
  const logo = imageUrl === undefined ? text('logo') : shortText(textContent(imageUrl, MAX_SOURCE_LENGTH));
  const icon = text('icon');
  return {
    ...emptyMetadata(message),
    title: text('title'),
    description: text('description', 'subtitle'),
    canonical: homepage === null ? null : webUrl(homepage, urls.base),
    language: text('language') ?? shortText(root === null ? null : attributeOf(root, 'xml:lang')),
    author:
      authorName === undefined
        ? text('author', 'creator', 'managingEditor')
        : shortText(textContent(authorName, MAX_SOURCE_LENGTH)),
    image: logo === null ? null : webUrl(logo, urls.base),
    favicon: icon === null ? null : webUrl(icon, urls.base),
    published: text('pubDate', 'published'),
    modified: text('lastBuildDate', 'updated'),
    generator: text('generator'),
  };
}

/** The URL of the page that the feed belongs to: text in RSS, an attribute in Atom. */
function feedHomepage(members: readonly TreeNode[]): string | null {
  for (const link of members) {
    if (link.tagName !== 'link') continue;
    const rel = attributeOf(link, 'rel') ?? 'alternate';
    const href = attributeOf(link, 'href') ?? shortText(textContent(link, MAX_SOURCE_LENGTH));
    if (rel === 'alternate' && href !== null) return href;
  }
  return null;
}
