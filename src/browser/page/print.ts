import type { CDPSession } from 'playwright-core';
import { type MemoryReservation, SMALL_BYTES } from '../../base/memory-budget.ts';
import { orAborted } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { MAX_FILE_BYTES, PAPER_SIZES, type PdfOptions, type PrintedPdf } from '../../domain/files.ts';
import { loadWholePage, type ScreenshotTarget } from './screenshot.ts';

interface PrintLimits {
  readonly signal: AbortSignal;
  /** Half of it may be spent on loading images. */
  readonly remainingMs: number;
  readonly memory: MemoryReservation;
  /** Bytes of all files of the scrape so far. */
  readonly total: { bytes: number };
  readonly maxTotalBytes: number;
}

/** Prints the page; `pdf.failed` if that fails. Settles when the signal aborts, even if the page hangs. Never rejects. */
export async function printPage(
  page: ScreenshotTarget,
  options: PdfOptions,
  limits: PrintLimits,
): Promise<PrintedPdf | Failure> {
  const { session } = page;
  const { signal } = limits;
  try {
    if (options.media === 'screen')
      await orAborted(session.send('Emulation.setEmulatedMedia', { media: 'screen' }), signal);
    await loadWholePage(page, limits);
    const [width, height] = PAPER_SIZES[options.format];
    const { stream } = await orAborted(
      session.send('Page.printToPDF', {
        landscape: options.landscape,
        printBackground: options.printBackground,
        scale: options.scale,
        paperWidth: width,
        paperHeight: height,
        marginTop: options.margin.top,
        marginRight: options.margin.right,
        marginBottom: options.margin.bottom,
        marginLeft: options.margin.left,
        pageRanges: options.pageRanges,
        generateTaggedPDF: options.tagged,
        generateDocumentOutline: options.outline,
        transferMode: 'ReturnAsStream',
      }),
      signal,
    );
    const bytes = await readStream(session, stream!, limits);
    return typeof bytes === 'string' ? pdfFailure(bytes) : { bytes, pages: countPages(bytes) };
  } catch (error) {
    return pdfFailure(signal.aborted ? 'it timed out' : reasonOf(error as Error));
  }
}

export const pdfFailure = (reason: string): Failure =>
  failure('pdf.failed', `There is no PDF: ${reason}.`, { pointer: '/scraper_options/pdf' });

/** The text of a protocol error without its prefix. */
const reasonOf = ({ message }: Error): string =>
  message
    .split('\n', 1)[0]!
    .replace(/^.*Protocol error \([\w.]+\): /, '')
    .replace(/\.$/, '');

const READ_BYTES = 256 * 1024;

/** The bytes of a stream of the browser, or why they cannot be delivered. Rejects when the signal aborts or the page ends. */
async function readStream(
  session: Pick<CDPSession, 'send'>,
  handle: string,
  { signal, memory, total, maxTotalBytes }: PrintLimits,
): Promise<Uint8Array | string> {
  const limit = Math.min(MAX_FILE_BYTES, maxTotalBytes - total.bytes);
  const pieces: Buffer[] = [];
  let length = 0;
  let release: (() => void) | null = null;
  try {
    for (let eof = false; !eof; ) {
      const read = await orAborted(session.send('IO.read', { handle, size: READ_BYTES }), signal);
      eof = read.eof;
      const piece = Buffer.from(read.data, read.base64Encoded === true ? 'base64' : 'latin1');
      length += piece.length;
      if (length > limit) return `it would have more than ${limit / 2 ** 20} MiB`;
      if (length > SMALL_BYTES && release === null) {
        // The browser does not tell the size before the end. Twice: the pieces, and then the whole.
        release = await memory.reserveTemporarily(2 * limit, signal);
        if (release === null) return 'the request timed out while it waited for memory';
      }
      pieces.push(piece);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    total.bytes += length;
    memory.countUnreserved(length);
    memory.adopt(bytes);
    return bytes;
  } finally {
    release?.();
    session.send('IO.close', { handle }).catch(() => {});
  }
}

const PAGE_OBJECT = Buffer.from('/Type /Page');
const LETTER_S = 's'.charCodeAt(0);

/** Counts the page objects. Chromium writes objects uncompressed; `/Type /Pages` are the nodes above them (ISO 32000-1 §7.7.3). */
export function countPages(pdf: Uint8Array): number {
  const buffer = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(PAGE_OBJECT); at !== -1; at = buffer.indexOf(PAGE_OBJECT, at + 1))
    if (buffer[at + PAGE_OBJECT.length] !== LETTER_S) count++;
  return count;
}
