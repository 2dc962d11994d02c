import { createHash } from 'node:crypto';
import type { FoundLink, FoundLinks } from '../../domain/found-links.ts';
import { JsonLdCollector } from './json-ld.ts';
import { relOf } from './page-links.ts';
import { attributeOf, childrenOf, type TreeNode, textContent } from './page-tree.ts';
import { type ParsedPage, webUrl } from './parsed-page.ts';
import { visibleText } from './visible-text.ts';

/** Links of one page that are followed. The others are only counted. */
const MAX_FOUND_LINKS = 10_000;
/** As long as the `url` of a request may be (contract §1). A longer `href` cannot become one. */
const MAX_HREF_LENGTH = 3 * 8192;
const MAX_TITLE_LENGTH = 300;
/** How much of a page is compared with other pages. */
const MAX_HASHED_LENGTH = 200_000;
const MAX_JSON_LD_LENGTH = 256 * 1024;
const MAX_JSON_VALUES = 5_000;

const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);
/** Members of JSON-LD that lead to pages. Others, such as `image` and `sameAs`, lead to files and other sites. */
const JSON_LD_MEMBERS = new Set(['url', 'mainEntityOfPage', 'item']);
/** Their text is not shown. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript']);
/** What pages show besides text. */
const EMBEDDING = new Set(['img', 'iframe', 'frame', 'video', 'audio', 'source', 'embed', 'object', 'input']);

/**
 * The links that lead on from a page and from the documents in its frames: `a`, `area`, frames, `link` with the relations
 * canonical, next, prev and (feeds) alternate, JSON-LD; in feeds `link`. Each URL occurs once, without its fragment.
 * @param withTitles whether the texts of the links are read, too, which takes time
 */
export function findLinks(page: ParsedPage, withTitles: boolean): FoundLinks {
  const collector = new LinkCollector(page, withTitles);
  for (const document of [page, ...page.frames]) collector.addDocument(document);
  return collector.result();
}

class LinkCollector {
  readonly #found = new Map<string, FoundLink>();
  readonly #withTitles: boolean;
  readonly #shown: string[] = [];
  readonly #ownUrl: URL;
  #shownLength = 0;
  #left = 0;
  #nofollow = false;

  constructor({ urls }: ParsedPage, withTitles: boolean) {
    this.#ownUrl = new URL(urls.page);
    this.#withTitles = withTitles;
  }

  /** Visits the nodes in the order of the source. Not recursive, so that deep pages do not overflow the stack. */
  addDocument({ tree, urls, plainXml }: ParsedPage): void {
    const jsonLd = new JsonLdCollector();
    const open = [{ children: childrenOf(tree.root), nextIndex: 0 }];
    while (open.length > 0) {
      const frame = open[open.length - 1]!;
      const node = frame.children[frame.nextIndex++];
      if (node === undefined) open.pop();
      else if (node.value !== undefined) this.#show(node.value);
      else if (node.tagName !== undefined) {
        if (plainXml) this.#addFeedElement(node, urls.base);
        else this.#addElement(node, urls.base, jsonLd);
        const children = UNSEEN.has(node.tagName) ? [] : childrenOf(node);
        if (children.length > 0) open.push({ children, nextIndex: 0 });
      }
    }
    for (const href of jsonLdUrls(jsonLd.blocks)) this.#add(href, urls.base, 'link', false, null);
  }

  result(): FoundLinks {
    const links = [...this.#found.values()];
    return {
      links,
      left: this.#left,
      nofollow: this.#nofollow,
      contentHash: this.#contentHash(),
      problem: null,
    };
  }

  #addElement(node: TreeNode, base: string, jsonLd: JsonLdCollector): void {
    switch (node.tagName) {
      case 'a':
      case 'area': {
        const href = attributeOf(node, 'href') ?? attributeOf(node, 'xlink:href');
        if (href !== null) this.#add(href, base, 'link', relOf(node).includes('nofollow'), node);
        break;
      }
      case 'link':
        this.#addRelation(node, base);
        break;
      case 'meta':
        if (attributeOf(node, 'name')?.toLowerCase() === 'robots')
          this.#nofollow ||= /\b(?:nofollow|none)\b/i.test(attributeOf(node, 'content') ?? '');
        break;
      case 'script':
        if (attributeOf(node, 'type')?.trim().toLowerCase() === 'application/ld+json')
          jsonLd.add(textContent(node, MAX_JSON_LD_LENGTH));
        break;
      default:
        if (EMBEDDING.has(node.tagName!)) this.#addEmbedded(node, base);
    }
  }

  #addRelation(node: TreeNode, base: string): void {
    const href = attributeOf(node, 'href');
    if (href === null) return;
    const rel = relOf(node);
    if (rel.includes('canonical') || rel.includes('next') || rel.includes('prev'))
      this.#add(href, base, 'link', false, null);
    else if (
      rel.includes('alternate') &&
      FEED_TYPES.has(attributeOf(node, 'type')?.trim().toLowerCase() ?? '')
    )
      this.#add(href, base, 'feed', false, node);
  }

  #addEmbedded(node: TreeNode, base: string): void {
    const src = attributeOf(node, node.tagName === 'object' ? 'data' : 'src');
    if (src === null) return;
    this.#show(src.slice(0, MAX_TITLE_LENGTH));
    if (node.tagName === 'iframe' || node.tagName === 'frame') this.#add(src, base, 'link', false, null);
  }

  /** The URL is text in RSS, an attribute in Atom, and in `loc` in a sitemap. */
  #addFeedElement(node: TreeNode, base: string): void {
    if (node.tagName !== 'link' && node.tagName !== 'loc') return;
    const rel = attributeOf(node, 'rel');
    if (rel !== null && rel !== 'alternate' && rel !== 'next') return;
    const href = attributeOf(node, 'href') ?? textContent(node, MAX_HREF_LENGTH + 1).trim();
    if (href !== '') this.#add(href, base, 'link', false, null);
  }

  #add(href: string, base: string, kind: FoundLink['kind'], nofollow: boolean, named: TreeNode | null): void {
    // A link within the page.
    if (href.startsWith('#') || href === '') return;
    const url = href.length > MAX_HREF_LENGTH ? undefined : webUrl(href, base);
    // `webUrl` is null for other schemes too; those lead to no page.
    if (url === null && !(href.length > 4096)) return;
    if (url === null || url === undefined) {
      this.#left++;
      return;
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
  }

  #titleOf(node: TreeNode | null): string | null {
    if (!this.#withTitles || node === null) return null;
    const text = visibleText(node, false, MAX_TITLE_LENGTH).text.replace(/\s+/g, ' ').trim();
    return text || attributeOf(node, 'title')?.slice(0, MAX_TITLE_LENGTH).trim() || null;
  }

  #show(text: string): void {
    if (this.#shownLength > MAX_HASHED_LENGTH) return;
    this.#shown.push(text);
    this.#shownLength += text.length;
  }

  /** A hash of texts and embedded files, without the parts of the URL, which pages about missing pages repeat. */
  #contentHash(): string | null {
    let shown = this.#shown.join(' ').replace(/\s+/g, ' ').trim();
    if (shown === '') return null;
    const { pathname, search } = this.#ownUrl;
    const name = pathname.slice(pathname.lastIndexOf('/') + 1);
    for (const part of [pathname + search, decoded(pathname), pathname, decoded(name), name])
      if (part.length > 2) shown = shown.replaceAll(part, '');
    return createHash('sha256').update(shown).digest('hex').slice(0, 32);
  }
}

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
