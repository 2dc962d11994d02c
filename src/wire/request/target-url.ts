import { basicAuthFromUrl } from '../../base/credentials.ts';
import { addProblem, childPointer, type Problems, quote } from '../schema/problems.ts';
import type { QueryField, Scalar } from './scrape-request-schema.ts';

/**
 * Encodes the parameters in their order, without those that are null: `a=1&b=x%20y`.
 * @param maxLength encoding stops when the text is longer
 */
function encodeQuery(query: QueryField, maxLength: number): string {
  let text = '';
  const add = (name: string, value: Scalar | null) => {
    if (value === null || text.length > maxLength) return;
    text += `${text === '' ? '' : '&'}${percentEncode(name)}=${percentEncode(String(value))}`;
  };
  if (Array.isArray(query)) {
    for (const entry of query as readonly (readonly [string, Scalar | null])[]) {
      if (Array.isArray(entry)) add(entry[0], entry[1]);
      else {
        const named = entry as unknown as { readonly name: string; readonly value: Scalar | null };
        add(named.name, named.value);
      }
    }
    return text;
  }
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) add(name, item);
    else add(name, value as Scalar | null);
  }
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
  const addedQuery = query === undefined ? '' : encodeQuery(query, MAX_URL_LENGTH);
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
