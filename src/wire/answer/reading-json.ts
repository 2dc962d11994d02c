import type { Reading } from '../../domain/reading.ts';
import { errorEntries, warningEntry } from './answer-json.ts';
import type { ReadingResult } from './answer-schema.ts';
import { JsonText, jsonOf, type Written } from './json-members.ts';

/** What was read from the record, as JSON text. */
export function readingJson(id: string, { data, failures, warnings }: Reading): string {
  return jsonOf<Written<typeof ReadingResult>>({
    id,
    scraper_data: new JsonText(
      jsonOf(Object.fromEntries(data.map(([name, json]) => [name, new JsonText(json)]))),
    ),
    errors: errorEntries(failures, false),
    warnings: warnings.map(warningEntry),
  });
}
