import { basicAuthFromUrl } from '../../base/credentials.ts';
import { addProblem, childPointer, type Problems, quote } from '../schema/problems.ts';
import type { QueryField, Scalar } from './scrape-request-schema.ts';

/**
 * `a=1&b=x%20y`, in the order given; empty when nothing is left after dropping what is null.
 * @param enough a length at which it may end early, because the URL is too long anyway
 */
function encodeQuery(query: QueryField, enough: number): string {
  let text = '';
  const add = (name: string, value: Scalar | null) => {
    if (value === null || text.length > enough) return;
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
 * UTF-8, a space as `%20`. The apostrophe too, because the URL parser encodes it in the query of http URLs, and the
 * text made here is not parsed again.
 */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

const MAX_URL_LENGTH = 8192;

interface ParsedTarget {
  /** Serialised, query added, without credentials. */
  readonly href: string;
  readonly host: string;
  /** `Basic …` made of the credentials that stood in the URL; null when there were none. */
  readonly authorization: string | null;
}

/** Reads the URL once, as WHATWG says, and adds the query. Null when there is something wrong with it. */
export function readTarget(
  text: string,
  query: QueryField | undefined,
  pointer: string,
  problems: Problems,
): ParsedTarget | null {
  // Parsing costs time with the length; what shrinks below the limit by it is blanks and line breaks only.
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
  const added = query === undefined ? '' : encodeQuery(query, MAX_URL_LENGTH);
  const href = added === '' ? url.href : appendQuery(url.href, added);
  if (href.length > MAX_URL_LENGTH) {
    addProblem(problems, added === '' ? pointer : childPointer('', 'query'), tooLongMessage(href.length));
    return null;
  }
  return { href, host: url.hostname, authorization };
}

function tooLongMessage(length: number): string {
  return `makes a URL of ${length} characters or more; at most ${MAX_URL_LENGTH} are allowed`;
}

/** Adds to the query, before the fragment; what is there stays as it is. */
function appendQuery(href: string, added: string): string {
  const hash = href.indexOf('#');
  const head = hash === -1 ? href : href.slice(0, hash);
  const fragment = hash === -1 ? '' : href.slice(hash);
  const mark = head.indexOf('?');
  const joint = mark === -1 ? '?' : mark === head.length - 1 || head.endsWith('&') ? '' : '&';
  return `${head}${joint}${added}${fragment}`;
}
