import type { PictureType, Screenshot } from './captures.ts';
import type { Page } from './fetch-result.ts';
import type { Outcome } from './scrape.ts';

/** A picture in the BlobStore. */
export interface StoredPicture {
  readonly type: PictureType;
  /** Its length. */
  readonly bytes: number;
}

/** By their numbers; null: there is none of this number. */
export type StoredPictures = readonly (StoredPicture | null)[];

/** Number of the picture that `screenshot` asks for; those of the actions follow. */
export const SCREENSHOT_NUMBER = 0;

const NONE: readonly never[] = Object.freeze([]);

/** The pictures of a page by their numbers; null: there is none of this number. */
export function picturesOf(page: Pick<Page, 'screenshot' | 'actions'>): readonly (Screenshot | null)[] {
  const { screenshot, actions } = page;
  if (screenshot === undefined && actions === undefined) return NONE;
  const ofActions = (actions ?? []).flatMap((action) => action.screenshot ?? []);
  return screenshot === undefined && ofActions.length === 0 ? NONE : [screenshot ?? null, ...ofActions];
}

/** Where the BlobStore has a picture of a record. */
export function pictureKey(id: string, number: number): string {
  return `${id}-${number.toString(16)}`;
}

/** All that the BlobStore has of a record. */
export function blobKeys({
  id,
  contentInBlob,
  pictures,
}: {
  readonly id: string;
  readonly contentInBlob: boolean;
  readonly pictures: StoredPictures;
}): string[] {
  const numbers = pictures.flatMap((kept, number) => (kept === null ? [] : [number]));
  return [...(contentInBlob ? [id] : []), ...numbers.map((number) => pictureKey(id, number))];
}

/** The number in the key of a picture. */
export function pictureNumber(key: string): number {
  return Number.parseInt(key.slice(37), 16);
}

/** The id in a key. */
export function recordIdOfKey(key: string): string {
  return key.slice(0, 36);
}

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
  /** The answer without `content`, as three lines of JSON; null when not retained. */
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
  /** In the row, at most 256 KiB; null when there is none or it is in a blob. */
  readonly content: Uint8Array | null;
  /** The content is in the BlobStore under the record's id. */
  readonly contentInBlob: boolean;
  /** Its screenshots in the BlobStore; `pictureKey` names them. */
  readonly pictures: StoredPictures;
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
