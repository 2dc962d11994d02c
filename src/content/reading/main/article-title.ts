import type { Outline } from '../../document/outline.ts';
import type { TreeNode } from '../../document/page-tree.ts';
import { textContent } from '../../document/page-tree.ts';

const MAX_LENGTH = 1000;

/** The words in lower case, with a space between them, so that punctuation makes no difference. */
const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The title of an article that stands before it: the only `h1` of the page, if the metadata repeats it. Names of sites and
 * of sections are no titles of articles.
 * @param outline without exclusions
 * @param root the article
 * @param metadataTitles such as `og:title`
 * @returns null: there is none, or it was excluded
 */
export function titleBefore(
  outline: Outline,
  root: number,
  excluded: ReadonlySet<TreeNode>,
  metadataTitles: readonly string[],
): TreeNode | null {
  const { nodes, parent, end, text } = outline;
  let title = -1;
  for (let n = 0; n < nodes.length; n++) {
    if (nodes[n]!.tagName !== 'h1' || text[n] === 0) continue;
    if (title !== -1) return null;
    title = n;
  }
  if (title === -1 || end[title]! > root) return null;
  for (let n = title; n !== -1; n = parent[n]!) if (excluded.has(nodes[n]!)) return null;
  const own = words(textContent(nodes[title]!, MAX_LENGTH));
  return own !== '' && metadataTitles.some((one) => words(one).includes(own)) ? nodes[title]! : null;
}
