import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { trimOws } from '../../base/http-syntax.ts';
import { rawNumberText } from '../../base/numbers.ts';
import { closed, isObject } from '../../domain/json-schema.ts';
import type { TaskBody } from '../../domain/task.ts';
import { checkDepth, withoutNulls } from '../schema/json-value.ts';
import { addProblem, addValueProblem, childPointer, type Problems } from '../schema/problems.ts';
import { jsonExcess } from '../schema/read-json.ts';
import { checker, type Schema } from '../schema/validation.ts';
import { headerValueProblem, type NamedHeader } from './headers.ts';

/**
 * Encodes an object or an array of pairs as `application/x-www-form-urlencoded` (URL standard §5.2). As in `query`, an
 * array repeats the name, and null removes it. null: a problem was added.
 */
function encodeForm(data: unknown, pointer: string, problems: Problems): string | null {
  const countBefore = problems.length;
  const pairs: [string, string][] = [];
  const add = (name: string, value: unknown, itemPointer: string) => {
    if (value === null) return;
    const number = rawNumberText(value);
    if (number !== null) pairs.push([name, number]);
    else if (typeof value === 'object')
      addValueProblem(problems, itemPointer, 'must be a string, number or boolean', value);
    else pairs.push([name, String(value)]);
  };
  if (Array.isArray(data)) {
    data.forEach((pair: unknown, i) => {
      const itemPointer = childPointer(pointer, i);
      if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') {
        addValueProblem(problems, itemPointer, 'must be a pair [name, value]', pair);
      } else add(pair[0], pair[1], childPointer(itemPointer, 1));
    });
  } else if (isObject(data) && rawNumberText(data) === null) {
    for (const [name, value] of Object.entries(data)) {
      const itemPointer = childPointer(pointer, name);
      if (!Array.isArray(value)) add(name, value, itemPointer);
      else for (const [i, item] of value.entries()) add(name, item, childPointer(itemPointer, i));
    }
  } else {
    // With a Content-Type of a form, a string is sent as it is; `$form` does not accept one.
    const alternative =
      pointer === '/data' ? ', or a string' : '; send an encoded form as $raw with its content-type';
    addValueProblem(
      problems,
      pointer,
      `must be an object or an array of pairs [name, value]${alternative}`,
      data,
    );
  }
  return problems.length > countBefore ? null : new URLSearchParams(pairs).toString();
}

/** The Content-Type to send if the caller's headers have none. */
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TEXT_TYPE = 'text/plain; charset=utf-8';

interface MultipartPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** null: not a file. */
  readonly filename: string | null;
  readonly contentType: string | null;
}

/**
 * Encodes `multipart/form-data` (RFC 7578). Names and file names are escaped by the "multipart/form-data encoding
 * algorithm" of the HTML standard. The boundary is random, so that no value contains it.
 */
function encodeMultipart(parts: readonly MultipartPart[]): {
  readonly bytes: Buffer;
  readonly boundary: string;
} {
  const boundary = `----sluice-${randomBytes(18).toString('base64url')}`;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeFieldName(normaliseLineBreaks(part.name))}"`;
    if (part.filename !== null) head += `; filename="${escapeFieldName(part.filename)}"`;
    const type = part.contentType ?? (part.filename === null ? null : 'application/octet-stream');
    if (type !== null) head += `\r\nContent-Type: ${type}`;
    // The head is UTF-8. `readMediaType` allows Latin-1 in a content type, but real types are ASCII.
    pieces.push(Buffer.from(`${head}\r\n\r\n`), part.bytes, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(pieces), boundary };
}

function normaliseLineBreaks(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '\r\n');
}

function escapeFieldName(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

const BODY_TYPE_KEYS = ['$json', '$form', '$raw', '$base64', '$multipart'] as const;

const MultipartField = Type.Array(
  closed({
    name: Type.String(),
    value: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String()),
    content_type: Type.Optional(Type.String({ minLength: 1 })),
  }),
);
type MultipartField = Static<typeof MultipartField>;
const checkMultipart = checker(MultipartField);

/** Reads a body with an explicit type, such as `{"$form": …}`. */
function readTypedBody(
  data: Readonly<Record<string, unknown>>,
  contentType: NamedHeader | null,
  problems: Problems,
): TaskBody | null {
  const key = BODY_TYPE_KEYS.find((name) => Object.hasOwn(data, name))!;
  const pointer = childPointer('/data', key);
  const countBefore = problems.length;
  for (const name of Object.keys(data)) {
    if (name === key || (name === 'content_type' && key === '$base64')) continue;
    addProblem(
      problems,
      childPointer('/data', name),
      `is unknown beside ${key}; to send such an object, wrap it in $json`,
    );
  }
  if (problems.length > countBefore) return null;
  const value = data[key];
  switch (key) {
    case '$json':
      return { type: 'json', bytes: Buffer.from(JSON.stringify(value)), contentType: JSON_TYPE };
    case '$form': {
      const form = encodeForm(value, pointer, problems);
      return form === null ? null : { type: 'form', bytes: Buffer.from(form), contentType: FORM_TYPE };
    }
    case '$raw':
      if (typeof value === 'string')
        return { type: 'raw', bytes: Buffer.from(value), contentType: TEXT_TYPE };
      addValueProblem(problems, pointer, 'must be a string', value);
      return null;
    case '$base64': {
      const mediaType = data.content_type ?? 'application/octet-stream';
      const bytes = readBase64(value, pointer, problems);
      const type = readMediaType(mediaType, '/data/content_type', problems);
      return bytes === null || type === null ? null : { type: 'binary', bytes, contentType: type };
    }
    case '$multipart':
      return readMultipart(value, contentType, pointer, problems);
  }
}

function readMultipart(
  value: unknown,
  contentType: NamedHeader | null,
  pointer: string,
  problems: Problems,
): TaskBody | null {
  const field = withoutNulls(value, MultipartField as Schema);
  if (!checkMultipart(field, pointer, problems)) return null;
  const countBefore = problems.length;
  if (contentType !== null) {
    addProblem(
      problems,
      childPointer('/headers', contentType.name),
      'cannot be given with $multipart: it contains the boundary, which Sluice generates',
    );
  }
  const parts = (field as MultipartField).map((part, i) => {
    const itemPointer = childPointer(pointer, i);
    if ((part.value === undefined) === (part.base64 === undefined)) {
      addProblem(problems, itemPointer, 'must have either `value` or `base64`');
    }
    return {
      name: part.name,
      bytes:
        part.base64 === undefined
          ? Buffer.from(part.value ?? '')
          : (readBase64(part.base64, `${itemPointer}/base64`, problems) ?? Buffer.alloc(0)),
      filename: part.filename ?? null,
      contentType:
        part.content_type === undefined
          ? null
          : readMediaType(part.content_type, `${itemPointer}/content_type`, problems),
    };
  });
  if (problems.length > countBefore) return null;
  const { bytes, boundary } = encodeMultipart(parts);
  return { type: 'multipart', bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function readMediaType(value: unknown, pointer: string, problems: Problems): string | null {
  if (typeof value !== 'string' || trimOws(value) === '') {
    addValueProblem(problems, pointer, 'must be a media type', value);
    return null;
  }
  const problem = headerValueProblem(value);
  if (problem !== null) addProblem(problems, pointer, problem);
  return problem === null ? trimOws(value) : null;
}

/** Decodes base64 (RFC 4648 §4) strictly: with padding, without line breaks or unused bits. Other text is probably a mistake. */
export function readBase64(value: unknown, pointer: string, problems: Problems): Buffer | null {
  if (typeof value !== 'string') {
    addValueProblem(problems, pointer, 'must be a string', value);
    return null;
  }
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') === value) return bytes;
  addProblem(problems, pointer, 'must be base64 (RFC 4648 §4: letters, digits, + and /, padded with =)');
  return null;
}

const encoder = new TextEncoder();

/** Reads the request body for the target (contract §2). null: there is none, or a problem was added. */
export function readBody(
  data: unknown,
  contentType: NamedHeader | null,
  problems: Problems,
): TaskBody | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'object' && !checkDepth(data, '/data', problems)) return null;
  if (isObject(data) && BODY_TYPE_KEYS.some((key) => Object.hasOwn(data, key))) {
    const body = readTypedBody(data, contentType, problems);
    // The caller's Content-Type is sent instead of that of the body type.
    return body === null || contentType === null ? body : { ...body, contentType: null };
  }
  return contentType === null ? bodyOfDetectedType(data) : bodyOfDeclaredType(data, contentType, problems);
}

/** Encodes the data in the format of the caller's Content-Type. */
function bodyOfDeclaredType(data: unknown, contentType: NamedHeader, problems: Problems): TaskBody | null {
  const essence = (contentType.value.split(';', 1)[0] ?? '').trim().toLowerCase();
  const text = typeof data === 'string' ? data : null;
  if (isJsonType(essence)) {
    return { type: 'json', bytes: encoder.encode(text ?? JSON.stringify(data)), contentType: null };
  }
  if (essence === FORM_TYPE) {
    const form = text ?? encodeForm(data, '/data', problems);
    return form === null ? null : { type: 'form', bytes: encoder.encode(form), contentType: null };
  }
  if (text === null) {
    addValueProblem(
      problems,
      '/data',
      `must be a string or one of ${BODY_TYPE_KEYS.join(', ')} with the content type of the headers`,
      data,
    );
    return null;
  }
  return { type: 'raw', bytes: encoder.encode(text), contentType: null };
}

/** A "JSON MIME type" (WHATWG MIME Sniffing §4.6). */
function isJsonType(essence: string): boolean {
  return essence === JSON_TYPE || essence === 'text/json' || /^[^/\s]+\/[^/\s]+\+json$/.test(essence);
}

/** Encodes the data in a format detected from it, because the headers have no Content-Type. */
function bodyOfDetectedType(data: unknown): TaskBody {
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
  if ((first !== '{' && first !== '[') || jsonExcess(text) !== null) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a text is a form, perhaps pasted from developer tools with unescaped characters: no white space, and a first key
 * with at least one unreserved character (RFC 3986 §2.3). Base64 with padding (`dGVzdA==`) is not a form.
 */
function isFormText(text: string): boolean {
  const equals = text.indexOf('=');
  if (equals === -1 || /\s/.test(text)) return false;
  const key = text.slice(0, equals);
  return !key.includes('&') && /[A-Za-z0-9._~-]/.test(key) && !isBase64(text);
}

/** Strict base64 or base64url: with padding, without unused bits. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[\w+/-]+={0,2}$/.test(text)) return false;
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Buffer.from(standard, 'base64').toString('base64') === standard;
}
