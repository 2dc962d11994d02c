import { rawNumberText } from '../../base/numbers.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { SECRET_OPTIONS } from '../../domain/scraper-options.ts';

/** The JSON pointer of a member or item (RFC 6901 §3: `~` and `/` in a name are escaped). */
export function childPointer(pointer: string, member: string | number): string {
  if (typeof member === 'number') return `${pointer}/${member}`;
  return `${pointer}/${member.includes('~') || member.includes('/') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}

const MAX_QUOTED = 60;

/** Values at these pointers may be secrets: messages describe their type and never quote them. */
const SECRET_POINTERS = new RegExp(
  `^/(headers|cookies|proxy|data|storage_state|cookies_txt|credentials|scraper_options/(${SECRET_OPTIONS.join('|')}))(/|$)|password|secret|token`,
  'i',
);

/** A value as text for a message: short, on one line, and without secrets. */
function describeValue(value: unknown, pointer: string): string {
  const isSecret = SECRET_POINTERS.test(pointer);
  if (isSecret && (typeof value === 'number' || rawNumberText(value) !== null)) return 'a number';
  switch (typeof value) {
    case 'string':
      return isSecret ? 'a string' : quote(value);
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      if (value === null) return 'null';
      // `rawNumberText`: a number that no double can hold.
      return rawNumberText(value) ?? (Array.isArray(value) ? `an array of ${value.length}` : 'an object');
  }
}

/** The beginning of a text in quotation marks, without the userinfo of a URL. */
export function quote(text: string): string {
  // The text may have megabytes. The quoted part is short; more is needed only to find the `@` after the userinfo.
  const start = withoutUserinfo(text.slice(0, 400));
  return JSON.stringify(start.length > MAX_QUOTED ? `${start.slice(0, MAX_QUOTED)}…` : start);
}

/** Masks the userinfo of everything that the URL parser accepts: it ignores tabs and line breaks, and reads `\` as `/`. */
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

/** A JSON type with its article: `string` → `a string`. */
export function withArticle(type: string): string {
  return ARTICLES[type] ?? type;
}

/** Joins words: `a, b or c`. */
export function orList(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** Number of problems that one response lists (contract §8). */
export const MAX_PROBLEMS = 10;

/** Collects the problems of a request. Reading goes on after a problem, so that one response lists all of them. */
export type Problems = Failure[];

/** @param message continues the sentence that begins with the pointer */
export function addProblem(problems: Problems, pointer: string, message: string): void {
  if (problems.length < MAX_PROBLEMS) {
    problems.push(failure('request.validation', `${pointerLabel(pointer)} ${message}`, { pointer }));
  }
}

/** Like `addProblem`; `, got ` and the value are added to the message. */
export function addValueProblem(problems: Problems, pointer: string, message: string, value: unknown): void {
  addProblem(problems, pointer, `${message}, got ${describeValue(value, pointer)}`);
}

/** Reports a member, or a single value of it, that is known but not available in this version. */
export function addUnavailable(problems: Problems, pointer: string, value?: string): void {
  addProblem(problems, pointer, `${value === undefined ? '' : `${value} `}is not available in this version`);
}

function pointerLabel(pointer: string): string {
  if (pointer === '') return 'The request';
  return `\`${pointer.length > 120 ? `${pointer.slice(0, 120)}…` : pointer}\``;
}
