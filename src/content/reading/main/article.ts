import { classNames, classWords } from '../../document/class-words.ts';
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
  classWords(node).some(
    (word) =>
      (BESIDE_WORDS.has(word) && !(word === 'widget' && isModule(node))) ||
      (!hasSentences && TAG_WORDS.has(word)),
  );

/**
 * Class names of the parts that page builders compose a text of: Elementor, Divi, WPBakery, Beaver Builder, Bricks, Avada,
 * Oxygen, Breakdance, Thrive, Squarespace, Wix, HubSpot, the blocks of WordPress, AEM.
 */
const MODULE =
  /^(?:elementor-(?:widget[-\w]*|element|section|column|top-section|inner-section)|e-con(?:-\w+)?|et_pb_(?:module|section|row|column|text)|vc_(?:row|column_container|section)|wpb_\w+|fl-(?:module|row|col|col-group)|brxe-\w+|fusion-(?:layout-column|builder-row|fullwidth|text|title)|ct-(?:section|div-block|text-block|headline)|bde-\w+|thrv_(?:text_element|heading)|sqs-(?:block|row|col-\d+)|fe-block|wixui-\w+|dnd-(?:section|row|column|module)|wp-block-(?:group|columns?|heading|list|cover|media-text)|cmp-\w+|kt-\w+-wrap|uncode\w*|tatsu-\w+|jet-\w+)$/;
/** The part that shows what a post says. Those beside it are the same on all posts. */
const POST_CONTENT =
  /^(?:elementor-widget-theme-post-content|et_pb_post_content|fl-post-content|fl-module-fl-post-content|brxe-post-content|wp-block-post-content|entry-content|post-content|fusion-content-tb|bde-rich-text)$/;

const isModule = (node: ElementNode) => classNames(node).some((name) => MODULE.test(name));

/** Whether an element stands beside others that a page builder composed the text of: lists, titles, labels. */
function isOnePartOfSeveral(outline: Outline, outer: number, inner: number): boolean {
  const { nodes, end, text, linked, prose } = outline;
  if (!isModule(nodes[inner]!)) return false;
  for (let n = inner; n < end[inner]!; n++)
    if (prose[n]! > 0.5 * prose[inner]! && classNames(nodes[n]!).some((name) => POST_CONTENT.test(name)))
      return false;
  for (let n = outer + 1; n < end[outer]!; n = end[n]!)
    if (n !== inner && text[n]! > 0 && linked[n]! < LINKED * text[n]! && isModule(nodes[n]!)) return true;
  return false;
}

/** Elements that are one paragraph or a part of one: what stands beside them belongs to the same text. */
const PARAGRAPHS = wordSet(
  'p pre blockquote h1 h2 h3 h4 h5 h6 li dt dd td th figcaption summary a abbr b bdi bdo cite code em font i mark q s small span strong sub sup u',
);

/** The index of the innermost element that holds this share of the root's sentences, and is more than a paragraph. */
export function narrowedRoot(outline: Outline, root: number, share: number): number {
  const { nodes, end, prose } = outline;
  let index = root;
  for (;;) {
    let next = -1;
    for (let n = index + 1; n < end[index]!; n = end[n]!) if (prose[n]! >= share * prose[root]!) next = n;
    if (next === -1 || PARAGRAPHS.has(nodes[next]!.tagName)) return index;
    if (isOnePartOfSeveral(outline, index, next)) return index;
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
