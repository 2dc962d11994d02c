import { rawNumberText } from '../../base/raw-number.ts';

const LONGEST = 60;

/** Places whose text may be a secret; what stands there is described, never quoted. */
const SECRET_PLACES =
  /^\/(headers|cookies|proxy|data|scraper_options\/storage_state)(\/|$)|password|secret|token/i;

/** A value as it may be named in a message: short, on one line, and without anything that could be a secret. */
export function shown(value: unknown, at: string): string {
  switch (typeof value) {
    case 'string':
      if (SECRET_PLACES.test(at)) return 'a string';
      return quoted(value);
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      if (value === null) return 'null';
      // A number that no double holds.
      return rawNumberText(value) ?? (Array.isArray(value) ? `an array of ${value.length}` : 'an object');
  }
}

/** Text in quotation marks, cut, without user information of URLs. */
export function quoted(text: string): string {
  // The first 400 characters are enough to find the user information, and this may be megabytes.
  const start = withoutUserinfo(text.slice(0, 400));
  return JSON.stringify(start.length > LONGEST ? `${start.slice(0, LONGEST)}…` : start);
}

/** The URL parser drops tabs and line breaks, takes `\` for `/`, and needs no slashes at all. */
function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text;
  return text
    .replace(/[\t\n\r]/g, '')
    .replace(
      /^[\x00-\x20]*([a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i,
      (_all, scheme) => `${scheme ?? ''}//***@`,
    );
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** `string` → `a string`. */
export function withArticle(type: string): string {
  return ARTICLES[type] ?? type;
}

/** `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}
