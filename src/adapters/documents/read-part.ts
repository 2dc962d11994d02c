import type { UnreadableReason } from './document-frame.ts';

export interface ReadLimits {
  readonly maxPages: number;
  /** Reading should stop, and return what it has. */
  readonly isTimeUp: () => boolean;
}

/** What a reader knows besides the text, which it has written to the HtmlWriter. */
export interface ReadPart {
  readonly title: string | null;
  readonly author: string | null;
  /** RFC 3339. */
  readonly created: string | null;
  readonly pages: number | null;
  readonly pagesRead: number | null;
  /** Why only a part was read, as the end of a sentence that begins with "because"; null: all was read. */
  readonly truncation: string | null;
}

export const TIME_IS_UP = 'there was no time for more';

export function pageLimit(maxPages: number): string {
  return `at most ${maxPages} pages are read`;
}

/** Thrown through the code of packages, and caught in one place: `read-document.ts`. */
export class UnreadableDocument extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function encryptedDocument(): UnreadableDocument {
  return new UnreadableDocument('encrypted', 'The document is encrypted.');
}

/** A property of a document: without white space around it; null if there is nothing else. */
export function cleanProperty(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 1000) : '';
  return text === '' ? null : text;
}

/** @param value as `Date` reads it @returns RFC 3339, or null */
export function cleanDate(value: unknown): string | null {
  if (typeof value !== 'string' && !(value instanceof Date)) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}
