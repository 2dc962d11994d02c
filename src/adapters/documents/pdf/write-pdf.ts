import type { HtmlWriter } from '../html-writer.ts';
import type { PdfBlock, PdfLine, PdfParagraph } from './pdf-blocks.ts';
import type { PdfLinkTable } from './pdf-links.ts';

/** A heading is set in a font this much larger than that of the text. */
const HEADING_FACTOR = 1.15;
const MAX_HEADING_LENGTH = 200;
const MAX_LEVEL = 6;
/** Headings whose sizes differ by less are of one level. */
const LEVEL_FACTOR = 1.08;
const CJK_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。]$/u;
const CJK_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。]/u;
const MAX_WORD_LENGTH = 64;
/** With the first parts of a word that has several hyphens. */
const HYPHEN_END = /((?:\p{L}+-)*\p{L}+)[-\u00ad\u2010]$/u;
/** The rest of a word, with the parts that follow if it has several hyphens. */
const WORD_START = /^\p{Ll}+(?:-\p{L}+)*/u;
/** Before these words a hyphen stands for what follows: `Hard- und Software`. */
const CONJUNCTION = /^(?:und|oder|and|och|eller|y|e|o) /u;
const HYPHENATED_WORD = /\p{L}+(?:-\p{L}+)+/gu;

/** A page with what runs through all pages. */
interface WrittenPage {
  readonly head: readonly string[];
  readonly blocks: readonly PdfBlock[];
  readonly foot: readonly string[];
}

/**
 * Writes each page as a section. Sizes of headings and words with hyphens are those of the whole document. Running heads and feet have
 * the roles that say so (DPUB-ARIA 1.1): they are text, and Markdown is without them.
 */
export function writePages(pages: readonly WrittenPage[], links: PdfLinkTable, writer: HtmlWriter): void {
  const all = pages.flatMap(({ blocks }) => blocks);
  const levels = headingLevels(all);
  const hyphenated = hyphenatedWords(all);
  for (const { head, blocks, foot } of pages) {
    writer.open('section');
    for (const line of head) writer.element('header', line, { role: 'doc-pageheader' });
    let inList = false;
    for (const block of blocks) {
      if ((block.kind === 'item') !== inList) {
        inList = !inList;
        if (inList) writer.open('ul');
        else writer.close('ul');
      }
      if (block.kind === 'table') writeTable(block.rows, links, writer);
      else writeParagraph(block, joinLines(block.lines, hyphenated), levels, links, writer);
    }
    if (inList) writer.close('ul');
    for (const line of foot) writer.element('footer', line, { role: 'doc-pagefooter' });
    writer.close('section');
  }
}

function writeParagraph(
  { kind, size }: PdfParagraph,
  pieces: readonly string[],
  levels: ReadonlyMap<number, number>,
  links: PdfLinkTable,
  writer: HtmlWriter,
): void {
  const level = isHeading(kind, pieces.join(' ')) ? levels.get(roundSize(size)) : undefined;
  const tag = level !== undefined ? `h${level}` : kind === 'item' ? 'li' : 'p';
  writer.open(tag);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) writer.open('br');
    links.write(piece, writer);
  }
  writer.close(tag);
}

function writeTable(rows: readonly (readonly string[])[], links: PdfLinkTable, writer: HtmlWriter): void {
  writer.open('table');
  for (const cells of rows) {
    writer.open('tr');
    for (const cell of cells) {
      writer.open('td');
      links.write(cell, writer);
      writer.close('td');
    }
    writer.close('tr');
  }
  writer.close('table');
}

function isHeading(kind: PdfBlock['kind'], text: string): boolean {
  return kind === 'paragraph' && text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(text);
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** The level of each font size that is larger than that of most of the text: the largest is level 1. */
function headingLevels(blocks: readonly PdfBlock[]): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  const headingSizes = new Set<number>();
  for (const block of blocks) {
    const text =
      block.kind === 'table' ? block.rows.flat().join(' ') : block.lines.map((line) => line.text).join(' ');
    const rounded = roundSize(block.size);
    lengths.set(rounded, (lengths.get(rounded) ?? 0) + text.length);
    if (isHeading(block.kind, text)) headingSizes.add(rounded);
  }
  let bodySize = 0;
  let most = 0;
  for (const [size, length] of lengths) {
    if (length <= most) continue;
    bodySize = size;
    most = length;
  }
  const sizes = [...headingSizes].filter((size) => size >= HEADING_FACTOR * bodySize).sort((a, b) => b - a);
  const levels = new Map<number, number>();
  let level = 0;
  let levelSize = Number.POSITIVE_INFINITY;
  for (const size of sizes) {
    if (size * LEVEL_FACTOR < levelSize) {
      level++;
      levelSize = size;
    }
    levels.set(size, Math.min(MAX_LEVEL, level));
  }
  return levels;
}

/** Words that the document writes with a hyphen inside of a line, in lower case. */
function hyphenatedWords(blocks: readonly PdfBlock[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const block of blocks)
    for (const line of block.kind === 'table' ? [] : block.lines)
      for (const [word] of line.text.matchAll(HYPHENATED_WORD)) words.add(word.toLowerCase());
  return words;
}

/**
 * Joins lines with spaces, and words that were hyphenated at the end of a line without the hyphen.
 * @returns the pieces between deliberate line breaks
 */
function joinLines(lines: readonly PdfLine[], hyphenated: ReadonlySet<string>): string[] {
  const pieces: string[] = [];
  let text = '';
  for (const line of lines) {
    text = joinLine(text, line.text.trim(), hyphenated);
    if (!line.breaks) continue;
    pieces.push(text);
    text = '';
  }
  return text === '' ? pieces : [...pieces, text];
}

function joinLine(text: string, line: string, hyphenated: ReadonlySet<string>): string {
  const end = HYPHEN_END.exec(text.slice(-MAX_WORD_LENGTH));
  const start = CONJUNCTION.test(line) ? null : WORD_START.exec(line);
  if (end !== null && start !== null) {
    const word = `${end[1]}-${start[0]}`.toLowerCase();
    // TeX breaks a word that has hyphens only at one of them.
    const keepsHyphen = hyphenated.has(word) || word.split('-').length > 2;
    return (keepsHyphen ? text : text.slice(0, -1)) + line;
  }
  if (text === '' || (CJK_END.test(text.slice(-2)) && CJK_START.test(line))) return text + line;
  return `${text} ${line}`;
}
