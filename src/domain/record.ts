import type { PictureType, Screenshot } from './captures.ts';
import type { Page } from './fetch-result.ts';
import type { DownloadedFile, StoredFiles } from './files.ts';
import type { Outcome } from './scrape.ts';

/** A screenshot in the BlobStore. */
export interface StoredPicture {
  readonly type: PictureType;
  /** Size in bytes. */
  readonly bytes: number;
}

/** The index is the picture number; null: no picture has this number. */
export type StoredPictures = readonly (StoredPicture | null)[];

/** Number of the picture that the member `screenshot` asks for. Those of `screenshot` actions are 1, 2, … */
export const SCREENSHOT_NUMBER = 0;

const NONE: readonly never[] = Object.freeze([]);

/** The pictures of a page: the index is the picture number, see `SCREENSHOT_NUMBER`. */
export function picturesOf(page: Pick<Page, 'screenshot' | 'actions'>): readonly (Screenshot | null)[] {
  const { screenshot, actions } = page;
  if (screenshot === undefined && actions === undefined) return NONE;
  const ofActions = (actions ?? []).flatMap((action) => action.screenshot ?? []);
  return screenshot === undefined && ofActions.length === 0 ? NONE : [screenshot ?? null, ...ofActions];
}

type RecordFile = Pick<DownloadedFile, 'bytes' | 'name' | 'type'>;

/** The files of a page: the index is the file number, see `PDF_NUMBER`. */
export function filesOf({ pdf, downloads }: Pick<Page, 'pdf' | 'downloads'>): readonly (RecordFile | null)[] {
  if (pdf === undefined && downloads === undefined) return NONE;
  const printed = pdf === undefined ? null : { bytes: pdf.bytes, name: 'page.pdf', type: 'application/pdf' };
  return [printed, ...(downloads ?? [])];
}

/** Key of a picture in the BlobStore: the record id, a hyphen, and the picture number in hexadecimal. */
export function pictureKey(id: string, number: number): string {
  return `${id}-${number.toString(16)}`;
}

/** Key of a file in the BlobStore; no picture has it. */
export function fileKey(id: string, number: number): string {
  return `${id}-f-${number.toString(16)}`;
}

/** The keys of all blobs of a record. */
export function blobKeys({
  id,
  contentInBlob,
  pictures,
  files,
}: {
  readonly id: string;
  readonly contentInBlob: boolean;
  readonly pictures: StoredPictures;
  readonly files: StoredFiles;
}): readonly string[] {
  if (!contentInBlob && pictures.length === 0 && files.length === 0) return NO_KEYS;
  return [
    ...(contentInBlob ? [id] : []),
    ...numbersIn(pictures).map((number) => pictureKey(id, number)),
    ...numbersIn(files).map((number) => fileKey(id, number)),
  ];
}

const NO_KEYS: readonly string[] = [];

const numbersIn = (parts: readonly unknown[]): number[] =>
  parts.flatMap((part, number) => (part === null ? [] : [number]));

/** What a key of `blobKeys` is the key of. After the UUID (36 characters) and a hyphen: the number, before that of a file `f-`. */
export function blobOfKey(key: string): {
  readonly kind: 'content' | 'picture' | 'file';
  readonly number: number;
} {
  if (key.length === 36) return { kind: 'content', number: 0 };
  const isFile = key.startsWith('-f-', 36);
  return { kind: isFile ? 'file' : 'picture', number: Number.parseInt(key.slice(isFile ? 39 : 37), 16) };
}

/** The record id in a key of `blobKeys`. */
export function recordIdOfKey(key: string): string {
  return key.slice(0, 36);
}

/** The members of a record that lists show. Times are ms since the epoch, ids are UUID text. */
export interface RecordSummary {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string | null;
  readonly createdAt: number;
  /** null with `retain: none`. */
  readonly url: string | null;
  readonly host: string;
  readonly method: string | null;
  readonly requestedScraper: string | null;
  readonly scraper: string | null;
  /** Of the exit; with `DIRECT` at its end if no proxy was used. See `exitOf`. */
  readonly proxyType: string | null;
  /** Status of the response to the caller; null: the caller had disconnected. */
  readonly httpStatus: number | null;
  /** Status of the response of the target. */
  readonly statusCode: number | null;
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Size of the stored content, uncompressed; null: there is none. */
  readonly contentBytes: number | null;
  readonly requestCost: number | null;
  readonly tags: Readonly<Record<string, string>>;
  /** There is a picture with the number `SCREENSHOT_NUMBER`. */
  readonly hasScreenshot: boolean;
  readonly pictures: StoredPictures;
}

/** What follows a proxy type that was asked for and not used. Stored in databases, so it must never change. */
export const DIRECT = ':direct';

/** The exit of a record: one text in the database, because the tables of version 0.1 have one column for it. */
export function exitOf({ proxyType }: Pick<RecordSummary, 'proxyType'>): {
  readonly proxyType: string | null;
  readonly direct: boolean | null;
} {
  if (proxyType === null) return { proxyType, direct: null };
  const direct = proxyType.endsWith(DIRECT);
  return { proxyType: direct ? proxyType.slice(0, -DIRECT.length) : proxyType, direct };
}

export interface NewRecord extends RecordSummary {
  /** The request as JSON text, secrets masked; null: not retained. */
  readonly requestJson: string | null;
  /** The answer without `content`, as three lines of JSON; null: not retained. See src/wire/record/record-json.ts. */
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
  /** Stored in the database row, at most 256 KiB; null: there is none, or it is in the BlobStore. */
  readonly content: Uint8Array | null;
  /** The content is in the BlobStore under the record's id. */
  readonly contentInBlob: boolean;
  readonly files: StoredFiles;
}

/** A record as read from the store. The request is read only where it is needed. */
export type StoredRecord = Omit<NewRecord, 'requestJson'>;

/** A record must match all members that are not null. */
export interface RecordFilter {
  /** null: records of every user, for admins. */
  readonly userId: string | null;
  /** createdAt ≥ from (ms). */
  readonly from: number | null;
  /** createdAt < to (ms). */
  readonly to: number | null;
  /** Host name without port. */
  readonly host: string | null;
  /** Prefixes of the URL, such as `https://example.com:8443/`, to select a port; null: any port. */
  readonly origins: readonly string[] | null;
  /** A text that path and query of the URL contain, in any case. */
  readonly path: string | null;
  /** Only records with these ids. */
  readonly ids: readonly string[] | null;
  /** `statusCode` of the record. */
  readonly status: number | null;
  readonly outcome: string | null;
  readonly scraper: string | null;
  readonly errorCode: string | null;
  readonly keyId: string | null;
  readonly tag: { readonly name: string; readonly value: string } | null;
  /** false: newest first. */
  readonly oldestFirst: boolean;
}

/** Lets every record of a user through, the newest first. */
export const ANY_RECORD: Omit<RecordFilter, 'userId'> = {
  from: null,
  to: null,
  host: null,
  origins: null,
  path: null,
  ids: null,
  status: null,
  outcome: null,
  scraper: null,
  errorCode: null,
  keyId: null,
  tag: null,
  oldestFirst: false,
};

export interface RecordPage {
  readonly items: readonly RecordSummary[];
  /** Id of the last record that was compared with the filter; the next page starts after it. null: this is the last page. */
  readonly next: string | null;
}

/** Totals of the records of one outcome that began in the same minute. */
export interface RecordTotals {
  /** Start of the minute, ms since the epoch. */
  readonly minute: number;
  readonly outcome: Outcome;
  readonly count: number;
  /** Sum of `contentBytes`. */
  readonly bytes: number;
  /** Sum of `requestCost`. */
  readonly cost: number;
  /** Records with a `requestCost`. */
  readonly priced: number;
}

export interface RecordTotalsPage {
  readonly totals: readonly RecordTotals[];
  /** As in `RecordPage`. */
  readonly next: string | null;
}
