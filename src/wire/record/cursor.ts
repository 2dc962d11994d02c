import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { uuidBytes, uuidText } from '../../base/uuid7.ts';
import type { RecordFilter } from '../../domain/record.ts';

const ID_BYTES = 16;
const TAG_BYTES = 16;

/** What a cursor is bound to: the user and all filters. One given with other filters would skip or repeat records. */
export function filterHash(filter: RecordFilter): Buffer {
  const { userId, from, to, host, origins, status, outcome, scraper, errorCode, keyId, tag, oldestFirst } =
    filter;
  const text = JSON.stringify([
    userId,
    from,
    to,
    host,
    origins,
    status,
    outcome,
    scraper,
    errorCode,
    keyId,
    tag?.name,
    tag?.value,
    oldestFirst,
  ]);
  return createHash('sha256').update(text).digest();
}

/** Opaque: the id of the last record of a page, signed together with what it is bound to. */
export function encodeCursor(id: string, bound: Buffer, secret: string | Uint8Array): string {
  const bytes = uuidBytes(id);
  if (bytes === null) throw new TypeError('a cursor is made of the id of a record');
  return Buffer.concat([bytes, tagOf(bytes, bound, secret)]).toString('base64url');
}

/** The id, or null when the cursor was not made here for the same user and filters. */
export function decodeCursor(cursor: string, bound: Buffer, secret: string | Uint8Array): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== ID_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
  const id = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(bytes.subarray(ID_BYTES), tagOf(id, bound, secret)) ? uuidText(id) : null;
}

function tagOf(id: Buffer, bound: Buffer, secret: string | Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update('cursor')
    .update(id)
    .update(bound)
    .digest()
    .subarray(0, TAG_BYTES);
}
