import type { Outcome } from '../../domain/scrape.ts';

/** What of a record this room reads and writes; the store's rows have this form. Times are ms since the epoch. */
export interface RecordLine {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string | null;
  readonly createdAt: number;
  readonly url: string | null;
  readonly host: string;
  readonly method: string | null;
  readonly requestedScraper: string | null;
  readonly scraper: string | null;
  readonly proxyType: string | null;
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly contentBytes: number | null;
  readonly requestCost: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly hasScreenshot: boolean;
}

export interface RecordFacts extends RecordLine {
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
}

export interface WrittenRecord extends RecordFacts {
  readonly requestJson: string | null;
  readonly content: Uint8Array | null;
  readonly contentInBlob: boolean;
}

/** All given members must hold; null: any. */
export interface ListFilter {
  readonly userId: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly host: string | null;
  readonly status: number | null;
  readonly outcome: string | null;
  readonly scraper: string | null;
  readonly errorCode: string | null;
  readonly keyId: string | null;
  readonly tag: { readonly name: string; readonly value: string } | null;
}
