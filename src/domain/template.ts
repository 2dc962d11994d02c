import { type Failure, failure } from './failure.ts';
import { isObject } from './json-schema.ts';

/** What `extract` begins with if it names a template. */
const PREFIX = 'template:';
const NAME = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';

/** Regular expressions of JSON Schema: a name, and `extract` with a name. */
export const TEMPLATE_NAME_PATTERN = `^${NAME}$`;
export const TEMPLATE_VALUE_PATTERN = `^${PREFIX}${NAME}$`;

/** Limit of the rules of a template as compact JSON in UTF-8. */
export const MAX_TEMPLATE_BYTES = 65_536;

/** The template that a request used, as it was then. */
export interface TemplateReference {
  readonly name: string;
  readonly version: number;
}

/** A template with its rules, as a caller writes them in `extract`. */
export interface ExtractTemplate extends TemplateReference {
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Templates by name. */
export type ExtractTemplates = Readonly<Record<string, ExtractTemplate>>;

/** The name of the template that a value of `extract` names; null: it names none. */
export function templateName(extract: unknown): string | null {
  return typeof extract === 'string' && extract.startsWith(PREFIX) ? extract.slice(PREFIX.length) : null;
}

/** The name of the template that a scrape request names; null: none. @param request not checked yet */
export function requestedTemplate(request: unknown): string | null {
  const options = isObject(request) ? request.scraper_options : null;
  return isObject(options) ? templateName(options.extract) : null;
}

/** @param pointer of `extract` */
export const unknownTemplate = (name: string, pointer: string): Failure =>
  failure('template.unknown', `You have no template named ${JSON.stringify(name)}.`, { pointer });
