import type { Outline } from '../../document/outline.ts';
import { attributeOf } from '../../document/page-tree.ts';

export interface ContentRoot {
  /** Index in the outline. */
  readonly index: number;
  /** How the root was found: a value of `MainContent.method`. */
  readonly method: string;
}

const isMain = ({ nodes }: Outline, n: number) =>
  nodes[n]!.tagName === 'main' || attributeOf(nodes[n]!, 'role') === 'main';
const isArticle = ({ nodes }: Outline, n: number) => nodes[n]!.tagName === 'article';

/** `main` counts if it holds these shares of the page's text and sentences. */
const MAIN_TEXT = 0.3;
const MAIN_PROSE = 0.6;
/** An `article` counts if it holds more than this share of the sentences, and more characters of sentences than this. */
const ARTICLE_PROSE = 0.6;
/** On pages that do not call themselves articles it may be one of several items, and must hold more. */
const OTHER_ARTICLE_PROSE = 0.9;
const MIN_ARTICLE_PROSE = 500;

/**
 * The element in which the main content is searched: `main` or an `article` if it holds most of the sentences, else the page.
 * @param outline without boilerplate
 * @param declaredArticle the page says that it is an article
 */
export function contentRoot(outline: Outline, declaredArticle: boolean): ContentRoot {
  const { text, prose } = outline;
  let root: ContentRoot = { index: 0, method: 'page' };
  const main = largest(outline, 0, isMain, text);
  if (main !== -1 && text[main]! > MAIN_TEXT * text[0]! && prose[main]! >= MAIN_PROSE * prose[0]!)
    root = { index: main, method: 'main' };
  const article = largest(outline, root.index, isArticle, prose);
  const share = declaredArticle ? ARTICLE_PROSE : OTHER_ARTICLE_PROSE;
  if (article !== -1 && prose[article]! > share * prose[root.index]! && prose[article]! > MIN_ARTICLE_PROSE)
    root = { index: article, method: 'article' };
  return root;
}

/** The index of the matching element inside `within` that has the largest value; -1: none matches. */
function largest(
  outline: Outline,
  within: number,
  matches: (outline: Outline, index: number) => boolean,
  values: Float64Array,
): number {
  let best = -1;
  for (let n = within + 1; n < outline.end[within]!; n++)
    if (matches(outline, n) && (best === -1 || values[n]! > values[best]!)) best = n;
  return best;
}
