import type { Failure } from '../../domain/failure.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { type Query, QueryReader } from './query-reader.ts';
import { FILTER_PARAMETERS, type Reader, readFilter } from './read-filter.ts';

const EXPORT_PARAMETERS = ['format', ...FILTER_PARAMETERS];
const FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportAsk {
  readonly filter: RecordFilter;
  readonly format: ExportFormat;
}

export type ParsedExport =
  | { readonly ask: ExportAsk; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/scrape/export/`. */
export function parseExportQuery(query: Query, reader: Reader): ParsedExport {
  const given = new QueryReader(query, EXPORT_PARAMETERS);
  const filter = readFilter(given, reader);
  const format = given.word('format', FORMATS) ?? 'jsonl';
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  return { ask: { filter, format }, problems: null };
}
