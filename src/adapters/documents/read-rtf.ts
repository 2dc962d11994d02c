import type { HtmlWriter } from './html-writer.ts';
import { linkTarget } from './link-field.ts';
import { cleanDate, cleanProperty, type ReadPart, UnreadableDocument } from './read-part.ts';

/** Encodings of fonts by `\fcharset` (RTF 1.9.1, table of character sets). */
const FONT_CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** Encodings by the number of the code page; others are `windows-<number>`. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  437: 'windows-1252',
  850: 'windows-1252',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** Groups whose content is not text of the document. Unknown ones begin with `\*`. */
const SKIPPED = new Set(
  'colortbl stylesheet listtable listoverridetable revtbl pict object objdata nonshppict datafield header headerl headerr headerf footer footerl footerr footerf xmlnstbl themedata colorschememapping datastore latentstyles generator rsidtbl filetbl bkmkstart bkmkend annotation atnid atnauthor'.split(
    ' ',
  ),
);
/** Groups that begin with `\*` and yet have text. */
const STARRED_TEXT = new Set(['shptxt', 'shpinst', 'fldinst']);
/** What numbers the items of a list, unlike a bullet. */
const ITEM_NUMBER = /[\p{L}\p{N}]/u;
const MAX_LIST_LEVEL = 8;

const CHARACTERS: Readonly<Record<string, string>> = {
  tab: ' ',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: '\u2003',
  enspace: '\u2002',
  '~': '\u00a0',
  _: '\u2011',
};

type Destination =
  | 'text'
  | 'skip'
  | 'fonttbl'
  | 'info'
  | 'title'
  | 'author'
  | 'creatim'
  | 'fldinst'
  | 'listtext';

/** What a group inherits from the one around it, and what ends with it. */
interface GroupState {
  destination: Destination;
  font: number;
  /** Number of bytes that stand in for a `\u` character for old readers. */
  unicodeSkip: number;
  /** Text that is hidden or, with changes tracked, deleted. */
  isHidden: boolean;
  isDeleted: boolean;
  isBold: boolean;
  isItalic: boolean;
  /** The address of the link around it. */
  link: string | null;
}

interface InlineElement {
  readonly tag: 'a' | 'strong' | 'em';
  readonly href?: string;
}

/** One control word, control symbol, escaped byte, bracket, or run of text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gis;
const MAX_GROUPS = 10_000;

/** Reads Rich Text Format (the specification 1.9.1). @throws UnreadableDocument: it is not RTF */
export function readRtf(bytes: Buffer, writer: HtmlWriter): ReadPart {
  const source = bytes.toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new UnreadableDocument('broken', 'The document is not RTF.');
  const reader = new RtfReader(writer);
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(source); token !== null && !writer.isFull; token = TOKEN.exec(source)) {
    const [all, word, number, hex, symbol, bracket] = token;
    if (word !== undefined) {
      const parameter = number === undefined ? null : Number(number);
      // Binary data follows, which is not RTF.
      if (word === 'bin') TOKEN.lastIndex += Math.max(0, parameter ?? 0);
      else reader.control(word, parameter);
    } else if (hex !== undefined) reader.byte(Number.parseInt(hex, 16));
    else if (symbol !== undefined) reader.symbol(symbol);
    else if (bracket === '{') reader.beginGroup();
    else if (bracket === '}') reader.endGroup();
    else if (!/^[\r\n]/.test(all)) reader.text(all);
  }
  return reader.finish();
}

class RtfReader {
  readonly #writer: HtmlWriter;
  readonly #groups: GroupState[] = [];
  readonly #fontEncodings = new Map<number, string>();
  readonly #properties = { title: '', author: '' };
  /** The numbers of the date, by control word: `yr`, `mo`, … */
  readonly #created = new Map<string, number>();
  #state: GroupState = {
    destination: 'text',
    font: 0,
    unicodeSkip: 1,
    isHidden: false,
    isDeleted: false,
    isBold: false,
    isItalic: false,
    link: null,
  };
  /** The code of the last field. */
  #fieldCode = '';
  /** The number or bullet of the next paragraph; null: it is not an item. */
  #itemMark: string | null = null;
  #listLevel = 0;
  /** Elements of the lists that are open, from the outermost. */
  readonly #lists: string[] = [];
  /** Elements that are open in the paragraph. */
  readonly #inline: InlineElement[] = [];
  #encoding = 'windows-1252';
  /** Bytes of the current run, which are decoded together: a character may take two. */
  #bytes: number[] = [];
  /** Bytes still to be left out after a `\u` character. */
  #skipBytes = 0;
  #isStarred = false;
  #paragraphTag: string | null = null;
  #headingLevel: number | null = null;
  #row: 'none' | 'row' | 'cell' = 'none';
  #inTable = false;
  #paragraphInTable = false;

  constructor(writer: HtmlWriter) {
    this.#writer = writer;
  }

  beginGroup(): void {
    this.#flush();
    if (this.#groups.length >= MAX_GROUPS)
      throw new UnreadableDocument('broken', 'The groups of the RTF are nested too deeply.');
    this.#groups.push({ ...this.#state });
    this.#isStarred = false;
  }

  endGroup(): void {
    this.#flush();
    this.#state = this.#groups.pop() ?? this.#state;
    this.#skipBytes = 0;
  }

  byte(value: number): void {
    if (this.#skipBytes > 0) this.#skipBytes--;
    else this.#bytes.push(value);
  }

  text(text: string): void {
    for (let n = 0; n < text.length; n++) this.byte(text.charCodeAt(n));
  }

  symbol(symbol: string): void {
    if (symbol === '*') this.#isStarred = true;
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.byte(symbol.charCodeAt(0));
    else if (symbol === '\r' || symbol === '\n') this.control('par', null);
    else if (CHARACTERS[symbol] !== undefined) this.#characters(CHARACTERS[symbol]);
  }

  control(word: string, parameter: number | null): void {
    this.#flush();
    if (this.#isStarred && !STARRED_TEXT.has(word)) this.#state.destination = 'skip';
    this.#isStarred = false;
    if (SKIPPED.has(word)) this.#state.destination = 'skip';
    const { destination } = this.#state;
    switch (word) {
      case 'ansicpg':
        this.#encoding = CODE_PAGES[parameter ?? 0] ?? `windows-${parameter}`;
        return;
      case 'mac':
        this.#encoding = 'macintosh';
        return;
      case 'f':
        this.#state.font = parameter ?? 0;
        return;
      case 'v':
        this.#state.isHidden = parameter !== 0;
        return;
      case 'deleted':
        this.#state.isDeleted = parameter !== 0;
        return;
      case 'b':
        this.#state.isBold = parameter !== 0;
        return;
      case 'i':
        this.#state.isItalic = parameter !== 0;
        return;
      case 'plain':
        this.#state.isHidden = false;
        this.#state.isDeleted = false;
        this.#state.isBold = false;
        this.#state.isItalic = false;
        return;
      case 'fldinst':
        this.#fieldCode = '';
        this.#state.destination = word;
        return;
      case 'fldrslt':
        this.#state.link = linkTarget(this.#fieldCode) ?? this.#state.link;
        return;
      case 'listtext':
      case 'pntext':
        if (destination === 'text') this.#state.destination = 'listtext';
        this.#itemMark = '';
        return;
      case 'fcharset': {
        const encoding = FONT_CHARSETS[parameter ?? 0];
        if (destination === 'fonttbl' && encoding !== undefined)
          this.#fontEncodings.set(this.#state.font, encoding);
        return;
      }
      case 'uc':
        this.#state.unicodeSkip = Math.min(16, Math.max(0, parameter ?? 1));
        return;
      case 'u':
        this.#characters(String.fromCharCode((parameter ?? 0) & 0xffff));
        this.#skipBytes = this.#state.unicodeSkip;
        return;
      case 'fonttbl':
      case 'info':
        this.#state.destination = word;
        return;
      case 'title':
      case 'author':
      case 'creatim':
        if (destination === 'info') this.#state.destination = word;
        return;
    }
    if (destination === 'creatim') this.#created.set(word, parameter ?? 0);
    else if (destination === 'text') this.#layout(word, parameter);
  }

  finish(): ReadPart {
    this.#flush();
    this.#endParagraph();
    this.#endLists(0);
    this.#endTable();
    const created = (word: string, absent: number) => this.#created.get(word) ?? absent;
    const year = created('yr', 0);
    const date = Date.UTC(year, created('mo', 1) - 1, created('dy', 1), created('hr', 0), created('min', 0));
    return {
      title: cleanProperty(this.#properties.title),
      author: cleanProperty(this.#properties.author),
      created: year > 1900 && !Number.isNaN(date) ? cleanDate(new Date(date)) : null,
      pages: null,
      pagesRead: null,
      truncation: null,
    };
  }

  #layout(word: string, parameter: number | null): void {
    switch (word) {
      case 'pard':
        this.#headingLevel = null;
        this.#paragraphInTable = false;
        this.#listLevel = 0;
        break;
      case 'ilvl':
        this.#listLevel = Math.min(MAX_LIST_LEVEL, Math.max(0, parameter ?? 0));
        break;
      case 'outlinelevel':
        this.#headingLevel = parameter !== null && parameter >= 0 && parameter < 6 ? parameter + 1 : null;
        break;
      case 'intbl':
        this.#paragraphInTable = true;
        break;
      case 'par':
      case 'sect':
      case 'page':
        this.#endParagraph();
        break;
      case 'line':
        if (this.#paragraphTag !== null) this.#writer.open('br');
        break;
      case 'cell':
      case 'nestcell':
        this.#beginCell();
        this.#endParagraph();
        this.#endLists(0);
        this.#writer.close('td');
        this.#row = 'row';
        break;
      case 'row':
      case 'nestrow':
        this.#endParagraph();
        if (this.#row !== 'none') this.#writer.close('tr');
        this.#row = 'none';
        break;
      case 'footnote':
        this.#characters(' ');
        break;
      default:
        if (CHARACTERS[word] !== undefined) this.#characters(CHARACTERS[word]);
    }
  }

  /** Decodes the bytes collected so far. */
  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    const encoding = this.#fontEncodings.get(this.#state.font) ?? this.#encoding;
    this.#characters(decodeBytes(bytes, encoding));
  }

  #characters(text: string): void {
    switch (this.#state.destination) {
      case 'title':
      case 'author':
        this.#properties[this.#state.destination] += text;
        break;
      case 'fldinst':
        this.#fieldCode += text;
        break;
      case 'listtext':
        this.#itemMark += text;
        break;
      case 'text':
        if (this.#state.isDeleted) return;
        if (this.#state.isHidden) {
          this.#writer.hide('characters', text.length);
          return;
        }
        if (this.#paragraphTag === null) {
          if (text.trim() === '') return;
          this.#beginParagraph();
        }
        this.#openInline();
        this.#writer.text(text);
    }
  }

  #beginParagraph(): void {
    if (this.#paragraphInTable) this.#beginCell();
    else this.#endTable();
    const mark = this.#itemMark?.trim() ?? '';
    const isItem = mark !== '' && this.#headingLevel === null;
    this.#endLists(isItem ? this.#listLevel + 1 : 0);
    if (isItem) this.#beginLists(mark);
    const tag = this.#headingLevel === null ? 'p' : `h${this.#headingLevel}`;
    this.#paragraphTag = isItem ? 'li' : tag;
    this.#writer.open(this.#paragraphTag);
    // The number of a heading is a part of it.
    if (!isItem && mark !== '') this.#writer.text(`${mark} `);
  }

  #endParagraph(): void {
    this.#closeInline(0);
    if (this.#paragraphTag !== null) this.#writer.close(this.#paragraphTag);
    this.#paragraphTag = null;
    this.#itemMark = null;
  }

  /** Opens lists down to the level of the item. A list that begins with another number than 1 says so. */
  #beginLists(mark: string): void {
    const tag = ITEM_NUMBER.test(mark) ? 'ol' : 'ul';
    const number = Number(/^\W*(\d{1,6})\W*$/.exec(mark)?.[1] ?? 1);
    while (this.#lists.length <= this.#listLevel) {
      this.#writer.open(tag, { start: tag === 'ol' && number !== 1 ? number : undefined });
      this.#lists.push(tag);
    }
  }

  #endLists(depth: number): void {
    while (this.#lists.length > depth) this.#writer.close(this.#lists.pop()!);
  }

  /** Opens and closes elements, so that the next text has its link and its style. */
  #openInline(): void {
    const { link, isBold, isItalic } = this.#state;
    const wanted: InlineElement[] = [];
    if (link !== null) wanted.push({ tag: 'a', href: link });
    if (isBold && this.#headingLevel === null) wanted.push({ tag: 'strong' });
    if (isItalic) wanted.push({ tag: 'em' });
    const differs = wanted.findIndex(
      ({ tag, href }, n) => tag !== this.#inline[n]?.tag || href !== this.#inline[n]?.href,
    );
    this.#closeInline(differs === -1 ? wanted.length : differs);
    for (const element of wanted.slice(this.#inline.length)) {
      this.#writer.open(element.tag, { href: element.href });
      this.#inline.push(element);
    }
  }

  #closeInline(depth: number): void {
    while (this.#inline.length > depth) this.#writer.close(this.#inline.pop()!.tag);
  }

  #beginCell(): void {
    if (!this.#inTable) {
      this.#endLists(0);
      this.#writer.open('table');
    }
    this.#inTable = true;
    if (this.#row === 'none') this.#writer.open('tr');
    if (this.#row !== 'cell') this.#writer.open('td');
    this.#row = 'cell';
  }

  #endTable(): void {
    if (this.#inTable) this.#writer.close('table');
    this.#inTable = false;
    this.#row = 'none';
  }
}

function decodeBytes(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // An encoding that does not exist.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
