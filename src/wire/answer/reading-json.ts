import type { Reading } from '../../domain/reading.ts';
import type { Scrape } from '../../domain/scrape.ts';
import type { TemplateReference } from '../../domain/template.ts';
import { errorEntries, modelUseJson, warningEntry } from './answer-json.ts';
import type { ReadingResult } from './answer-schema.ts';
import { JSON_TEXT, jsonOf, type Written } from './json-members.ts';

/**
 * What was read from the record, as JSON text.
 * @param template that the rules of `extract` come from; null: from none
 */
export function readingJson(
  id: string,
  { data, failures, warnings }: Reading,
  template: TemplateReference | null,
  { model, costUnit }: Pick<Scrape, 'model' | 'costUnit'>,
): string {
  const all = template === null ? data : [...data, ['extract_template', JSON.stringify(template)] as const];
  const members = all.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return jsonOf<Written<typeof ReadingResult>>(
    {
      id,
      scraper_data: JSON_TEXT,
      errors: errorEntries(failures),
      warnings: warnings.map(warningEntry),
      model: modelUseJson(model),
      cost_unit: costUnit,
    },
    { scraper_data: `{${members.join(',')}}` },
  );
}
