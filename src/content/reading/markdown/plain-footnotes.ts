/** Footnotes without links: `<sup>1</sup>` in the text, and further down a block that begins with the same. */
import { attributeOf, type TreeNode, textContent } from '../../document/page-tree.ts';

export interface NumberedMark {
  readonly node: TreeNode;
  readonly number: number;
  /** The block that begins with the mark; null: it is in the text. */
  readonly block: TreeNode | null;
}

const NUMBER = /^[[(]?(\d{1,3})[\])]?$/;
const MAX_LENGTH = 5;
const NOTE_ID = /^(?:fn|note|footnote)[-_:]?(\d{1,3})$/i;
const BLOCKS = new Set(['p', 'li', 'dd', 'div']);
const MAX_LEVELS = 5;
/** Blank texts and comments in front of a mark. */
const MAX_BLANKS = 10;

/** The mark that an element is: a number that is raised, or an item that its `id` calls a footnote. */
export function numberedMark(node: TreeNode): NumberedMark | null {
  if (node.tagName === 'li') {
    const number = NOTE_ID.exec(attributeOf(node, 'id') ?? '')?.[1];
    return number === undefined ? null : { node, number: Number(number), block: node };
  }
  if (node.tagName !== 'sup' || node.childNodes?.some(({ tagName }) => tagName !== undefined)) return null;
  const number = NUMBER.exec(textContent(node, MAX_LENGTH + 1).trim())?.[1];
  return number === undefined ? null : { node, number: Number(number), block: blockBegunBy(node) };
}

function blockBegunBy(mark: TreeNode): TreeNode | null {
  let node = mark;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = node.parentNode;
    if (parent?.tagName === undefined) return null;
    const first = (parent.childNodes ?? [])
      .slice(0, MAX_BLANKS)
      .find((child) => child === node || child.tagName !== undefined || (child.value ?? '').trim() !== '');
    if (first !== node) return null;
    if (BLOCKS.has(parent.tagName)) return parent;
    node = parent;
  }
  return null;
}

/**
 * Pairs marks with the blocks of the same number. Powers and isotopes are raised numbers too: so the blocks must be numbered
 * from 1 without a gap, and each number must stand once in the text, before its block.
 * @param marks in document order
 */
export function pairMarks(
  marks: readonly NumberedMark[],
): readonly { readonly mark: NumberedMark; readonly note: NumberedMark }[] {
  const inText = new Map<number, NumberedMark>();
  const pairs: { mark: NumberedMark; note: NumberedMark }[] = [];
  for (const seen of marks) {
    const { number, block } = seen;
    if (block === null) {
      if (inText.has(number)) return [];
      inText.set(number, seen);
    } else {
      const mark = inText.get(number);
      if (mark === undefined || number !== pairs.length + 1) return [];
      pairs.push({ mark, note: seen });
    }
  }
  return pairs;
}
