import { basicCredentials } from '../../base/basic-credentials.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { quoted } from '../schema/shown.ts';
import { encodeQuery } from './query.ts';
import type { QueryField } from './request-schema.ts';

export const LONGEST_URL = 8192;

export interface Target {
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
  at: string,
  problems: Problems,
): Target | null {
  // Parsing costs time with the length; what shrinks below the limit by it is blanks and line breaks only.
  const url = text.length > LONGEST_URL * 4 ? null : URL.parse(text);
  if (url === null) {
    if (text.length > LONGEST_URL) wrong(problems, at, tooLong(text.length));
    else wrong(problems, at, `must be an absolute http or https URL with a host, got ${quoted(text)}`);
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    wrong(problems, at, `must begin with http:// or https://, got ${JSON.stringify(url.protocol)}`);
    return null;
  }
  const authorization = basicCredentials(url);
  if (authorization !== null) {
    url.username = '';
    url.password = '';
  }
  const added = query === undefined ? '' : encodeQuery(query, LONGEST_URL);
  const href = added === '' ? url.href : withQuery(url.href, added);
  if (href.length > LONGEST_URL) {
    wrong(problems, added === '' ? at : pointTo('', 'query'), tooLong(href.length));
    return null;
  }
  return { href, host: url.hostname, authorization };
}

function tooLong(length: number): string {
  return `makes a URL of ${length} characters or more; at most ${LONGEST_URL} are allowed`;
}

/** Adds to the query, before the fragment; what is there stays as it is. */
function withQuery(href: string, added: string): string {
  const hash = href.indexOf('#');
  const head = hash === -1 ? href : href.slice(0, hash);
  const fragment = hash === -1 ? '' : href.slice(hash);
  const mark = head.indexOf('?');
  const joint = mark === -1 ? '?' : mark === head.length - 1 || head.endsWith('&') ? '' : '&';
  return `${head}${joint}${added}${fragment}`;
}
