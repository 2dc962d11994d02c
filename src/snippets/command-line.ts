import { type ExactJson, type ExactJsonObject, isObject } from './json.ts';
import { shellQuote, shellWord } from './quoting.ts';
import { type Snippet, whole } from './snippet.ts';

/** Members whose members get options of their own, such as `--router.max_cost`. */
const OBJECTS = ['headers', 'scraper_options', 'router', 'proxy'];

/** The request as a command of `sluice`. */
export function commandLine(baseUrl: string, request: ExactJsonObject): Snippet {
  const { url, ...members } = request;
  if (typeof url !== 'string' || url.startsWith('-') || url.startsWith('@'))
    return { code: null, missing: ['/url'] };
  const options = Object.entries(members).flatMap(([name, value]) =>
    OBJECTS.includes(name) && isObject(value) && hasPlainNames(value)
      ? Object.entries(value).map(([inner, member]) => option(`${name}.${inner}`, member))
      : [option(name, value)],
  );
  const command = `SLUICE_URL=${shellWord(baseUrl)} sluice scrape ${shellQuote(url)}`;
  return whole([command, ...options].join(' \\\n  '));
}

/** Names with a dot or an equals sign would be read as something else. An empty object has no options. */
const hasPlainNames = (value: ExactJsonObject): boolean => {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^[\w-]+$/.test(name));
};

function option(name: string, value: ExactJson): string {
  const text = optionText(value);
  // A value that begins with a hyphen would be taken for an option.
  const separator = text.startsWith('-') ? '=' : ' ';
  return `${shellWord(`--${name}`)}${separator}${shellWord(text)}`;
}

/** Values are read as JSON if possible, so a text that is JSON, or has a meaning (`@file`), is written as JSON itself. */
function optionText(value: ExactJson): string {
  if (typeof value !== 'string' || value === '' || /^[@-]/.test(value) || isJson(value))
    return JSON.stringify(value);
  return value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
