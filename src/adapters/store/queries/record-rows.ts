import { uuidText } from '../../../base/uuid7.ts';
import { blobKeys } from '../../../domain/pictures.ts';
import type { RecordSummary, StoredRecord } from '../../../domain/record.ts';
import type { Outcome } from '../../../domain/scrape.ts';
import { unpackBytes, unpackText } from './codec.ts';
import { picturesOfColumn } from './picture-column.ts';
import type { SummaryRow } from './record-queries.ts';
import type { BodyTable, RecordTable } from './tables.ts';

/** A record with its body, of which a left join may have found none. */
export type FullRow = SummaryRow &
  Pick<RecordTable, 'content_encoding' | 'content_in_blob' | 'pictures'> & {
    [K in 'answer' | 'answer_codec' | 'content' | 'content_codec']: BodyTable[K] | null;
  };

export function summaryOf(row: SummaryRow): RecordSummary {
  return {
    id: uuidText(row.id),
    userId: uuidText(row.user_id),
    keyId: row.key_id,
    createdAt: row.created_at,
    url: row.url,
    host: row.host,
    method: row.method,
    requestedScraper: row.requested_scraper,
    scraper: row.scraper,
    proxyType: row.proxy_type,
    httpStatus: row.http_status,
    statusCode: row.status_code,
    outcome: row.outcome as Outcome,
    errorCode: row.error_code,
    durationMs: row.duration_ms,
    contentBytes: row.content_bytes,
    requestCost: row.request_cost,
    tags: row.tags === null ? {} : JSON.parse(row.tags),
    hasScreenshot: row.has_screenshot === 1,
  };
}

/** What tells which blobs a record has. */
export type BlobRow = Pick<RecordTable, 'id' | 'content_in_blob' | 'pictures'>;

export function blobKeysOf(row: BlobRow): string[] {
  return blobKeys({
    id: uuidText(row.id),
    contentInBlob: row.content_in_blob === 1,
    pictures: picturesOfColumn(row.pictures),
  });
}

/** Rejects when the stored bytes are damaged. */
export async function recordOf(row: FullRow): Promise<StoredRecord> {
  return {
    ...summaryOf(row),
    answerJson: await unpackText(row.answer, row.answer_codec ?? 0),
    contentEncoding: row.content_encoding as StoredRecord['contentEncoding'],
    content: await unpackBytes(row.content, row.content_codec ?? 0),
    contentInBlob: row.content_in_blob === 1,
    pictures: picturesOfColumn(row.pictures),
  };
}
