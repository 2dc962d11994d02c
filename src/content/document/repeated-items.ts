import { classNames } from './class-words.ts';
import type { Outline } from './outline.ts';
import { attributeOf } from './page-tree.ts';

/** Siblings of one shape: posts, offers, teasers, rows. */
export interface RepeatedItems {
  /** Index of their parent. */
  readonly parent: number;
  /** Their indexes, in document order. */
  readonly members: readonly number[];
  /** Characters of the members in all, counted as in `Outline`. */
  readonly text: number;
  readonly linked: number;
  readonly prose: number;
}

/** Elements that repeat in any text, so that they are no posts. */
export const TEXT_TAGS: ReadonlySet<string> = new Set(['p', 'tr', 'td', 'br', 'span', 'a']);
const MIN_MEMBERS = 2;
/** Children whose tags are part of a shape. */
const MAX_SHAPE_CHILDREN = 8;
/** The body of a member holds at least this share of the sentences of the element around it. */
const BODY_PROSE = 0.8;
/** The shape of a body must be found in this share of the members with sentences, and of all members. */
const MIN_VOTES = 0.7;
const MIN_WITH_BODY = 0.8;

/** All groups of siblings with the same tag and class names, or the same tags inside. */
export function repeatedItems(outline: Outline): RepeatedItems[] {
  const { nodes, end } = outline;
  const groups: RepeatedItems[] = [];
  for (let outer = 0; outer < nodes.length; outer++) {
    if (end[outer]! - outer <= MIN_MEMBERS) continue;
    const byShape = new Map<string, number[]>();
    for (let n = outer + 1; n < end[outer]!; n = end[n]!) {
      if (end[n]! === n + 1) continue;
      const shape = shapeOf(outline, n);
      const same = byShape.get(shape);
      if (same === undefined) byShape.set(shape, [n]);
      else same.push(n);
    }
    for (const members of byShape.values())
      if (members.length >= MIN_MEMBERS) groups.push(groupOf(outline, outer, members));
  }
  return groups;
}

/** The tag of an element with its first class name; if it has none, with the tags of its children. */
export function shapeOf({ nodes, end }: Outline, index: number): string {
  const node = nodes[index]!;
  const name = classNames(node).find((each) => each !== '');
  if (name !== undefined) return `${node.tagName}.${name}`;
  let shape = node.tagName;
  let count = 0;
  for (let n = index + 1; n < end[index]! && count < MAX_SHAPE_CHILDREN; n = end[n]!, count++)
    shape += `>${nodes[n]!.tagName}`;
  return shape;
}

function groupOf(
  { text, linked, prose }: Outline,
  parent: number,
  members: readonly number[],
): RepeatedItems {
  const sum = (values: Float64Array) => members.reduce((total, n) => total + values[n]!, 0);
  return { parent, members, text: sum(text), linked: sum(linked), prose: sum(prose) };
}

const bodyName = ({ nodes }: Outline, n: number) =>
  `${nodes[n]!.tagName}.${attributeOf(nodes[n]!, 'class') ?? ''}`.replace(/\d+/g, '');

/**
 * The bodies of each member: the elements with its sentences, without bylines and signatures. Each member votes for the tag and
 * class of its elements that hold nearly all of its sentences; the elements that win the vote are the bodies.
 * @returns by member; null: the members are too different
 */
export function bodiesOf(outline: Outline, { members }: RepeatedItems): Map<number, number[]> | null {
  const { end, prose } = outline;
  const votes = new Map<string, number>();
  let voters = 0;
  for (const member of members) {
    if (prose[member] === 0) continue;
    voters++;
    let index = member;
    const seen = new Set<string>();
    for (;;) {
      let best = -1;
      for (let n = index + 1; n < end[index]!; n = end[n]!)
        if (prose[n]! >= BODY_PROSE * prose[index]! && (best === -1 || prose[n]! > prose[best]!)) best = n;
      if (best === -1) break;
      index = best;
      seen.add(bodyName(outline, index));
    }
    for (const name of seen) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  // The innermost shape comes last, so it is chosen.
  let chosen: string | null = null;
  for (const [name, count] of votes) if (count >= MIN_VOTES * voters) chosen = name;
  if (chosen === null) return null;
  const bodies = new Map<number, number[]>();
  let withBody = 0;
  for (const member of members) {
    const found: number[] = [];
    for (let n = member + 1; n < end[member]!; n++)
      if (bodyName(outline, n) === chosen) {
        found.push(n);
        n = end[n]! - 1;
      }
    bodies.set(member, found);
    if (found.length > 0) withBody++;
  }
  return withBody >= MIN_WITH_BODY * members.length ? bodies : null;
}
