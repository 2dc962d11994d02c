import { rfc3339Date } from '../../../base/rfc3339-date.ts';
import { attributeOf, type TreeNode, textContent } from '../../document/page-tree.ts';
import { parseHtml } from '../../document/parse-page.ts';
import { webUrl } from '../../document/parsed-page.ts';
import { serializeElement } from '../../document/serialize.ts';
import { visibleText } from '../../document/visible-text.ts';
import type { Feed, FeedAttachment, FeedEntry, SitemapEntry } from './feed-data.ts';
import { FeedLimits } from './feed-limits.ts';
import { knownName, prefixOf } from './vocabularies.ts';

/** How much of an element is read; more than `FeedLimits` keeps of it, because white space is trimmed. */
const MAX_SOURCE_LENGTH = 400_000;
const MAX_TITLE_LENGTH = 2000;
/** An item has few members. A long list is something else. */
const MAX_MEMBERS = 500;

/** Elements around one that may declare its namespace. */
const MAX_LEVELS = 20;

/** What the prefix of an element stands for (Namespaces in XML 1.0 §6); null: it is not declared. */
function namespaceOf(element: TreeNode): string | null {
  const prefix = prefixOf(element.nodeName);
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  let node: TreeNode | null = element;
  for (let level = 0; node !== null && level < MAX_LEVELS; level++, node = node.parentNode) {
    const declared = node.attrs?.find(({ name }) => name === declaration);
    if (declared !== undefined) return declared.value;
  }
  return null;
}

function rootOf(element: TreeNode): { readonly name: string; readonly namespace: string | null } {
  let root = element;
  for (let level = 0; root.parentNode?.tagName !== undefined && level < MAX_LEVELS; level++)
    root = root.parentNode;
  return { name: root.nodeName, namespace: namespaceOf(root) };
}

/** Members of an element by their names, with the usual prefix: `media:title` is not the title. */
class Members {
  readonly #byName = new Map<string, TreeNode[]>();

  constructor(element: TreeNode) {
    let count = 0;
    const root = rootOf(element);
    for (const node of element.childNodes ?? []) {
      if (node.tagName === undefined) continue;
      // Items are members of a channel, and are read elsewhere.
      if (node.tagName === 'item' || node.tagName === 'entry') continue;
      if (++count > MAX_MEMBERS) break;
      const name = knownName(node.nodeName, namespaceOf(node), root);
      const known = this.#byName.get(name);
      if (known === undefined) this.#byName.set(name, [node]);
      else known.push(node);
    }
  }

  all(...names: readonly string[]): TreeNode[] {
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  /** The trimmed text of the first member that has one. */
  text(...names: readonly string[]): string | null {
    for (const node of this.all(...names)) {
      const text = textContent(node, MAX_SOURCE_LENGTH).trim();
      if (text !== '') return text;
    }
    return null;
  }

  date(...names: readonly string[]): string | null {
    for (const node of this.all(...names)) {
      const date = rfc3339Date(textContent(node, 100));
      if (date !== null) return date;
    }
    return null;
  }
}

/** Reads RSS, RDF and Atom. Elements of one that are used in another count: feeds mix them. */
export function syndicationFeed(kind: 'rss' | 'rdf' | 'atom', root: TreeNode, url: string): Feed {
  const elements = (node: TreeNode) => (node.childNodes ?? []).filter(({ tagName }) => tagName !== undefined);
  const channel = elements(root).find(({ tagName }) => tagName === 'channel') ?? root;
  const inChannel = channel === root ? [] : elements(channel);
  const items = [...inChannel, ...elements(root)].filter(
    ({ tagName }) => tagName === 'item' || tagName === 'entry',
  );
  const limits = new FeedLimits();
  const members = new Members(channel);
  const base = baseOf(channel, baseOf(root, url));
  return {
    kind,
    title: limits.text(plainTitle(members)),
    description: limits.text(members.text('description', 'subtitle', 'tagline')),
    url: linkOf(members, 'alternate', base),
    language:
      limits.text(members.text('language', 'dc:language')) ?? limits.text(attributeOf(root, 'xml:lang')),
    updated: members.date('updated', 'lastBuildDate', 'pubDate', 'dc:date', 'modified'),
    next: linkOf(members, 'next', base),
    items: limits.take(items, (item) => entryOf(item, base, limits)),
    truncated: limits.truncated,
  };
}

function entryOf(item: TreeNode, feedBase: string, limits: FeedLimits): FeedEntry {
  const base = baseOf(item, feedBase);
  const members = new Members(item);
  const [guid] = members.all('guid');
  const id = members.text('id', 'guid', 'dc:identifier') ?? attributeOf(item, 'rdf:about');
  // A `guid` is the URL of the item, unless it says that it is not (RSS 2.0).
  const permalink =
    guid !== undefined &&
    attributeOf(guid, 'isPermaLink')?.toLowerCase() !== 'false' &&
    id !== null &&
    /^https?:/i.test(id)
      ? webUrl(id, base)
      : null;
  const content = members.all('content:encoded', 'content', 'xhtml:body', 'body')[0];
  const summary = members.all('description', 'summary', 'itunes:summary')[0];
  return {
    id: limits.text(id),
    url: linkOf(members, 'alternate', base) ?? permalink,
    title: limits.text(plainTitle(members)),
    summary: limits.text(summary === undefined ? null : markupOf(summary)),
    content: limits.text(content === undefined ? null : markupOf(content)),
    published: members.date(
      'published',
      'pubDate',
      'issued',
      'dc:date',
      'dcterms:issued',
      'created',
      'dcterms:created',
    ),
    updated: members.date('updated', 'modified', 'dcterms:modified'),
    authors: limits.texts(
      members.all('author', 'dc:creator', 'itunes:author', 'contributor').map(authorName),
    ),
    categories: limits.texts(members.all('category', 'dc:subject').map(categoryName)),
    image: imageOf(members, base),
    attachments: limits.list(attachmentsOf(members, base)),
  };
}

/** `xml:base`, which may be relative to the one outside. */
function baseOf(element: TreeNode, outer: string): string {
  const written = attributeOf(element, 'xml:base');
  return written === null ? outer : (webUrl(written, outer) ?? outer);
}

/** Titles may have markup and entities of HTML. */
function plainTitle(members: Members): string | null {
  const title = members.text('title', 'dc:title', 'media:title')?.slice(0, MAX_TITLE_LENGTH) ?? null;
  if (title === null || !/[<&]/.test(title)) return title?.replace(/\s+/g, ' ') ?? null;
  const text = visibleText(parseHtml(title, false).root, false, MAX_TITLE_LENGTH).text;
  return text.replace(/\s+/g, ' ').trim() || title;
}

/** The URL is text in RSS, an attribute in Atom. Without `rel` a link is `alternate`. */
function linkOf(members: Members, rel: string, base: string): string | null {
  for (const link of members.all('link')) {
    if ((attributeOf(link, 'rel') ?? 'alternate') !== rel) continue;
    const written =
      attributeOf(link, 'href') ?? (rel === 'alternate' ? textContent(link, MAX_SOURCE_LENGTH) : '');
    const url = written.trim() === '' ? null : webUrl(written.trim(), baseOf(link, base));
    if (url !== null) return url;
  }
  return null;
}

/** XHTML content of Atom as markup, all else as text, which is markup or not. */
function markupOf(element: TreeNode): string | null {
  const hasElements = (element.childNodes ?? []).some(({ tagName }) => tagName !== undefined);
  if (!hasElements) return textContent(element, MAX_SOURCE_LENGTH);
  const wrapper = attributeOf(element, 'type') === 'xhtml' ? onlyElement(element) : null;
  const tree = { root: element, xml: true, scripting: false, quirks: false };
  const pieces = ((wrapper ?? element).childNodes ?? []).map((node) =>
    serializeElement(node, tree, MAX_SOURCE_LENGTH),
  );
  return pieces.join('');
}

/** The content of Atom is in a `div` that is not part of it (RFC 4287 §4.1.3.3). */
function onlyElement(element: TreeNode): TreeNode | null {
  const elements = (element.childNodes ?? []).filter(({ tagName }) => tagName !== undefined);
  return elements.length === 1 && elements[0]!.tagName === 'div' ? elements[0]! : null;
}

/** `name` of a person of Atom, else the text: a name, or an address with the name in brackets (RSS 2.0). */
function authorName(author: TreeNode): string | null {
  const name = author.childNodes?.find(({ tagName }) => tagName === 'name');
  const text = textContent(name ?? author, 1000)
    .replace(/\s+/g, ' ')
    .trim();
  return /^\S+@\S+ \(([^)]+)\)$/.exec(text)?.[1] ?? text;
}

function categoryName(category: TreeNode): string | null {
  return attributeOf(category, 'label') ?? attributeOf(category, 'term') ?? textContent(category, 1000);
}

function imageOf(members: Members, base: string): string | null {
  const isImage = (node: TreeNode) =>
    attributeOf(node, 'medium') === 'image' || /^image\//.test(attributeOf(node, 'type') ?? '');
  const sources = [
    ...members.all('media:thumbnail', 'itunes:image', 'image'),
    ...members.all('media:content', 'enclosure').filter(isImage),
  ];
  for (const node of sources) {
    const written = attributeOf(node, 'url') ?? attributeOf(node, 'href');
    const url = written === null ? null : webUrl(written.trim(), base);
    if (url !== null) return url;
  }
  return null;
}

function attachmentsOf(members: Members, base: string): FeedAttachment[] {
  const enclosures = members.all('link').filter((link) => attributeOf(link, 'rel') === 'enclosure');
  const found = new Map<string, FeedAttachment>();
  for (const node of [...members.all('enclosure', 'media:content'), ...enclosures]) {
    const written = attributeOf(node, 'url') ?? attributeOf(node, 'href');
    const url = written === null ? null : webUrl(written.trim(), base);
    if (url === null || found.has(url)) continue;
    const length = attributeOf(node, 'length') ?? attributeOf(node, 'fileSize') ?? '';
    found.set(url, {
      url,
      type: attributeOf(node, 'type'),
      bytes: /^\d{1,15}$/.test(length) && length !== '0' ? Number(length) : null,
    });
  }
  return [...found.values()];
}

/** Reads a sitemap or an index of sitemaps. */
export function sitemap(kind: 'sitemap' | 'sitemap_index', root: TreeNode, url: string): Feed {
  const entry = kind === 'sitemap' ? 'url' : 'sitemap';
  const entries = (root.childNodes ?? []).filter(({ tagName }) => tagName === entry);
  const limits = new FeedLimits();
  const items = limits.take(entries, (node): SitemapEntry | null => {
    const members = new Members(node);
    const loc = limits.text(members.text('loc'));
    const location = loc === null ? null : webUrl(loc, url);
    if (location === null) return null;
    const priority = Number(members.text('priority') ?? Number.NaN);
    return {
      url: location,
      updated: members.date('lastmod'),
      change_frequency: limits.text(members.text('changefreq')),
      priority: priority >= 0 && priority <= 1 ? priority : null,
    };
  });
  return sitemapOf(kind, items, limits);
}

/**
 * A sitemap of text: a URL a line and nothing else (https://www.sitemaps.org/protocol.html#otherformats). A single URL is
 * not taken for one.
 */
export function textSitemap(text: string): Feed | null {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/^\ufeff/, '').trim());
  const urls = lines.filter((line) => line !== '');
  if (urls.length < 2 || !urls.every((line) => /^https?:\/\/\S+$/i.test(line))) return null;
  const limits = new FeedLimits();
  const items = limits.take(urls, (line): SitemapEntry | null => {
    const written = limits.text(line);
    const url = written === null ? null : webUrl(written, written);
    return url === null ? null : { url, updated: null, change_frequency: null, priority: null };
  });
  return sitemapOf('sitemap', items, limits);
}

function sitemapOf(
  kind: 'sitemap' | 'sitemap_index',
  items: readonly SitemapEntry[],
  { truncated }: FeedLimits,
): Feed {
  return {
    kind,
    title: null,
    description: null,
    url: null,
    language: null,
    updated: null,
    next: null,
    items,
    truncated,
  };
}
