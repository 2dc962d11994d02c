import type { RecordSummary } from '../../domain/record.ts';
import { timeText } from './time-text.ts';

/**
 * A page of records as JSON text.
 * @param nextCursor null: there is no further page. @param withUser tells whose each is
 */
export function listJson(
  items: readonly RecordSummary[],
  nextCursor: string | null,
  withUser: boolean,
): string {
  return JSON.stringify({ items: items.map((one) => lineOf(one, withUser)), next_cursor: nextCursor });
}

export function lineOf(record: RecordSummary, withUser: boolean) {
  const line = {
    id: record.id,
    created_at: timeText(record.createdAt),
    url: record.url,
    host: record.host,
    method: record.method,
    requested_scraper: record.requestedScraper,
    scraper: record.scraper,
    proxy_type: record.proxyType,
    http_status: record.httpStatus,
    status_code: record.statusCode,
    outcome: record.outcome,
    error_code: record.errorCode,
    duration_ms: record.durationMs,
    content_bytes: record.contentBytes,
    request_cost: record.requestCost,
    tags: record.tags,
    key_id: record.keyId,
    has_screenshot: record.hasScreenshot,
  };
  return withUser ? { ...line, user_id: record.userId } : line;
}
