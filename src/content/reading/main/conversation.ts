import type { Outline } from '../../document/outline.ts';
import { type RepeatedItems, TEXT_TAGS } from '../../document/repeated-items.ts';
import { bylineText, isAuthor, isDate } from './byline.ts';

const MIN_POSTS = 3;
/** So many posts are looked at, and this share of them must be like posts. */
const CHECKED_POSTS = 12;
const LIKE_POSTS = 0.7;
/** Posts with a smaller share of the sentences are not searched for. */
const MIN_PROSE = 0.2;
const HEADING = /^h[1-6]$/;
const DATE_TEXT =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\bago\b|\bvor \d|\bil y a\b|\bhace \d/i;

/**
 * Siblings of one shape that have an author, a date and a text, and lead to no other page: posts of a discussion, comments on
 * an article, reviews of a product.
 */
export function conversations(outline: Outline, groups: readonly RepeatedItems[]): RepeatedItems[] {
  return groups.filter(({ members, prose }) => {
    if (TEXT_TAGS.has(outline.nodes[members[0]!]!.tagName)) return false;
    if (members.length < MIN_POSTS || prose < MIN_PROSE * outline.prose[0]!) return false;
    const checked = members.filter((n) => outline.prose[n]! > 0).slice(0, CHECKED_POSTS);
    if (checked.length < MIN_POSTS) return false;
    return checked.filter((n) => isLikePost(outline, n)).length >= LIKE_POSTS * checked.length;
  });
}

function isLikePost({ nodes, end, linked, text }: Outline, post: number): boolean {
  if (linked[post]! > text[post]! / 2) return false;
  let hasAuthor = false;
  let hasDate = false;
  let headingEnd = 0;
  let linkEnd = 0;
  for (let n = post + 1; n < end[post]!; n++) {
    const node = nodes[n]!;
    const isHeading = HEADING.test(node.tagName);
    const isLink = node.tagName === 'a';
    // A title that is a link leads to an article, of which this is a teaser. The name of an author may be one too.
    if ((isHeading && n < linkEnd) || (isLink && n < headingEnd && !isAuthor(node))) return false;
    if (isHeading) headingEnd = end[n]!;
    if (isLink) linkEnd = end[n]!;
    hasDate ||= isDate(node) || (text[n]! > 0 && DATE_TEXT.test(bylineText(node)));
    hasAuthor ||= isAuthor(node);
  }
  return hasAuthor && hasDate;
}
