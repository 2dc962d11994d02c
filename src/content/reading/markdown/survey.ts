/** What must be known of a selection before it is written: a look at all of its elements, in one pass. */
import { attributeOf, shownChildrenOf, type TreeNode, textContent } from '../../document/page-tree.ts';
import { displayOf } from '../../document/visible-text.ts';
import { classTokens } from './code-block.ts';
import { isTexScript, mayBeFormula } from './formula.ts';
import { type NumberedMark, numberedMark, pairMarks } from './plain-footnotes.ts';

interface TableFacts {
  rows: number;
  /** The most cells of a row. */
  columns: number;
  cellsOfRow: number;
  /** It has a header cell, a head or a caption. */
  hasHeader: boolean;
  hasSpans: boolean;
  /** Something that a cell of a Markdown table cannot hold: a heading, a list, another table. */
  hasBlocks: boolean;
}

export interface Survey {
  readonly tables: ReadonlyMap<TreeNode, TableFacts>;
  readonly hasFormulas: boolean;
  readonly hasTexScripts: boolean;
  /**
   * The links to footnotes, and the blocks that hold their texts, with the label of each. A link with the label null only
   * repeats the number in front of the text.
   */
  readonly noteLinks: ReadonlyMap<TreeNode, string | null>;
  readonly noteTexts: ReadonlyMap<TreeNode, string>;
}

const BLOCKS_IN_CELLS = new Set(
  'h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote table hr form figure section article'.split(' '),
);
/** Blocks that can be the text of a footnote. */
const NOTE_BLOCKS = new Set('li dd p div aside section'.split(' '));
const MAX_NOTES = 2000;
/** Characters of a marker with its brackets. */
const MAX_MARKER_LENGTH = 8;
/** What links from a note back to the text show. */
const BACK_ARROWS = /[↑↩↵⏎⤴^]|\ufe0e/g;
const NOTE_MARKER = /^[[(]?(?:\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶#]{1,3}|(?:note|nb) ?\d{1,3})[\])]?$/i;

class Surveyor {
  readonly tables = new Map<TreeNode, TableFacts>();
  hasFormulas = false;
  hasTexScripts = false;
  readonly ids = new Map<string, { node: TreeNode; order: number }>();
  /** Links whose text is the marker of a footnote, with the fragment that they point to. */
  readonly markers: { link: TreeNode; order: number; fragment: string; text: string }[] = [];
  readonly marks: NumberedMark[] = [];
  readonly #pageUrl: string;
  #order = 0;

  constructor(pageUrl: string) {
    this.#pageUrl = pageUrl.split('#', 1)[0]!;
  }

  see(node: TreeNode, table: TableFacts | null, isSuperscript: boolean): void {
    const name = node.tagName!;
    const order = ++this.#order;
    if (table !== null) seeInTable(node, table);
    if (mayBeFormula(node)) this.hasFormulas = true;
    if (isTexScript(node)) this.hasTexScripts = true;
    const mark = this.marks.length < MAX_NOTES ? numberedMark(node) : null;
    if (mark !== null) this.marks.push(mark);
    const id = attributeOf(node, 'id') ?? (name === 'a' ? attributeOf(node, 'name') : null);
    if (id !== null && !this.ids.has(id)) this.ids.set(id, { node, order: order });
    if (name !== 'a' || this.markers.length >= MAX_NOTES) return;
    const fragment = this.#fragmentOf(attributeOf(node, 'href') ?? '');
    if (fragment === null || !(isSuperscript || isMarkedNote(node))) return;
    const text = textContent(node, MAX_MARKER_LENGTH + 20).trim();
    if (NOTE_MARKER.test(text)) this.markers.push({ link: node, order, fragment, text });
  }

  #fragmentOf(href: string): string | null {
    const index = href.indexOf('#');
    if (index === -1 || index === href.length - 1) return null;
    if (index > 0 && href.slice(0, index) !== this.#pageUrl) return null;
    try {
      return decodeURIComponent(href.slice(index + 1));
    } catch {
      return href.slice(index + 1);
    }
  }
}

function seeInTable(node: TreeNode, table: TableFacts): void {
  const name = node.tagName!;
  if (name === 'tr') {
    table.rows++;
    table.cellsOfRow = 0;
  } else if (name === 'td' || name === 'th') {
    table.columns = Math.max(table.columns, ++table.cellsOfRow);
    if (attributeOf(node, 'colspan') !== null || attributeOf(node, 'rowspan') !== null) table.hasSpans = true;
  }
  if (name === 'th' || name === 'thead' || name === 'caption') table.hasHeader = true;
  if (BLOCKS_IN_CELLS.has(name)) table.hasBlocks = true;
}

/** DPUB-ARIA, EPUB, and the classes of Pandoc, MediaWiki and their kind. */
function isMarkedNote(node: TreeNode): boolean {
  if (attributeOf(node, 'role') === 'doc-noteref' || attributeOf(node, 'epub:type') === 'noteref')
    return true;
  return classTokens(node).some((token) =>
    /^(?:footnote-?ref|footnote-reference|noteref|reference)$/i.test(token),
  );
}

/** @param roots in document order */
export function surveySelection(
  roots: readonly TreeNode[],
  excluded: ReadonlySet<TreeNode>,
  pageUrl: string,
): Survey {
  const surveyor = new Surveyor(pageUrl);
  const open: {
    children: readonly TreeNode[];
    nextIndex: number;
    table: TableFacts | null;
    isSuperscript: boolean;
  }[] = [{ children: roots, nextIndex: 0, table: null, isSuperscript: false }];
  while (open.length > 0) {
    const frame = open.at(-1)!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    let { table, isSuperscript } = frame;
    if (node.tagName !== undefined) {
      if (excluded.has(node)) continue;
      isSuperscript ||= node.tagName === 'sup';
      surveyor.see(
        node,
        table,
        isSuperscript || (node.childNodes ?? []).some(({ tagName }) => tagName === 'sup'),
      );
      if (node.tagName === 'table') {
        table = newTableFacts();
        surveyor.tables.set(node, table);
      }
    }
    open.push({ children: shownChildrenOf(node), nextIndex: 0, table, isSuperscript });
  }
  const { tables, hasFormulas, hasTexScripts } = surveyor;
  const linked = footnotesOf(surveyor, excluded);
  const notes = linked.noteTexts.size > 0 ? linked : plainFootnotesOf(surveyor.marks, excluded);
  return { tables, hasFormulas, hasTexScripts, ...notes };
}

const newTableFacts = (): TableFacts => ({
  rows: 0,
  columns: 0,
  cellsOfRow: 0,
  hasHeader: false,
  hasSpans: false,
  hasBlocks: false,
});

/**
 * Whether a table only arranges its content. It says so, or it has nothing of a table of data: no header, and a single row or
 * column, or cells with whole blocks inside.
 */
export function isLayoutTable(table: TreeNode, facts: TableFacts): boolean {
  const role = attributeOf(table, 'role');
  if (role === 'presentation' || role === 'none' || facts.rows * facts.columns <= 1) return true;
  return !facts.hasHeader && (facts.rows < 2 || facts.columns < 2 || facts.hasBlocks);
}

/**
 * Pairs the markers with the blocks that they point to, further down, and gives each block a label. A block that several
 * fragments point to is not one footnote.
 */
function footnotesOf(
  { markers, ids }: Surveyor,
  excluded: ReadonlySet<TreeNode>,
): Pick<Survey, 'noteLinks' | 'noteTexts'> {
  const fragments = new Map<TreeNode, string | null>();
  const pairs: { link: TreeNode; block: TreeNode; text: string }[] = [];
  for (const { link, order, fragment, text } of markers) {
    const target = ids.get(fragment);
    if (target === undefined || target.order < order) continue;
    const block = noteBlockOf(target.node, excluded);
    if (block === null || hasAncestor(link, (node) => node === block || fragments.has(node))) continue;
    const known = fragments.has(block) ? fragments.get(block) : fragment;
    fragments.set(block, known === fragment ? fragment : null);
    pairs.push({ link, block, text });
  }
  const noteLinks = new Map<TreeNode, string>();
  const noteTexts = new Map<TreeNode, string>();
  const labels = new Set<string>();
  for (const { link, block, text } of pairs) {
    if (fragments.get(block) === null) continue;
    const label = noteTexts.get(block) ?? newLabel(text, labels);
    noteTexts.set(block, label);
    noteLinks.set(link, label);
  }
  return { noteLinks, noteTexts };
}

function plainFootnotesOf(
  marks: readonly NumberedMark[],
  excluded: ReadonlySet<TreeNode>,
): Pick<Survey, 'noteLinks' | 'noteTexts'> {
  const noteLinks = new Map<TreeNode, string | null>();
  const noteTexts = new Map<TreeNode, string>();
  for (const { mark, note } of pairMarks(marks)) {
    const block = noteBlockOf(note.block!, excluded);
    if (block === null || noteTexts.has(block)) continue;
    const label = String(note.number);
    noteTexts.set(block, label);
    noteLinks.set(mark.node, label);
    if (note.node !== block) noteLinks.set(note.node, null);
  }
  return { noteLinks, noteTexts };
}

/** The block that begins with the target; null if it cannot be a footnote of its own. */
function noteBlockOf(target: TreeNode, excluded: ReadonlySet<TreeNode>): TreeNode | null {
  let block: TreeNode | null = target;
  for (let steps = 0; block !== null && !NOTE_BLOCKS.has(block.tagName ?? ''); steps++) {
    if (steps > 3 || block.tagName === 'body') return null;
    block = block.parentNode;
  }
  if (block === null || isOnlyMarker(textContent(block, 1000))) return null;
  const isNoPlace = (node: TreeNode) =>
    // A cell cannot hold a footnote.
    node.tagName === 'table' || excluded.has(node) || displayOf(node) === 'none';
  return hasAncestor(block, isNoPlace) ? null : block;
}

/** Whether a block is a place with a number, not a note. Short notes have words, such as "See p. 9" before the arrow back. */
function isOnlyMarker(text: string): boolean {
  const words = text.replace(BACK_ARROWS, '').trim();
  return words.length <= MAX_MARKER_LENGTH && (NOTE_MARKER.test(words) || !/\p{L}/u.test(words));
}

/** Whether the element or one of the elements around it matches. */
function hasAncestor(node: TreeNode, matches: (node: TreeNode) => boolean): boolean {
  let ancestor: TreeNode | null = node;
  for (let steps = 0; ancestor?.tagName !== undefined && steps < 256; steps++) {
    if (matches(ancestor)) return true;
    ancestor = ancestor.parentNode;
  }
  return false;
}

/** The number or letter of the marker; where it is taken or there is none, the next number. */
function newLabel(marker: string, labels: Set<string>): string {
  let label = /[a-z0-9]+/i.exec(marker)?.[0].toLowerCase() ?? String(labels.size + 1);
  for (let number = labels.size + 1; labels.has(label); number++) label = String(number);
  labels.add(label);
  return label;
}

/** Whether a link of a footnote only leads back to where it is referred to. */
export function isBackLink(node: TreeNode): boolean {
  const href = attributeOf(node, 'href');
  if (href === null || !href.includes('#')) return false;
  return textContent(node, 20).trim().length <= 4;
}

/** Roles of what a document repeats on each page, and of page numbers (DPUB-ARIA 1.1). */
const RUNNING_ROLES = new Set(['doc-pageheader', 'doc-pagefooter', 'doc-pagebreak']);

export const isRunning = (node: TreeNode): boolean =>
  RUNNING_ROLES.has(attributeOf(node, 'role')?.trim().toLowerCase() ?? '');
