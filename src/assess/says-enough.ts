import { afterComment, insideEnd } from './raw-element.ts';
import { tagAt } from './tag.ts';
import { tagEnd } from './tag-end.ts';

/** No rule for pages that came well looks at one that shows more than this many characters, spaces not counted. */
const ENOUGH = 800;
/** The same of a page that leads to many others. */
const ENOUGH_WITH_LINKS = 300;
const MANY_LINKS = 13;

/** How much of a page is looked at. */
export const LOOKED_AT_BYTES = 400 * 1024;

const LT = 0x3c;

/**
 * Whether an HTML page shows so much that it is content, whatever else stands in it: nearly all pages, told from their
 * first few kilobytes. Bytes above ASCII count as letters. This is the one thing that is done with every page, so it
 * reads bytes, each once, and stops where it knows.
 * @param xhtml it is read as XML
 */
export function saysEnough(body: Uint8Array, xhtml: boolean): boolean {
  // A large body is memory that can be resized, which is slow to read byte by byte.
  const bytes = body.length > LOOKED_AT_BYTES ? body.slice(0, LOOKED_AT_BYTES) : body;
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
    if (shown >= ENOUGH_WITH_LINKS && (shown >= ENOUGH || links >= MANY_LINKS)) return true;
    // What is left is not enough, even if all of it is shown.
    if (shown + length - at < ENOUGH_WITH_LINKS) return false;
    const initial = bytes[at + 1]! | 0x20;
    const second = bytes[at + 2]!;
    if (initial === 0x61 && second <= 0x20) links++;
    else if (initial === 0x21 && second === 0x2d && bytes[at + 3] === 0x2d) {
      at = afterComment(bytes, at + 4);
      continue;
    }
    const tag = mayBeRaw(initial, second | 0x20) ? tagAt(bytes, at + 1) : null;
    const end = tagEnd(bytes, at);
    at = tag?.raw ? insideEnd(bytes, tag, at, end, xhtml) : end + 1;
  }
  return shown >= ENOUGH;
}

/** By its first two letters: sc, st, sv, no, te, ti, if, ob, ma. */
function mayBeRaw(first: number, second: number): boolean {
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
    case 0x6d:
      return second === 0x61;
    default:
      return false;
  }
}
