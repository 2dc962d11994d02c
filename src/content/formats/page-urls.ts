import type { TreeNode } from '../page-tree.ts';
import { isInShadow } from '../shadow-roots.ts';
import { attributeOf, elementsOf } from './walk-tree.ts';

/** What the relative URLs of a page are resolved against. */
export interface PageUrls {
  /** The URL that the page came from. */
  readonly page: string;
  /** The same, or what `<base>` says. */
  readonly base: string;
}

/** The first `<base href>` counts, unless it is no http(s) URL (WHATWG HTML, "set the frozen base URL"). */
export function pageUrls(root: TreeNode, page: string): PageUrls {
  for (const element of elementsOf(root)) {
    if (element.tagName !== 'base' || isInShadow(element)) continue;
    const href = attributeOf(element, 'href');
    if (href === null) continue;
    return { page, base: webUrl(href, page) ?? page };
  }
  return { page, base: page };
}

/** Absolute, by the WHATWG parser; null: it is none. */
export function absoluteUrl(href: string, base: string): string | null {
  return URL.parse(href, base)?.href ?? null;
}

/** The same of http and https alone; longer ones than a request may have are none. */
export function webUrl(href: string, base: string): string | null {
  const url = URL.parse(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.href.length > LONGEST ? null : url.href;
}

/** As for the `url` of a request (contract §1). */
const LONGEST = 8192;
