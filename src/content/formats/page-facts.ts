import type { PageTree, TreeNode } from '../page-tree.ts';
import { type PageUrls, pageUrls } from './page-urls.ts';

/** A parsed page with what all that read it need to know. */
export interface PageFacts {
  readonly tree: PageTree;
  readonly urls: PageUrls;
  /** XML in which the names of HTML mean nothing: a feed, a sitemap. */
  readonly plainXml: boolean;
}

export function pageFacts(tree: PageTree, url: string): PageFacts {
  const plainXml = tree.xml && rootElement(tree)?.tagName !== 'html';
  return { tree, plainXml, urls: plainXml ? { page: url, base: url } : pageUrls(tree.root, url) };
}

export function rootElement(tree: PageTree): TreeNode | null {
  return tree.root.childNodes?.find((node) => node.tagName !== undefined) ?? null;
}
