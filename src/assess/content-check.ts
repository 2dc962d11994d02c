import { commentEnd, rawContentEnd, tagEnd } from './html-scanner.ts';
import { MAX_REDIRECT_SCRIPT_LENGTH, scriptRedirectUrl } from './page-redirects.ts';
import { bytePattern, findBytes, tagAt } from './rule-prefilter.ts';

/** No rule for pages that came well looks at one that shows more than this many characters, spaces not counted. */
const ENOUGH = 800;
/** The same of a page that leads to many others. */
const ENOUGH_WITH_LINKS = 300;
const MANY_LINKS = 13;

/** How much of a page is looked at. */
export const INSPECTED_BYTES = 400 * 1024;

const LT = 0x3c;
const REDIRECT_ATTRIBUTE = /\bhttp-equiv\s{0,3}=\s{0,3}["']?refresh|\bonload\b/i;
const LOCATION = bytePattern('location');
const END_TAG = bytePattern('</');
/** How many places further down are looked at. */
const MOST_PLACES = 10;

/**
 * Whether an HTML page shows so much that it is content, whatever else stands in it, unless it may lead to another page
 * by itself: nearly all pages, told from their first few kilobytes. Bytes above ASCII count as letters. This is the one thing that is done with every page, so it
 * reads bytes, each once, and stops where it knows.
 * @param xhtml it is read as XML @param scripted it comes from a browser, which has been led on already
 */
export function hasEnoughContent(body: Uint8Array, xhtml: boolean, scripted: boolean): boolean {
  // A large body is memory that can be resized, which is slow to read byte by byte.
  const bytes = body.length > INSPECTED_BYTES ? body.slice(0, INSPECTED_BYTES) : body;
  const { length } = bytes;
  let shown = 0;
  let links = 0;
  let at = 0;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte !== LT) {
      if (byte > 0x20) shown++;
      at++;
      continue;
    }
    if (shown >= ENOUGH_WITH_LINKS && (shown >= ENOUGH || links >= MANY_LINKS))
      return scripted || !redirectsFurtherDown(bytes, at);
    // What is left is not enough, even if all of it is shown.
    if (shown + length - at < ENOUGH_WITH_LINKS) return false;
    const initial = bytes[at + 1]! | 0x20;
    const second = bytes[at + 2]!;
    if (initial === 0x61 && second <= 0x20) links++;
    else if (initial === 0x21 && second === 0x2d && bytes[at + 3] === 0x2d) {
      at = commentEnd(bytes, at + 4);
      continue;
    }
    const tag = isRelevantTag(initial, second | 0x20) ? tagAt(bytes, at + 1) : null;
    const end = tagEnd(bytes, at);
    if (tag?.raw) {
      const close = rawContentEnd(bytes, tag, at, end, xhtml);
      if (!scripted && tag.name === 'script' && scriptRedirects(bytes, end + 1, close)) return false;
      at = close;
      continue;
    }
    if (
      !scripted &&
      (tag?.name === 'meta' || tag?.name === 'body') &&
      REDIRECT_ATTRIBUTE.test(latin1Text(bytes, at, end))
    )
      return false;
    at = end + 1;
  }
  return shown >= ENOUGH;
}

function scriptRedirects(bytes: Uint8Array, from: number, to: number): boolean {
  if (to === from || to - from > MAX_REDIRECT_SCRIPT_LENGTH) return false;
  return scriptRedirectUrl(latin1Text(bytes, from, to)) !== undefined;
}

/** The same of the scripts behind what is looked at: only of those that name a location. */
function redirectsFurtherDown(bytes: Uint8Array, from: number): boolean {
  let at = from;
  for (let n = 0; n < MOST_PLACES; n++) {
    at = findBytes(bytes, LOCATION, at);
    if (at === bytes.length) return false;
    const before = /<script[^>]{0,200}>([^<]*)$/i.exec(latin1Text(bytes, Math.max(from, at - 300), at));
    const end = findBytes(bytes, END_TAG, at);
    if (before !== null && scriptRedirects(bytes, at - before[1]!.length, end)) return true;
    at = end;
  }
  return false;
}

const latin1Text = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');

/** By its first two letters: sc, st, sv, no, te, ti, if, ob, ma, me, bo. */
function isRelevantTag(first: number, second: number): boolean {
  switch (first) {
    case 0x73:
      return second === 0x63 || second === 0x74 || second === 0x76;
    case 0x74:
      return second === 0x65 || second === 0x69;
    case 0x6e:
      return second === 0x6f;
    case 0x69:
      return second === 0x66;
    case 0x6f:
      return second === 0x62;
    case 0x62:
      return second === 0x6f;
    case 0x6d:
      return second === 0x61 || second === 0x65;
    default:
      return false;
  }
}
