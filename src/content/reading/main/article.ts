import { classWords } from '../../document/class-words.ts';
import { type Outline, SENTENCE_CHARACTERS } from '../../document/outline.ts';
import type { ElementNode } from '../../document/page-tree.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words in class names and ids of elements beside the text of an article that are not part of it. */
const BESIDE_WORDS = wordSet(
  `teaser teasers author authors bio byline authorbox
   credit credits copyright relatedposts morelinks readmore seealso outbrain taboola widget promo postmeta
   feedback rating comment reply likes`,
);

/** Words for tags, which are no sentences: a note may be named after its kind, `blockquote-tag`. */
const TAG_WORDS = wordSet('tags tag taglist tagcloud topics keywords');

const isNamedBeside = (node: ElementNode, hasSentences: boolean) =>
  node.tagName === 'address' ||
  classWords(node).some((word) => BESIDE_WORDS.has(word) || (!hasSentences && TAG_WORDS.has(word)));

/** Elements that are one paragraph or a part of one: what stands beside them belongs to the same text. */
const PARAGRAPHS = wordSet(
  'p pre blockquote h1 h2 h3 h4 h5 h6 li dt dd td th figcaption summary a abbr b bdi bdo cite code em font i mark q s small span strong sub sup u',
);

/** The index of the innermost element that holds this share of the root's sentences, and is more than a paragraph. */
export function narrowedRoot({ nodes, end, prose }: Outline, root: number, share: number): number {
  let index = root;
  for (;;) {
    let next = -1;
    for (let n = index + 1; n < end[index]!; n = end[n]!) if (prose[n]! >= share * prose[root]!) next = n;
    if (next === -1 || PARAGRAPHS.has(nodes[next]!.tagName)) return index;
    index = next;
  }
}

/** Elements that consist of links. */
const LINK_BLOCKS = wordSet('ul ol p li div section dl nav');
/** An element with a larger share of its text in links, and without sentences, is a list of links. */
const LINKED = 0.7;
/** Shorter ones are left where they are. */
const MIN_LINKS_LENGTH = 20;
/** An element with a larger share of the article's sentences belongs to it, whatever its name is. */
const BESIDE_PROSE = 0.2;

/** Elements in an article that are not part of its text: by their names, or because they are links and no sentences. */
export function besideArticle(outline: Outline, root: number): number[] {
  const { nodes, end, prose, text, linked } = outline;
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n] === 0) continue;
    const node = nodes[n]!;
    const named = isNamedBeside(node, prose[n]! > 0) && prose[n]! < BESIDE_PROSE * prose[root]!;
    const isLinks =
      LINK_BLOCKS.has(node.tagName) &&
      prose[n] === 0 &&
      text[n]! > MIN_LINKS_LENGTH &&
      linked[n]! > LINKED * text[n]!;
    if (!named && !isLinks) continue;
    found.push(n);
    n = end[n]! - 1;
  }
  return found;
}

/** How many nested lists and tables are left to find what is around a paragraph. */
const MAX_LIST_LEVELS = 8;
const LIST_TAGS = wordSet('ul ol li blockquote section dl dd td tr tbody table figure');

/**
 * The largest share of the sentences that have the same parent, 0 to 1: the paragraphs of an article have one parent,
 * while those of a home page are spread over its sections. A paragraph in a list or table counts for the element around the
 * list or table.
 */
export function concentration({ nodes, parent, run, linkedRun, prose, end }: Outline, root: number): number {
  const inParent = new Map<number, number>();
  let most = 0;
  for (let n = root + 1; n < end[root]!; n++) {
    if (run[n]! < SENTENCE_CHARACTERS || linkedRun[n]! >= run[n]! / 2) continue;
    let outer = parent[n]!;
    for (let up = 0; up < MAX_LIST_LEVELS && outer > root && LIST_TAGS.has(nodes[outer]!.tagName); up++)
      outer = parent[outer]!;
    const sum = (inParent.get(outer) ?? 0) + run[n]! - linkedRun[n]!;
    inParent.set(outer, sum);
    most = Math.max(most, sum);
  }
  return prose[root] === 0 ? 0 : most / prose[root]!;
}
