import type { Generated } from 'kysely';
import type { PictureType } from '../../../domain/captures.ts';
import type { StoredFiles } from '../../../domain/files.ts';
import type { NewRecord, StoredPicture, StoredPictures } from '../../../domain/record.ts';
import { columnsFor, decodeRow, type TableOf } from './columns.ts';

const { column, plain, flag } = columnsFor<NewRecord>();

/** The letters are stored in databases and must never change. */
const PICTURE_LETTERS: Readonly<Record<PictureType, string>> = {
  'image/png': 'p',
  'image/jpeg': 'j',
  'image/webp': 'w',
};
const PICTURE_TYPES = new Map(
  Object.entries(PICTURE_LETTERS).map(([type, letter]) => [letter, type as PictureType]),
);

/** The value of `records.pictures`: for each picture number the type letter and the size, such as `p1234,,j500`. */
function encodePictures(pictures: StoredPictures): string | null {
  if (pictures.length === 0) return null;
  return pictures
    .map((picture) => (picture === null ? '' : `${PICTURE_LETTERS[picture.type]}${picture.bytes}`))
    .join(',');
}

export function decodePictures(text: string | null): StoredPictures {
  return text === null ? NO_PICTURES : text.split(',').map(decodePicture);
}

function decodePicture(text: string): StoredPicture | null {
  const type = PICTURE_TYPES.get(text.charAt(0));
  return type === undefined ? null : { type, bytes: Number(text.slice(1)) };
}

const NO_FILES: StoredFiles = Object.freeze([]);

/** The value of `records.files`: the array as JSON. */
const encodeFiles = (files: StoredFiles): string | null =>
  files.length === 0 ? null : JSON.stringify(files);

export const decodeFiles = (text: string | null): StoredFiles =>
  text === null ? NO_FILES : JSON.parse(text);

const NO_PICTURES: StoredPictures = Object.freeze([]);

function tagsJson(tags: NewRecord['tags']): string | null {
  for (const _ in tags) return JSON.stringify(tags);
  return null;
}

/** The columns that lists show, after `id` and `user_id`. */
const LISTED = {
  key_id: plain('keyId'),
  created_at: plain('createdAt'),
  url: plain('url'),
  host: plain('host'),
  method: plain('method'),
  requested_scraper: plain('requestedScraper'),
  scraper: plain('scraper'),
  proxy_type: plain('proxyType'),
  http_status: plain('httpStatus'),
  status_code: plain('statusCode'),
  outcome: plain('outcome'),
  error_code: plain('errorCode'),
  duration_ms: plain('durationMs'),
  content_bytes: plain('contentBytes'),
  request_cost: plain('requestCost'),
  /** JSON object of strings; null: no tags. */
  tags: column('tags', tagsJson, (stored) => (stored === null ? {} : JSON.parse(stored))),
  has_screenshot: flag('hasScreenshot'),
  /** null: none. */
  pictures: column('pictures', encodePictures, decodePictures),
};

/** The columns that only single records show. */
const UNLISTED = {
  content_encoding: plain('contentEncoding'),
  /** 1: the content is in the BlobStore. 0: it is in `record_bodies.content`, or there is none. */
  content_in_blob: flag('contentInBlob'),
  /** null: none. */
  files: column('files', encodeFiles, decodeFiles),
};

/**
 * The columns of `records` with the members of a record: both databases, lists and single records take their names, order and
 * values from here. A new column needs a row here, a member in src/domain/record.ts, its value in src/wire/record/to-record.ts, and
 * its migrations in migrations.ts.
 */
const COLUMNS = { ...LISTED, ...UNLISTED };

const ENTRIES = Object.values(COLUMNS) as unknown as readonly {
  readonly member: keyof NewRecord;
  encode(value: unknown): string | number | null;
}[];

const names = <C extends object>(columns: C) => Object.keys(columns) as (keyof C & string)[];

export const LISTED_COLUMNS = ['id' as const, 'user_id' as const, ...names(LISTED)].map(
  (name) => `records.${name}` as const,
);
export const UNLISTED_COLUMNS = names(UNLISTED).map((name) => `records.${name}` as const);

/** All columns that a record has a value for, in the order of `columnValues`. */
export const RECORD_COLUMNS: readonly string[] = ['id', 'user_id', ...names(COLUMNS)];

/** The columns that lists need. Large values are in `record_bodies`, so that about 20 rows fit on a database page. */
export type RecordTable = {
  id: Uint8Array;
  user_id: Uint8Array;
  /** `record_bodies.seq`; null: there are no large values. Only in SQLite. */
  body: Generated<number | null>;
  /** The job of the scrape; null: none. */
  job_id: Uint8Array | null;
} & TableOf<typeof COLUMNS>;

/** The values of a record in the order of `RECORD_COLUMNS`, with the ids as text. */
export function columnValues(record: NewRecord): (string | number | null)[] {
  const values: (string | number | null)[] = [record.id, record.userId];
  for (const { member, encode } of ENTRIES) values.push(encode(record[member]));
  return values;
}

export type ListedRow = Pick<RecordTable, 'id' | 'user_id' | keyof typeof LISTED>;
export type UnlistedRow = Pick<RecordTable, keyof typeof UNLISTED>;

/** The members of a record whose columns are in a row, except for its ids. */
export const listedMembers = (row: ListedRow) => decodeRow(LISTED, row);
export const unlistedMembers = (row: UnlistedRow) => decodeRow(UNLISTED, row);
