import { urlGlob, urlGlobProblem } from '../base/url-patterns.ts';
import { compileRegex } from './caller-regex.ts';
import { type Failure, failure, isFailure } from './failure.ts';

/** Whether a URL matches the pattern of a caller. */
export type UrlMatch = (url: URL) => boolean;

/** Limit of a glob, in UTF-16 units. */
const MAX_GLOB_LENGTH = 500;
/** Longer texts do not match: an expression takes time in proportion to them. */
const MAX_TEXT_LENGTH = 8192;

/** The expression between slashes; null: the pattern is none. */
const regexSource = (pattern: string): string | null =>
  pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/') && !pattern.includes('**')
    ? pattern.slice(1, -1)
    : null;

/**
 * Compiles a pattern of `include`, `exclude` or `rules`: a glob, or a regular expression (RE2) between slashes. It is matched
 * with path and query; one that begins with `http:` or `https:` (an expression with `^http`) with the whole URL. A glob must
 * match all of the text, and gets a `**` before it if it does not begin with a slash; an expression may match any part.
 */
export function compileUrlMatch(pattern: string, pointer: string): UrlMatch | Failure {
  const source = regexSource(pattern);
  if (source !== null) {
    const regex = compileRegex(source, pointer);
    if (isFailure(regex)) return regex;
    const whole = /^\^https?\??:/.test(source);
    return (url) => regex.test(textOf(url, whole));
  }
  const problem =
    pattern.length > MAX_GLOB_LENGTH
      ? `it has at most ${MAX_GLOB_LENGTH} characters, this one has ${pattern.length}`
      : urlGlobProblem(pattern);
  if (problem !== null)
    return failure('request.validation', `\`${pointer}\` is not a glob: ${problem}`, { pointer });
  const whole = /^https?:/i.test(pattern);
  const glob = urlGlob(
    whole || pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**${pattern}`,
  );
  return (url) => glob.matches(textOf(url, whole));
}

const textOf = (url: URL, whole: boolean): string =>
  (whole ? url.href : url.pathname + url.search).slice(0, MAX_TEXT_LENGTH);

/**
 * Compiles names of query parameters: as they are, with `*` for any characters, or regular expressions between slashes.
 * @returns whether a parameter (its decoded name) is one of them
 */
export function compileNameMatch(
  patterns: readonly string[],
  pointer: string,
): ((name: string) => boolean) | Failure {
  const tests: ((name: string) => boolean)[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const source = regexSource(pattern);
    const at = `${pointer}/${index}`;
    const regex = compileRegex(source ?? `^${escaped(pattern)}$`, at);
    if (isFailure(regex)) return regex;
    tests.push((name) => regex.test(name));
  }
  return (name) => tests.some((test) => test(name));
}

const escaped = (name: string): string =>
  name.replace(/[\\^$.|?+()[\]{}]/g, (char) => `\\${char}`).replaceAll('*', '.*');
