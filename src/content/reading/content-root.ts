import { attributeOf } from '../document/page-tree.ts';
import type { Outline } from './outline.ts';

export interface ContentRoot {
  /** Index in the outline. */
  readonly index: number;
  /** How it was found, in a word. */
  readonly method: string;
}

const isMain = ({ nodes }: Outline, n: number) =>
  nodes[n]!.tagName === 'main' || attributeOf(nodes[n]!, 'role') === 'main';
const isArticle = ({ nodes }: Outline, n: number) => nodes[n]!.tagName === 'article';

/** @param outline without the frame */
export function contentRoot(outline: Outline): ContentRoot {
  const { text, prose } = outline;
  let root: ContentRoot = { index: 0, method: 'page' };
  const main = largest(outline, 0, isMain, text);
  if (main !== -1 && text[main]! > 0.3 * text[0]! && prose[main]! >= 0.6 * prose[0]!)
    root = { index: main, method: 'main' };
  const article = largest(outline, root.index, isArticle, prose);
  if (article !== -1 && prose[article]! > 0.6 * prose[root.index]! && prose[article]! > 500)
    root = { index: article, method: 'article' };
  return root;
}

function largest(
  outline: Outline,
  within: number,
  matches: (outline: Outline, index: number) => boolean,
  by: Float64Array,
): number {
  let best = -1;
  for (let n = within + 1; n < outline.end[within]!; n++)
    if (matches(outline, n) && (best === -1 || by[n]! > by[best]!)) best = n;
  return best;
}
