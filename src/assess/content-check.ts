import { HtmlScanner, indexOrEnd } from './html-scanner.ts';
import { MAX_REDIRECT_SCRIPT_LENGTH, scriptRedirectUrl } from './page-redirects.ts';

/** Characters without spaces. No rule for successful responses looks at a page that shows more. */
const ENOUGH = 800;
/** The same for a page with many links. */
const ENOUGH_WITH_LINKS = 300;
const MANY_LINKS = 13;

/** How much of a page is inspected. */
export const INSPECTED_BYTES = 400 * 1024;

const REDIRECT_ATTRIBUTE = /\bhttp-equiv\s{0,3}=\s{0,3}["']?refresh|\bonload\b/i;
/** How often `location` is looked for in the rest of a page. */
const MAX_LOCATIONS = 10;

/**
 * Whether an HTML page shows so much that it is content, whatever else is in it, and does not redirect by itself. That is
 * so for nearly all pages, and mostly known after their first few kilobytes. Every page is checked, so the page is not
 * decoded for it (each byte above ASCII counts as a letter), and tags are read only until the result is known.
 * @param xhtml it is read as XML @param scripted it comes from a browser, which has followed redirects already
 */
export function hasEnoughContent(body: Uint8Array, xhtml: boolean, scripted: boolean): boolean {
  const html = latin1(body.subarray(0, INSPECTED_BYTES));
  const scanner = new HtmlScanner(html, xhtml);
  let shown = 0;
  let links = 0;
  while (scanner.next()) {
    const { open, tag } = scanner;
    shown += countLetters(html, scanner.textStart, open);
    if (shown >= ENOUGH || (shown >= ENOUGH_WITH_LINKS && links >= MANY_LINKS))
      return scripted || !redirectsFurtherDown(html, open);
    // The rest is not enough, even if all of it is shown.
    if (shown + html.length - open < ENOUGH_WITH_LINKS) return false;
    if (scanner.isEndTag) continue;
    if (tag.name === 'a') links++;
    else if (!scripted && redirects(html, scanner)) return false;
  }
  return shown + countLetters(html, scanner.textStart, html.length) >= ENOUGH;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function countLetters(html: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (html.charCodeAt(at) > 0x20) count++;
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

/** A pattern that is no plain text: V8 searches for it four times as fast as `indexOf` does for a text. */
const LOCATION = /\blocation\b/g;

/** Whether a script in the rest of the page redirects: only those that contain `location` are read. */
function redirectsFurtherDown(html: string, from: number): boolean {
  LOCATION.lastIndex = from;
  for (let n = 0; n < MAX_LOCATIONS; n++) {
    const at = LOCATION.exec(html)?.index;
    if (at === undefined) return false;
    const before = /<script[^>]{0,200}>([^<]*)$/i.exec(html.slice(Math.max(from, at - 300), at));
    const end = indexOrEnd(html, '</', at);
    if (before !== null && scriptRedirects(html.slice(at - before[1]!.length, end))) return true;
    LOCATION.lastIndex = end;
  }
  return false;
}
