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
  isMarked(node, AUTHOR, AUTHOR_WORDS) && !isOfUser(node) && /\p{L}/u.test(bylineText(node));

/** Words in the names of what forums show about a user beside the name: titles, numbers of posts, badges, signatures. */
const USER_WORDS = new Set(
  'signature extras badge badges badgecount reputation flair banner stats rank title'.split(' '),
);

export const isOfUser = (node: ElementNode): boolean => classWords(node).some((word) => USER_WORDS.has(word));

/** A day, or how long ago: not only a year, as in "Joined 2019". */
const POST_DATE =
  /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}\.? \p{L}{3,10}\.?,? (?:19|20)\d\d\b|\b\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d\b|\b\d+ (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) ago\b|\bvor \d+ \p{L}{3,8}|\bil y a \d|\bhace \d|\d{4}年\d{1,2}月\d{1,2}日/iu;
/** Dates of the user, and not of the post. */
const OF_USER = /join|regist|member since|mitglied|inscri/i;

/** Whether a short text says when a post was written. */
export function hasPostDate(node: ElementNode): boolean {
  const text = bylineText(node);
  return POST_DATE.test(text) && !OF_USER.test(text);
}

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
