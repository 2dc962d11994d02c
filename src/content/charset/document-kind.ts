import type { DocumentKind } from '../../domain/document.ts';
import { zipMemberNames } from './zip-members.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

const KINDS_BY_TYPE: ReadonlyMap<string, DocumentKind> = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  [`${OOXML}.wordprocessingml.document`, 'docx'],
  [`${OOXML}.wordprocessingml.template`, 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  [`${OOXML}.presentationml.presentation`, 'pptx'],
  [`${OOXML}.presentationml.slideshow`, 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  [`${OOXML}.spreadsheetml.sheet`, 'xlsx'],
  [`${OOXML}.spreadsheetml.template`, 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['application/vnd.ms-excel', 'xls'],
  [`${ODF}.text`, 'odt'],
  [`${ODF}.text-template`, 'odt'],
  [`${ODF}.spreadsheet`, 'ods'],
  ['application/epub+zip', 'epub'],
  ['application/rtf', 'rtf'],
  ['application/x-rtf', 'rtf'],
  ['text/rtf', 'rtf'],
  ['text/richtext', 'rtf'],
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['application/x-csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
]);

/** Types that say nothing about what is inside. */
const VAGUE_TYPES = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/zip',
  'application/x-zip-compressed',
  'application/x-download',
  'application/force-download',
  'application/download',
  'unknown/unknown',
]);

/** The member of a ZIP file that shows what it is. */
const KINDS_BY_MEMBER: readonly (readonly [member: string, kind: DocumentKind])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['META-INF/container.xml', 'epub'],
];

/** The file's own statement of its type, in the first member of OpenDocument and EPUB files. */
const MIMETYPE_MEMBER = /^PK\x03\x04.{26}mimetype(?:.{0,64}?)(application\/[a-z.+-]+)/s;
/** Word writes `%PDF-` at the very beginning; PDF readers also take it within the first 1024 bytes (ISO 32000, annex H). */
const PDF_HEADER_BYTES = 1024;
const OLE2 = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** The stream with the cells of a workbook, in UTF-16. */
const XLS_STREAM = Buffer.from('Workbook', 'utf16le');

/**
 * The kind of a document; null: it is not one that is read. The first bytes count where they are clear, because servers
 * declare office documents as one another, as ZIP or as unknown data; otherwise the declared type.
 * @param essence the type of the page, `type/subtype`
 */
export function documentKind(essence: string, body: Uint8Array): DocumentKind | null {
  const declared = KINDS_BY_TYPE.get(essence) ?? null;
  if (declared === null && !VAGUE_TYPES.has(essence)) return null;
  return kindByBytes(body) ?? declared;
}

function kindByBytes(body: Uint8Array): DocumentKind | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const head = bytes.toString('latin1', 0, PDF_HEADER_BYTES);
  if (head.startsWith('{\\rtf')) return 'rtf';
  if (head.startsWith('PK')) return kindOfZip(bytes, head);
  if (head.startsWith(OLE2)) return bytes.includes(XLS_STREAM) ? 'xls' : null;
  return head.includes('%PDF-') ? 'pdf' : null;
}

function kindOfZip(bytes: Uint8Array, head: string): DocumentKind | null {
  const stated = KINDS_BY_TYPE.get(MIMETYPE_MEMBER.exec(head)?.[1] ?? '');
  if (stated !== undefined) return stated;
  const members = zipMemberNames(bytes);
  return KINDS_BY_MEMBER.find(([member]) => members.has(member))?.[1] ?? null;
}
