import type { FrameDocument } from '../../domain/reading.ts';
import type { PageTree, TreeNode } from '../page-tree.ts';
import { parseHtml } from '../parse-page.ts';
import { type PageUrls, pageUrls, webUrl } from './page-urls.ts';
import { visibleText } from './visible-text.ts';
import { attributeOf, elementsOf } from './walk-tree.ts';

/** A parsed page with what all that read it need to know. */
export interface PageFacts {
  readonly tree: PageTree;
  readonly urls: PageUrls;
  /** XML in which the names of HTML mean nothing: a feed, a sitemap. */
  readonly plainXml: boolean;
  /** The documents of its frames, as far as they are known. */
  readonly frames: readonly PageFacts[];
}

const MOST_FRAMES = 20;

/** @param frames what a browser found in them; null: what stands in the page itself (`srcdoc`) is all that is known */
export function pageFacts(tree: PageTree, url: string, frames: readonly FrameDocument[] | null): PageFacts {
  const plainXml = tree.xml && rootElement(tree)?.tagName !== 'html';
  const urls = plainXml ? { page: url, base: url } : pageUrls(tree.root, url);
  const documents = frames ?? (plainXml ? [] : writtenIn(tree, urls));
  return {
    tree,
    plainXml,
    urls,
    frames: documents.map((one) => pageFacts(parseHtml(one.html, tree.scripting), one.url, [])),
  };
}

function writtenIn({ root }: PageTree, { base }: PageUrls): FrameDocument[] {
  const documents: FrameDocument[] = [];
  for (const element of elementsOf(root)) {
    const html = element.tagName === 'iframe' ? attributeOf(element, 'srcdoc') : null;
    if (html !== null && documents.length < MOST_FRAMES) documents.push({ url: base, html });
  }
  return documents;
}

/** The page has no text of its own: what a reader sees of it is in its frames, if anywhere. */
export function showsNothing({ tree, plainXml }: PageFacts): boolean {
  return visibleText(tree.root, plainXml, 1).text === '';
}

/** Where its frames lead to, the first of them. */
export function frameUrls({ tree, urls }: PageFacts): string[] {
  const found = new Set<string>();
  for (const element of elementsOf(tree.root)) {
    if (element.tagName !== 'frame' && element.tagName !== 'iframe') continue;
    const src = attributeOf(element, 'src');
    const url = src === null ? null : webUrl(src, urls.base);
    if (url !== null && found.size < MOST_FRAMES) found.add(url);
  }
  return [...found];
}

export function rootElement(tree: PageTree): TreeNode | null {
  return tree.root.childNodes?.find((node) => node.tagName !== undefined) ?? null;
}
