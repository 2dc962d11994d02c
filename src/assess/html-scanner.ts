/** What is known of an element by its name. */
export interface HtmlTag {
  /** Lower-case; '' for all elements that mean nothing here, `!--` for a comment. */
  readonly name: string;
  /** What is inside is not shown as text, and its tags are not tags (or not of this document). */
  readonly raw: boolean;
  /** It stands within a word or a sentence. */
  readonly inline: boolean;
  /** A paragraph, list item, cell, heading. */
  readonly block: boolean;
  /** A picture, film, frame, drawing. */
  readonly media: boolean;
  /** Scripts put the page into it. */
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

/** Most names are this short. They are looked up by a number: making a string of each would take most of the time. */
const MAX_SHORT_NAME = 4;
/** Appends a character, 7 bits each, to those of a short name; letters in lower case. No name has one beyond ASCII. */
const withLetter = (letters: number, code: number): number =>
  (letters << 7) | (code < 0x7f ? code | 0x20 : 0x7f);
const SHORT_TAGS: ReadonlyMap<number, HtmlTag> = new Map(
  [...TAGS]
    .filter(([name]) => name.length <= MAX_SHORT_NAME)
    .map(([name, tag]) => [
      [...name].reduce((letters, letter) => withLetter(letters, letter.charCodeAt(0)), 0),
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

/** The template of a shadow root: what is inside is shown. */
const SHADOW_ROOT = /\sshadowrootmode\s{0,3}=/i;

/**
 * Goes over the tags of a page, one with each `next()`, in time that is linear in its length. Comments are tags too.
 * One object is used for all of them, because small pages have a hundred.
 */
export class HtmlScanner {
  readonly #html: string;
  readonly #xhtml: boolean;
  /** Where the text before the tag begins; it ends at `open`. */
  textStart = 0;
  /** The `<` of the tag; the length of the page when there is none any more. */
  open = 0;
  /** The `>` of the tag. */
  close = 0;
  /** Behind the tag; behind what is inside, where that is raw (at its end tag). */
  end = 0;
  tag: HtmlTag = OTHER;
  isEndTag = false;

  /** @param xhtml it is read as XML, in which each tag may close itself */
  constructor(html: string, xhtml: boolean) {
    this.#html = html;
    this.#xhtml = xhtml;
  }

  /** Whether there is one more tag. */
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

  /** Whether a slash closes the element in its own tag: in XML of any, in HTML of those of SVG and MathML (§13.2.6.5). */
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

/** False of `NaN`, which stands behind the end. */
const isNameCharacter = (code: number): boolean => code > SPACE && code !== SLASH && code !== GREATER_THAN;

/** The tag whose name begins at `at`. It ends where HTML §13.2.5.8 says: `svg-icon` is not `svg`. */
function tagAt(html: string, at: number): HtmlTag {
  let end = at;
  let letters = 0;
  while (isNameCharacter(html.charCodeAt(end))) letters = withLetter(letters, html.charCodeAt(end++));
  if (end - at <= MAX_SHORT_NAME) return SHORT_TAGS.get(letters) ?? OTHER;
  const name = html.slice(at, end);
  return TAGS.get(name) ?? TAGS.get(name.toLowerCase()) ?? OTHER;
}

/**
 * Where the tag ends that `from` stands in: the place of its `>`; the length of the page when it does not. Quoted values
 * may hold one (HTML §13.2.5).
 */
function tagEnd(html: string, from: number): number {
  const { length } = html;
  for (let at = from; at < length; at++) {
    const code = html.charCodeAt(at);
    if (code === GREATER_THAN) return at;
    if ((code !== QUOTE && code !== APOSTROPHE) || html.charCodeAt(at - 1) !== EQUALS) continue;
    at = indexOrEnd(html, code === QUOTE ? '"' : "'", at + 1);
  }
  return length;
}

/**
 * Whether the tag from `open` to `close` ends with a slash that closes it: one behind an equals sign is the value of an
 * attribute, or the last letter of one that has no quotes (HTML §13.2.5.37).
 */
function endsWithSlash(html: string, open: number, close: number): boolean {
  return html[close - 1] === '/' && !/=\s*[^\s"'=]*\/$/.test(html.slice(open, close));
}

/** Where the end tag of a raw element begins, after `from`; the length of the page when there is none. */
function rawEnd(html: string, name: string, from: number): number {
  let at = indexOrEnd(html, '</', from);
  while (at < html.length && html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name)
    at = indexOrEnd(html, '</', at + 2);
  return at;
}

const COMMENT_END = /--!?>/g;

/** What follows a comment, which `-->` and `--!>` close, at its very beginning `>` and `->` as well (HTML §13.2.5.43). */
function commentEnd(html: string, from: number): number {
  if (html.startsWith('>', from)) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  COMMENT_END.lastIndex = from;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

/** Where `mark` comes next; the length of the text when it does not. */
export function indexOrEnd(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
}
