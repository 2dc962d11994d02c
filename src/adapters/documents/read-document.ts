import type { DocumentInfo, DocumentKind, DocumentReading } from '../../domain/document.ts';
import { WARNINGS, type Warning } from '../../domain/failure.ts';
import type { DocumentOrder, ProcessResult } from './document-frame.ts';
import { HtmlWriter } from './html-writer.ts';
import { type ReadLimits, type ReadPart, UnreadableDocument } from './read-part.ts';

type ReadKind = (bytes: Buffer, writer: HtmlWriter, limits: ReadLimits) => Promise<ReadPart> | ReadPart;

/** Packages are loaded here only, and only those that the kind needs. */
const READERS: Readonly<Record<DocumentKind, () => Promise<ReadKind>>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./read-docx.ts')).readDocx,
  odt: async () => (await import('./read-odt.ts')).readOdt,
  rtf: async () => (await import('./read-rtf.ts')).readRtf,
  epub: async () => (await import('./read-epub.ts')).readEpub,
  pptx: async () => (await import('./read-pptx.ts')).readPptx,
  xlsx: async () => (await import('./read-sheets.ts')).readXlsxSheets,
  xls: async () => (await import('./read-sheets.ts')).readXlsSheets,
  ods: async () => (await import('./read-ods.ts')).readOds,
  csv: async () => (await import('./read-csv.ts')).readCsv,
};

/** Loads what a kind needs, before the process gives up the right to read files. */
export const loadReader = (kind: DocumentKind): Promise<unknown> => READERS[kind]();

/** Names of the errors of packages when a password is needed. */
const ENCRYPTED_ERRORS = new Set(['PasswordException', 'EncryptedFileError', 'DecryptionError']);

/** Reads one document, in the process that calls it: `document-child.ts`. */
export async function readDocument(
  bytes: Buffer,
  kind: DocumentKind,
  order: DocumentOrder,
): Promise<ProcessResult> {
  const endsAt = performance.now() + order.ms;
  const writer = new HtmlWriter();
  try {
    const read = await READERS[kind]();
    const limits = { maxPages: order.maxPages, isTimeUp: () => performance.now() > endsAt };
    const part = await read(bytes, writer, limits);
    return { kind: 'read', reading: readingOf(kind, part, writer) };
  } catch (error) {
    if (error instanceof UnreadableDocument)
      return { kind: 'unreadable', reason: error.reason, message: error.message };
    if (error instanceof Error && ENCRYPTED_ERRORS.has(error.name))
      return { kind: 'unreadable', reason: 'encrypted', message: 'The document is encrypted.' };
    const why = error instanceof Error ? error.message : String(error);
    // What the packages throw is about the document: they have no other input.
    const message = `The document cannot be read as ${kind.toUpperCase()}: ${why.slice(0, 200)}`;
    return { kind: 'unreadable', reason: 'broken', message };
  }
}

function readingOf(kind: DocumentKind, part: ReadPart, writer: HtmlWriter): DocumentReading {
  const { title, author, created } = part;
  const truncation = part.truncation ?? (writer.isFull ? 'its text is too long' : null);
  const warnings: Warning[] = [];
  if (!writer.hasText) warnings.push({ code: 'document.no_text', message: WARNINGS['document.no_text'] });
  if (truncation !== null) {
    const { pages, pagesRead } = part;
    const howFar = pages === null ? '' : ` ${pagesRead} of ${pages} pages were read.`;
    const message = `Only a part of the document was read, because ${truncation}.${howFar}`;
    warnings.push({ code: 'document.truncated', message });
  }
  if (writer.hidden.size > 0) {
    const parts = [...writer.hidden].map(
      ([part, count]) => `${count} ${count === 1 ? part.slice(0, -1) : part}`,
    );
    const message = `The document does not show all that it contains. Left out: ${parts.join(', ')}.`;
    warnings.push({ code: 'document.hidden', message, details: Object.fromEntries(writer.hidden) });
  }
  const info: DocumentInfo = {
    kind,
    pages: part.pages,
    pagesRead: part.pagesRead,
    textLayer: writer.hasText,
    title,
    author,
    created,
    truncated: truncation !== null,
  };
  return { html: writer.toDocument({ title, author }), document: info, warnings };
}
