import type { FrameDocument } from '../../domain/reading.ts';
import { attributeOf, elementsOf, isInShadowTree, type PageTree, type TreeNode } from './page-tree.ts';
import { parseHtml } from './parse-page.ts';
import { visibleText } from './visible-text.ts';

export interface PageUrls {
  /** The URL of the page. */
  readonly page: string;
  /** What relative URLs are resolved against: the URL of the page, or of its `<base>`. */
  readonly base: string;
}

/** The first `<base href>` counts if it is an http(s) URL (WHATWG HTML, "set the frozen base URL"). */
function pageUrls(root: TreeNode, page: string): PageUrls {
  for (const element of elementsOf(root)) {
    if (element.tagName !== 'base' || isInShadowTree(element)) continue;
    const href = attributeOf(element, 'href');
    if (href === null) continue;
    return { page, base: webUrl(href, page) ?? page };
  }
  return { page, base: page };
}

/** The absolute URL, by the WHATWG parser; null if it is not valid. */
export function absoluteUrl(href: string, base: string): string | null {
  return URL.parse(href, base)?.href ?? null;
}

/** The absolute URL if it is http(s) and not longer than a request may contain; otherwise null. */
export function webUrl(href: string, base: string): string | null {
  const url = URL.parse(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.href.length > MAX_URL_LENGTH ? null : url.href;
}

/** The limit for the `url` of a request (contract §1). */
const MAX_URL_LENGTH = 8192;

export interface ParsedPage {
  readonly tree: PageTree;
  readonly urls: PageUrls;
  /** XML that is not XHTML: a feed, a sitemap. */
  readonly plainXml: boolean;
  /** The documents in its frames, as far as they are known. */
  readonly frames: readonly ParsedPage[];
}

const MAX_FRAMES = 20;

/** @param frames the documents that a browser found in the frames; null: only those in `srcdoc` are known */
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
    frames: documents.map((frame) => toParsedPage(parseHtml(frame.html, tree.scripting), frame.url, [])),
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

/** Whether the page has no visible text of its own, apart from its frames. */
export function hasNoVisibleText({ tree, plainXml }: ParsedPage): boolean {
  return visibleText(tree.root, plainXml, 1).text === '';
}

/** The URLs of the frames, at most `MAX_FRAMES`. */
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
