import { Type } from 'typebox';
import { closed, mapOf, orNull, textOrNull } from '../../domain/json-schema.ts';
import { exitOf, type RecordSummary, SCREENSHOT_NUMBER } from '../../domain/record.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import type { Written } from '../answer/json-members.ts';
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
    direct: orNull(Type.Boolean(), {
      description: 'Whether no proxy was used. null: there was no attempt, or it is not stored.',
    }),
    http_status: Whole,
    status_code: Whole,
    outcome: Type.Enum([...OUTCOMES]),
    error_code: Text,
    duration_ms: Type.Integer(),
    content_bytes: Whole,
    request_cost: orNull(Type.Number()),
    tags: mapOf(Type.String()),
    key_id: Text,
    has_screenshot: Type.Boolean(),
    screenshot_bytes: orNull(Type.Integer({ minimum: 0 }), {
      description: 'Size of the stored screenshot. null: there is none.',
    }),
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
    next_cursor: textOrNull(
      'Cursor of the next page. null on the last page. A short or empty page can still have a next one.',
    ),
  },
  { title: 'ScrapeList' },
);

/**
 * A page of records as JSON text.
 * @param nextCursor null: this is the last page
 * @param withUser whether to add the owner of each record
 */
export function listJson(
  items: readonly RecordSummary[],
  nextCursor: string | null,
  withUser: boolean,
): string {
  return JSON.stringify({
    items: items.map((record) => summaryOf(record, withUser)),
    next_cursor: nextCursor,
  });
}

function summaryOf(record: RecordSummary, withUser: boolean): Written<typeof ScrapeSummary> {
  const { proxyType, direct } = exitOf(record);
  return {
    id: record.id,
    created_at: formatDateTime(record.createdAt),
    url: record.url,
    host: record.host,
    method: record.method,
    requested_scraper: record.requestedScraper,
    scraper: record.scraper,
    proxy_type: proxyType,
    direct,
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
    screenshot_bytes: record.pictures[SCREENSHOT_NUMBER]?.bytes ?? null,
    user_id: withUser ? record.userId : undefined,
  };
}

const COLUMNS = Object.keys(ScrapeSummary.properties) as readonly (keyof Written<typeof ScrapeSummary>)[];

function columnsOf(withUser: boolean): typeof COLUMNS {
  return withUser ? COLUMNS : COLUMNS.filter((name) => name !== 'user_id');
}

export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** The header line of a CSV export; empty for JSON Lines. */
export function exportHead(format: ExportFormat, withUser: boolean): string {
  return format === 'jsonl' ? '' : csvLine(columnsOf(withUser));
}

/** A line for each record, with its line break. */
export function exportLines(
  records: readonly RecordSummary[],
  format: ExportFormat,
  withUser: boolean,
): string {
  const columns = columnsOf(withUser);
  let text = '';
  for (const record of records) {
    const summary = summaryOf(record, withUser);
    text +=
      format === 'jsonl' ? `${JSON.stringify(summary)}\n` : csvLine(columns.map((name) => summary[name]));
  }
  return text;
}

/** A line of CSV (RFC 4180). null is an empty cell. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * Spreadsheets run cells that begin with these characters as formulas, and URLs and tags may come from strangers.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = typeof value === 'string' && FORMULA_START.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
