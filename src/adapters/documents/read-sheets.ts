import { type CellObject, read, SSF, set_cptable, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { strToU8, zipSync } from 'fflate';
import { type Archive, memberText, openArchive } from './archive.ts';
import { escapeHtml, type HtmlWriter } from './html-writer.ts';
import { coreProperties, relations } from './office-package.ts';
import {
  cleanDate,
  cleanProperty,
  encryptedDocument,
  pageLimit,
  type ReadLimits,
  type ReadPart,
  TIME_IS_UP,
  UnreadableDocument,
} from './read-part.ts';
import { SheetFormats } from './sheet-number.ts';
import { MAX_ROWS, ROW_LIMIT, type SheetCell, writeSheet } from './sheet-table.ts';

/** The first bytes of an OLE2 file, and of a workbook of Excel 2 to 4, which is not in one. */
const XLS_START = /^(?:\xd0\xcf\x11\xe0|\x09[\x00\x02\x04\x08])/;

export function readXlsxSheets(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  // The package takes whatever is no archive for text.
  const archive = openArchive(bytes, (name) => /\.(?:xml|rels)$/.test(name));
  const part = readSheets(withStated(archive), writer, limits);
  return {
    ...part,
    ...coreProperties(archive),
    truncation: part.truncation ?? (hasFarRows(archive) ? ROW_LIMIT : null),
  };
}

/** The package does not tell that it left out rows unless the sheet states its extent. */
function hasFarRows(archive: Archive): boolean {
  for (const [name, bytes] of archive) {
    if (!name.startsWith('xl/worksheets/')) continue;
    const xml = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const last = Math.max(xml.lastIndexOf('<row '), xml.lastIndexOf(':row '));
    const tag = last === -1 ? '' : xml.toString('latin1', last, last + 200);
    if (Number(/^[^>]*?\sr="(\d+)"/.exec(tag)?.[1] ?? 0) > MAX_ROWS) return true;
  }
  return false;
}

const DOLLARS = '"$"#,##0_);\\("$"#,##0\\)';
const CENTS = '"$"#,##0.00_);\\("$"#,##0.00\\)';
/**
 * Formats that files need not define, by what Excel shows in English (ECMA-376 part 1, §18.8.30): those that depend on the language.
 * The package takes most of them for General.
 */
const IMPLIED_FORMATS: readonly (readonly [code: string, ...ids: number[]])[] = [
  [DOLLARS, 5, 6, 63, 64],
  [CENTS, 7, 8, 65, 66],
  ['m/d/yy', 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58, 71, 72],
  ['h:mm:ss', 32, 33, 34, 35, 77],
  ['_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', 41],
  ['_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)', 42],
  ['_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', 43],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 44],
  ['mm:ss.0', 47, 81],
  ['0', 59],
  ['0.00', 60],
  ['#,##0', 61],
  ['#,##0.00', 62],
  ['0%', 67],
  ['0.00%', 68],
  ['# ?/?', 69],
  ['# ??/??', 70],
  ['d-mmm-yy', 73],
  ['d-mmm', 74],
  ['mmm-yy', 75],
  ['h:mm', 76],
  ['m/d/yy h:mm', 78],
  ['mm:ss', 79],
  ['[h]:mm:ss', 80],
];
const impliedFormats = IMPLIED_FORMATS.flatMap(([code, ...ids]) => ids.map((id) => ({ id, code })));

const TYPES = '[Content_Types].xml';
const WORKBOOK = 'xl/workbook.xml';
/** Parts that the package finds by their stated type alone. */
const TYPED_PARTS = ['styles', 'sharedStrings'];

/** The workbook as an archive again, without pictures, which states the types of the parts that it refers to, and implied formats. */
function withStated(archive: Archive): Buffer {
  const types = memberText(archive, TYPES) ?? '';
  const overrides = [...relations(archive, WORKBOOK).values()]
    .filter(({ type, member }) => TYPED_PARTS.includes(type) && !types.includes(`"/${member}"`))
    .map(
      ({ type, member }) =>
        `<Override PartName="/${escapeHtml(member)}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`,
    );
  const stated = types.replace('</Types>', `${overrides.join('')}</Types>`);
  const members: Record<string, Uint8Array> = { ...Object.fromEntries(archive), [TYPES]: strToU8(stated) };
  for (const { type, member } of relations(archive, WORKBOOK).values())
    if (type === 'styles' && member in members)
      members[member] = strToU8(withImpliedFormats(memberText(archive, member) ?? ''));
  return Buffer.from(zipSync(members, { level: 0 }));
}

/** Before the formats that the file defines, which count for more. */
function withImpliedFormats(styles: string): string {
  const formats = impliedFormats
    .map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${escapeHtml(code)}"/>`)
    .join('');
  const list = /<(?:\w+:)?numFmts\b[^>]*(?<!\/)>/;
  if (list.test(styles)) return styles.replace(list, (tag) => tag + formats);
  return styles.replace(/<(?:\w+:)?styleSheet\b[^>]*>/, (tag) => `${tag}<numFmts>${formats}</numFmts>`);
}

export async function readXlsSheets(
  bytes: Buffer,
  writer: HtmlWriter,
  limits: ReadLimits,
): Promise<ReadPart> {
  if (!XLS_START.test(bytes.toString('latin1', 0, 4)))
    throw new UnreadableDocument('broken', 'The document is no workbook of Excel 97 or older.');
  // Older than Excel 97 their text is in code pages.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  // The table of the package is that of the whole process, and keeps what the workbook before has defined.
  for (const { id, code } of impliedFormats) SSF.load(code, id);
  return readSheets(bytes, writer, limits);
}

function readSheets(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  const workbook = openWorkbook(bytes);
  const formats = new SheetFormats(workbook.Workbook?.WBProps?.date1904 ?? false, ownFormats(workbook));
  let truncation: string | null = null;
  let pagesRead = 0;
  const properties = workbook.Workbook?.Sheets ?? [];
  const shown = workbook.SheetNames.filter((_, index) => (properties[index]?.Hidden ?? 0) === 0);
  writer.hide('sheets', workbook.SheetNames.length - shown.length);
  for (const name of shown) {
    if (pagesRead >= limits.maxPages) truncation = pageLimit(limits.maxPages);
    else if (limits.isTimeUp()) truncation = TIME_IS_UP;
    if (pagesRead >= limits.maxPages || limits.isTimeUp()) break;
    pagesRead++;
    const sheet = workbook.Sheets[name]!;
    // The package tells the whole extent if it left out rows.
    if ('!fullref' in sheet) truncation = ROW_LIMIT;
    writer.element('h2', name);
    truncation = writeSheet(tableOf(sheet, formats), writer) ?? truncation;
  }
  const { Title, Author, CreatedDate } = workbook.Props ?? {};
  return {
    title: cleanProperty(Title),
    author: cleanProperty(Author),
    created: cleanDate(CreatedDate),
    pages: shown.length,
    pagesRead,
    truncation,
  };
}

/** @throws UnreadableDocument: it is encrypted; other errors: it is broken */
function openWorkbook(bytes: Buffer): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows: MAX_ROWS,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: false,
      // For hidden rows and columns.
      cellStyles: true,
    });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw encryptedDocument();
    throw error;
  }
}

/** ECMA-376 part 1, §18.8.30: ids below are those of formats that all programs know. */
const FIRST_OWN_FORMAT = 164;

/** The types of the package do not have its table of formats. */
function ownFormats(workbook: WorkBook & { readonly SSF?: Readonly<Record<string, string>> }): string[] {
  const codes = Object.entries(workbook.SSF ?? {});
  return codes.filter(([id]) => Number(id) >= FIRST_OWN_FORMAT).map(([, code]) => code);
}

function tableOf(sheet: WorkSheet, formats: SheetFormats) {
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  const rows = Array.from(data, (row) => row && Array.from(row, (cell) => shownCell(cell, formats)));
  const merges = (sheet['!merges'] ?? []).map(({ s, e }) => ({
    row: s.r,
    column: s.c,
    lastRow: e.r,
    lastColumn: e.c,
  }));
  // A size of zero hides as well.
  const hiddenOf = (list: readonly ({ hidden?: boolean; width?: number; hpx?: number } | undefined)[]) =>
    new Set([...list.keys()].filter((n) => list[n]?.hidden || (list[n]?.width ?? list[n]?.hpx) === 0));
  return {
    rows,
    merges,
    hiddenRows: hiddenOf(sheet['!rows'] ?? []),
    hiddenColumns: hiddenOf(sheet['!cols'] ?? []),
  };
}

function shownCell(cell: CellObject | undefined, formats: SheetFormats): SheetCell {
  if (cell?.v === undefined) return null;
  const target = cell.l?.Target;
  const href = target !== undefined && /^(?:https?|mailto):/i.test(target) ? target : undefined;
  return { text: shownText(cell, formats), isNumber: cell.t !== 's', href };
}

function shownText(cell: CellObject, formats: SheetFormats): string {
  const { t: type, v: value } = cell;
  if (type === 'b') return value === true ? 'TRUE' : 'FALSE';
  if (type === 'e') return utils.format_cell(cell);
  const code = cell.z === undefined ? undefined : String(cell.z);
  return formats.shown(typeof value === 'number' ? value : String(value), code);
}
