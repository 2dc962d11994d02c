import { type PagePart, partElements } from './page-part.ts';
import { attributeOf, elementsOf, type TreeNode, textContent } from './page-tree.ts';
import { hasNoVisibleText, webUrl } from './parsed-page.ts';
import { visibleText } from './visible-text.ts';

/** A link in `scraper_data.links`. */
export interface PageLink {
  /** Absolute, http or https, with its fragment. */
  readonly url: string;
  /** The visible text, else the alternative text of its image, else its label or title; may be empty. */
  readonly text: string;
  /** Tokens of `rel`, lower-case. */
  readonly rel: readonly string[];
  /** Every link to this URL has `nofollow` in its `rel`. */
  readonly nofollow: boolean;
}

export interface PageLinks {
  readonly links: readonly PageLink[];
  /** The page has more links. */
  readonly truncated: boolean;
}

/** A limit of the contract (`links` of `scraper_data`). */
export const MAX_LINKS = 10_000;
const MAX_TEXT_LENGTH = 500;
const MAX_REL_LENGTH = 1000;
const MAX_REL_TOKENS = 10;
/** As long as the `url` of a request may be (contract §1). */
const MAX_URL_TEXT_LENGTH = 8192;
/** Elements of a link that are searched for an alternative text. */
const MAX_VISITED_ELEMENTS = 100;

/**
 * The links of the parts of a page, in the order of the parts and of the source. Each URL occurs once, with the first text
 * that is not empty. Links are `a` and `area`; `frame`; `iframe` only if the page has no visible text; in feeds and sitemaps
 * `link` and `loc`. Links within the page (`#top`) and schemes other than http(s) are left out.
 */
export function pageLinks(parts: readonly PagePart[]): PageLinks {
  const found = new Map<string, PageLink>();
  for (const part of parts)
    if (!collectLinks(part, found)) return { links: [...found.values()], truncated: true };
  return { links: [...found.values()], truncated: false };
}

/** @returns false: the limit was reached */
function collectLinks(part: PagePart, found: Map<string, PageLink>): boolean {
  const { document } = part;
  const { urls, plainXml } = document;
  const ownUrl = urls.page.split('#', 1)[0]!;
  let textless: boolean | null = null;
  for (const element of partElements(part)) {
    if (element.tagName === 'iframe') textless ??= hasNoVisibleText(document);
    const href = plainXml ? feedHref(element) : htmlHref(element, textless === true);
    if (href === null) continue;
    const url = webUrl(href, urls.base);
    if (url === null || (url.startsWith(ownUrl) && url[ownUrl.length] === '#')) continue;
    const known = found.get(url);
    if (known === undefined && found.size >= MAX_LINKS) return false;
    const rel = relOf(element);
    const nofollow = rel.includes('nofollow');
    if (known === undefined) found.set(url, { url, text: linkText(element, plainXml), rel, nofollow });
    else if (known.text === '' || (known.nofollow && !nofollow))
      found.set(url, {
        ...known,
        text: known.text === '' ? linkText(element, plainXml) : known.text,
        nofollow: known.nofollow && nofollow,
      });
  }
  return true;
}

function htmlHref(element: TreeNode, includeIframes: boolean): string | null {
  const name = element.tagName;
  if (name === 'frame' || (name === 'iframe' && includeIframes)) return attributeOf(element, 'src');
  if (name !== 'a' && name !== 'area') return null;
  // Links in SVG may have the older `xlink:href`.
  return attributeOf(element, 'href') ?? (name === 'a' ? attributeOf(element, 'xlink:href') : null);
}

/** The URL is text in RSS, an attribute in Atom, and in `loc` in a sitemap. */
function feedHref(element: TreeNode): string | null {
  const name = element.tagName;
  if (name !== 'link' && name !== 'loc' && name !== 'a') return null;
  const href = attributeOf(element, 'href');
  if (href !== null || name === 'a') return href;
  const text = textContent(element, MAX_URL_TEXT_LENGTH).trim();
  return text === '' ? null : text;
}

export function relOf(element: TreeNode): string[] {
  const rel = attributeOf(element, 'rel');
  if (rel === null) return [];
  const tokens = rel
    .slice(0, MAX_REL_LENGTH)
    .toLowerCase()
    .split(/[ \t\n\f\r]+/);
  return [...new Set(tokens)].filter((token) => token !== '').slice(0, MAX_REL_TOKENS);
}

function linkText(element: TreeNode, plainXml: boolean): string {
  if (plainXml) return feedEntryTitle(element);
  // The content of a frame element is for browsers without frames.
  if (element.tagName === 'iframe' || element.tagName === 'frame')
    return collapseWhitespace(
      (attributeOf(element, 'title') ?? attributeOf(element, 'name') ?? '').slice(0, MAX_TEXT_LENGTH),
    );
  const visible = collapseWhitespace(visibleText(element, false, MAX_TEXT_LENGTH).text);
  if (visible !== '') return visible;
  const alt = attributeOf(element, 'alt') ?? altInside(element);
  const label = alt || attributeOf(element, 'aria-label') || attributeOf(element, 'title') || '';
  return collapseWhitespace(label.slice(0, MAX_TEXT_LENGTH));
}

function altInside(element: TreeNode): string | null {
  let visited = 0;
  for (const inner of elementsOf(element)) {
    if (inner.tagName === 'img') {
      const alt = attributeOf(inner, 'alt');
      if (alt !== null && alt.trim() !== '') return alt;
    }
    if (++visited > MAX_VISITED_ELEMENTS) break;
  }
  return null;
}

/** The title of the feed entry that contains this element. */
function feedEntryTitle(element: TreeNode): string {
  const siblings = element.parentNode?.childNodes ?? [];
  // An entry has few members. A long list is something else.
  const title = siblings.slice(0, 100).find((node) => node.tagName === 'title');
  return title === undefined ? '' : collapseWhitespace(textContent(title, MAX_TEXT_LENGTH));
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
