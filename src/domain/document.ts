import type { Warning } from './failure.ts';

/** Kinds of documents that are read, by their usual file extension. */
export const DOCUMENT_KINDS = [
  'pdf',
  'docx',
  'odt',
  'rtf',
  'epub',
  'pptx',
  'xlsx',
  'xls',
  'ods',
  'csv',
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What is known about a document besides its text. */
export interface DocumentInfo {
  readonly kind: DocumentKind;
  /** Pages of a PDF, slides, sheets or chapters; null: the kind has none that are known without a layout. */
  readonly pages: number | null;
  /** How many of `pages` were read. */
  readonly pagesRead: number | null;
  /** Whether there is any text; false: pictures only, as in a scan. */
  readonly textLayer: boolean;
  readonly title: string | null;
  readonly author: string | null;
  /** RFC 3339. */
  readonly created: string | null;
  /** Whether reading ended at a limit of pages, time or length. */
  readonly truncated: boolean;
}

/** A document that was read. Plain data, because it comes from another process. */
export interface DocumentReading {
  /** The text as HTML without scripts, styles and pictures: headings, paragraphs, lists, tables, links. */
  readonly html: string;
  readonly document: DocumentInfo;
  /** `document.no_text`, `document.truncated`, `document.hidden`. */
  readonly warnings: readonly Warning[];
}
