import { trimOws } from '../../base/http-syntax.ts';
import { addProblem, childPointer, type Problems, quote } from '../schema/problems.ts';

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
export function readHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  problems: Problems,
): CallerHeaders {
  const list: (readonly [string, string])[] = [];
  const cookies: { value: string; pointer: string }[] = [];
  let contentType: NamedHeader | null = null;
  let hasAuthorization = false;
  for (const name of Object.keys(headers)) {
    const values = headers[name]!;
    const lower = name.toLowerCase();
    const pointer = childPointer('/headers', name);
    if (!isHeaderName(name)) {
      addProblem(problems, pointer, `is not a header name; allowed are letters, digits and !#$%&'*+-.^_\`|~`);
      continue;
    }
    const reason = forbiddenHeaderReason(lower);
    if (reason !== null) {
      addProblem(problems, pointer, `cannot be set; ${reason}`);
      continue;
    }
    for (const text of Array.isArray(values) ? values : [values]) {
      const value = trimOws(text);
      const problem = headerValueProblem(value);
      if (problem !== null) addProblem(problems, pointer, problem);
      else if (lower === 'cookie') cookies.push({ value, pointer });
      else {
        list.push([name, value]);
        if (lower === 'content-type') contentType ??= { name, value };
        else if (lower === 'authorization') hasAuthorization = true;
      }
    }
  }
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
