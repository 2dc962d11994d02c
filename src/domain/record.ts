import type { Pictures } from './pictures.ts';
import type { Outcome } from './scrape.ts';

/** The line of a scrape in lists. Times are ms since the epoch, ids UUID text. */
export interface RecordSummary {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string | null;
  readonly createdAt: number;
  /** null when `retain: none`. */
  readonly url: string | null;
  readonly host: string;
  readonly method: string | null;
  readonly requestedScraper: string | null;
  readonly scraper: string | null;
  readonly proxyType: string | null;
  /** Status of our answer; null: the caller had hung up. */
  readonly httpStatus: number | null;
  /** Status of the target. */
  readonly statusCode: number | null;
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Length of the content as stored; null when there was none. */
  readonly contentBytes: number | null;
  readonly requestCost: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly hasScreenshot: boolean;
}

export interface NewRecord extends RecordSummary {
  /** The request as JSON text, secrets masked; null when not retained. */
  readonly requestJson: string | null;
  /** The answer as JSON text without `content`; null when not retained. */
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
  /** In the row, at most 256 KiB; null when there is none or it is in a blob. */
  readonly content: Uint8Array | null;
  /** The content is in the BlobStore under the record's id. */
  readonly contentInBlob: boolean;
  /** Those in the BlobStore (see pictures.ts). */
  readonly pictures: Pictures;
}

/** A record as it is read again; its request is read apart. */
export type StoredRecord = Omit<NewRecord, 'requestJson'>;

/** All given members must hold; null: any. */
export interface RecordFilter {
  /** null: of every user (admin). */
  readonly userId: string | null;
  /** createdAt ≥ from (ms). */
  readonly from: number | null;
  /** createdAt < to (ms). */
  readonly to: number | null;
  /** Without port. */
  readonly host: string | null;
  /** Only what lies below one of these URLs, which end with the slash behind the host; null: any port. */
  readonly origins: readonly string[] | null;
  /** Status of the target. */
  readonly status: number | null;
  readonly outcome: string | null;
  readonly scraper: string | null;
  readonly errorCode: string | null;
  readonly keyId: string | null;
  readonly tag: { readonly name: string; readonly value: string } | null;
  /** Default: newest first. */
  readonly oldestFirst: boolean;
}

export interface RecordPage {
  readonly items: readonly RecordSummary[];
  /** Id after which the search goes on, of the last item or of one that was passed over; null: there is no more. */
  readonly next: string | null;
}
