import { trimOws } from '../../base/http-syntax.ts';
import { addProblem, type Problems, quote } from '../schema/problems.ts';
import { type NamedValues, readNamedValues } from './named-values.ts';

/** RFC 9110 §5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 §5.5: visible characters, spaces, tabs, and bytes above ASCII. Each character becomes one byte, as in Fetch. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that belong to the connection or are made from the request, so callers cannot set them. */
const FORBIDDEN_HEADERS = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
]);

export interface NamedHeader {
  /** As the caller wrote it. */
  readonly name: string;
  readonly value: string;
}

export interface CallerHeaders {
  /** In the caller's order, without Cookie. */
  readonly list: (readonly [name: string, value: string])[];
  /** Values of the Cookie headers, each with its JSON pointer. */
  readonly cookies: readonly { readonly value: string; readonly pointer: string }[];
  readonly contentType: NamedHeader | null;
  readonly hasAuthorization: boolean;
}

/**
 * Reads `headers`. Names that differ only in letter case are all kept. White space around a value is removed (Fetch,
 * "normalize"), because HTTP/2 forbids it (RFC 9113 §8.2.1).
 */
export function readHeaders(headers: NamedValues, problems: Problems): CallerHeaders {
  const list: (readonly [string, string])[] = [];
  const cookies: { value: string; pointer: string }[] = [];
  let contentType = null as NamedHeader | null;
  let hasAuthorization = false;
  const add = (name: string, text: string, pointer: string) => {
    const lower = name.toLowerCase();
    if (!isHeaderName(name))
      return addProblem(
        problems,
        pointer,
        `is not a header name; allowed are letters, digits and !#$%&'*+-.^_\`|~`,
      );
    const reason = forbiddenHeaderReason(lower);
    if (reason !== null) return addProblem(problems, pointer, `cannot be set; ${reason}`);
    const value = trimOws(text);
    const problem = headerValueProblem(value);
    if (problem !== null) return addProblem(problems, pointer, problem);
    if (lower === 'cookie') return void cookies.push({ value, pointer });
    list.push([name, value]);
    if (lower === 'content-type') contentType ??= { name, value };
    else if (lower === 'authorization') hasAuthorization = true;
  };
  readNamedValues(headers, '/headers', ':', add, problems);
  return { list, cookies, contentType, hasAuthorization };
}

/** Why a text cannot be sent as the value of a header; null: it can. The message does not quote it: it may be secret. */
export function headerValueProblem(value: string): string | null {
  if (VALUE.test(value)) return null;
  for (const char of value) {
    if (VALUE.test(char)) continue;
    const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    if (char.codePointAt(0)! > 0xff) {
      return `has the character ${code}, but header values are bytes: encode what is beyond Latin-1`;
    }
    return `has the control character ${code} (line breaks and the like cannot be sent)`;
  }
  return null;
}

export const isHeaderName = (name: string): boolean => TOKEN.test(name);

/** Why callers cannot set the header; null: they can. @param lower its name in lower case */
export function forbiddenHeaderReason(lower: string): string | null {
  if (!FORBIDDEN_HEADERS.has(lower) && !lower.startsWith('proxy-')) return null;
  if (lower === 'host') return 'it is set from the URL';
  if (lower === 'content-length') return 'it is set from the body';
  return `${quote(lower)} belongs to the connection`;
}
