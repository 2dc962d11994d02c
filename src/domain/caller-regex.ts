import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { type Failure, failure } from './failure.ts';

// Loaded with the first expression: most requests have none.
const loadPackage = createRequire(import.meta.url);

/** Limit of the text, in UTF-16 units (contract, general rules). */
export const MAX_REGEX_LENGTH = 500;
/** Limit of the compiled program: the time for a text is proportional to it, and `x{1000}` has 1000 instructions. */
const MAX_INSTRUCTIONS = 5000;

export interface RegexMatch {
  /** All that matches. */
  readonly text: string;
  /** The first group that took part; null: there is none. */
  readonly group: string | null;
}

/** A regular expression of a caller. Its time for a text is linear in the length of the text, whatever the expression is. */
export interface CallerRegex {
  /** Whether it matches anywhere in a text. */
  test(text: string): boolean;
  /** The matches in a text, from left to right, without those that are empty. Each takes linear time. */
  matches(text: string): Generator<RegexMatch>;
}

/**
 * Compiles a regular expression in the syntax of RE2, which has no back-references and no look-around.
 * @param pointer JSON pointer of the expression in the request
 * @returns a failure `request.validation` if it is too long or not in this syntax
 */
export function compileRegex(source: string, pointer: string): CallerRegex | Failure {
  const refused = (why: string) => {
    const message = `\`${pointer}\` is not a regular expression that is supported (RE2 syntax): ${why}`;
    return failure('request.validation', message, { pointer });
  };
  if (source.length > MAX_REGEX_LENGTH)
    return refused(`it has at most ${MAX_REGEX_LENGTH} characters, this one has ${source.length}`);
  const { RE2JS, RE2JSException } = loadPackage('re2js') as typeof Re2;
  let compiled: Re2.RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return refused(error.message.replace(/^error parsing regexp: /, ''));
  }
  if (compiled.programSize() > MAX_INSTRUCTIONS)
    return refused(`it repeats too much; compiled it has more than ${MAX_INSTRUCTIONS} instructions`);
  return {
    test: (text) => compiled.matcher(text).find(),
    *matches(text) {
      const matcher = compiled.matcher(text);
      while (matcher.find()) {
        const matched = matcher.group() ?? '';
        if (matched !== '') yield { text: matched, group: firstGroup(matcher) };
      }
    },
  };
}

function firstGroup(matcher: Re2.Matcher): string | null {
  for (let n = 1; n <= matcher.groupCount(); n++) {
    const group = matcher.group(n);
    if (group !== null) return group;
  }
  return null;
}
