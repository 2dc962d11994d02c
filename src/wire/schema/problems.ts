import { rawNumberText } from '../../base/numbers.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { SECRET_OPTIONS } from '../../domain/scraper-options.ts';

/** One more step of a JSON pointer (RFC 6901 §3: `~` and `/` in a name are escaped). */
export function childPointer(at: string, member: string | number): string {
  if (typeof member === 'number') return `${at}/${member}`;
  return `${at}/${member.includes('~') || member.includes('/') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}

const MAX_QUOTED = 60;

/** Places whose text may be a secret; what stands there is described, never quoted. */
const SECRET_POINTERS = new RegExp(
  `^/(headers|cookies|proxy|data|scraper_options/(${SECRET_OPTIONS.join('|')}))(/|$)|password|secret|token`,
  'i',
);

/** A value as it may be named in a message: short, on one line, and without anything that could be a secret. */
function describeValue(value: unknown, at: string): string {
  switch (typeof value) {
    case 'string':
      if (SECRET_POINTERS.test(at)) return 'a string';
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
  // The first 400 characters are enough to find the user information, and this may be megabytes.
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

/** How many problems one answer lists (contract §8). */
export const MAX_PROBLEMS = 10;

/** Collects what is wrong with a request; every part of it is read to the end, so that all is told at once. */
export type Problems = Failure[];

/** What stands at `at` is wrong. The message reads on from the name of the place. */
export function addProblem(problems: Problems, at: string, message: string): void {
  if (problems.length < MAX_PROBLEMS) {
    problems.push(failure('request.validation', `${pointerLabel(at)} ${message}`, { pointer: at }));
  }
}

/** As `wrong`, with what was given instead at the end. */
export function addValueProblem(problems: Problems, at: string, message: string, given: unknown): void {
  addProblem(problems, at, `${message}, got ${describeValue(given, at)}`);
}

/** Known, and of the right type, but not offered by this version. */
export function addUnavailable(problems: Problems, at: string, what?: string): void {
  addProblem(problems, at, `${what === undefined ? '' : `${what} `}is not available in this version`);
}

function pointerLabel(at: string): string {
  if (at === '') return 'The request';
  return `\`${at.length > 120 ? `${at.slice(0, 120)}…` : at}\``;
}
