import { HtmlScanner, indexOrEnd } from './html-scanner.ts';
import { MAX_REDIRECT_SCRIPT_LENGTH, scriptRedirectUrl } from './page-redirects.ts';

/** Visible characters without spaces. A successful page with at least so many is content, so rules for its text are not applied. */
const ENOUGH_LETTERS = 800;
/** The same for a page with many links (`MANY_LINKS`). */
const ENOUGH_LETTERS_WITH_LINKS = 300;
/** More links than any rule allows (`maxLinks`). */
const MANY_LINKS = 13;

/** How much of a page is inspected. */
export const INSPECTED_BYTES = 400 * 1024;

const REDIRECT_ATTRIBUTE = /\bhttp-equiv\s{0,3}=\s{0,3}["']?refresh|\bonload\b/i;
/** Pages are read in pieces of this size: V8 collects longer strings as large objects, which is slow. */
const PIECE_BYTES = 64 * 1024;

/**
 * Whether an HTML page shows so much text that it is content, and does not redirect by itself. This holds for nearly all
 * pages, mostly after their first few kilobytes. Because every page is checked, the text is not decoded (each byte above
 * ASCII counts as a letter), and tags are read only until the result is certain.
 * @param xhtml the page is parsed as XML
 * @param scripted the page comes from a browser, which has followed redirects already
 */
export function hasEnoughContent(
  body: Uint8Array,
  options: { readonly xhtml: boolean; readonly scripted: boolean },
): boolean {
  const inspected = body.subarray(0, INSPECTED_BYTES);
  const enough =
    endOfEnoughContent(inspected.subarray(0, PIECE_BYTES), inspected.length, options) ??
    endOfEnoughContent(inspected, inspected.length, options);
  return typeof enough === 'number' && (options.scripted || !laterScriptRedirects(inspected, enough));
}

/**
 * The offset at which the page has shown enough text; false: it does not, or it redirects before that. null: the piece is too
 * short to tell.
 * @param piece the page, or its beginning
 * @param pageLength bytes of the page
 */
function endOfEnoughContent(
  piece: Uint8Array,
  pageLength: number,
  { xhtml, scripted }: { readonly xhtml: boolean; readonly scripted: boolean },
): number | false | null {
  const html = latin1(piece);
  const isWhole = html.length === pageLength;
  const scanner = new HtmlScanner(html, xhtml);
  let letters = 0;
  let links = 0;
  while (scanner.next()) {
    const { open, tag } = scanner;
    letters += countLetters(html, scanner.textStart, open);
    if (letters >= ENOUGH_LETTERS || (letters >= ENOUGH_LETTERS_WITH_LINKS && links >= MANY_LINKS))
      return open;
    // What follows is too short, even if all of it were visible text.
    if (letters + pageLength - open < ENOUGH_LETTERS_WITH_LINKS) return false;
    if (!isWhole && scanner.end >= html.length) return null;
    if (scanner.isEndTag) continue;
    if (tag.name === 'a') links++;
    else if (!scripted && redirects(html, scanner)) return false;
  }
  if (!isWhole) return null;
  return letters + countLetters(html, scanner.textStart, html.length) >= ENOUGH_LETTERS ? html.length : false;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function countLetters(html: string, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) if (html.charCodeAt(index) > 0x20) count++;
  return count;
}

/** Whether the tag may redirect to another page. */
function redirects(html: string, { tag: { name }, open, close, end }: HtmlScanner): boolean {
  if (name === 'script') return scriptRedirects(html.slice(close + 1, end));
  return (name === 'meta' || name === 'body') && REDIRECT_ATTRIBUTE.test(html.slice(open, close));
}

function scriptRedirects(script: string): boolean {
  return script.length <= MAX_REDIRECT_SCRIPT_LENGTH && scriptRedirectUrl(script) !== undefined;
}

/** A regular expression, because V8 searches for it four times as fast as `indexOf` searches for a string. */
const LOCATION = /\blocation\b/g;

/** How many occurrences of `location` are checked in each piece. */
const MAX_LOCATIONS = 10;

/** Pieces overlap by a script that may redirect, with its tag. */
const OVERLAP_BYTES = MAX_REDIRECT_SCRIPT_LENGTH + 500;

/**
 * Whether a script redirects in the part of the page after the text that was enough. Only scripts with the word `location` are
 * checked. @param from where this part begins
 */
function laterScriptRedirects(page: Uint8Array, from: number): boolean {
  for (let at = from; at < page.length; at += PIECE_BYTES - OVERLAP_BYTES)
    if (hasRedirectScript(latin1(page.subarray(at, at + PIECE_BYTES)))) return true;
  return false;
}

function hasRedirectScript(html: string): boolean {
  LOCATION.lastIndex = 0;
  for (let checked = 0; checked < MAX_LOCATIONS; checked++) {
    const at = LOCATION.exec(html)?.index;
    if (at === undefined) return false;
    const before = /<script[^>]{0,200}>([^<]*)$/i.exec(html.slice(Math.max(0, at - 300), at));
    const end = indexOrEnd(html, '</', at);
    if (before !== null && scriptRedirects(html.slice(at - before[1]!.length, end))) return true;
    LOCATION.lastIndex = end;
  }
  return false;
}
