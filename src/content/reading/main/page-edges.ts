import { type Outline, outside } from '../../document/outline.ts';
import { attributeOf, shownChildrenOf, type TreeNode, textContent } from '../../document/page-tree.ts';
import { displayFor } from '../../document/visible-text.ts';

/** What stands before the title is not content if it holds at most this share of the text and of the sentences. */
const BEFORE_TITLE = 0.25;

/** The elements before the `h1` of a page that has one: notices, offers, choices of a region. */
export function beforeTitle(outline: Outline, root: number): number[] {
  const { nodes, end, text, prose } = outline;
  let title = -1;
  for (let n = root + 1; n < end[root]!; n++) {
    if (nodes[n]!.tagName !== 'h1' || text[n] === 0) continue;
    if (title !== -1) return [];
    title = n;
  }
  if (title === -1) return [];
  const before = outside(outline, root, [title]).filter((n) => n < title && text[n]! > 0);
  const isLittle = (values: Float64Array) =>
    before.reduce((sum, n) => sum + values[n]!, 0) <= BEFORE_TITLE * values[root]!;
  return isLittle(text) && isLittle(prose) ? before : [];
}

/** A footer holds at most these shares of the text and of the sentences; after it comes at most the third. */
const FOOTER_TEXT = 0.25;
const FOOTER_PROSE = 0.2;
/** The notice itself, without anything around it, can be longer: on shops' pages it is a legal text. */
const NOTICE_TEXT = 0.4;
const AFTER_FOOTER = 0.05;

/** The last element with a sign ©, with what is around it: a footer, whatever its tag and its names are. */
export function footerWithRights(outline: Outline, root: number): number[] {
  const { end, text, prose, rights, parent } = outline;
  let last = -1;
  for (let n = root + 1; n < end[root]!; n++) if (rights[n]! > 0) last = n;
  if (last === -1) return [];
  const isLittle = (n: number) =>
    text[n]! <= FOOTER_TEXT * text[root]! && prose[n]! <= FOOTER_PROSE * prose[root]!;
  let footer = last;
  while (parent[footer]! > root && isLittle(parent[footer]!)) footer = parent[footer]!;
  let after = 0;
  for (let n = end[footer]!; n < end[root]!; n++) after += outline.run[n]!;
  const alone = footer === last && text[last]! <= NOTICE_TEXT * text[root]!;
  return (alone || isLittle(footer)) && after <= AFTER_FOOTER * text[root]! ? [footer] : [];
}

/** More links to places on the page, one after the other, are a table of contents. */
const MAX_SKIP_LINKS = 3;
const MAX_SKIP_TEXT = 60;
const HEADING = /^h[1-6]$/;

const isPlaceLink = (node: TreeNode) => node.tagName === 'a' && /^#./.test(attributeOf(node, 'href') ?? '');

/**
 * The links that skip to the content or to the menu: the first text of the page, in links to places on it. A heading that
 * links to itself is none.
 */
export function skipLinks(root: TreeNode): TreeNode[] {
  const found: TreeNode[] = [];
  const open = [{ children: shownChildrenOf(root), nextIndex: 0 }];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) open.pop();
    else if (node.value !== undefined) {
      if (node.value.trim() !== '') break;
    } else if (node.tagName !== undefined && displayFor(node, false) !== 'none') {
      if (HEADING.test(node.tagName)) break;
      const text = isPlaceLink(node) ? textContent(node, MAX_SKIP_TEXT + 1).trim() : '';
      if (text === '') open.push({ children: shownChildrenOf(node), nextIndex: 0 });
      else if (text.length > MAX_SKIP_TEXT || found.push(node) > MAX_SKIP_LINKS) return [];
    }
  }
  return found;
}
