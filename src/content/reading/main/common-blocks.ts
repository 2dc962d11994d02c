import type { ContentSelection } from '../../document/content-selection.ts';
import { type Outline, outlineOf } from '../../document/outline.ts';
import type { TreeNode } from '../../document/page-tree.ts';
import { MAY_REPEAT } from './repeated-texts.ts';

/**
 * A block is an element with its whole text, known by a number: a hash of the text, and its length. Blocks that stand on most
 * pages of a host are common blocks: headers, footers, and promotions within the text.
 */

/** A shorter text may well stand on most pages: a heading such as "Description", a label, a button. */
const MIN_BLOCK = 40;
/** Blocks of one page that are counted, in the order of the source. */
const MAX_BLOCKS = 500;
const MAX_LENGTH = 2 ** 20 - 1;

/** Parts of tables and of lists of terms say the same on many pages, and mean it. */
const MAY_STAND: ReadonlySet<string> = new Set([...MAY_REPEAT, 'thead', 'tfoot', 'dt', 'dd']);

const blockOf = ({ hash, text }: Outline, n: number): number =>
  (hash[n]! >>> 0) * (MAX_LENGTH + 1) + Math.min(text[n]!, MAX_LENGTH);

/** The blocks of a page, each once, as integers below 2^52. */
export function blocksOf(whole: Outline): number[] {
  const found = new Set<number>();
  for (let n = 1; n < whole.nodes.length && found.size < MAX_BLOCKS; n++)
    if (isBlock(whole, n)) found.add(blockOf(whole, n));
  return [...found];
}

const isBlock = ({ nodes, text }: Outline, n: number): boolean =>
  text[n]! >= MIN_BLOCK && !MAY_STAND.has(nodes[n]!.tagName);

/** What was left out because it stands on most pages of the host. */
export interface LeftOut {
  readonly blocks: number;
  readonly characters: number;
}

/**
 * The selection without the common blocks; the outermost elements count. If they are most of its sentences and of its text,
 * they are what the page is about, and stay.
 * @param whole the page without exclusions
 */
export function withoutCommonBlocks(
  selection: ContentSelection,
  whole: Outline,
  common: ReadonlySet<number>,
): { readonly selection: ContentSelection; readonly leftOut: LeftOut } {
  const found = commonElements(selection, whole, common);
  const rest = { ...selection, excluded: new Set([...selection.excluded, ...found]) };
  const before = sizeOf(selection);
  const after = sizeOf(rest);
  const isMost = after.text < before.text / 2 && after.prose <= before.prose / 2;
  if (found.length === 0 || isMost) return { selection, leftOut: { blocks: 0, characters: 0 } };
  return { selection: rest, leftOut: { blocks: found.length, characters: before.text - after.text } };
}

function commonElements(
  { roots, excluded }: ContentSelection,
  whole: Outline,
  common: ReadonlySet<number>,
): TreeNode[] {
  const { nodes, end } = whole;
  const tops = new Set(roots);
  const found: TreeNode[] = [];
  /** Where the root ends that the element stands in. */
  let inside = 0;
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n]!;
    if (tops.has(node)) inside = end[n]!;
    else if (excluded.has(node)) n = end[n]! - 1;
    else if (n < inside && isBlock(whole, n) && common.has(blockOf(whole, n))) {
      found.push(node);
      n = end[n]! - 1;
    }
  }
  return found;
}

/** Characters of all text, and of sentences. */
function sizeOf({ roots, excluded }: ContentSelection): { readonly text: number; readonly prose: number } {
  let [text, prose] = [0, 0];
  for (const root of roots) {
    const outline = outlineOf(root as Parameters<typeof outlineOf>[0], false, excluded);
    text += outline.text[0]!;
    prose += outline.prose[0]!;
  }
  return { text, prose };
}
