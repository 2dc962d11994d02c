import type { HeaderList } from '../../domain/fetch-result.ts';
import { feedType, isGzip, isTextBody, sniffUnknown } from './mime-sniffing.ts';

/** How content is read. `html`, `xml` and `json` are structured text; `binary` is not text. */
export type MimeKind = 'html' | 'xml' | 'json' | 'text' | 'binary';

/** Types outside text/* that are text: scripts, data, source code, playlists, keys. */
const TEXT_TYPES = new Set([
  'application/x-www-form-urlencoded',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/x-ecmascript',
  'application/typescript',
  'application/x-typescript',
  'application/jsonp',
  'application/json5',
  'application/json-seq',
  'application/jsonl',
  'application/x-jsonlines',
  'application/ndjson',
  'application/x-ndjson',
  'application/x-json-stream',
  'application/graphql',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/x-toml',
  'application/csv',
  'application/x-csv',
  'application/sql',
  'application/x-sql',
  'application/sparql-query',
  'application/sparql-update',
  'application/n-triples',
  'application/n-quads',
  'application/trig',
  'application/x-sh',
  'application/x-shellscript',
  'application/x-csh',
  'application/x-perl',
  'application/x-python',
  'application/x-python-code',
  'application/x-ruby',
  'application/x-php',
  'application/x-httpd-php',
  'application/x-httpd-php-source',
  'application/x-tex',
  'application/x-latex',
  'application/x-troff',
  'application/x-subrip',
  'application/x-pem-file',
  'application/pem-certificate-chain',
  'application/pgp-keys',
  'application/pgp-signature',
  'application/jwt',
  'application/jose',
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
]);

const JSON_TYPES = new Set(['application/json', 'text/json', 'application/x-json', 'text/x-json']);

/** @param essence `type/subtype`, lower-case (WHATWG MIME Sniffing §4.6 for JSON, XML and HTML types) */
export function mimeKind(essence: string): MimeKind {
  switch (essence) {
    case 'text/html':
      return 'html';
    case 'application/json':
      return 'json';
    case 'text/xml':
    case 'application/xml':
      return 'xml';
  }
  if (JSON_TYPES.has(essence) || essence.endsWith('+json')) return 'json';
  if (essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/') || essence.endsWith('+yaml') || TEXT_TYPES.has(essence)) return 'text';
  return 'binary';
}

interface ContentType {
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** The `charset` parameter as written; null if there is none. */
  readonly charset: string | null;
}

const WHITESPACE = new Set(['\t', '\n', '\r', ' ']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** HTTP quoted-string token code points. */
const PARAMETER_VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** Parses a MIME type (WHATWG MIME Sniffing §4.4); null if the value is not one. */
export function parseContentType(value: string): ContentType | null {
  const input = trimWhitespace(value, 0, value.length);
  const slash = input.indexOf('/');
  if (slash === -1) return null;
  const type = input.slice(0, slash);
  const semicolon = input.indexOf(';', slash);
  const end = semicolon === -1 ? input.length : semicolon;
  const subtype = trimTrailingWhitespace(input.slice(slash + 1, end));
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return null;
  return {
    essence: `${type}/${subtype}`.toLowerCase(),
    charset: semicolon === -1 ? null : charsetParameter(input, semicolon),
  };
}

/** The first well-formed parameter named `charset`. @param index of the semicolon before the first parameter */
function charsetParameter(input: string, index: number): string | null {
  while (index < input.length) {
    index++;
    while (index < input.length && WHITESPACE.has(input[index]!)) index++;
    const start = index;
    while (index < input.length && input[index] !== ';' && input[index] !== '=') index++;
    const name = input.slice(start, index);
    if (index >= input.length) return null;
    if (input[index] === ';') continue;
    index++;
    let value: string;
    if (input[index] === '"') {
      [value, index] = parseQuotedString(input, index);
    } else {
      const end = input.indexOf(';', index);
      value = trimTrailingWhitespace(input.slice(index, end === -1 ? input.length : end));
      index = end === -1 ? input.length : end;
      if (value === '') continue;
    }
    if (name.toLowerCase() === 'charset' && PARAMETER_VALUE.test(value)) return value;
  }
  return null;
}

/** Parses the quoted string that begins at `start`. The text after it is ignored up to the next semicolon. */
function parseQuotedString(input: string, start: number): [value: string, next: number] {
  let value = '';
  let index = start + 1;
  for (; index < input.length && input[index] !== '"'; index++) {
    if (input[index] === '\\' && index + 1 < input.length) index++;
    value += input[index];
  }
  const next = input.indexOf(';', index);
  return [value, next === -1 ? input.length : next];
}

/**
 * The MIME type of a message from all its Content-Type field lines (Fetch, "extract a MIME type"): the last valid one. It
 * inherits the charset of an earlier one with the same essence.
 * @param lines the values, in order
 * @returns null if there is no valid one
 */
export function extractContentType(lines: readonly string[]): ContentType | null {
  let found: ContentType | null = null;
  for (const item of splitOutsideQuotes(lines.join(', '))) {
    const type = parseContentType(item);
    if (type === null || type.essence === '*/*') continue;
    if (type.charset === null && found?.charset != null && found.essence === type.essence) continue;
    found = type;
  }
  return found;
}

/** Splits at commas outside quotes (Fetch, "get, decode, and split"). */
function splitOutsideQuotes(value: string): string[] {
  if (!value.includes(',')) return [value];
  const items: string[] = [];
  let start = 0;
  let quotes = false;
  for (let n = 0; n < value.length; n++) {
    const char = value[n];
    if (char === '"') quotes = !quotes;
    else if (char === '\\' && quotes) n++;
    else if (char === ',' && !quotes) {
      items.push(value.slice(start, n));
      start = n + 1;
    }
  }
  items.push(value.slice(start));
  return items;
}

function trimWhitespace(text: string, from: number, to: number): string {
  while (from < to && WHITESPACE.has(text[from]!)) from++;
  while (to > from && WHITESPACE.has(text[to - 1]!)) to--;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

function trimTrailingWhitespace(text: string): string {
  let to = text.length;
  while (to > 0 && WHITESPACE.has(text[to - 1]!)) to--;
  return text.slice(0, to);
}

export interface MimeType {
  /** `type/subtype`, lower-case: declared, or else sniffed. */
  readonly essence: string;
  readonly kind: MimeKind;
  /** The `charset` parameter of Content-Type as written. */
  readonly charsetLabel: string | null;
  /** The type that the header declares, if the bytes are clearly of another one. */
  readonly contradictedEssence?: string;
}

interface DeclaredMimeType extends MimeType {
  /** What must be sniffed: nothing, the type, or whether the body is really text, a feed, or gzip. */
  readonly sniffing: 'nothing' | 'type' | 'text' | 'feed' | 'gzip';
}

const UNDECLARED: DeclaredMimeType = {
  essence: 'unknown/unknown',
  kind: 'binary',
  charsetLabel: null,
  sniffing: 'type',
};
const BINARY: MimeType = { essence: 'application/octet-stream', kind: 'binary', charsetLabel: null };

/** Values of Content-Type that old Apache servers send for unknown types (WHATWG MIME Sniffing §5.1). */
const APACHE_DEFAULTS = new Set([
  'text/plain',
  'text/plain; charset=ISO-8859-1',
  'text/plain; charset=iso-8859-1',
  'text/plain; charset=UTF-8',
]);

const SNIFFING_BY_ESSENCE: ReadonlyMap<string, DeclaredMimeType['sniffing']> = new Map([
  ['unknown/unknown', 'type'],
  ['application/unknown', 'type'],
  ['text/html', 'feed'],
  ['application/gzip', 'gzip'],
  ['application/x-gzip', 'gzip'],
]);

/** Parsed headers, by their text: sites send the same few values again and again. */
const parsedHeaders = new Map<string, DeclaredMimeType>();
const MAX_PARSED_HEADERS = 256;
const MAX_PARSED_LENGTH = 128;

/**
 * The type of a page (WHATWG MIME Sniffing §7). The declared type counts. The body is sniffed if there is no valid type (or
 * `unknown/unknown`, `application/unknown`, `*`/`*`), and if it is declared as text/plain but is not text. HTML may be a
 * feed (§7.3). `X-Content-Type-Options: nosniff` is respected. Two steps are our own: gzip is never text, whatever the
 * header says; and a body that is declared as gzip but is not (`sitemap.xml.gz` after content decoding) is sniffed. Images
 * and sound are not sniffed further, because that does not change whether they are text or binary.
 */
export function computeMimeType(headers: HeaderList, body: Uint8Array): MimeType {
  let line: string | null = null;
  let lines: string[] | null = null;
  let noSniff = false;
  for (const [name, value] of headers) {
    if (name === 'content-type') {
      if (line === null) line = value;
      else if (lines === null) lines = [line, value];
      else lines.push(value);
    } else if (name === 'x-content-type-options') {
      // Fetch, "determine nosniff": the first value of the list decides.
      noSniff ||= value.split(',', 1)[0]!.trim().toLowerCase() === 'nosniff';
    }
  }
  const declared = line === null ? UNDECLARED : declaredMimeType(line, lines);
  if (declared.kind !== 'binary' && isGzip(body))
    return {
      essence: 'application/x-gzip',
      kind: 'binary',
      charsetLabel: null,
      contradictedEssence: declared.essence,
    };
  switch (declared.sniffing) {
    case 'nothing':
      return declared;
    case 'feed': {
      const essence = noSniff ? null : feedType(body);
      return essence === null ? declared : { essence, kind: 'xml', charsetLabel: declared.charsetLabel };
    }
    case 'text':
      return noSniff || isTextBody(body) ? declared : BINARY;
    case 'gzip':
    case 'type': {
      if (declared.sniffing === 'gzip' && isGzip(body)) return declared;
      const essence = sniffUnknown(body, !noSniff);
      return { essence, kind: mimeKind(essence), charsetLabel: declared.charsetLabel };
    }
  }
}

function declaredMimeType(line: string, lines: readonly string[] | null): DeclaredMimeType {
  if (lines !== null) return parseDeclared(lines);
  const known = parsedHeaders.get(line);
  if (known !== undefined) return known;
  const declared = parseDeclared([line]);
  if (line.length <= MAX_PARSED_LENGTH) {
    if (parsedHeaders.size >= MAX_PARSED_HEADERS) parsedHeaders.clear();
    parsedHeaders.set(line, declared);
  }
  return declared;
}

function parseDeclared(lines: readonly string[]): DeclaredMimeType {
  const type = extractContentType(lines);
  if (type === null) return UNDECLARED;
  const { essence, charset } = type;
  const apache = APACHE_DEFAULTS.has(lines[lines.length - 1]!);
  return {
    essence,
    kind: mimeKind(essence),
    charsetLabel: charset,
    sniffing: SNIFFING_BY_ESSENCE.get(essence) ?? (apache ? 'text' : 'nothing'),
  };
}
