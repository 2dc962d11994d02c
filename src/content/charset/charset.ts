import { isAscii, isUtf8 } from 'node:buffer';
import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import type { MimeKind } from './mime-type.ts';

/** How many bytes at the end belong to an incomplete UTF-8 character; 0 if it is complete or invalid. */
export function incompleteTailLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    // A continuation byte (10xxxxxx): the first byte of the character is further back.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte < 0xf5 && length > back ? back : 0;
  }
  return 0;
}

const PRESCAN_BYTES = 1024;
/** A page without this word declares no charset. */
const CHARSET_WORD = /charset/i;

interface DeclaredCharset {
  /** Name of the encoding, lower-case. */
  readonly name: string;
  readonly source: 'meta' | 'xml';
}

/** The charset that the first bytes of an HTML document declare (WHATWG HTML §13.2.3.2, "prescan a byte stream"). */
export function prescanHtml(body: Uint8Array): DeclaredCharset | null {
  const utf16 = utf16Declaration(body);
  if (utf16 !== null) return { name: utf16, source: 'xml' };
  const text = latin1(body);
  // Most pages declare it in Content-Type only, and the scan takes longer than all other work on a small page.
  const meta = CHARSET_WORD.test(text) ? new MetaScanner(text).run() : null;
  return meta === null ? prescanXml(body) : { name: meta, source: 'meta' };
}

/** How many bytes are searched for a late `<meta>`. */
const LATE_META_BYTES = 64 * 1024;
/** Start tags that do not end the head (WHATWG HTML §13.2.6.4.4). */
const IN_HEAD = new Set(
  'html head base basefont bgsound link meta noscript object script style title'.split(' '),
);
/** Elements of the head whose content is not markup. */
const RAW_TEXT = new Set(['script', 'style', 'title']);

/**
 * The charset of a `<meta>` after the first 1,024 bytes but in the head. Browsers switch to it when the parser reaches it
 * (WHATWG HTML §13.2.3.4).
 */
export function lateMetaCharset(body: Uint8Array): string | null {
  const end = Math.min(LATE_META_BYTES, body.length);
  if (end <= PRESCAN_BYTES) return null;
  const text = Buffer.from(body.buffer, body.byteOffset, end).toString('latin1');
  return new MetaScanner(text, { headOnly: true }).run();
}

/** The charset that an XML declaration names (WHATWG HTML §13.2.3.2, "get an XML encoding"). */
function prescanXml(body: Uint8Array): DeclaredCharset | null {
  const name = utf16Declaration(body) ?? xmlDeclaration(latin1(body));
  return name === null ? null : { name, source: 'xml' };
}

function latin1(body: Uint8Array): string {
  const end = Math.min(PRESCAN_BYTES, body.length);
  return Buffer.from(body.buffer, body.byteOffset, end).toString('latin1');
}

/** The encoding of a document that begins with `<?x` in UTF-16. */
function utf16Declaration(body: Uint8Array): string | null {
  const [a, b, c, d, e, f] = body;
  if (a === 0x3c && b === 0 && c === 0x3f && d === 0 && e === 0x78 && f === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d === 0x3f && e === 0 && f === 0x78) return 'utf-16be';
  return null;
}

function xmlDeclaration(text: string): string | null {
  if (!text.startsWith('<?xml')) return null;
  const end = text.indexOf('>');
  if (end === -1) return null;
  const name = text.indexOf('encoding');
  if (name === -1 || name > end) return null;
  let position = skipControls(text, name + 8);
  if (text[position] !== '=') return null;
  position = skipControls(text, position + 1);
  const quote = text[position];
  if (quote !== '"' && quote !== "'") return null;
  const close = text.indexOf(quote, position + 1);
  if (close === -1 || close > end) return null;
  const label = text.slice(position + 1, close);
  return /[\0- ]/.test(label) ? null : asciiCharset(label);
}

function skipControls(text: string, position: number): number {
  while (position < text.length && text.charCodeAt(position) <= 0x20) position++;
  return position;
}

/** The charset of a label that was read as ASCII, so that it cannot be UTF-16 (WHATWG HTML §13.2.3.2). */
function asciiCharset(label: string): string | null {
  const name = normalizeEncoding(label);
  if (name === 'utf-16le' || name === 'utf-16be') return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

/** Searches for a `<meta>` that declares the charset. */
class MetaScanner {
  readonly #text: string;
  /** Stops at the end of the head, and skips the content of scripts. */
  readonly #headOnly: boolean;
  #lowerCase: string | null = null;
  #position = 0;

  constructor(text: string, { headOnly = false } = {}) {
    this.#text = text;
    this.#headOnly = headOnly;
  }

  run(): string | null {
    const text = this.#text;
    for (;;) {
      this.#position = text.indexOf('<', this.#position);
      if (this.#position === -1) return null;
      const next = text[this.#position + 1];
      if (text.startsWith('<!--', this.#position)) {
        // `<!-->` and `<!--->` are whole comments: the hyphens of the start may also be those of the end.
        const end = text.indexOf('-->', this.#position + 2);
        if (end === -1) return null;
        this.#position = end + 3;
      } else if (/^<meta[\t\n\f\r /]/i.test(text.slice(this.#position, this.#position + 6))) {
        this.#position += 5;
        const found = this.#meta();
        if (found !== null) return found;
      } else if (/^<\/?[a-z]/i.test(text.slice(this.#position, this.#position + 3))) {
        const start = this.#position;
        while (this.#position < text.length && !/[\t\n\f\r >]/.test(text[this.#position]!)) this.#position++;
        const tag = text.slice(start + 1, this.#position).toLowerCase();
        while (this.#attribute() !== null);
        this.#position++;
        if (this.#headOnly && !this.#staysInHead(tag)) return null;
      } else if (next === '!' || next === '/' || next === '?') {
        const end = text.indexOf('>', this.#position);
        if (end === -1) return null;
        this.#position = end + 1;
      } else this.#position++;
    }
  }

  /** Whether the parser is still in the head after this tag. Skips the content of scripts, styles and titles. */
  #staysInHead(tag: string): boolean {
    const name = tag.replace(/\/$/, '');
    if (name.startsWith('/')) return name !== '/head';
    if (RAW_TEXT.has(name)) {
      this.#lowerCase ??= this.#text.toLowerCase();
      const end = this.#lowerCase.indexOf(`</${name}`, this.#position);
      if (end === -1) return false;
      this.#position = end;
    }
    return IN_HEAD.has(name);
  }

  #meta(): string | null {
    const names = new Set<string>();
    let pragma = false;
    let needPragma: boolean | null = null;
    let charset: string | null = null;
    for (;;) {
      const attribute = this.#attribute();
      if (attribute === null) break;
      const [name, value] = attribute;
      if (names.has(name)) continue;
      names.add(name);
      if (name === 'http-equiv') pragma ||= value === 'content-type';
      else if (name === 'content') {
        const label = charsetInContent(value);
        const encoding = label === null ? null : normalizeEncoding(label);
        if (encoding !== null && charset === null) {
          charset = label;
          needPragma = true;
        }
      } else if (name === 'charset') {
        charset = value;
        needPragma = false;
      }
    }
    // The tag is incomplete.
    if (this.#position >= this.#text.length) return null;
    this.#position++;
    if (needPragma === null || (needPragma && !pragma) || charset === null) return null;
    return asciiCharset(charset);
  }

  /** "Get an attribute", lower-case; null if there are no more (the position is then at `>`), or the text ends. */
  #attribute(): [name: string, value: string] | null {
    const text = this.#text;
    const skipSpace = () => {
      while (this.#position < text.length && /[\t\n\f\r ]/.test(text[this.#position]!)) this.#position++;
    };
    while (this.#position < text.length && /[\t\n\f\r /]/.test(text[this.#position]!)) this.#position++;
    if (this.#position >= text.length || text[this.#position] === '>') return null;
    let name = '';
    for (; this.#position < text.length; this.#position++) {
      const char = text[this.#position]!;
      if ((char === '=' && name !== '') || /[\t\n\f\r />]/.test(char)) break;
      name += char;
    }
    name = name.toLowerCase();
    if (/[\t\n\f\r ]/.test(text[this.#position] ?? '')) skipSpace();
    if (text[this.#position] !== '=') return this.#position >= text.length ? null : [name, ''];
    this.#position++;
    skipSpace();
    const quote = text[this.#position];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, this.#position + 1);
      if (end === -1) {
        this.#position = text.length;
        return null;
      }
      const value = text.slice(this.#position + 1, end).toLowerCase();
      this.#position = end + 1;
      return [name, value];
    }
    const start = this.#position;
    while (this.#position < text.length && !/[\t\n\f\r >]/.test(text[this.#position]!)) this.#position++;
    return this.#position >= text.length ? null : [name, text.slice(start, this.#position).toLowerCase()];
  }
}

/** The label in the `content` of a `<meta>` (WHATWG HTML §2.4.5, "extracting a character encoding from a meta element"). */
function charsetInContent(value: string): string | null {
  for (let position = 0; ; ) {
    position = value.indexOf('charset', position);
    if (position === -1) return null;
    position = skipWhitespace(value, position + 7);
    if (value[position] !== '=') continue;
    position = skipWhitespace(value, position + 1);
    const quote = value[position];
    if (quote === '"' || quote === "'") {
      const end = value.indexOf(quote, position + 1);
      return end === -1 ? null : value.slice(position + 1, end);
    }
    const rest = /^[^\t\n\f\r ;]*/.exec(value.slice(position))![0];
    return rest === '' ? null : rest;
  }
}

function skipWhitespace(text: string, position: number): number {
  while (position < text.length && /[\t\n\f\r ]/.test(text[position]!)) position++;
  return position;
}

export interface Charset {
  /** Name of the encoding in the Encoding Standard, lower-case. */
  readonly name: string;
  /** Where it was found. `utf-8`: it was not declared, but the bytes are valid UTF-8; `default`: neither. */
  readonly source: 'bom' | 'http' | 'meta' | 'xml' | 'utf-8' | 'default';
}

const BOM_UTF8: Charset = { name: 'utf-8', source: 'bom' };
const BOM_UTF16LE: Charset = { name: 'utf-16le', source: 'bom' };
const BOM_UTF16BE: Charset = { name: 'utf-16be', source: 'bom' };
const HTTP_UTF8: Charset = { name: 'utf-8', source: 'http' };
const VALID_UTF8: Charset = { name: 'utf-8', source: 'utf-8' };
const DEFAULT_CHARSET: Charset = { name: 'windows-1252', source: 'default' };

/** Length of the byte order mark at the beginning; 0 if there is none. */
export function bomLength(body: Uint8Array): 0 | 2 | 3 {
  switch (body[0]) {
    case 0xef:
      return body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
    case 0xfe:
      return body[1] === 0xff ? 2 : 0;
    case 0xff:
      return body[1] === 0xfe ? 2 : 0;
  }
  return 0;
}

/**
 * The charset of a text (contract §4; WHATWG Encoding §6 "BOM sniff", HTML §13.2.3.2), from the first of these that
 * applies: byte order mark, Content-Type, `<meta>` or XML declaration in the first 1,024 bytes, UTF-8 if the bytes are
 * valid UTF-8, a later `<meta>` in the head, windows-1252. Unknown labels are ignored.
 *
 * The standards always read JSON as UTF-8 (`Response.json()`), and servers label it carelessly. So the label of JSON does
 * not count if the bytes are valid UTF-8 beyond ASCII, which text in another charset practically never is.
 * @param label the `charset` of Content-Type
 * @param cut the bytes may end in the middle of a character
 */
export function detectCharset(body: Uint8Array, kind: MimeKind, label: string | null, cut: boolean): Charset {
  const bom = bomLength(body);
  if (bom !== 0) return bom === 3 ? BOM_UTF8 : body[0] === 0xff ? BOM_UTF16LE : BOM_UTF16BE;
  const declared = label === null ? null : normalizeEncoding(label);
  if (declared === 'utf-8') return HTTP_UTF8;
  if (declared !== null) {
    const mislabeled =
      kind === 'json' && !declared.startsWith('utf-16') && !isAscii(body) && isValidUtf8(body, cut);
    return mislabeled ? VALID_UTF8 : { name: declared, source: 'http' };
  }
  if (kind === 'html' || kind === 'xml') {
    const inBody = kind === 'html' ? prescanHtml(body) : prescanXml(body);
    if (inBody !== null) return inBody;
  }
  if (isValidUtf8(body, cut)) return VALID_UTF8;
  const late = kind === 'html' ? lateMetaCharset(body) : null;
  return late === null ? DEFAULT_CHARSET : { name: late, source: 'meta' };
}

/**
 * The charset of a document that a browser has decoded, with where the browser found it, as far as that is still told.
 * @param name of the encoding, by the browser, lower-case
 * @param label the `charset` of Content-Type
 * @param html what the browser shows, as UTF-8
 */
export function shownCharset(name: string, label: string | null, html: Uint8Array): Charset {
  if (label !== null && normalizeEncoding(label) === name) return { name, source: 'http' };
  if (prescanHtml(html)?.name === name || lateMetaCharset(html) === name) return { name, source: 'meta' };
  return { name, source: name === 'utf-8' ? 'utf-8' : 'default' };
}

function isValidUtf8(body: Uint8Array, cut: boolean): boolean {
  return isUtf8(cut ? body.subarray(0, body.length - incompleteTailLength(body)) : body);
}
