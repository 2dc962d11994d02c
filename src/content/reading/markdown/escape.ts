/**
 * Escapes text, but only where it would mean something in Markdown (CommonMark 0.31 §2.4, GFM). The rules look at the
 * neighbours of a character and at what else stands in the same block: a lone `*` is a `*`.
 */

/** What a block contains, which decides whether a character of its text could mean something. */
export interface EscapeContext {
  /** Two or more runs of `*`, `_`, `~` or backticks can be a pair; one alone cannot. */
  readonly pairs: ReadonlySet<string>;
  /** The text is in a cell of a table. */
  readonly inCell: boolean;
  /** The document has formulas, which are written between `$`. */
  readonly hasFormulas: boolean;
  /** The document ends with definitions of links, whose labels are numbers. */
  readonly hasDefinitions: boolean;
  readonly hasFootnotes: boolean;
}

/**
 * How a delimiter sees the character beside it. Parsers differ about symbols and about characters outside of the BMP:
 * those are unclear, and nothing may depend on them.
 */
export type Neighbour = 'space' | 'word' | 'punctuation' | 'unclear';

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

/** @param character one code point; empty at the edge of a line */
export function neighbourOf(character: string): Neighbour {
  if (character === '' || /\s/.test(character)) return 'space';
  if (ASCII_PUNCTUATION.test(character)) return 'punctuation';
  if (/\p{S}/u.test(character)) return 'unclear';
  if (!/\p{P}/u.test(character)) return 'word';
  return character.length > 1 ? 'unclear' : 'punctuation';
}

const SPECIAL = /\\|\*+|_+|~+|`+|[[\]<&!$|]/g;
const CHARACTER_REFERENCE = /&(?:[a-z][a-z0-9]{1,31}|#[0-9]{1,7}|#x[0-9a-f]{1,6});/iy;
/** What GFM makes a link of by itself. Nothing inside can be escaped. */
const BARE_URL = /(?:https?:\/\/|www\.)[^\s<]+/gi;
const URL_START = /https?:\/\/|www\./i;

/** Where a text stands. */
interface TextPosition {
  /** The character in front of the text; empty at the edge of a line. */
  readonly before: string;
  /** The character behind the text; empty at the edge of a line. */
  readonly after: string;
  /** In the text of a link, where brackets must be in pairs. */
  readonly inLink: boolean;
}

export function escapeText(text: string, position: TextPosition, context: EscapeContext): string {
  const { before, after, inLink } = position;
  const hasUrl = !inLink && URL_START.test(text);
  if (!hasUrl && text.search(SPECIAL) === -1) return text;
  if (!hasUrl) return escapePart(text, position, context);
  let escaped = '';
  let from = 0;
  for (const match of text.matchAll(BARE_URL)) {
    const [url] = match;
    const end = match.index + url.length;
    const beforePart = text[from - 1] ?? before;
    const part = text.slice(from, match.index);
    escaped += escapePart(part, { before: beforePart, after: url[0]!, inLink }, context);
    const next = end < text.length ? text[end]! : after;
    escaped += escapeUrl(url, text[match.index - 1] ?? before, next, context);
    from = end;
  }
  return escaped + escapePart(text.slice(from), { before: text[from - 1] ?? before, after, inLink }, context);
}

/** A URL that needs no escapes stays as it is; others are put in `<>`, or else the link is broken. */
function escapeUrl(url: string, before: string, after: string, context: EscapeContext): string {
  const escaped = escapePart(url, { before, after, inLink: false }, { ...context, inCell: false });
  // A line break is written as a backslash, and an escaped `<` begins with one.
  const touchesMarkup = after !== '' && !/\s/.test(after);
  const canBeWrapped = (!touchesMarkup || after === '\\') && (before === '' || /\s/.test(before));
  const hasPipe = context.inCell && url.includes('|');
  if (escaped === url && !touchesMarkup && !hasPipe) return url;
  const scheme = /^https?:/i.test(url);
  if (scheme && canBeWrapped && !hasPipe && !/[>\\&]/.test(url)) return `<${url}>`;
  const broken = escaped.replace(/(?<=https?)(?=:\/\/)|(?<=www)(?=\.)/gi, '\\');
  return hasPipe ? broken.replaceAll('|', '\\|') : broken;
}

function escapePart(text: string, { before, after, inLink }: TextPosition, context: EscapeContext): string {
  return text.replace(SPECIAL, (match, index: number) => {
    const next = text[index + match.length] ?? after;
    switch (match[0]) {
      case '\\':
        return next === '' || ASCII_PUNCTUATION.test(next) ? '\\\\' : match;
      case '*':
      case '_':
      case '~':
        return context.pairs.has(match[0]) &&
          canDelimit(
            match[0],
            codePointBefore(text, index) || before,
            codePointAt(text, index + match.length) || after,
          )
          ? `\\${match[0]}`.repeat(match.length)
          : match;
      case '`':
        return context.pairs.has('`') ? '\\`'.repeat(match.length) : match;
      case '[':
        return inLink || (context.hasFootnotes && next === '^') ? '\\[' : match;
      case ']':
        return inLink || next === '(' || (context.hasDefinitions && closesLabel(text, index, next))
          ? '\\]'
          : match;
      case '<':
        return /[a-z/!?]/i.test(next) ? '\\<' : match;
      case '&':
        CHARACTER_REFERENCE.lastIndex = index;
        return CHARACTER_REFERENCE.test(text) ? '\\&' : match;
      case '!':
        return index + 1 === text.length && after === '[' ? '\\!' : match;
      case '$':
        return context.hasFormulas ? '\\$' : match;
      default:
        return context.inCell ? '\\|' : match;
    }
  });
}

/** CommonMark §6.2: between blanks no run is a delimiter, and `_` is none within a word. */
function canDelimit(character: string, before: string, after: string): boolean {
  const left = neighbourOf(before);
  const right = neighbourOf(after);
  if (left === 'space' && right === 'space') return false;
  return character !== '_' || left !== 'word' || right !== 'word';
}

function closesLabel(text: string, index: number, next: string): boolean {
  return next === '[' || /\[\d{1,9}$/.test(text.slice(Math.max(0, index - 10), index));
}

function codePointAt(text: string, index: number): string {
  return index < text.length ? String.fromCodePoint(text.codePointAt(index)!) : '';
}

/** The code point that ends at `at`; empty at the beginning. */
function codePointBefore(text: string, index: number): string {
  const unit = text.slice(Math.max(0, index - 1), index);
  return /[\udc00-\udfff]/.test(unit) && index > 1 ? text.slice(index - 2, index) : unit;
}

/** Heading, quote, bullet, fence, task, definition. */
const BLOCK_START = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|```|~~~|\[[ x]\](?=\s)|\[[^\]]*\]:)/i;
/** Behind the bullet of an item fewer than three are enough. */
const THEMATIC_BREAK = /^(?:([-*])(?:\s*\1)*|_(?:\s*_){2,})\s*$/;
const LIST_NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;
/** Underlines of a heading, and the second line of a table. */
const LATER_LINE = /^(?:=+\s*|(?=[^-]*-)[|:\-\s]+)$/;

/**
 * Escapes the beginning of a line that would begin another block.
 * @param line begins with text of the page, not with Markdown that we have written
 * @param isFirst the first line of a block
 */
export function escapeLineStart(line: string, { isFirst }: { readonly isFirst: boolean }): string {
  const beginsBlock =
    BLOCK_START.test(line) || THEMATIC_BREAK.test(line) || (!isFirst && LATER_LINE.test(line));
  if (beginsBlock) return `\\${line}`;
  return line.replace(LIST_NUMBER, '$1\\$2');
}

/** The `#` at the end of a heading would be taken for its closing sequence (CommonMark §4.2). */
export function escapeHeadingEnd(line: string): string {
  return line.replace(/(^|\s)(#+)$/, '$1\\$2');
}
