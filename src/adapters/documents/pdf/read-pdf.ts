import { getDocument, type PDFDocumentProxy } from 'unpdf/pdfjs';
import type { HtmlWriter } from '../html-writer.ts';
import {
  cleanDate,
  cleanProperty,
  pageLimit,
  type ReadLimits,
  type ReadPart,
  TIME_IS_UP,
  UnreadableDocument,
} from '../read-part.ts';
import { readAnnotations } from './pdf-annotations.ts';
import { toBlocks } from './pdf-blocks.ts';
import { framedPages } from './pdf-frame.ts';
import { hidingLayers, withoutHiddenLayers } from './pdf-layers.ts';
import { type PdfDirection, type PdfTextItems, readingOrder } from './pdf-lines.ts';
import { PdfLinkTable } from './pdf-links.ts';
import { writePages } from './write-pdf.ts';

/** After this many unreadable pages in succession, the rest is not tried: the file claims pages that it does not have. */
const MAX_BROKEN_PAGES = 20;

/** Reads a PDF. A password is never tried; many encrypted PDFs have an empty one, and open without. */
export async function readPdf(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): Promise<ReadPart> {
  const missing = { encodings: false };
  const pdf = await openPdf(bytes, missing);
  const metadata = await pdf.getMetadata().catch(() => null);
  const info = (metadata?.info ?? {}) as Readonly<Record<string, unknown>>;
  if (info.IsXFAPresent === true && info.IsAcroFormPresent !== true) throw xfaForm();
  const links = new PdfLinkTable();
  const layers = await hidingLayers(pdf);
  const pages: PdfDirection[][] = [];
  const pageCount = Math.min(pdf.numPages, limits.maxPages);
  let truncation = pdf.numPages > limits.maxPages ? pageLimit(limits.maxPages) : null;
  let broken = 0;
  let lastError: unknown;
  let pagesRead = 0;
  for (let number = 1; number <= pageCount; number++) {
    if (limits.isTimeUp()) truncation = TIME_IS_UP;
    else if (broken >= MAX_BROKEN_PAGES) truncation = 'many pages in succession are broken';
    if (limits.isTimeUp() || broken >= MAX_BROKEN_PAGES) break;
    try {
      pages.push(await readPage(pdf, number, { links, layers, writer }));
      pagesRead++;
      broken = 0;
    } catch (error) {
      lastError = error;
      broken++;
      truncation ??= 'some pages are broken';
    }
  }
  if (pagesRead === 0 && lastError !== undefined) throw lastError;
  if (missing.encodings)
    truncation ??= 'some of its text is in Chinese, Japanese or Korean encodings that are not known here';
  const framed = framedPages(pages);
  writePages(
    framed.map(({ head, rows, foot }) => ({ head, blocks: toBlocks(rows), foot })),
    links,
    writer,
  );
  return { ...properties(info), pages: pdf.numPages, pagesRead, truncation };
}

/**
 * Old PDFs in Chinese, Japanese or Korean name tables of characters (CMaps) that a reader must have. The package has none:
 * their text is lost.
 * @param missing is told when a table was needed
 */
function openPdf(bytes: Buffer, missing: { encodings: boolean }): Promise<PDFDocumentProxy> {
  class NoData {
    fetch({ kind }: { readonly kind: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.encodings = true;
      return Promise.reject(new Error('There is no such file.'));
    }
  }
  return getDocument({
    BinaryDataFactory: NoData,
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    // Errors only: the package writes to the console.
    verbosity: 0,
  }).promise;
}

interface PdfContext {
  readonly links: PdfLinkTable;
  readonly layers: Awaited<ReturnType<typeof hidingLayers>>;
  readonly writer: HtmlWriter;
}

async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  { links: table, layers, writer }: PdfContext,
): Promise<PdfDirection[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  // A page is readable also without those.
  const extras = await readAnnotations(page).catch(() => ({ values: [], links: [] }));
  const shown = layers === null ? items : await withoutHiddenLayers(page, items, layers).catch(() => items);
  writer.hide('characters', textLength(items) - textLength(shown));
  page.cleanup();
  return readingOrder(shown, { ...extras, table });
}

const textLength = (items: PdfTextItems): number =>
  items.reduce((sum, item) => sum + ('str' in item ? item.str.length : 0), 0);

/**
 * A form in XFA, whose pages only say that it is one ("Please wait…"): its own pages are made by a program. The package has an engine
 * for them that needs fonts which it does not bring. Forms that also have fields of their own (AcroForm) are read by those.
 */
function xfaForm(): UnreadableDocument {
  const message =
    'The document is an XFA form, which only programs of Adobe show: its pages say no more than that.';
  return new UnreadableDocument('unsupported', message);
}

function properties(info: Readonly<Record<string, unknown>>): Pick<ReadPart, 'title' | 'author' | 'created'> {
  return {
    title: cleanProperty(info.Title),
    author: cleanProperty(info.Author),
    created: pdfDate(info.CreationDate),
  };
}

/** `D:20231005000756+02'00'` (ISO 32000 §7.9.4). All after the year is optional. */
const PDF_DATE = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/;

function pdfDate(value: unknown): string | null {
  const match = typeof value === 'string' ? PDF_DATE.exec(value) : null;
  if (match === null) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    offsetHours = '00',
    offsetMinutes = '00',
  ] = match;
  const offset = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`;
  return cleanDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
}
