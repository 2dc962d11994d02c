import { detectCharset } from '../content/charset.ts';
import { toUtf8 } from '../content/decode-content.ts';
import type { MimeType } from '../content/mime-type.ts';
import { INSPECTED_BYTES } from './content-check.ts';
import { commentEnd, isSelfClosing, MOUNT_IDS, rawContentEnd, tagEndWithFindings } from './html-scanner.ts';
import {
  MAX_REDIRECT_SCRIPT_LENGTH,
  type PageRedirect,
  refreshUrl,
  scriptRedirectUrl,
} from './page-redirects.ts';
import { isLetter, tagAt } from './rule-prefilter.ts';

/** A page as far as it is looked at: of a long one its beginning and its end. */
interface PageSource {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** The same. */
  readonly html: string;
}

const TAIL_BYTES = 100 * 1024;

export function decodePageSource(body: Uint8Array, mime: MimeType, cut: boolean): PageSource {
  if (body.length <= INSPECTED_BYTES) return decodeBody(body, mime, cut);
  const { html: head } = decodeBody(body.slice(0, INSPECTED_BYTES - TAIL_BYTES), mime, true);
  const html = `${head}\n${Buffer.from(body.slice(-TAIL_BYTES)).toString('latin1')}`;
  return { bytes: Buffer.from(html), html };
}

function decodeBody(body: Uint8Array, mime: MimeType, cut: boolean): PageSource {
  const { name } = detectCharset(body, mime.kind, mime.charsetLabel, cut);
  const { bytes } = toUtf8(body, name, cut);
  if ('resizable' in bytes.buffer && bytes.buffer.resizable) {
    // Slow to read byte by byte.
    const copy = Buffer.from(bytes);
    return { bytes: copy, html: copy.toString('utf8') };
  }
  return { bytes, html: asBuffer(bytes).toString('utf8') };
}

/** What stands between two places of the bytes. */
function sliceSource({ bytes, html }: PageSource, from: number, to: number): string {
  // Where all is ASCII a place in the bytes is one in the text, and a part of a text is no copy.
  return html.length === bytes.length ? html.slice(from, to) : asBuffer(bytes).toString('utf8', from, to);
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const LT = 0x3c;
const AMPERSAND = 0x26;
const SPACE = 0x20;
/** Nearly all that is looked at closely is smaller. */
const SHARED_BUFFER = Buffer.allocUnsafeSlow(16 * 1024);

/** Collects what a page shows, spaces collapsed. One at a time: they share their room. */
class TextCollector {
  /** Bytes up to now. */
  size = 0;
  /** There is a space before what comes next. */
  #gap = false;
  #entities = false;
  readonly #room: Buffer;

  /** @param most so many bytes are all that it can be given */
  constructor(most: number) {
    this.#room = most <= SHARED_BUFFER.length ? SHARED_BUFFER : Buffer.allocUnsafeSlow(most);
  }

  appendSpace(): void {
    this.#gap = true;
  }

  /** `<`, where it begins no tag. */
  appendLessThan(): void {
    if (this.#gap && this.size > 0) this.#room[this.size++] = SPACE;
    this.#gap = false;
    this.#room[this.size++] = LT;
  }

  /** Takes all up to the next `<`; gives its place, or the length of the page. */
  appendUntilTag(bytes: Uint8Array, from: number): number {
    const room = this.#room;
    const { length } = bytes;
    let size = this.size;
    let gap = this.#gap;
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at]!;
      if (byte === LT) break;
      if (byte === SPACE || (byte <= 0x0d && byte >= 0x09)) {
        gap = true;
        continue;
      }
      if (byte >= 0xc2) {
        const space = spaceAt(bytes, at);
        if (space > 0) {
          gap = true;
          at += space - 1;
          continue;
        }
      } else if (byte === AMPERSAND) this.#entities = true;
      if (gap) {
        if (size > 0) room[size++] = SPACE;
        gap = false;
      }
      room[size++] = byte;
    }
    this.size = size;
    this.#gap = gap;
    return at;
  }

  finish(): string {
    const text = this.#room.toString('utf8', 0, this.size);
    return this.#entities ? collapseSpaces(text) : text;
  }
}

/** Length in bytes of the space beyond ASCII that begins here; 0: there is none. It is what `\s` takes for one. */
function spaceAt(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  switch (bytes[at]) {
    case 0xc2:
      return second === 0xa0 ? 2 : 0;
    case 0xe1:
      return second === 0x9a && third === 0x80 ? 3 : 0;
    case 0xe2:
      if (second === 0x81) return third === 0x9f ? 3 : 0;
      return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf) ? 3 : 0;
    case 0xe3:
      return second === 0x80 && third === 0x80 ? 3 : 0;
    case 0xef:
      return second === 0xbb && third === 0xbf ? 3 : 0;
    default:
      return 0;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  '#160': ' ',
  amp: '&',
  '#39': "'",
  '#x27': "'",
  apos: "'",
  rsquo: '’',
  quot: '"',
  lt: '<',
  gt: '>',
};

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(#?\w{2,5});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    : text;

/** A space alone, which most are, is what it should be. */
const UNTIDY = /\s{2,}|[^\S ]/;
const UNTIDY_ALL = /\s{2,}|[^\S ]/g;

function collapseSpaces(text: string): string {
  const plain = decodeEntities(text);
  return (UNTIDY.test(plain) ? plain.replaceAll(UNTIDY_ALL, ' ') : plain).trim();
}

/** What the rules ask of a page. */
export interface JudgedPage {
  /** The source, of a long page its beginning and its end. */
  readonly html: string;
  /** What is shown, spaces collapsed. */
  readonly text: string;
  readonly title: string;
  /** What is shown when scripts do not run. */
  readonly noscript: string;
  /** The scripts that stand in the page, without those that it loads. */
  readonly inline: string;
  readonly scripts: number;
  readonly links: number;
  /** Paragraphs, list items, cells, headings. */
  readonly blocks: number;
  /** To fill in: no buttons, nothing hidden. */
  readonly fields: number;
  readonly password: boolean;
  /** Pictures, films, frames, drawings. */
  readonly media: number;
  /** Where a script is used to put a page: none, there, there without anything in it. */
  readonly mount: 'none' | 'filled' | 'empty';
  readonly redirect: PageRedirect | null;
}

/** Read as XML, in which any tag may close itself. */
export const XHTML = 'application/xhtml+xml';

const LONGEST_TEXT = 100 * 1024;
const LONGEST_TITLE = 300;
const LONGEST_NOSCRIPT = 4000;
/** Scripts that are looked at for whether they lead elsewhere. */
const MAX_REDIRECT_SCRIPTS = 50;
const LONGEST_SCRIPTS = 64 * 1024;
/** UTF-8 of one unit of a string. */
const MOST_BYTES = 4;
const PASSWORD = /\btype\s{0,3}=\s{0,3}["']?password/i;
const NO_SCRIPT = /\btype\s{0,3}=\s{0,3}["']?(?:application\/(?:ld\+)?json|text\/template)/i;
const REFRESH = /http-equiv\s{0,3}=\s{0,3}["']?refresh/i;
const CONTENT = /\bcontent\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
const ON_LOAD = /\bonload\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))/i;
/** Its inside is shown. */
const SHADOW_ROOT = /\sshadowrootmode\s{0,3}=/i;
const SLASH = 0x2f;
const BANG = 0x21;
const DASH = 0x2d;
const QUESTION = 0x3f;
/** The scripts of captchas put it beside their box, for the answer: nobody fills it in. */
const CAPTCHA_ANSWER = /captcha-response/i;
const NO_FIELD = /\btype\s{0,3}=\s{0,3}["']?(?:hidden|submit|button|image|reset|checkbox|radio)/i;

export function inspectPage(body: Uint8Array, mime: MimeType, cut: boolean): JudgedPage {
  return inspectSource(decodePageSource(body, mime, cut), mime);
}

export function inspectSource(source: PageSource, { kind, essence }: MimeType): JudgedPage {
  if (kind === 'html') return inspectHtml(source, essence === XHTML);
  const { html } = source;
  return { ...EMPTY_PAGE, html, text: collapseSpaces(html.slice(0, LONGEST_TEXT)) };
}

/** One pass over the bytes of the page, linear in its length: they are read several times as fast as letters of a string. */
function inspectHtml(source: PageSource, xhtml: boolean): JudgedPage {
  const { html, bytes } = source;
  const { length } = bytes;
  const shown = new TextCollector(length);
  const noticed = { mount: false };
  let [title, noscript, inline] = ['', '', ''];
  let [scripts, links, blocks, fields, media] = [0, 0, 0, 0, 0];
  let password = false;
  let refresh: PageRedirect | null = null;
  let onLoad = '';
  const leading: string[] = [];
  let mount: JudgedPage['mount'] = 'none';
  /** A mount has opened, and nothing has come since. */
  let opened = false;
  for (let at = 0; at < length; ) {
    const before = shown.size;
    const open = shown.appendUntilTag(bytes, at);
    if (shown.size > before) opened = false;
    if (open === length) break;
    const initial = bytes[open + 1]!;
    if (initial === BANG && bytes[open + 2] === DASH && bytes[open + 3] === DASH) {
      at = commentEnd(bytes, open + 4);
      continue;
    }
    const closes = initial === SLASH;
    if (!isLetter(initial) && !closes && initial !== BANG && initial !== QUESTION) {
      shown.appendLessThan();
      at = open + 1;
      continue;
    }
    const tag = tagAt(bytes, closes ? open + 2 : open + 1);
    const { name } = tag;
    // The letters of a known name end no tag.
    noticed.mount = false;
    const end = tagEndWithFindings(bytes, open + tag.length, noticed);
    at = end + 1;
    if (opened && closes) mount = 'empty';
    opened = false;
    if (closes) {
      if (!tag.inline) shown.appendSpace();
      continue;
    }
    if (tag.raw && !(name === 'template' && SHADOW_ROOT.test(sliceSource(source, open, end)))) {
      const close = rawContentEnd(bytes, tag, open, end, xhtml);
      const inside = (most: number) =>
        sliceSource(source, at, Math.min(close, at + most * MOST_BYTES)).slice(0, most);
      if (name === 'title') {
        if (title === '') title = collapseSpaces(inside(LONGEST_TITLE));
      } else if (name === 'noscript') noscript += ` ${inside(LONGEST_NOSCRIPT)}`;
      else if (name === 'script') {
        const isScript = !NO_SCRIPT.test(sliceSource(source, open, end));
        if (isScript) scripts++;
        if (
          isScript &&
          close > at &&
          close - at <= MAX_REDIRECT_SCRIPT_LENGTH &&
          leading.length < MAX_REDIRECT_SCRIPTS
        )
          leading.push(sliceSource(source, at, close));
        if (inline.length < LONGEST_SCRIPTS) inline += `${sliceSource(source, at, close)}\n`;
      } else if (name === 'textarea' && !CAPTCHA_ANSWER.test(sliceSource(source, open, end))) fields++;
      if (tag.media) media++;
      at = close;
      continue;
    }
    if (!tag.inline) shown.appendSpace();
    if (name === 'a') links++;
    else if (name === 'input') {
      const tagText = sliceSource(source, open, end);
      if (!NO_FIELD.test(tagText)) fields++;
      if (PASSWORD.test(tagText)) password = true;
    } else if (name === 'select') fields++;
    else if (name === 'meta') refresh ??= refreshOf(sliceSource(source, open, end));
    else if (name === 'body' && onLoad === '')
      onLoad = valueIn(ON_LOAD, sliceSource(source, open, end)) ?? '';
    if (tag.block) blocks++;
    if (tag.media) media++;
    if (
      mount !== 'empty' &&
      (tag.mount || (!tag.inline && noticed.mount && MOUNT_IDS.test(sliceSource(source, open, end))))
    ) {
      // In XML it may be closed by its own tag.
      opened = !xhtml || !isSelfClosing(bytes, open, end);
      mount = opened ? 'filled' : 'empty';
    }
  }
  return {
    html,
    text: shown.finish(),
    title: decodeEntities(title),
    noscript: noscript === '' ? '' : collapseSpaces(noscript.replaceAll(/<[^<>]{0,1000}>/g, ' ')),
    inline,
    scripts,
    links,
    blocks,
    fields,
    password,
    media,
    mount,
    redirect: refresh ?? redirectOf(onLoad, leading),
  };
}

function valueIn(attribute: RegExp, tag: string): string | null {
  const found = attribute.exec(tag);
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? found[3]!);
}

function refreshOf(tag: string): PageRedirect | null {
  const to = REFRESH.test(tag) ? refreshUrl(valueIn(CONTENT, tag) ?? '') : null;
  return to === null ? null : { how: 'meta-refresh', to };
}

function redirectOf(onLoad: string, scripts: readonly string[]): PageRedirect | null {
  for (const script of [onLoad, ...scripts]) {
    const to = scriptRedirectUrl(script, onLoad);
    if (to !== undefined) return { how: 'script-redirect', to };
  }
  return null;
}

const EMPTY_PAGE: JudgedPage = {
  html: '',
  text: '',
  title: '',
  noscript: '',
  inline: '',
  scripts: 0,
  links: 0,
  blocks: 0,
  fields: 0,
  password: false,
  media: 0,
  mount: 'none',
  redirect: null,
};
