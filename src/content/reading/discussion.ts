import type { Outline } from './outline.ts';
import { bodiesOf, type RepeatedItems } from './repeated-items.ts';

/** Posts hold at least this share of all sentences. */
const POSTS_PROSE = 0.5;
/** With this share, the posts are the whole content: elements between them are not part of it. */
const ALL_PROSE = 0.75;
/** An inner group is preferred if it holds this share of the outer group's sentences. */
const INNER_GROUP_PROSE = 0.9;
/** Elements that repeat in any text, so that they are no posts. */
const TEXT_TAGS = new Set(['p', 'tr', 'td', 'br', 'span', 'a']);

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
 * The elements in posts beside their text (user cards, signatures, buttons), and those between the posts.
 * @param answers the posts are answers to a question: then the elements between them are kept
 */
export function besidePosts(
  outline: Outline,
  root: number,
  posts: RepeatedItems,
  answers: boolean,
): number[] {
  const { end, prose, nodes } = outline;
  const found: number[] = [];
  const bodies = bodiesOf(outline, posts);
  if (bodies !== null)
    for (const [post, inPost] of bodies) if (inPost.length > 0) found.push(...outside(outline, post, inPost));
  if (!answers && posts.members.length >= 3 && posts.prose >= ALL_PROSE * prose[root]!) {
    const members = new Set(posts.members);
    const average = posts.prose / posts.members.length;
    for (let n = posts.parent + 1; n < end[posts.parent]!; n = end[n]!)
      if (!members.has(n) && !/^h[1-6]$/.test(nodes[n]!.tagName) && prose[n]! < average) found.push(n);
  }
  return found;
}

/** The outermost elements in `outer` that neither hold one of `kept` nor stand in one. */
function outside({ parent, end }: Outline, outer: number, kept: readonly number[]): number[] {
  const onPath = new Set<number>();
  for (const each of kept) for (let n = each; n !== outer; n = parent[n]!) onPath.add(n);
  const whole = new Set(kept);
  const found: number[] = [];
  for (let n = outer + 1; n < end[outer]!; ) {
    if (whole.has(n)) n = end[n]!;
    else if (onPath.has(n)) n++;
    else {
      found.push(n);
      n = end[n]!;
    }
  }
  return found;
}
