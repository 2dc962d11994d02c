import { Type } from 'typebox';
import { closed, mapOf, orNull } from '../../domain/json-schema.ts';
import type { RecordSummary } from '../../domain/record.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import { formatDateTime } from '../date-time.ts';
import type { ExportFormat } from './record-query.ts';

const Text = orNull(Type.String());
const Whole = orNull(Type.Integer());

export const ScrapeSummary = closed(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Type.String({ format: 'date-time' }),
    url: Text,
    host: Type.String(),
    method: Text,
    requested_scraper: Text,
    scraper: Text,
    proxy_type: Text,
    http_status: Whole,
    status_code: Whole,
    outcome: Type.Enum([...OUTCOMES], { title: 'Outcome' }),
    error_code: Text,
    duration_ms: Type.Integer(),
    content_bytes: Whole,
    request_cost: orNull(Type.Number()),
    tags: mapOf(Type.String()),
    key_id: Text,
    has_screenshot: Type.Boolean(),
    user_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Owner of the scrape. Only in sessions of administrators.',
      }),
    ),
  },
  { title: 'ScrapeSummary' },
);

export const ScrapeList = closed(
  {
    items: Type.Array(ScrapeSummary),
    next_cursor: orNull(Type.String(), {
      description:
        'Cursor of the next page. null on the last page. A short or empty page can still have a next one.',
    }),
  },
  { title: 'ScrapeList' },
);

/**
 * A page of records as JSON text.
 * @param nextCursor null: there is no further page. @param withUser tells whose each is
 */
export function listJson(
  items: readonly RecordSummary[],
  nextCursor: string | null,
  withUser: boolean,
): string {
  return JSON.stringify({ items: items.map((one) => summaryObject(one, withUser)), next_cursor: nextCursor });
}

function summaryObject(record: RecordSummary, withUser: boolean) {
  const line = {
    id: record.id,
    created_at: formatDateTime(record.createdAt),
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

const EXPORT_COLUMNS = [
  'id',
  'created_at',
  'url',
  'host',
  'method',
  'requested_scraper',
  'scraper',
  'proxy_type',
  'http_status',
  'status_code',
  'outcome',
  'error_code',
  'duration_ms',
  'content_bytes',
  'request_cost',
  'tags',
  'key_id',
  'has_screenshot',
] as const satisfies readonly (keyof ReturnType<typeof summaryObject>)[];

export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** What stands before the lines of records; may be empty. */
export function exportHead(format: ExportFormat, withUser: boolean): string {
  return format === 'jsonl' ? '' : csvLine(withUser ? [...EXPORT_COLUMNS, 'user_id'] : EXPORT_COLUMNS);
}

/** Lines of records, each with its end. */
export function exportLines(
  records: readonly RecordSummary[],
  format: ExportFormat,
  withUser: boolean,
): string {
  let text = '';
  for (const record of records) {
    const line = summaryObject(record, withUser);
    text += format === 'jsonl' ? `${JSON.stringify(line)}\n` : csvLine(Object.values(line));
  }
  return text;
}

/** RFC 4180; null is an empty cell. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * Spreadsheets run a cell that begins with one of these as a formula, and what is in a URL or tag is in the hands of
 * strangers (OWASP, CSV injection). https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = typeof value === 'string' && FORMULA_START.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
