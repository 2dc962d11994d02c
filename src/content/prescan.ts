import { normalizeEncoding } from '@exodus/bytes/encoding.js';

/** What is looked at, in bytes. */
const SCANNED = 1024;
/** Without this word there is nothing to find. */
const CHARSET = /charset/i;

export interface Named {
  /** Of the encoding, lower-case. */
  readonly name: string;
  readonly source: 'meta' | 'xml';
}

/** The charset that the first bytes of an HTML document name (WHATWG HTML §13.2.3.2, "prescan a byte stream"). */
export function prescanHtml(body: Uint8Array): Named | null {
  const utf16 = utf16Declaration(body);
  if (utf16 !== null) return { name: utf16, source: 'xml' };
  const text = latin1(body);
  // Most pages name it in Content-Type only, and the scan costs more than all the rest of a small page.
  const meta = CHARSET.test(text) ? new Prescan(text).run() : null;
  return meta === null ? prescanXml(body) : { name: meta, source: 'meta' };
}

/** How far a `<meta>` that comes late is looked for. */
const SCANNED_LATE = 64 * 1024;
/** Start tags that do not end the head (WHATWG HTML §13.2.6.4.4), and those whose content is no markup. */
const IN_HEAD = new Set(
  'html head base basefont bgsound link meta noscript object script style title'.split(' '),
);
const RAW_TEXT = new Set(['script', 'style', 'title']);

/**
 * The charset of a `<meta>` behind the first 1,024 bytes but still in the head: browsers change over to it when the
 * parser meets it (WHATWG HTML §13.2.3.4).
 */
export function lateMeta(body: Uint8Array): string | null {
  const end = Math.min(SCANNED_LATE, body.length);
  if (end <= SCANNED) return null;
  const text = Buffer.from(body.buffer, body.byteOffset, end).toString('latin1');
  return new Prescan(text, true).run();
}

/** The charset that an XML declaration names (the same section, "get an XML encoding"). */
export function prescanXml(body: Uint8Array): Named | null {
  const name = utf16Declaration(body) ?? xmlDeclaration(latin1(body));
  return name === null ? null : { name, source: 'xml' };
}

function latin1(body: Uint8Array): string {
  const end = Math.min(SCANNED, body.length);
  return Buffer.from(body.buffer, body.byteOffset, end).toString('latin1');
}

/** `<?x` in UTF-16. */
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
  let at = afterControls(text, name + 8);
  if (text[at] !== '=') return null;
  at = afterControls(text, at + 1);
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return null;
  const close = text.indexOf(quote, at + 1);
  if (close === -1 || close > end) return null;
  const label = text.slice(at + 1, close);
  return /[\0- ]/.test(label) ? null : asciiCharset(label);
}

function afterControls(text: string, at: number): number {
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The charset of a label that was itself read as ASCII: so it is not UTF-16 (same section). */
function asciiCharset(label: string): string | null {
  const name = normalizeEncoding(label);
  if (name === 'utf-16le' || name === 'utf-16be') return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

class Prescan {
  readonly #text: string;
  /** Ends with the head, and does not look into scripts. */
  readonly #headOnly: boolean;
  #lower: string | null = null;
  #at = 0;

  constructor(text: string, headOnly = false) {
    this.#text = text;
    this.#headOnly = headOnly;
  }

  run(): string | null {
    const text = this.#text;
    for (;;) {
      this.#at = text.indexOf('<', this.#at);
      if (this.#at === -1) return null;
      const next = text[this.#at + 1];
      if (text.startsWith('<!--', this.#at)) {
        // The two hyphens of `<!-->` and `<!--->` may be those of the beginning.
        const end = text.indexOf('-->', this.#at + 2);
        if (end === -1) return null;
        this.#at = end + 3;
      } else if (/^<meta[\t\n\f\r /]/i.test(text.slice(this.#at, this.#at + 6))) {
        this.#at += 5;
        const found = this.#meta();
        if (found !== null) return found;
      } else if (/^<\/?[a-z]/i.test(text.slice(this.#at, this.#at + 3))) {
        const start = this.#at;
        while (this.#at < text.length && !/[\t\n\f\r >]/.test(text[this.#at]!)) this.#at++;
        const tag = text.slice(start + 1, this.#at).toLowerCase();
        while (this.#attribute() !== null);
        this.#at++;
        if (this.#headOnly && !this.#staysInHead(tag)) return null;
      } else if (next === '!' || next === '/' || next === '?') {
        const end = text.indexOf('>', this.#at);
        if (end === -1) return null;
        this.#at = end + 1;
      } else this.#at++;
    }
  }

  #staysInHead(tag: string): boolean {
    const name = tag.replace(/\/$/, '');
    if (name.startsWith('/')) return name !== '/head';
    if (RAW_TEXT.has(name)) {
      this.#lower ??= this.#text.toLowerCase();
      const end = this.#lower.indexOf(`</${name}`, this.#at);
      if (end === -1) return false;
      this.#at = end;
    }
    return IN_HEAD.has(name);
  }

  #meta(): string | null {
    const seen = new Set<string>();
    let pragma = false;
    let needPragma: boolean | null = null;
    let charset: string | null = null;
    for (;;) {
      const attribute = this.#attribute();
      if (attribute === null) break;
      const [name, value] = attribute;
      if (seen.has(name)) continue;
      seen.add(name);
      if (name === 'http-equiv') pragma ||= value === 'content-type';
      else if (name === 'content') {
        const label = charsetInContent(value);
        const named = label === null ? null : normalizeEncoding(label);
        if (named !== null && charset === null) {
          charset = label;
          needPragma = true;
        }
      } else if (name === 'charset') {
        charset = value;
        needPragma = false;
      }
    }
    // A tag that the end cuts off says nothing.
    if (this.#at >= this.#text.length) return null;
    this.#at++;
    if (needPragma === null || (needPragma && !pragma) || charset === null) return null;
    return asciiCharset(charset);
  }

  /** "Get an attribute", lower-case; null: none is left (`at` is then on `>`), or the text is over. */
  #attribute(): [name: string, value: string] | null {
    const text = this.#text;
    const white = () => {
      while (this.#at < text.length && /[\t\n\f\r ]/.test(text[this.#at]!)) this.#at++;
    };
    while (this.#at < text.length && /[\t\n\f\r /]/.test(text[this.#at]!)) this.#at++;
    if (this.#at >= text.length || text[this.#at] === '>') return null;
    let name = '';
    for (; this.#at < text.length; this.#at++) {
      const char = text[this.#at]!;
      if ((char === '=' && name !== '') || /[\t\n\f\r />]/.test(char)) break;
      name += char;
    }
    name = name.toLowerCase();
    if (/[\t\n\f\r ]/.test(text[this.#at] ?? '')) white();
    if (text[this.#at] !== '=') return this.#at >= text.length ? null : [name, ''];
    this.#at++;
    white();
    const quote = text[this.#at];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, this.#at + 1);
      if (end === -1) {
        this.#at = text.length;
        return null;
      }
      const value = text.slice(this.#at + 1, end).toLowerCase();
      this.#at = end + 1;
      return [name, value];
    }
    const start = this.#at;
    while (this.#at < text.length && !/[\t\n\f\r >]/.test(text[this.#at]!)) this.#at++;
    return this.#at >= text.length ? null : [name, text.slice(start, this.#at).toLowerCase()];
  }
}

/** "Extracting a character encoding from a meta element" (WHATWG HTML §2.4.5), the label only. */
function charsetInContent(value: string): string | null {
  for (let at = 0; ; ) {
    at = value.indexOf('charset', at);
    if (at === -1) return null;
    at = afterWhite(value, at + 7);
    if (value[at] !== '=') continue;
    at = afterWhite(value, at + 1);
    const quote = value[at];
    if (quote === '"' || quote === "'") {
      const end = value.indexOf(quote, at + 1);
      return end === -1 ? null : value.slice(at + 1, end);
    }
    const rest = /^[^\t\n\f\r ;]*/.exec(value.slice(at))![0];
    return rest === '' ? null : rest;
  }
}

function afterWhite(text: string, at: number): number {
  while (at < text.length && /[\t\n\f\r ]/.test(text[at]!)) at++;
  return at;
}
