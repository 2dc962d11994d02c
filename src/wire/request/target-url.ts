import { basicAuthFromUrl } from '../../base/credentials.ts';
import { addProblem, childPointer, type Problems, quote } from '../schema/problems.ts';
import { readNamedValues } from './named-values.ts';
import type { QueryField } from './scrape-request-schema.ts';

/**
 * Encodes the parameters in their order, without those that are null: `a=1&b=x%20y`.
 * @param maxLength encoding stops when the text is longer
 */
function encodeQuery(query: QueryField, maxLength: number, problems: Problems): string {
  let text = '';
  const add = (name: string, value: string) => {
    if (text.length > maxLength) return;
    text += `${text === '' ? '' : '&'}${percentEncode(name)}=${percentEncode(value)}`;
  };
  readNamedValues(query, '/query', '=', add, problems);
  return text;
}

/**
 * `encodeURIComponent`, and the apostrophe as well: the URL parser encodes it in the query of http URLs (WHATWG "special-query
 * percent-encode set"), and this text is not parsed again.
 */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

const MAX_URL_LENGTH = 8192;

interface ParsedTarget {
  /** Serialised, with the query added, without credentials. */
  readonly href: string;
  /** Without port. */
  readonly host: string;
  /** `Basic …` from the credentials in the URL; null: it has none. */
  readonly authorization: string | null;
}

/** Parses the URL (WHATWG URL) and adds the query. null: a problem was added. */
export function readTarget(
  text: string,
  query: QueryField | undefined,
  pointer: string,
  problems: Problems,
): ParsedTarget | null {
  // Very long texts are not parsed, to save time. Parsing can shorten a text: it removes white space and line breaks.
  const url = text.length > MAX_URL_LENGTH * 4 ? null : URL.parse(text);
  if (url === null) {
    if (text.length > MAX_URL_LENGTH) addProblem(problems, pointer, tooLongMessage(text.length));
    else
      addProblem(problems, pointer, `must be an absolute http or https URL with a host, got ${quote(text)}`);
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    addProblem(problems, pointer, `must begin with http:// or https://, got ${JSON.stringify(url.protocol)}`);
    return null;
  }
  const authorization = basicAuthFromUrl(url);
  if (authorization !== null) {
    url.username = '';
    url.password = '';
  }
  const addedQuery = query === undefined ? '' : encodeQuery(query, MAX_URL_LENGTH, problems);
  const href = addedQuery === '' ? url.href : appendQuery(url.href, addedQuery);
  if (href.length > MAX_URL_LENGTH) {
    addProblem(
      problems,
      addedQuery === '' ? pointer : childPointer('', 'query'),
      tooLongMessage(href.length),
    );
    return null;
  }
  return { href, host: url.hostname, authorization };
}

function tooLongMessage(length: number): string {
  return `makes a URL of ${length} characters or more; at most ${MAX_URL_LENGTH} are allowed`;
}

/** Appends to the query, before the fragment. The existing query is not parsed, so that its bytes do not change. */
function appendQuery(href: string, addedQuery: string): string {
  const hash = href.indexOf('#');
  const base = hash === -1 ? href : href.slice(0, hash);
  const fragment = hash === -1 ? '' : href.slice(hash);
  const questionMark = base.indexOf('?');
  const separator =
    questionMark === -1 ? '?' : questionMark === base.length - 1 || base.endsWith('&') ? '' : '&';
  return `${base}${separator}${addedQuery}${fragment}`;
}
