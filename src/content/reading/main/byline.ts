import { classWords } from '../../document/class-words.ts';
import { attributeOf, type ElementNode, textContent } from '../../document/page-tree.ts';

const MAX_BYLINE = 60;
const MAX_SOURCE = 1000;
const AUTHOR = /^(?:author|creator)$/;
const AUTHOR_WORDS = new Set('author username user poster nick nickname creator member name'.split(' '));
const DATE = /^date/;
const DATE_WORDS = new Set(['date', 'time', 'timestamp', 'posted']);

/** Whether an element is a date of a post. */
export const isDate = (node: ElementNode) =>
  (node.tagName === 'time' || isMarked(node, DATE, DATE_WORDS)) && /\d/.test(bylineText(node));
/** Whether an element is the name of the author of a post. */
export const isAuthor = (node: ElementNode) =>
  isMarked(node, AUTHOR, AUTHOR_WORDS) && /\p{L}/u.test(bylineText(node));

/** The text of an element; empty if it is too long for a name or a date. */
export function bylineText(node: ElementNode): string {
  const text = textContent(node, MAX_SOURCE).replace(/\s+/g, ' ').trim();
  return text.length <= MAX_BYLINE ? text : '';
}

/** Whether microdata or a word in its names marks an element. */
function isMarked(node: ElementNode, property: RegExp, words: ReadonlySet<string>): boolean {
  if (node.attrs === undefined || node.attrs.length === 0) return false;
  if (property.test(attributeOf(node, 'itemprop') ?? '')) return true;
  return classWords(node).some((word) => words.has(word));
}
