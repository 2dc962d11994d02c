import { parentOf, shownChildrenOf, type TreeNode } from '../page-tree.ts';
import { type Display, displayOf } from './displays.ts';
import { TextLines } from './text-lines.ts';
import { rawText } from './walk-tree.ts';

export interface VisibleText {
  readonly text: string;
  /** It is only the beginning. */
  readonly cut: boolean;
}

interface Frame {
  readonly children: readonly TreeNode[];
  at: number;
  readonly node: TreeNode;
  readonly display: Display;
  readonly preserved: boolean;
}

/**
 * The text that a reader of the page sees, as `innerText` gives it (WHATWG HTML, "get the text steps") where only the
 * browser's own style sheet counts: a block begins a new line, a paragraph leaves an empty one, cells are parted by
 * tabulators; scripts, styles and what `hidden` or `style` hides are left out; white space collapses, except in `pre`.
 *
 * What a closed `details` folds up is read, other than by browsers: it is one click away. An element that is not shown
 * itself (`title`, `script`) gives all its text.
 * @param xml names mean nothing: every element is a block
 * @param most UTF-16 units
 */
export function visibleText(root: TreeNode, xml: boolean, most: number): VisibleText {
  const lines = new TextLines(most);
  const rootDisplay = root.tagName === undefined ? 'block' : showAs(root, xml);
  if (rootDisplay === 'none') {
    const text = rawText(root, most + 1);
    return { text: text.slice(0, most), cut: text.length > most };
  }
  const open: Frame[] = [frameOf(root, rootDisplay, insidePre(root, xml))];
  while (open.length > 0 && !lines.full) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.at++];
    if (node === undefined) {
      open.pop();
      leave(frame, open, lines);
    } else if (node.value !== undefined) {
      if (frame.preserved) lines.preserved(node.value);
      else if (!betweenCells(frame, xml)) lines.flowing(node.value);
    } else if (node.tagName !== undefined) {
      const display = showAs(node, xml);
      if (display === 'break') lines.mark('\n');
      else if (display !== 'none') {
        enter(display, lines);
        open.push(frameOf(node, display, frame.preserved || display === 'pre'));
      }
    }
  }
  return { text: lines.text(), cut: lines.full };
}

function showAs(node: TreeNode, xml: boolean): Display {
  return xml ? 'block' : displayOf(node);
}

const frameOf = (node: TreeNode, display: Display, preserved: boolean): Frame => ({
  children: shownChildrenOf(node),
  at: 0,
  node,
  display,
  preserved,
});

function insidePre(root: TreeNode, xml: boolean): boolean {
  // A document has no parent.
  for (let at: TreeNode | null = root; !xml && at?.tagName !== undefined; at = parentOf(at))
    if (displayOf(at) === 'pre') return true;
  return false;
}

/** White space between rows and cells makes no text; other text cannot stand there. */
function betweenCells({ node }: Frame, xml: boolean): boolean {
  if (xml) return false;
  const name = node.tagName;
  return (
    name === 'tr' ||
    name === 'table' ||
    name === 'tbody' ||
    name === 'thead' ||
    name === 'tfoot' ||
    name === 'select'
  );
}

function enter(display: Display, lines: TextLines): void {
  if (display === 'block' || display === 'pre') lines.separate(1);
  else if (display === 'paragraph') lines.separate(2);
}

function leave({ display }: Frame, open: readonly Frame[], lines: TextLines): void {
  enter(display, lines);
  if (display === 'cell') {
    if (another(open, open.length - 1, (name) => name === 'td' || name === 'th')) lines.mark('\t');
  } else if (display === 'row') {
    const section = open[open.length - 1]?.node.tagName;
    const inSection = section === 'tbody' || section === 'thead' || section === 'tfoot';
    const last = open.length - 1;
    if (another(open, last, isRow) || (inSection && another(open, last - 1, isRowHolder))) lines.mark('\n');
  }
}

const isRow = (name: string): boolean => name === 'tr';
const isRowHolder = (name: string, node: TreeNode): boolean =>
  name === 'tr' ||
  ((name === 'tbody' || name === 'thead' || name === 'tfoot') &&
    node.childNodes!.some((child) => child.tagName === 'tr'));

/** Whether a sibling that still follows in that frame is one. */
function another(
  open: readonly Frame[],
  depth: number,
  is: (name: string, node: TreeNode) => boolean,
): boolean {
  const frame = open[depth];
  if (frame === undefined) return false;
  for (let at = frame.at; at < frame.children.length; at++) {
    const node = frame.children[at]!;
    if (node.tagName !== undefined && is(node.tagName, node)) return true;
  }
  return false;
}
