import type { Failure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import {
  type ExtractTemplate,
  type ExtractTemplates,
  requestedTemplate,
  unknownTemplate,
} from '../domain/template.ts';
import type { TemplateRow, TemplateStore } from '../ports/store.ts';

export const templateRules = ({ rulesJson }: TemplateRow): ExtractTemplate['rules'] => {
  const rules: unknown = JSON.parse(rulesJson);
  return isObject(rules) ? rules : {};
};

/**
 * The template of a user as it is now, so that later changes do not affect the request.
 * @param pointer JSON pointer of `extract`
 * @returns a failure `template.unknown` if there is none
 */
export async function loadTemplate(
  templates: TemplateStore,
  userId: string,
  name: string,
  pointer: string,
): Promise<ExtractTemplate | Failure> {
  const row = await templates.get(userId, name);
  return row === null ? unknownTemplate(name, pointer) : templateOf(row);
}

/** All templates of a user that any of the requests names. @param requests not checked yet */
export async function loadTemplates(
  templates: TemplateStore,
  userId: string,
  requests: readonly unknown[],
): Promise<ExtractTemplates> {
  const names = new Set(requests.map(requestedTemplate));
  names.delete(null);
  if (names.size === 0) return {};
  const rows = await templates.list(userId);
  return Object.fromEntries(
    rows.filter(({ name }) => names.has(name)).map((row) => [row.name, templateOf(row)]),
  );
}

const templateOf = (row: TemplateRow): ExtractTemplate => ({
  name: row.name,
  version: row.version,
  rules: templateRules(row),
});
