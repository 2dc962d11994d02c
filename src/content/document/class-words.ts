import { attributeOf, type TreeNode } from './page-tree.ts';

/** Pages repeat the same few class names thousands of times. */
const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 5_000;
const MAX_LENGTH = 400;
const HEADING = /^h[1-6]$/;
const NO_WORDS: readonly string[] = [];
/** Ends of the parts of a name: `site-footer`, `site_footer`. */
const PART_BREAK = /[^a-zA-Z0-9]+/;
/** Ends of words inside a part: `siteFooter`. */
const WORD_BREAK = /(?<=[a-z0-9])(?=[A-Z])/;

/**
 * The words of an element's class names and id, in lower case: `class="post-share-bar"` has `post`, `share` and `bar`. Names
 * are compared by whole words, so that `widget` is not found in `elementorwidgets`.
 */
export function classWords(node: TreeNode): readonly string[] {
  const { attrs } = node;
  if (attrs === undefined || attrs.length === 0) return NO_WORDS;
  // The id of a heading is made of its text.
  const id = HEADING.test(node.tagName!) ? '' : (attributeOf(node, 'id') ?? '');
  const names = `${attributeOf(node, 'class') ?? ''} ${id}`.slice(0, MAX_LENGTH);
  if (names === ' ') return NO_WORDS;
  const before = known.get(names);
  if (before !== undefined) return before;
  const words = names.split(PART_BREAK).flatMap(wordsOfPart);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(names, words);
  return words;
}

/** The first and the last word of a part. A word between others names something else: `nestedNavCard` is a card. */
function wordsOfPart(part: string): readonly string[] {
  if (part === '') return NO_WORDS;
  const words = part.split(WORD_BREAK);
  const last = words.at(-1)!.toLowerCase();
  return words.length === 1 ? [last] : [words[0]!.toLowerCase(), last];
}

/** The class names of an element. */
export function classNames(node: TreeNode): readonly string[] {
  const names = node.attrs === undefined ? null : attributeOf(node, 'class');
  return names === null ? NO_WORDS : names.slice(0, MAX_LENGTH).split(/\s+/);
}
