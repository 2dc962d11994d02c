import type { Outline } from '../../document/outline.ts';
import type { RepeatedItems } from '../../document/repeated-items.ts';

/** Elements whose text may stand more than once. */
export const MAY_REPEAT: ReadonlySet<string> = new Set(['pre', 'td', 'th', 'tr', 'tbody']);

/**
 * The elements whose text occurs earlier on the page, word by word: copies for screens of another width, slides that
 * are cloned, posts that are quoted below themselves.
 * Rows and cells of tables may say the same, and stay. So do blocks of code.
 * @param minLength a shorter text may well occur twice
 */
export function repeatedTexts(outline: Outline, root: number, minLength: number): number[] {
  const { nodes, end, text, hash, parent } = outline;
  const seen = new Set<string>();
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n]! < minLength || MAY_REPEAT.has(nodes[n]!.tagName)) continue;
    const outer = parent[n]!;
    // An element alone in its parent has the same text.
    if (text[outer] === text[n] && hash[outer] === hash[n]) continue;
    const key = `${hash[n]} ${text[n]}`;
    if (!seen.has(key)) seen.add(key);
    else {
      found.push(n);
      n = end[n]! - 1;
    }
  }
  return found;
}

/** A label that repeats has at most so many characters, and stands in at least this share of the items. */
const MAX_LABEL = 40;
const MIN_ITEMS = 4;
const IN_ITEMS = 0.6;

/** Links with the same words in most items of a list: "Add to cart", "Compare", "Reply". */
export function repeatedLabels(outline: Outline, groups: readonly RepeatedItems[]): number[] {
  const lists = groups.filter(({ members }) => members.length >= MIN_ITEMS);
  return lists.flatMap((list) => labelsOf(outline, list));
}

function labelsOf({ end, text, hash, run, linked }: Outline, { members }: RepeatedItems): number[] {
  const places = new Map<string, number[]>();
  for (const member of members)
    for (let n = member + 1; n < end[member]!; n++) {
      const isLabel = text[n]! > 0 && text[n]! <= MAX_LABEL && linked[n] === text[n] && run[n] === text[n];
      // The only link of an item says where it leads.
      if (!isLabel || linked[member] === text[n]) continue;
      const key = `${hash[n]} ${text[n]}`;
      const same = places.get(key);
      if (same === undefined) places.set(key, [n]);
      else same.push(n);
      n = end[n]! - 1;
    }
  const often = IN_ITEMS * members.length;
  return [...places.values()].filter((same) => same.length >= often).flat();
}
