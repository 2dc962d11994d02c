import { jsonOfPage } from '../../../src/content/json/json-format.ts';
import { wholeParts } from '../../../src/content/reading/main/page-parts.ts';
import type { CallerSchema, JsonOptions, JsonResult } from '../../../src/domain/json-extraction.ts';
import { htmlPage } from '../reading/page.ts';

export const OPTIONS: Omit<JsonOptions, 'schema'> = {
  prompt: null,
  from: 'markdown',
  model: 'never',
  evidence: false,
};

/** What is found in an HTML page without a model. */
export function jsonOf(html: string, schema: CallerSchema, options: Partial<JsonOptions> = {}): JsonResult {
  const page = htmlPage(html);
  const result = jsonOfPage(page, wholeParts(page), { ...OPTIONS, schema, ...options });
  return JSON.parse(JSON.stringify(result)) as JsonResult;
}

export const object = (properties: object, more: object = {}): CallerSchema => ({
  type: 'object',
  properties,
  ...more,
});
export const list = (items: object): CallerSchema => ({ type: 'array', items });
export const TEXT = { type: 'string' };
export const NUMBER = { type: 'number' };
export const INTEGER = { type: 'integer' };
export const BOOLEAN = { type: 'boolean' };
export const DATE = { type: 'string', format: 'date' };
export const LINK = { type: 'string', format: 'uri' };
