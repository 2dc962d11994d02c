import type { RecordSummary } from '../../domain/record.ts';
import type { ExportFormat } from './export-query.ts';
import { lineOf } from './list-json.ts';

const NAMES = [
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
] as const satisfies readonly (keyof ReturnType<typeof lineOf>)[];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** What stands before the lines of records; may be empty. */
export function exportHead(format: ExportFormat, withUser: boolean): string {
  return format === 'jsonl' ? '' : csvLine(withUser ? [...NAMES, 'user_id'] : NAMES);
}

/** Lines of records, each with its end. */
export function exportLines(
  records: readonly RecordSummary[],
  format: ExportFormat,
  withUser: boolean,
): string {
  let text = '';
  for (const record of records) {
    const line = lineOf(record, withUser);
    text += format === 'jsonl' ? `${JSON.stringify(line)}\n` : csvLine(Object.values(line));
  }
  return text;
}

/** RFC 4180; null is an empty cell. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/**
 * Spreadsheets run a cell that begins with one of these as a formula, and what is in a URL or tag is in the hands of
 * strangers (OWASP, CSV injection). https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = typeof value === 'string' && FORMULA.test(plain) ? `'${plain}` : plain;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
