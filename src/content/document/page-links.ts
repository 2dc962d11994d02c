import type { TreeNode } from './page-tree.ts';
import { attributeOf, elementsOf, textContent } from './page-tree.ts';
import { hasNoVisibleText, type ParsedPage, webUrl } from './parsed-page.ts';
import { visibleText } from './visible-text.ts';

/** A link as it stands in `scraper_data.links`. */
export interface PageLink {
  /** Absolute, http or https, with its fragment. */
  readonly url: string;
  /** What is to be read on it, else the text for its image, else its label or title; may be empty. */
  readonly text: string;
  /** Tokens of `rel`, lower-case. */
  readonly rel: readonly string[];
  /** `nofollow` stands in the `rel` of every link to this URL. */
  readonly nofollow: boolean;
}

export interface PageLinks {
  readonly links: readonly PageLink[];
  /** There are more. */
  readonly truncated: boolean;
}

export const MAX_LINKS = 10_000;
const MAX_TEXT_LENGTH = 500;
const MAX_REL_TOKENS = 10;

/**
 * Where the page links to, in the order of the document, each URL once (its first text that is not empty counts): `a` and `area`;
 * frames, those within a text (`iframe`) only of a page that has no other text; in feeds and sitemaps `link` and `loc`. Places in
 * the page itself (`#top`) and schemes other than http(s) are no links. After them the links of the documents in its frames.
 */
export function pageLinks(facts: ParsedPage): PageLinks {
  const found = new Map<string, PageLink>();
  for (const one of [facts, ...facts.frames])
    if (!collectLinks(one, found)) return { links: [...found.values()], truncated: true };
  return { links: [...found.values()], truncated: false };
}

/** @returns false: there are more than are taken */
function collectLinks(facts: ParsedPage, found: Map<string, PageLink>): boolean {
  const { tree, urls, plainXml } = facts;
  const here = urls.page.split('#', 1)[0]!;
  let silent: boolean | null = null;
  for (const element of elementsOf(tree.root)) {
    if (element.tagName === 'iframe') silent ??= hasNoVisibleText(facts);
    const href = plainXml ? feedHref(element) : htmlHref(element, silent === true);
    if (href === null) continue;
    const url = webUrl(href, urls.base);
    if (url === null || (url.startsWith(here) && url[here.length] === '#')) continue;
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

function htmlHref(element: TreeNode, frames: boolean): string | null {
  const name = element.tagName;
  if (name === 'frame' || (name === 'iframe' && frames)) return attributeOf(element, 'src');
  if (name !== 'a' && name !== 'area') return null;
  // A link in SVG may have the older attribute.
  return attributeOf(element, 'href') ?? (name === 'a' ? attributeOf(element, 'xlink:href') : null);
}

/** RSS has the URL as text, Atom as attribute, a sitemap in `loc`. */
function feedHref(element: TreeNode): string | null {
  const name = element.tagName;
  if (name !== 'link' && name !== 'loc' && name !== 'a') return null;
  const href = attributeOf(element, 'href');
  if (href !== null || name === 'a') return href;
  const text = textContent(element, 8192).trim();
  return text === '' ? null : text;
}

export function relOf(element: TreeNode): string[] {
  const rel = attributeOf(element, 'rel');
  if (rel === null) return [];
  const tokens = rel
    .slice(0, 1000)
    .toLowerCase()
    .split(/[ \t\n\f\r]+/);
  return [...new Set(tokens)].filter((token) => token !== '').slice(0, MAX_REL_TOKENS);
}

function linkText(element: TreeNode, plainXml: boolean): string {
  if (plainXml) return feedEntryTitle(element);
  // What stands in a frame is for browsers that have none.
  if (element.tagName === 'iframe' || element.tagName === 'frame')
    return collapseWhitespace(
      (attributeOf(element, 'title') ?? attributeOf(element, 'name') ?? '').slice(0, MAX_TEXT_LENGTH),
    );
  const seen = collapseWhitespace(visibleText(element, false, MAX_TEXT_LENGTH).text);
  if (seen !== '') return seen;
  const alt = attributeOf(element, 'alt') ?? altInside(element);
  const said = alt || attributeOf(element, 'aria-label') || attributeOf(element, 'title') || '';
  return collapseWhitespace(said.slice(0, MAX_TEXT_LENGTH));
}

function altInside(element: TreeNode): string | null {
  let looked = 0;
  for (const inner of elementsOf(element)) {
    if (inner.tagName === 'img') {
      const alt = attributeOf(inner, 'alt');
      if (alt !== null && alt.trim() !== '') return alt;
    }
    if (++looked > 100) break;
  }
  return null;
}

/** Of an entry of a feed. */
function feedEntryTitle(element: TreeNode): string {
  const siblings = element.parentNode?.childNodes ?? [];
  // The members of an entry; a long list of anything else has no title to look for.
  const title = siblings.slice(0, 100).find((node) => node.tagName === 'title');
  return title === undefined ? '' : collapseWhitespace(textContent(title, MAX_TEXT_LENGTH));
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
