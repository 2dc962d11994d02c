import type { Outline } from './outline.ts';
import { bodiesOf, type RepeatedItems } from './repeated-items.ts';

/** Posts hold at least this share of all sentences. */
const POSTS_PROSE = 0.5;
/** With this share they are all there is: what stands between them is not the content. */
const ALL_PROSE = 0.75;
/** Elements that repeat inside of any text. */
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
    // The innermost group: the wrapper of all posts may have a sibling of its shape.
    if (posts === null || group.prose >= 0.9 * posts.prose) posts = group;
  }
  return posts;
}

/** What stands in posts beside their text: user cards, signatures, buttons; and between the posts. */
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
