import type { Reading } from '../../domain/reading.ts';
import { errorEntries, warningEntry } from './answer-json.ts';
import type { ReadingResult } from './answer-schema.ts';
import { JSON_TEXT, jsonOf, type Written } from './json-members.ts';

/** What was read from the record, as JSON text. */
export function readingJson(id: string, { data, failures, warnings }: Reading): string {
  const members = data.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return jsonOf<Written<typeof ReadingResult>>(
    {
      id,
      scraper_data: JSON_TEXT,
      errors: errorEntries(failures),
      warnings: warnings.map(warningEntry),
    },
    { scraper_data: `{${members.join(',')}}` },
  );
}
