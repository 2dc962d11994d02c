import { classWords } from '../../document/class-words.ts';
import { type Outline, outside } from '../../document/outline.ts';
import type { ElementNode } from '../../document/page-tree.ts';
import { bodiesOf, type RepeatedItems, TEXT_TAGS } from '../../document/repeated-items.ts';
import { bylineText, hasPostDate, isAuthor, isDate } from './byline.ts';

/** Posts hold at least this share of all sentences. */
const POSTS_PROSE = 0.5;
/** With this share, the posts are the whole content: elements between them are not part of it. */
const ALL_PROSE = 0.75;
/** From so many posts on, what stands between them is not part of the discussion. */
const MIN_ALONE = 3;
/** An element before or after the posts with this share of the sentences of an average post may be the first post. */
const FIRST_POST = 0.5;
/** An inner group is preferred if it holds this share of the outer group's sentences. */
const INNER_GROUP_PROSE = 0.9;
const HEADING = /^h[1-6]$/;
const TITLE = /^h1$/;

/** The posts of a discussion: the siblings of one shape that hold most sentences. */
export function findPosts(
  outline: Outline,
  root: number,
  groups: readonly RepeatedItems[],
): RepeatedItems | null {
  let posts: RepeatedItems | null = null;
  for (const group of groups) {
    if (group.prose < POSTS_PROSE * outline.prose[root]!) continue;
    if (TEXT_TAGS.has(outline.nodes[group.members[0]!]!.tagName)) continue;
    // Prefers the innermost group, which comes later: the wrapper of all posts may have a sibling of the same shape.
    if (posts === null || group.prose >= INNER_GROUP_PROSE * posts.prose) posts = group;
  }
  return posts;
}

/**
 * The elements in posts beside their text, author and date (cards of users, signatures, buttons), and those around the posts.
 * @param answers the posts are answers to a question: then the elements around them are kept
 */
export function besidePosts(
  outline: Outline,
  root: number,
  posts: RepeatedItems,
  answers: boolean,
): number[] {
  const found: number[] = [];
  for (const [post, bodies] of bodiesOf(outline, posts) ?? [])
    if (bodies.length > 0)
      found.push(...outside(outline, post, [...bodies, ...bylineOf(outline, post, bodies)]));
  if (!answers && posts.prose >= ALL_PROSE * outline.prose[root]!)
    found.push(...aroundPosts(outline, root, posts));
  return found;
}

/** The elements around the posts without headings and with less text than a post; the first post may stand apart. */
function aroundPosts(
  outline: Outline,
  root: number,
  { parent, members, prose: postsProse }: RepeatedItems,
): number[] {
  const average = postsProse / members.length;
  const isBeside = (n: number, share: number) => outline.prose[n]! < share * average;
  const between =
    members.length < MIN_ALONE
      ? []
      : childrenOf(outline, parent).filter(
          (n) => !members.includes(n) && !HEADING.test(outline.nodes[n]!.tagName) && isBeside(n, 1),
        );
  if (parent === root) return between;
  const outer = outside(outline, root, [parent]).filter(
    (n) => isBeside(n, FIRST_POST) && !holds(outline, n, TITLE),
  );
  return [...between, ...outer];
}

/** Of the words in `isOfUser` those that nothing else has. */
const CARD_WORDS = new Set(['signature', 'extras', 'badgecount', 'reputation']);
const isOfCard = (node: ElementNode) => classWords(node).some((word) => CARD_WORDS.has(word));

/**
 * What users have below each of their posts. On some forums the name of the author and the date are a part of what is called
 * the signature: those stay.
 */
export function signatures({ nodes, end, text }: Outline, root: number): number[] {
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n] === 0 || !isOfCard(nodes[n]!)) continue;
    if (!nodes.slice(n, end[n]).some((node) => isAuthor(node) || isDate(node))) found.push(n);
    n = end[n]! - 1;
  }
  return found;
}

function childrenOf({ end }: Outline, parent: number): number[] {
  const children: number[] = [];
  for (let n = parent + 1; n < end[parent]!; n = end[n]!) children.push(n);
  return children;
}

function holds({ nodes, end }: Outline, index: number, tag: RegExp): boolean {
  for (let n = index; n < end[index]!; n++) if (tag.test(nodes[n]!.tagName)) return true;
  return false;
}

/**
 * The elements in a post that name its author and its date: the first of each. Readers want to know who speaks, and when. If no
 * name marks the author, it is what stands in the line of the date.
 */
function bylineOf(outline: Outline, post: number, bodies: readonly number[]): number[] {
  const { nodes, end } = outline;
  const inBodies = new Set(bodies);
  let author = -1;
  let date = -1;
  for (let n = post + 1; n < end[post]!; n++) {
    if (inBodies.has(n)) n = end[n]! - 1;
    else if (isWanted(outline, date, n) && isDate(nodes[n]!)) date = n;
    else if (isWanted(outline, author, n) && isAuthor(nodes[n]!)) author = n;
  }
  if (author !== -1) return date === -1 ? [author] : [author, date];
  if (date === -1) date = unmarkedDate(outline, post, inBodies);
  if (date === -1) return [];
  const isLine = (n: number) =>
    n > post && bylineText(nodes[n]!) !== '' && !bodies.some((body) => body >= n && body < end[n]!);
  while (isLine(outline.parent[date]!)) date = outline.parent[date]!;
  return [date];
}

/** The first element whose text is a date, or has one in few words. */
function unmarkedDate({ nodes, end }: Outline, post: number, bodies: ReadonlySet<number>): number {
  let found = -1;
  for (let n = post + 1; n < end[post]!; n++) {
    if (bodies.has(n)) n = end[n]! - 1;
    else if ((found === -1 || n < end[found]!) && hasPostDate(nodes[n]!)) found = n;
  }
  return found;
}

/** Whether none was found before, or one that holds this one: a card of the user holds the name. */
const isWanted = ({ end }: Outline, found: number, n: number) => found === -1 || n < end[found]!;
