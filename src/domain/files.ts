/** Contract §4. */
export const MAX_FILE_BYTES = 50 * 2 ** 20;
/** All files of a scrape together. */
export const MAX_FILES_BYTES = 200 * 2 ** 20;
/** The same for a scrape whose files are not stored: the response contains them. */
export const MAX_UNSTORED_FILES_BYTES = 50 * 2 ** 20;
/** Further downloads of a scrape are neither saved nor reported. */
export const MAX_DOWNLOADS = 20;

/** Paper sizes in inches, upright. */
export const PAPER_SIZES = {
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
  A0: [33.1, 46.8],
  A1: [23.4, 33.1],
  A2: [16.54, 23.4],
  A3: [11.7, 16.54],
  A4: [8.27, 11.7],
  A5: [5.83, 8.27],
  A6: [4.13, 5.83],
} as const;
export type PaperFormat = keyof typeof PAPER_SIZES;
export const PAPER_FORMATS = Object.keys(PAPER_SIZES) as readonly PaperFormat[];

/** How a page is printed. */
export interface PdfOptions {
  readonly format: PaperFormat;
  readonly landscape: boolean;
  readonly scale: number;
  /** Inches. */
  readonly margin: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  /** Such as `1-3, 5`; empty: all pages. */
  readonly pageRanges: string;
  readonly printBackground: boolean;
  readonly media: 'print' | 'screen';
  readonly tagged: boolean;
  readonly outline: boolean;
}

export const DEFAULT_PDF_OPTIONS: PdfOptions = Object.freeze({
  format: 'Letter',
  landscape: false,
  scale: 1,
  margin: Object.freeze({ top: 0, right: 0, bottom: 0, left: 0 }),
  pageRanges: '',
  printBackground: false,
  media: 'print',
  tagged: false,
  outline: false,
});

/** A page that was printed. */
export interface PrintedPdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
}

/** A file that a page has saved, or a main document that the target sent as an attachment. */
export interface DownloadedFile {
  readonly bytes: Uint8Array;
  /** A plain file name, without folders. */
  readonly name: string;
  /** `type/subtype`, lower-case. */
  readonly type: string;
  /** URL without credentials; that of a file which a page has made itself begins with `blob:` or `data:`. */
  readonly from: string;
}

/** A file in the BlobStore. */
export interface StoredFile {
  readonly name: string;
  readonly type: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** The index is the file number; null: no file has this number. */
export type StoredFiles = readonly (StoredFile | null)[];

/** Number of the printed page. Downloads are 1, 2, … */
export const PDF_NUMBER = 0;
