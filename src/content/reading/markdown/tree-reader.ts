/** Walks over a selection of the tree and hands its text to the writers. Not recursive: pages may be nested deeply. */

import { imageAlt, imageSource, isTrackingPixel, pictureOfNoscript } from '../../document/image-source.ts';
import { attributeOf, shownChildrenOf, type TreeNode } from '../../document/page-tree.ts';
import { type CssDisplay, displayOf, NO_OWN_TEXT } from '../../document/visible-text.ts';
import type { BlockWriter } from './block-writer.ts';
import { isCallout, isCalloutTitle } from './callout.ts';
import { codeBlock, codeOfLines, isLineNumbers, preservedText } from './code-block.ts';
import { escapeHeadingEnd, escapeText } from './escape.ts';
import { formulaOf } from './formula.ts';
import {
  CODE,
  DELETED,
  EMPHASIS,
  InlineContent,
  type InlineLink,
  KEYBOARD,
  NO_MARKS,
  type Piece,
  STRONG,
  SUBSCRIPT,
  SUPERSCRIPT,
} from './inline-content.ts';
import { RepeatedPictures } from './repeated-pictures.ts';
import { isBackLink, isLayoutTable, isRunning, type Survey } from './survey.ts';
import { spanOf, TableRows } from './table-rows.ts';
import { type InlineContext, linkDestination, writeInline } from './write-inline.ts';

const MARKS: Readonly<Record<string, number>> = {
  b: STRONG,
  strong: STRONG,
  i: EMPHASIS,
  em: EMPHASIS,
  cite: EMPHASIS,
  dfn: EMPHASIS,
  var: EMPHASIS,
  s: DELETED,
  strike: DELETED,
  del: DELETED,
  code: CODE,
  tt: CODE,
  samp: CODE,
  kbd: KEYBOARD,
  sub: SUBSCRIPT,
  sup: SUPERSCRIPT,
};
const LISTS = new Set(['ul', 'ol', 'menu', 'dir', 'select']);
const LINK_SCHEME = /^(?:https?|mailto|tel|ftp):$/;
const MAX_URL_LENGTH = 8192;

export interface ReaderOptions {
  readonly links: 'inline' | 'reference' | 'text';
  readonly images: 'all' | 'alt' | 'none';
  /** Writes a table that Markdown has no form for; null: as a Markdown table. */
  readonly complexTable: ((table: TreeNode) => string) | null;
}

/** What an element passes on to the elements inside. */
interface Inherited {
  readonly marks: number;
  readonly link: InlineLink | null;
  /** In a footnote, where links back to the text are left out. */
  readonly inNote: boolean;
}

interface Frame extends Inherited {
  readonly children: readonly TreeNode[];
  nextIndex: number;
  /** What is done at the end of the element. */
  readonly end: (() => void) | null;
}

interface OpenTable {
  readonly rows: TableRows;
  inCell: boolean;
  inHead: boolean;
  /** Tables in its cells, which follow after it. */
  readonly nested: TreeNode[];
}

export class TreeReader {
  readonly #writer: BlockWriter;
  readonly #survey: Survey;
  readonly #excluded: ReadonlySet<TreeNode>;
  readonly #base: string;
  readonly #options: ReaderOptions;
  readonly #context: Omit<InlineContext, 'place'>;
  readonly #line = new InlineContent();
  readonly #frames: Frame[] = [];
  readonly #pictures = new RepeatedPictures();
  #inHeading = false;
  #table: OpenTable | null = null;
  /** Each open `dl`: the depth of the writer there, and whether a list of descriptions is open. */
  readonly #definitions: { readonly depth: number; inList: boolean }[] = [];
  /** The last block is a thematic break, or there is none yet. */
  #endsWithRule = true;

  constructor(
    writer: BlockWriter,
    survey: Survey,
    excluded: ReadonlySet<TreeNode>,
    base: string,
    options: ReaderOptions,
    labelOf: ((url: string) => string) | null,
  ) {
    this.#writer = writer;
    this.#survey = survey;
    this.#excluded = excluded;
    this.#base = base;
    this.#options = options;
    this.#context = {
      hasFormulas: survey.hasFormulas,
      hasFootnotes: survey.noteTexts.size > 0,
      labelOf,
    };
  }

  read(roots: readonly TreeNode[]): void {
    for (const root of roots) {
      this.#enter(root, { marks: NO_MARKS, link: null, inNote: false }, { isRoot: true });
      this.#walk();
      this.#endBlock();
    }
  }

  #walk(): void {
    while (this.#frames.length > 0) {
      const frame = this.#frames.at(-1)!;
      const node = this.#writer.isFull ? undefined : frame.children[frame.nextIndex++];
      if (node === undefined) {
        this.#frames.pop();
        frame.end?.();
      } else this.#enter(node, frame, { isRoot: false });
    }
  }

  /** @param isRoot shown even if the page hides it: it was selected */
  #enter(node: TreeNode, inherited: Inherited, { isRoot }: { readonly isRoot: boolean }): void {
    if (node.value !== undefined) {
      // Between rows or options there is only white space.
      if (NO_OWN_TEXT.has(node.parentNode?.tagName ?? '')) return;
      this.#pictures.seeText(node.value);
      this.#line.addText(node.value, inherited.marks, inherited.link);
      return;
    }
    if (node.tagName === undefined) {
      if (node.childNodes !== undefined) this.#push(node, inherited, null);
      return;
    }
    if (this.#excluded.has(node)) return;
    if (this.#survey.hasFormulas && this.#addFormula(node, inherited.marks, inherited.link)) return;
    if (node.tagName === 'noscript' && !isRoot) {
      for (const image of pictureOfNoscript(node, this.#base))
        this.#addImage(image, inherited.marks, inherited.link);
      return;
    }
    let display = displayOf(node);
    if (display === 'none' && isRoot) display = 'block';
    if (display === 'none' || isLineNumbers(node) || (!isRoot && isRunning(node))) return;
    if (display === 'break') this.#addBreak(inherited.marks, inherited.link);
    else if (display === 'inline') this.#enterInline(node, inherited);
    else this.#enterBlock(node, inherited, display);
  }

  #push(node: TreeNode, inherited: Inherited, end: (() => void) | null): void {
    const { marks, link, inNote } = inherited;
    this.#frames.push({ children: shownChildrenOf(node), nextIndex: 0, marks, link, inNote, end });
  }

  #addFormula(node: TreeNode, marks: number, link: InlineLink | null): boolean {
    const formula = formulaOf(node, this.#survey.hasTexScripts);
    if (formula === null) return false;
    if (formula.tex === '') return true;
    const tex = this.#table?.inCell ? formula.tex.replaceAll('|', '\\|') : formula.tex;
    const isBlock = formula.display && this.#table === null && !this.#inHeading;
    if (isBlock) this.#endBlock();
    this.#line.addRaw(isBlock ? `$$${tex}$$` : `$${tex}$`, marks, link);
    if (isBlock) this.#endBlock();
    return true;
  }

  #addBreak(marks: number, link: InlineLink | null): void {
    // Two breaks are how old pages begin a new paragraph.
    if (this.#line.endsWithBreak && this.#table === null && !this.#inHeading) this.#endBlock();
    else this.#line.addBreak(marks, link);
  }

  #enterInline(node: TreeNode, inherited: Inherited): void {
    let { marks, link, inNote } = inherited;
    const label = this.#survey.noteLinks.get(node);
    if (label !== undefined) {
      if (label !== null) this.#line.addRaw(`[^${label}]`, marks & ~SUPERSCRIPT, null);
      return;
    }
    switch (node.tagName) {
      case 'img':
        this.#addImage(node, marks, link);
        return;
      case 'input':
        this.#addCheckbox(node);
        return;
      case 'a':
        if (inNote && isBackLink(node)) return;
        link = this.#linkOf(node) ?? link;
        break;
      default:
        // Nothing is marked within code.
        if ((marks & CODE) === 0) marks |= MARKS[node.tagName!] ?? 0;
    }
    this.#push(node, { marks, link, inNote }, null);
  }

  #linkOf(node: TreeNode): InlineLink | null {
    if (this.#options.links === 'text') return null;
    const href = attributeOf(node, 'href') ?? attributeOf(node, 'xlink:href');
    const url = href === null ? null : URL.parse(href, this.#base);
    if (url === null || !LINK_SCHEME.test(url.protocol) || url.href.length > MAX_URL_LENGTH) return null;
    return { url: url.href, isWritten: false };
  }

  #addImage(node: TreeNode, marks: number, link: InlineLink | null): void {
    const { images } = this.#options;
    const alt = imageAlt(node).replace(/\s+/g, ' ').trim();
    if (images === 'none' || isTrackingPixel(node)) return;
    if (images === 'alt') {
      this.#line.addText(alt, marks, link);
      return;
    }
    const url = imageSource(node, this.#base);
    const inCell = this.#table?.inCell === true;
    if (url === null || (!inCell && this.#pictures.isRepeated(node, url))) return;
    const pairs = new Set(['*', '_', '~', '`']);
    const context = { ...this.#context, pairs, inCell, hasDefinitions: true };
    this.#line.addRaw(
      `![${escapeText(alt, { before: '[', after: ']', inLink: true }, context)}](${linkDestination(url)})`,
      marks,
      link,
    );
  }

  /** A checkbox at the beginning of a list item makes it a task. */
  #addCheckbox(node: TreeNode): void {
    if (attributeOf(node, 'type')?.toLowerCase() !== 'checkbox') return;
    if (!this.#writer.isInNewItem || !this.#line.isEmpty || this.#table !== null) return;
    this.#line.addRaw(attributeOf(node, 'checked') === null ? '[ ]' : '[x]', NO_MARKS, null, {
      counts: false,
    });
    this.#line.addText(' ', NO_MARKS, null);
  }

  #enterBlock(node: TreeNode, inherited: Inherited, display: CssDisplay): void {
    const table = this.#table;
    if (this.#inHeading || table?.inCell) this.#enterNarrow(node, inherited, display);
    else if (table !== null && this.#enterTablePart(node, inherited, table)) return;
    else {
      this.#endBlock();
      this.#enterFlow(node, inherited, display);
    }
  }

  /** Where there are no blocks, in headings and cells: each block is a line. */
  #enterNarrow(node: TreeNode, inherited: Inherited, display: CssDisplay): void {
    const endLine = () => this.#line.addBreak(NO_MARKS, null);
    const facts = this.#survey.tables.get(node);
    if (this.#table !== null && facts !== undefined && !isLayoutTable(node, facts)) {
      this.#table.nested.push(node);
      return;
    }
    endLine();
    if (display === 'pre') {
      for (const line of preservedText(node, this.#excluded).split('\n')) {
        this.#line.addText(line, inherited.marks | CODE, inherited.link);
        endLine();
      }
    } else this.#push(node, inherited, endLine);
  }

  /** @returns false: it is not a part of the table, but for example its caption */
  #enterTablePart(node: TreeNode, inherited: Inherited, table: OpenTable): boolean {
    const { rows } = table;
    if (node.tagName === 'td' || node.tagName === 'th') {
      this.#endBlock();
      table.inCell = true;
      this.#push(node, inherited, () => {
        const lines = this.#takeLines('cell');
        table.inCell = false;
        rows.addCell(lines?.[0] ?? '', spanOf(node, 'colspan'), spanOf(node, 'rowspan'));
      });
      return true;
    }
    if (node.tagName !== 'tr') return false;
    const cells = (node.childNodes ?? []).filter(({ tagName }) => tagName === 'td' || tagName === 'th');
    rows.openRow(table.inHead || (cells.length > 0 && cells.every(({ tagName }) => tagName === 'th')));
    this.#push(node, inherited, () => rows.closeRow());
    return true;
  }

  #enterFlow(node: TreeNode, inherited: Inherited, display: CssDisplay): void {
    const label = this.#survey.noteTexts.get(node);
    if (label !== undefined) {
      this.#writer.openNote(label);
      this.#push(node, { ...inherited, inNote: true }, () => this.#endContainers(1));
      return;
    }
    const heading = headingLevel(node);
    if (heading !== null) this.#enterHeading(node, inherited, heading);
    else if (LISTS.has(node.tagName!)) this.#enterList(node, inherited);
    else {
      const code = display === 'pre' ? codeBlock(node, this.#excluded) : codeOfLines(node, this.#excluded);
      if (code !== null) this.#write('other', code);
      else if (node.tagName === 'table') this.#enterTable(node, inherited);
      else this.#enterOther(node, inherited);
    }
  }

  #enterOther(node: TreeNode, inherited: Inherited): void {
    const writer = this.#writer;
    const endBlock = () => this.#endBlock();
    switch (node.tagName) {
      case 'blockquote':
        this.#enterQuote(node, inherited);
        return;
      case 'li':
      case 'option':
        if (writer.isInList) {
          const value = Number.parseInt(attributeOf(node, 'value') ?? '', 10);
          writer.openItem(node.tagName === 'li' && Number.isInteger(value) ? value : null);
          this.#push(node, inherited, () => this.#endContainers(1));
        } else this.#push(node, inherited, endBlock);
        return;
      case 'dl':
        this.#enterDefinitions(node, inherited);
        return;
      case 'dt':
        this.#closeDescriptions();
        this.#push(node, { ...inherited, marks: inherited.marks | STRONG }, endBlock);
        return;
      case 'dd':
        if (this.#openDescription()) this.#push(node, inherited, () => this.#endContainers(1));
        else this.#push(node, inherited, endBlock);
        return;
      case 'cite':
        this.#push(node, { ...inherited, marks: inherited.marks | EMPHASIS }, endBlock);
        return;
      case 'hr':
        if (!this.#endsWithRule && !writer.isInList && !writer.isInNewItem) {
          this.#write('other', ['---']);
          this.#endsWithRule = true;
        }
        return;
      case 'thead':
      case 'tbody':
      case 'tfoot':
        this.#enterTableSection(node, inherited);
        return;
      default:
        if (isCallout(node)) this.#enterQuote(node, inherited);
        else if (isCalloutTitle(node))
          this.#push(node, { ...inherited, marks: inherited.marks | STRONG }, endBlock);
        else this.#push(node, inherited, endBlock);
    }
  }

  #enterQuote(node: TreeNode, inherited: Inherited): void {
    const extra = this.#openItemIfNeeded();
    this.#writer.openQuote();
    this.#push(node, inherited, () => this.#endContainers(1 + extra));
  }

  #enterHeading(node: TreeNode, inherited: Inherited, level: number): void {
    this.#inHeading = true;
    this.#push(node, inherited, () => {
      this.#inHeading = false;
      const text = this.#takeLines('heading');
      if (text !== null) this.#write('other', [`${'#'.repeat(level)} ${escapeHeadingEnd(text[0]!)}`]);
    });
  }

  #enterList(node: TreeNode, inherited: Inherited): void {
    const extra = this.#openItemIfNeeded();
    if (node.tagName === 'ol') {
      const isReversed = attributeOf(node, 'reversed') !== null;
      const start = Number.parseInt(attributeOf(node, 'start') ?? '', 10);
      const items = isReversed ? (node.childNodes ?? []).filter(({ tagName }) => tagName === 'li').length : 1;
      this.#writer.openList(Number.isInteger(start) ? start : items, isReversed ? -1 : 1);
    } else this.#writer.openList(null);
    this.#push(node, inherited, () => this.#endContainers(1 + extra));
  }

  /** Markdown has no definition lists: a term is a bold paragraph, its descriptions are a list below. */
  #enterDefinitions(node: TreeNode, inherited: Inherited): void {
    const extra = this.#openItemIfNeeded();
    this.#definitions.push({ depth: this.#writer.depth, inList: false });
    this.#push(node, inherited, () => {
      this.#endBlock();
      this.#closeDescriptions();
      this.#definitions.pop();
      this.#endContainers(extra);
    });
  }

  /** @returns false: the element is not where a description belongs */
  #openDescription(): boolean {
    const definitions = this.#definitions.at(-1);
    if (definitions === undefined) return false;
    if (!definitions.inList && this.#writer.depth === definitions.depth) {
      this.#writer.openList(null);
      definitions.inList = true;
    }
    if (!definitions.inList || this.#writer.depth !== definitions.depth + 1) return false;
    this.#writer.openItem(null);
    return true;
  }

  #closeDescriptions(): void {
    const definitions = this.#definitions.at(-1);
    if (definitions?.inList !== true || this.#writer.depth !== definitions.depth + 1) return;
    this.#writer.close();
    definitions.inList = false;
  }

  #enterTable(node: TreeNode, inherited: Inherited): void {
    const facts = this.#survey.tables.get(node);
    if (facts === undefined || this.#table !== null || isLayoutTable(node, facts)) {
      this.#push(node, inherited, () => this.#endBlock());
      return;
    }
    const { complexTable } = this.#options;
    if (complexTable !== null && (facts.hasSpans || facts.hasBlocks)) {
      this.#write('other', [complexTable(node)]);
      return;
    }
    const table: OpenTable = { rows: new TableRows(), inCell: false, inHead: false, nested: [] };
    this.#table = table;
    this.#push(node, inherited, () => {
      this.#endBlock();
      this.#table = null;
      this.#write('other', table.rows.lines());
      this.#frames.push({ ...inherited, children: table.nested, nextIndex: 0, end: null });
    });
  }

  #enterTableSection(node: TreeNode, inherited: Inherited): void {
    const table = this.#table;
    if (table !== null) table.inHead = node.tagName === 'thead';
    this.#push(node, inherited, () => {
      this.#endBlock();
      if (table === null) return;
      table.inHead = false;
      table.rows.endSection();
    });
  }

  /** Writes the text that has been collected as a paragraph. */
  #endBlock(): void {
    this.#write('paragraph', this.#takeLines('paragraph'));
  }

  #endContainers(count: number): void {
    this.#endBlock();
    for (let closed = 0; closed < count; closed++) this.#writer.close();
  }

  #takeLines(place: InlineContext['place']): string[] | null {
    const { hasContent, hasText } = this.#line;
    const pieces = this.#line.take();
    if (!hasContent) return null;
    const isHeading = place === 'heading';
    const settled = pieces.map((piece): Piece => {
      const link = piece.link?.isWritten ? null : piece.link;
      // A heading is bold by itself.
      return { ...piece, link, marks: isHeading ? piece.marks & ~STRONG : piece.marks };
    });
    if (hasText) for (const { link } of settled) if (link !== null) link.isWritten = true;
    return writeInline(settled, { ...this.#context, place });
  }

  #write(kind: 'paragraph' | 'other', lines: readonly string[] | null): void {
    if (lines === null) return;
    const extra = this.#openItemIfNeeded();
    this.#writer.write(kind, lines);
    this.#endsWithRule = false;
    for (let closed = 0; closed < extra; closed++) this.#writer.close();
  }

  /** Content between the items of a list belongs to the item before it. @returns how many containers were opened */
  #openItemIfNeeded(): number {
    if (!this.#writer.isInList) return 0;
    this.#writer.reopenItem();
    return 1;
  }
}

function headingLevel(node: TreeNode): number | null {
  const level = /^h([1-6])$/.exec(node.tagName!)?.[1];
  if (level !== undefined) return Number(level);
  if (attributeOf(node, 'role') !== 'heading') return null;
  const stated = Number(attributeOf(node, 'aria-level') ?? 2);
  return Number.isInteger(stated) ? Math.min(Math.max(stated, 1), 6) : 2;
}
