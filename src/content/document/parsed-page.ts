import type { FrameDocument } from '../../domain/reading.ts';
import { attributeOf, elementsOf, isInShadowTree, type PageTree, type TreeNode } from './page-tree.ts';
import { parseHtml } from './parse-page.ts';
import { visibleText } from './visible-text.ts';

/** What the relative URLs of a page are resolved against. */
export interface PageUrls {
  /** The URL that the page came from. */
  readonly page: string;
  /** The same, or what `<base>` says. */
  readonly base: string;
}

/** The first `<base href>` counts, unless it is no http(s) URL (WHATWG HTML, "set the frozen base URL"). */
function pageUrls(root: TreeNode, page: string): PageUrls {
  for (const element of elementsOf(root)) {
    if (element.tagName !== 'base' || isInShadowTree(element)) continue;
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
  return url.href.length > MAX_URL_LENGTH ? null : url.href;
}

/** As for the `url` of a request (contract §1). */
const MAX_URL_LENGTH = 8192;

/** A parsed page with what all that read it need to know. */
export interface ParsedPage {
  readonly tree: PageTree;
  readonly urls: PageUrls;
  /** XML in which the names of HTML mean nothing: a feed, a sitemap. */
  readonly plainXml: boolean;
  /** The documents of its frames, as far as they are known. */
  readonly frames: readonly ParsedPage[];
}

const MAX_FRAMES = 20;

/** @param frames what a browser found in them; null: what stands in the page itself (`srcdoc`) is all that is known */
export function toParsedPage(
  tree: PageTree,
  url: string,
  frames: readonly FrameDocument[] | null,
): ParsedPage {
  const plainXml = tree.xml && rootElement(tree)?.tagName !== 'html';
  const urls = plainXml ? { page: url, base: url } : pageUrls(tree.root, url);
  const documents = frames ?? (plainXml ? [] : srcdocDocuments(tree, urls));
  return {
    tree,
    plainXml,
    urls,
    frames: documents.map((one) => toParsedPage(parseHtml(one.html, tree.scripting), one.url, [])),
  };
}

function srcdocDocuments({ root }: PageTree, { base }: PageUrls): FrameDocument[] {
  const documents: FrameDocument[] = [];
  for (const element of elementsOf(root)) {
    const html = element.tagName === 'iframe' ? attributeOf(element, 'srcdoc') : null;
    if (html !== null && documents.length < MAX_FRAMES) documents.push({ url: base, html });
  }
  return documents;
}

/** The page has no text of its own: what a reader sees of it is in its frames, if anywhere. */
export function hasNoVisibleText({ tree, plainXml }: ParsedPage): boolean {
  return visibleText(tree.root, plainXml, 1).text === '';
}

/** Where its frames lead to, the first of them. */
export function frameUrls({ tree, urls }: ParsedPage): string[] {
  const found = new Set<string>();
  for (const element of elementsOf(tree.root)) {
    if (element.tagName !== 'frame' && element.tagName !== 'iframe') continue;
    const src = attributeOf(element, 'src');
    const url = src === null ? null : webUrl(src, urls.base);
    if (url !== null && found.size < MAX_FRAMES) found.add(url);
  }
  return [...found];
}

export function rootElement(tree: PageTree): TreeNode | null {
  return tree.root.childNodes?.find((node) => node.tagName !== undefined) ?? null;
}
