import type { JobBody } from '../../domain/job.ts';
import { isObject } from '../schema/build.ts';
import { checkDepth } from '../schema/depth.ts';
import { type Problems, wrongValue } from '../schema/problems.ts';
import { FORCED_KEYS, readForced } from './data-forced.ts';
import { formFrom } from './form.ts';
import type { NamedHeader } from './headers.ts';
import { FORM_TYPE, JSON_TYPE, TEXT_TYPE } from './media-types.ts';

const encoder = new TextEncoder();

/** The body to send, by the rules of contract §2. Null when there is none, or when something is wrong with it. */
export function readBody(data: unknown, contentType: NamedHeader | null, problems: Problems): JobBody | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'object' && !checkDepth(data, '/data', problems)) return null;
  if (isObject(data) && FORCED_KEYS.some((key) => Object.hasOwn(data, key))) {
    const body = readForced(data, contentType, problems);
    return body === null || contentType === null ? body : { ...body, contentType: null };
  }
  return contentType === null ? detected(data) : declared(data, contentType, problems);
}

/** The caller's Content-Type decides. */
function declared(data: unknown, contentType: NamedHeader, problems: Problems): JobBody | null {
  const essence = (contentType.value.split(';', 1)[0] ?? '').trim().toLowerCase();
  const text = typeof data === 'string' ? data : null;
  if (isJsonType(essence)) {
    return { type: 'json', bytes: encoder.encode(text ?? JSON.stringify(data)), contentType: null };
  }
  if (essence === FORM_TYPE) {
    const form = text ?? formFrom(data, '/data', problems);
    return form === null ? null : { type: 'form', bytes: encoder.encode(form), contentType: null };
  }
  if (text === null) {
    wrongValue(
      problems,
      '/data',
      `must be a string or one of ${FORCED_KEYS.join(', ')} with the content type of the headers`,
      data,
    );
    return null;
  }
  return { type: 'raw', bytes: encoder.encode(text), contentType: null };
}

/** WHATWG MIME Sniffing, "JSON MIME type". */
function isJsonType(essence: string): boolean {
  return essence === JSON_TYPE || essence === 'text/json' || /^[^/\s]+\/[^/\s]+\+json$/.test(essence);
}

/** Nothing says what it is: told from the data. */
function detected(data: unknown): JobBody {
  if (typeof data !== 'string') {
    return { type: 'json', bytes: encoder.encode(JSON.stringify(data)), contentType: JSON_TYPE };
  }
  const bytes = encoder.encode(data);
  if (isJsonText(data)) return { type: 'json', bytes, contentType: JSON_TYPE };
  if (isFormText(data)) return { type: 'form', bytes, contentType: FORM_TYPE };
  return { type: 'raw', bytes, contentType: TEXT_TYPE };
}

function isJsonText(text: string): boolean {
  const first = /[^\t\n\r ]/.exec(text)?.[0];
  if (first !== '{' && first !== '[') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A form as it is pasted from developer tools, whose values may hold what a program would escape: no white space, and the
 * first pair has a key with at least one unreserved character (RFC 3986 §2.3). Not what is base64 as a whole (`dGVzdA==`).
 */
function isFormText(text: string): boolean {
  const equals = text.indexOf('=');
  if (equals === -1 || /\s/.test(text)) return false;
  const key = text.slice(0, equals);
  return !key.includes('&') && /[A-Za-z0-9._~-]/.test(key) && !isBase64(text);
}

/** As an encoder writes it: padded, without bits beyond the last byte. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[\w+/-]+={0,2}$/.test(text)) return false;
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Buffer.from(standard, 'base64').toString('base64') === standard;
}
