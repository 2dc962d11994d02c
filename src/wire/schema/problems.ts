import { rawNumberText } from '../../base/numbers.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { SECRET_OPTIONS } from '../../domain/scraper-options.ts';

/** The pointer of a member (RFC 6901 §3: `~` and `/` in a name are escaped). */
export function childPointer(pointer: string, member: string | number): string {
  if (typeof member === 'number') return `${pointer}/${member}`;
  return `${pointer}/${member.includes('~') || member.includes('/') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}

const MAX_QUOTED = 60;

/** Values here may be secrets: messages describe them and never quote them. */
const SECRET_POINTERS = new RegExp(
  `^/(headers|cookies|proxy|data|scraper_options/(${SECRET_OPTIONS.join('|')}))(/|$)|password|secret|token`,
  'i',
);

/** A value for a message: short, on one line, and without anything that may be a secret. */
function describeValue(value: unknown, pointer: string): string {
  switch (typeof value) {
    case 'string':
      if (SECRET_POINTERS.test(pointer)) return 'a string';
      return quote(value);
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
export function quote(text: string): string {
  // The text may be megabytes; the first 400 characters are enough to find the user information.
  const start = withoutUserinfo(text.slice(0, 400));
  return JSON.stringify(start.length > MAX_QUOTED ? `${start.slice(0, MAX_QUOTED)}…` : start);
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
export function orList(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** Number of problems that one response lists (contract §8). */
export const MAX_PROBLEMS = 10;

/** Collects what is wrong with a request. Every part of it is read to the end, so that one response names all problems. */
export type Problems = Failure[];

/** The value at `pointer` is wrong. @param message continues the sentence that begins with the pointer */
export function addProblem(problems: Problems, pointer: string, message: string): void {
  if (problems.length < MAX_PROBLEMS) {
    problems.push(failure('request.validation', `${pointerLabel(pointer)} ${message}`, { pointer }));
  }
}

/** The same; the message ends with the value. */
export function addValueProblem(problems: Problems, pointer: string, message: string, value: unknown): void {
  addProblem(problems, pointer, `${message}, got ${describeValue(value, pointer)}`);
}

/** The member, or the value `what`, is known but not available in this version. */
export function addUnavailable(problems: Problems, pointer: string, what?: string): void {
  addProblem(problems, pointer, `${what === undefined ? '' : `${what} `}is not available in this version`);
}

function pointerLabel(pointer: string): string {
  if (pointer === '') return 'The request';
  return `\`${pointer.length > 120 ? `${pointer.slice(0, 120)}…` : pointer}\``;
}
