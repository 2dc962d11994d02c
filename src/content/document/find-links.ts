import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import type { FoundLink, FoundLinks } from '../../domain/found-links.ts';
import { HIDDEN_ADDRESSES } from './hidden-addresses.ts';
import { JsonLdCollector } from './json-ld.ts';
import { attributeOf, childrenOf, type TreeNode, textContent } from './page-tree.ts';
import { type ParsedPage, webUrl } from './parsed-page.ts';
import { visibleText } from './visible-text.ts';

const loadPackage = createRequire(import.meta.url);

/** Links of one page that are followed. The others are only counted. */
const MAX_FOUND_LINKS = 10_000;
/** As long as the `url` of a request may be (contract §1). A longer `href` cannot become one. */
const MAX_HREF_LENGTH = 3 * 8192;
const MAX_TITLE_LENGTH = 300;
/** How much of a page is compared with other pages. */
const MAX_HASHED_LENGTH = 200_000;
/** A longer text says enough by itself. */
const MAX_LIST_LENGTH = 1_000;
const MAX_JSON_LD_LENGTH = 256 * 1024;
const MAX_JSON_VALUES = 5_000;

const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);
/** Members of JSON-LD that lead to pages. Others, such as `image` and `sameAs`, lead to files and other sites. */
const JSON_LD_MEMBERS = new Set(['url', 'mainEntityOfPage', 'item']);
/** Their text is not shown. */
const UNSEEN = new Set(['script', 'style', 'template']);
/** What pages show besides text. */
const EMBEDDING = new Set(['img', 'iframe', 'frame', 'video', 'audio', 'source', 'embed', 'object', 'input']);

/**
 * The links that lead on from a page and from the documents in its frames: `a`, `area`, frames, `link` with the relations
 * canonical, next, prev and (feeds) alternate, JSON-LD; in feeds `link`. Each URL occurs once, without its fragment.
 * @param withTitles whether the texts of the links are read, too, which takes time
 */
export function findLinks(page: ParsedPage, withTitles: boolean): FoundLinks {
  const collector = new LinkCollector(page.urls.page, withTitles);
  for (const document of [page, ...page.frames]) addDocument(collector, document);
  return collector.result();
}

/** Visits the nodes in the order of the source. Not recursive, so that deep pages do not overflow the stack. */
function addDocument(collector: LinkCollector, { tree, urls, plainXml }: ParsedPage): void {
  collector.beginDocument(urls.base);
  const open = [{ children: childrenOf(tree.root), nextIndex: 0 }];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) open.pop();
    else if (node.value !== undefined) collector.addText(node.value);
    else if (node.tagName !== undefined) {
      if (plainXml) collector.addFeedElement(node);
      else {
        collector.addElement(node.tagName, (name) => attributeOf(node, name), node);
        if (isJsonLd(node.tagName, (name) => attributeOf(node, name)))
          collector.addJsonLd(textContent(node, MAX_JSON_LD_LENGTH));
      }
      const children = UNSEEN.has(node.tagName) ? [] : childrenOf(node);
      if (children.length > 0) open.push({ children, nextIndex: 0 });
    }
  }
  collector.endDocument();
}

/** What only the tree of a page shows: shadow roots, and documents in frames. */
const NEEDS_TREE = /shadowrootmode|srcdoc/i;

/**
 * The same from the source of an HTML page, in a fifth of the time, for crawls that want nothing else of it.
 * @returns null: the page has to be parsed
 */
export function findLinksInSource(text: string, url: string): FoundLinks | null {
  if (NEEDS_TREE.test(text) || HIDDEN_ADDRESSES.test(text)) return null;
  const { Parser } = loadPackage('htmlparser2') as typeof HtmlParser2;
  const collector = new LinkCollector(url, false);
  collector.beginDocument(url);
  let hasBase = false;
  let hasLateBase = false;
  /** Elements that are open within one whose content is not shown, and that one. */
  let unseen: string | null = null;
  let depth = 0;
  let jsonLd: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (unseen !== null) {
        if (name === unseen) depth++;
        return;
      }
      const attribute = (key: string): string | null => attributes[key] ?? null;
      const href = name === 'base' && !hasBase ? attribute('href') : null;
      if (href !== null) {
        hasBase = true;
        hasLateBase = !collector.isEmpty;
        collector.beginDocument(webUrl(href, url) ?? url);
      }
      collector.addElement(name, attribute, null);
      if (isJsonLd(name, attribute)) jsonLd = '';
      if (UNSEEN.has(name)) {
        unseen = name;
        depth = 1;
      }
    },
    ontext(value) {
      if (unseen === null) collector.addText(value);
      else if (jsonLd !== null && jsonLd.length < MAX_JSON_LD_LENGTH) jsonLd += value;
    },
    onclosetag(name) {
      if (name !== unseen || --depth > 0) return;
      if (jsonLd !== null) collector.addJsonLd(jsonLd);
      jsonLd = null;
      unseen = null;
    },
  });
  parser.end(text);
  collector.endDocument();
  // The first base is that of all links, those before it, too (HTML Standard, document base URL).
  return hasLateBase ? null : collector.result();
}

type AttributeReader = (name: string) => string | null;

const isJsonLd = (tagName: string, attribute: AttributeReader): boolean =>
  tagName === 'script' && attribute('type')?.trim().toLowerCase() === 'application/ld+json';

class LinkCollector {
  readonly #found = new Map<string, FoundLink>();
  readonly #withTitles: boolean;
  readonly #shown: string[] = [];
  readonly #ownUrl: URL;
  #shownLength = 0;
  /** The last link, while nothing is shown for it. */
  #unnamed: string | null = null;
  /** Links that show a text or a picture. */
  readonly #listed = new Set<string>();
  #left = 0;
  #nofollow = false;

  #base = '';
  #jsonLd = new JsonLdCollector();

  constructor(url: string, withTitles: boolean) {
    this.#ownUrl = new URL(url);
    this.#withTitles = withTitles;
  }

  /** @param base of its relative URLs */
  beginDocument(base: string): void {
    this.#base = base;
  }

  endDocument(): void {
    for (const href of jsonLdUrls(this.#jsonLd.blocks)) this.#add(href, 'link', false, null);
    this.#jsonLd = new JsonLdCollector();
  }

  addJsonLd(text: string): void {
    this.#jsonLd.add(text);
  }

  /** Whether no URL was read yet. */
  get isEmpty(): boolean {
    return this.#found.size + this.#left === 0;
  }

  result(): FoundLinks {
    const links = [...this.#found.values()];
    return {
      links,
      left: this.#left,
      nofollow: this.#nofollow,
      contentHash: this.#contentHash(),
      blocks: null,
      problem: null,
    };
  }

  /** @param node for the title of a link; null: titles are not read */
  addElement(name: string, attribute: AttributeReader, node: TreeNode | null): void {
    switch (name) {
      case 'a':
      case 'area': {
        const href = attribute('href') ?? attribute('xlink:href');
        if (href === null) break;
        const nofollow = tokensOf(attribute('rel')).includes('nofollow');
        this.#unnamed = this.#add(href, 'link', nofollow, node);
        break;
      }
      case 'link':
        this.#addRelation(attribute, node);
        break;
      case 'meta':
        if (attribute('name')?.toLowerCase() === 'robots')
          this.#nofollow ||= /\b(?:nofollow|none)\b/i.test(attribute('content') ?? '');
        break;
      default:
        if (EMBEDDING.has(name)) this.#addEmbedded(name, attribute);
    }
  }

  #addRelation(attribute: AttributeReader, node: TreeNode | null): void {
    const href = attribute('href');
    if (href === null) return;
    const rel = tokensOf(attribute('rel'));
    if (rel.includes('canonical') || rel.includes('next') || rel.includes('prev'))
      this.#add(href, 'link', false, null);
    else if (rel.includes('alternate') && FEED_TYPES.has(attribute('type')?.trim().toLowerCase() ?? ''))
      this.#add(href, 'feed', false, node);
  }

  #addEmbedded(name: string, attribute: AttributeReader): void {
    const src = attribute(name === 'object' ? 'data' : 'src');
    if (src === null) return;
    this.addText(src.slice(0, MAX_TITLE_LENGTH));
    if (name === 'iframe' || name === 'frame') this.#add(src, 'link', false, null);
  }

  /** The URL is text in RSS, an attribute in Atom, and in `loc` in a sitemap. */
  addFeedElement(node: TreeNode): void {
    if (node.tagName !== 'link' && node.tagName !== 'loc') return;
    const rel = attributeOf(node, 'rel');
    if (rel !== null && rel !== 'alternate' && rel !== 'next') return;
    const href = attributeOf(node, 'href') ?? textContent(node, MAX_HREF_LENGTH + 1).trim();
    if (href !== '') this.#add(href, 'link', false, null);
  }

  /** @returns the URL without its fragment; null: it is not followed */
  #add(href: string, kind: FoundLink['kind'], nofollow: boolean, named: TreeNode | null): string | null {
    // A link within the page.
    if (href.startsWith('#') || href === '') return null;
    const url = href.length > MAX_HREF_LENGTH ? undefined : webUrl(href, this.#base);
    // `webUrl` is null for other schemes too; those lead to no page.
    if (url === null && !(href.length > 4096)) return null;
    if (url === null || url === undefined) {
      this.#left++;
      return null;
    }
    const hash = url.indexOf('#');
    const page = hash === -1 ? url : url.slice(0, hash);
    const known = this.#found.get(page);
    if (known === undefined) {
      if (this.#found.size >= MAX_FOUND_LINKS) this.#left++;
      else
        this.#found.set(page, { url: page, kind, nofollow, title: this.#titleOf(named), lastModified: null });
    } else if ((known.nofollow && !nofollow) || (known.title === null && this.#withTitles))
      this.#found.set(page, {
        ...known,
        nofollow: known.nofollow && nofollow,
        title: known.title ?? this.#titleOf(named),
      });
    return page;
  }

  #titleOf(node: TreeNode | null): string | null {
    if (!this.#withTitles || node === null) return null;
    const text = visibleText(node, false, MAX_TITLE_LENGTH).text.replace(/\s+/g, ' ').trim();
    return text || attributeOf(node, 'title')?.slice(0, MAX_TITLE_LENGTH).trim() || null;
  }

  addText(text: string): void {
    if (this.#shownLength > MAX_HASHED_LENGTH) return;
    if (this.#unnamed !== null && /\S/.test(text)) {
      this.#listed.add(this.#unnamed);
      this.#unnamed = null;
    }
    this.#shown.push(text);
    this.#shownLength += text.length;
  }

  /**
   * A hash of texts and embedded files, without the path of the URL, which pages about missing pages repeat. A page with few
   * words may only list links: those that it shows count, too, without their queries, in which sites repeat that of the page.
   */
  #contentHash(): string | null {
    let shown = this.#shown.join(' ').replace(/\s+/g, ' ').trim();
    if (shown === '') return null;
    const { pathname, search, href } = this.#ownUrl;
    if (shown.length < MAX_LIST_LENGTH)
      for (const url of this.#listed) if (url !== href.split('#', 1)[0]) shown += ` ${url.split('?', 1)[0]}`;
    for (const part of [pathname + search, decoded(pathname), pathname])
      if (part.length > 2) shown = shown.replaceAll(part, '');
    return createHash('sha256').update(shown.trim()).digest('hex').slice(0, 32);
  }
}

const tokensOf = (rel: string | null): readonly string[] =>
  rel === null
    ? []
    : rel
        .slice(0, 1_000)
        .toLowerCase()
        .split(/[ \t\n\f\r]+/);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not UTF-8.
    return text;
  }
}

/** The URLs of pages in JSON-LD: texts in some members, or the `@id` of what stands there. */
function* jsonLdUrls(blocks: readonly unknown[]): Generator<string> {
  const queue: unknown[] = [...blocks];
  for (let index = 0; index < queue.length && index < MAX_JSON_VALUES; index++) {
    const value = queue[index];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      queue.push(...value.slice(0, 1_000));
      continue;
    }
    for (const [name, member] of Object.entries(value).slice(0, 1_000)) {
      if (JSON_LD_MEMBERS.has(name)) {
        const url = typeof member === 'string' ? member : (member as { '@id'?: unknown } | null)?.['@id'];
        if (typeof url === 'string' && url !== '') yield url;
      }
      if (typeof member === 'object') queue.push(member);
    }
  }
}
