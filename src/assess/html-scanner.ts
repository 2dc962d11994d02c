/** The properties of an element that follow from its name. */
export interface HtmlTag {
  /** Lower-case; '' for all elements without a meaning here, `!--` for a comment. */
  readonly name: string;
  /** The content is skipped: it is not visible text, and its tags are text or belong to another document. */
  readonly raw: boolean;
  /** It may be within a word, so that it does not separate words. */
  readonly inline: boolean;
  /** A paragraph, list item, cell, heading. */
  readonly block: boolean;
  /** A picture, film, frame, drawing. */
  readonly media: boolean;
  /** A mount point: scripts insert the page into it. */
  readonly mount: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const RAW = words('script style noscript template svg iframe title textarea object math');
const FOREIGN = words('svg math');
const INLINE = words('!-- b i em strong span a u s small sup sub code font wbr');
const BLOCKS = words('p li td dd h1 h2 h3 h4 article section pre blockquote');
const MEDIA = words('img video audio canvas picture embed frame svg iframe object');
const MOUNTS = words('app-root my-app app-main');
const FIELDS = words('input select textarea meta body');

const tagNamed = (name: string): HtmlTag => ({
  name,
  raw: RAW.has(name),
  inline: INLINE.has(name),
  block: BLOCKS.has(name),
  media: MEDIA.has(name),
  mount: MOUNTS.has(name),
});

const TAGS: ReadonlyMap<string, HtmlTag> = new Map(
  [...RAW, ...INLINE, ...BLOCKS, ...MEDIA, ...MOUNTS, ...FIELDS].map((name) => [name, tagNamed(name)]),
);
const OTHER = tagNamed('');
const COMMENT = TAGS.get('!--')!;

/**
 * Most names are this short. They are packed into a number, 7 bits for each character: making a string of each name would
 * take most of the time.
 */
const MAX_SHORT_NAME = 4;
/** Appends a character to a packed name, letters in lower case. A character beyond ASCII becomes 0x7f, which no name has. */
const appendCharacter = (packed: number, code: number): number =>
  (packed << 7) | (code < 0x7f ? code | 0x20 : 0x7f);
const SHORT_TAGS: ReadonlyMap<number, HtmlTag> = new Map(
  [...TAGS]
    .filter(([name]) => name.length <= MAX_SHORT_NAME)
    .map(([name, tag]) => [
      [...name].reduce((packed, letter) => appendCharacter(packed, letter.charCodeAt(0)), 0),
      tag,
    ]),
);

const SPACE = 0x20;
const BANG = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const QUESTION = 0x3f;

/** A template with a shadow root, whose content is visible. */
const SHADOW_ROOT = /\sshadowrootmode\s{0,3}=/i;

/**
 * Iterates over the tags of a page, one with each `next()`, in linear time. Comments count as tags. The properties are those
 * of the current tag: even small pages have a hundred tags, so no object is created for each.
 */
export class HtmlScanner {
  readonly #html: string;
  readonly #xhtml: boolean;
  /** Index at which the text before the tag begins; it ends at `open`. */
  textStart = 0;
  /** Index of the `<` of the tag; the length of the page if there are no more tags. */
  open = 0;
  /** Index of the `>` of the tag. */
  close = 0;
  /** Index after the tag; for a raw element, index of its end tag. */
  end = 0;
  tag: HtmlTag = OTHER;
  isEndTag = false;

  /** @param xhtml the page is parsed as XML, in which every tag may be self-closing */
  constructor(html: string, xhtml: boolean) {
    this.#html = html;
    this.#xhtml = xhtml;
  }

  /** Moves to the next tag. @returns false: there are no more tags */
  next(): boolean {
    const html = this.#html;
    this.textStart = this.end;
    let open = html.indexOf('<', this.end);
    while (open !== -1 && !beginsTag(html.charCodeAt(open + 1))) open = html.indexOf('<', open + 1);
    if (open === -1) {
      this.open = html.length;
      return false;
    }
    this.open = open;
    if (html.charCodeAt(open + 1) === BANG && html.startsWith('--', open + 2)) this.#readComment();
    else this.#readTag();
    return true;
  }

  /** Whether the tag is self-closing. In HTML only `svg` and `math` can be (WHATWG HTML §13.2.6.5). */
  isSelfClosing(): boolean {
    return (this.#xhtml || FOREIGN.has(this.tag.name)) && endsWithSlash(this.#html, this.open, this.close);
  }

  #readComment(): void {
    this.tag = COMMENT;
    this.isEndTag = false;
    this.end = commentEnd(this.#html, this.open + 4);
    this.close = this.end - 1;
  }

  #readTag(): void {
    const html = this.#html;
    const { open } = this;
    this.isEndTag = html.charCodeAt(open + 1) === SLASH;
    this.tag = tagAt(html, this.isEndTag ? open + 2 : open + 1);
    this.close = tagEnd(html, open + 1);
    this.end = this.close + 1;
    const { name, raw } = this.tag;
    if (!raw || this.isEndTag || this.isSelfClosing()) return;
    if (name === 'template' && SHADOW_ROOT.test(html.slice(open, this.close))) this.tag = OTHER;
    else this.end = rawEnd(html, name, this.end);
  }
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

const beginsTag = (code: number): boolean =>
  isLetter(code) || code === SLASH || code === BANG || code === QUESTION;

/** `charCodeAt` returns NaN after the end, for which this is false. */
const isNameCharacter = (code: number): boolean => code > SPACE && code !== SLASH && code !== GREATER_THAN;

/** The tag whose name begins at `start`, by WHATWG HTML §13.2.5.8: `svg-icon` is not `svg`. */
function tagAt(html: string, start: number): HtmlTag {
  let end = start;
  let packed = 0;
  while (isNameCharacter(html.charCodeAt(end))) packed = appendCharacter(packed, html.charCodeAt(end++));
  if (end - start <= MAX_SHORT_NAME) return SHORT_TAGS.get(packed) ?? OTHER;
  const name = html.slice(start, end);
  return TAGS.get(name) ?? TAGS.get(name.toLowerCase()) ?? OTHER;
}

/**
 * Index of the `>` that ends the tag around `from`; the length of the page if there is none. A `>` in a quoted value does not
 * end the tag (WHATWG HTML §13.2.5).
 */
function tagEnd(html: string, from: number): number {
  const { length } = html;
  for (let index = from; index < length; index++) {
    const code = html.charCodeAt(index);
    if (code === GREATER_THAN) return index;
    if ((code !== QUOTE && code !== APOSTROPHE) || html.charCodeAt(index - 1) !== EQUALS) continue;
    index = indexOrEnd(html, code === QUOTE ? '"' : "'", index + 1);
  }
  return length;
}

/**
 * Whether the tag from `open` to `close` ends with a self-closing slash. A slash after an equals sign is part of an unquoted
 * attribute value (WHATWG HTML §13.2.5.37).
 */
function endsWithSlash(html: string, open: number, close: number): boolean {
  return html[close - 1] === '/' && !/=\s*[^\s"'=]*\/$/.test(html.slice(open, close));
}

/** Index of the next end tag of a raw element after `from`; the length of the page if there is none. */
function rawEnd(html: string, name: string, from: number): number {
  let index = indexOrEnd(html, '</', from);
  while (index < html.length && html.slice(index + 2, index + 2 + name.length).toLowerCase() !== name)
    index = indexOrEnd(html, '</', index + 2);
  return index;
}

const COMMENT_END = /--!?>/g;

/** Index after a comment, which ends with `-->` or `--!>`. `<!-->` and `<!--->` are also comments (WHATWG HTML §13.2.5.43). */
function commentEnd(html: string, from: number): number {
  if (html.startsWith('>', from)) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  COMMENT_END.lastIndex = from;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

/** Like `text.indexOf`, but returns the length of the text if `searched` does not occur. */
export function indexOrEnd(text: string, searched: string, from: number): number {
  const found = text.indexOf(searched, from);
  return found === -1 ? text.length : found;
}
