import type { TreeNode } from '../page-tree.ts';
import { type PageFacts, showsNothing } from './page-facts.ts';
import { webUrl } from './page-urls.ts';
import { visibleText } from './visible-text.ts';
import { attributeOf, elementsOf, rawText } from './walk-tree.ts';

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
  readonly cut: boolean;
}

export const MOST_LINKS = 10_000;
const LONGEST_TEXT = 500;
const MOST_REL = 10;

/**
 * Where the page links to, in the order of the document, each URL once (its first text that is not empty counts): `a` and `area`;
 * frames, those within a text (`iframe`) only of a page that has no other text; in feeds and sitemaps `link` and `loc`. Places in
 * the page itself (`#top`) and schemes other than http(s) are no links. After them the links of the documents in its frames.
 */
export function pageLinks(facts: PageFacts): PageLinks {
  const found = new Map<string, PageLink>();
  for (const one of [facts, ...facts.frames])
    if (!collect(one, found)) return { links: [...found.values()], cut: true };
  return { links: [...found.values()], cut: false };
}

/** @returns false: there are more than are taken */
function collect(facts: PageFacts, found: Map<string, PageLink>): boolean {
  const { tree, urls, plainXml } = facts;
  const here = urls.page.split('#', 1)[0]!;
  let silent: boolean | null = null;
  for (const element of elementsOf(tree.root)) {
    if (element.tagName === 'iframe') silent ??= showsNothing(facts);
    const href = plainXml ? feedHref(element) : htmlHref(element, silent === true);
    if (href === null) continue;
    const url = webUrl(href, urls.base);
    if (url === null || (url.startsWith(here) && url[here.length] === '#')) continue;
    const known = found.get(url);
    if (known === undefined && found.size >= MOST_LINKS) return false;
    const rel = relOf(element);
    const nofollow = rel.includes('nofollow');
    if (known === undefined) found.set(url, { url, text: textOf(element, plainXml), rel, nofollow });
    else if (known.text === '' || (known.nofollow && !nofollow))
      found.set(url, {
        ...known,
        text: known.text === '' ? textOf(element, plainXml) : known.text,
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
  const text = rawText(element, 8192).trim();
  return text === '' ? null : text;
}

export function relOf(element: TreeNode): string[] {
  const rel = attributeOf(element, 'rel');
  if (rel === null) return [];
  const tokens = rel
    .slice(0, 1000)
    .toLowerCase()
    .split(/[ \t\n\f\r]+/);
  return [...new Set(tokens)].filter((token) => token !== '').slice(0, MOST_REL);
}

function textOf(element: TreeNode, plainXml: boolean): string {
  if (plainXml) return titleBeside(element);
  // What stands in a frame is for browsers that have none.
  if (element.tagName === 'iframe' || element.tagName === 'frame')
    return oneLine(
      (attributeOf(element, 'title') ?? attributeOf(element, 'name') ?? '').slice(0, LONGEST_TEXT),
    );
  const seen = oneLine(visibleText(element, false, LONGEST_TEXT).text);
  if (seen !== '') return seen;
  const alt = attributeOf(element, 'alt') ?? altInside(element);
  const said = alt || attributeOf(element, 'aria-label') || attributeOf(element, 'title') || '';
  return oneLine(said.slice(0, LONGEST_TEXT));
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
function titleBeside(element: TreeNode): string {
  const siblings = element.parentNode?.childNodes ?? [];
  // The members of an entry; a long list of anything else has no title to look for.
  const title = siblings.slice(0, 100).find((node) => node.tagName === 'title');
  return title === undefined ? '' : oneLine(rawText(title, LONGEST_TEXT));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
