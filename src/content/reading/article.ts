import type { ElementNode } from '../document/page-tree.ts';
import { classWords } from './class-words.ts';
import type { Outline } from './outline.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** What stands beside the text of an article and is not part of it. */
const BESIDE_WORDS = wordSet(
  `teaser teasers tags tag taglist tagcloud topics keywords author authors bio byline authorbox
   credit credits copyright relatedposts morelinks readmore seealso outbrain taboola widget promo postmeta
   feedback rating comment reply likes`,
);

const isNamedBeside = (node: ElementNode) =>
  node.tagName === 'address' || classWords(node).some((word) => BESIDE_WORDS.has(word));

/** The smallest element that holds nearly all sentences of the root. */
export function narrowed({ end, prose }: Outline, root: number, share: number): number {
  let at = root;
  for (;;) {
    let next = -1;
    for (let n = at + 1; n < end[at]!; n = end[n]!) if (prose[n]! >= share * prose[root]!) next = n;
    if (next === -1) return at;
    at = next;
  }
}

/** Elements that consist of links. */
const LINK_BLOCKS = wordSet('ul ol p li div section dl nav');
const LINKED = 0.7;

/** Elements in an article that are not part of its text: by their names, or because they are links and no sentences. */
export function besideArticle(outline: Outline, root: number): number[] {
  const { nodes, end, prose, text, linked } = outline;
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n] === 0) continue;
    const node = nodes[n]!;
    const named = isNamedBeside(node) && prose[n]! < 0.2 * prose[root]!;
    const isLinks =
      LINK_BLOCKS.has(node.tagName) && prose[n] === 0 && text[n]! > 20 && linked[n]! > LINKED * text[n]!;
    if (!named && !isLinks) continue;
    found.push(n);
    n = end[n]! - 1;
  }
  return found;
}

const LIST_TAGS = wordSet('ul ol li blockquote section dl dd td tr tbody table figure');

/**
 * The largest share of the sentences that stands in one element, 0 to 1: the paragraphs of an article have one parent,
 * while those of a home page are spread over its sections. Paragraphs in lists and tables count for what is around these.
 */
export function concentration({ nodes, parent, run, linkedRun, prose, end }: Outline, root: number): number {
  const inParent = new Map<number, number>();
  let most = 0;
  for (let n = root + 1; n < end[root]!; n++) {
    if (run[n]! < 60 || linkedRun[n]! >= run[n]! / 2) continue;
    let outer = parent[n]!;
    for (let up = 0; up < 8 && outer > root && LIST_TAGS.has(nodes[outer]!.tagName); up++)
      outer = parent[outer]!;
    const sum = (inParent.get(outer) ?? 0) + run[n]! - linkedRun[n]!;
    inParent.set(outer, sum);
    most = Math.max(most, sum);
  }
  return prose[root] === 0 ? 0 : most / prose[root]!;
}
