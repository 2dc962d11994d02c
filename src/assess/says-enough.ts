import { endsName, isRawName } from './raw-element.ts';

/** No rule for pages that came well looks at one that shows more than this many characters, spaces not counted. */
const ENOUGH = 800;
/** The same of a page that leads to many others. */
const ENOUGH_WITH_LINKS = 300;
const MANY_LINKS = 13;

/** How much of a page is looked at. */
export const LOOKED_AT_BYTES = 400 * 1024;

const LT = 0x3c;
const GT = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const LONGEST_NAME = 8;

/**
 * Whether an HTML page shows so much that it is content, whatever else stands in it: nearly all pages, told from their
 * first few kilobytes. Bytes above ASCII count as letters. This is the one thing that is done with every page, so it
 * reads bytes, each once, and stops where it knows.
 */
export function saysEnough(body: Uint8Array): boolean {
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
    const initial = bytes[at + 1]! | 0x20;
    const second = bytes[at + 2]!;
    if (initial === 0x61 && second <= 0x20) links++;
    else if (initial === 0x21 && second === 0x2d && bytes[at + 3] === 0x2d) {
      at = afterComment(bytes, at + 4);
      continue;
    }
    const raw = mayBeRaw(initial, second | 0x20) ? rawName(bytes, at + 1) : null;
    for (at += 1; at < length; at++) {
      const one = bytes[at]!;
      if (one === GT) break;
      if ((one === QUOTE || one === APOSTROPHE) && bytes[at - 1] === 0x3d)
        for (at++; at < length && bytes[at] !== one; at++);
    }
    at++;
    if (raw !== null) at = endOfRaw(bytes, raw, at);
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

function rawName(bytes: Uint8Array, from: number): string | null {
  let name = '';
  let at = from;
  for (; at - from <= LONGEST_NAME; at++) {
    const letter = bytes[at]! | 0x20;
    if (!(letter >= 0x61 && letter <= 0x7a)) break;
    name += String.fromCharCode(letter);
  }
  return endsName(bytes[at]) && isRawName(name) ? name : null;
}

function afterComment(bytes: Uint8Array, from: number): number {
  const end = find(bytes, '-->', from);
  return end === -1 ? bytes.length : end + 3;
}

/** Where the end tag of a raw element begins. */
function endOfRaw(bytes: Uint8Array, name: string, from: number): number {
  for (let at = find(bytes, '</', from); at !== -1; at = find(bytes, '</', at + 2)) {
    let same = 0;
    while (same < name.length && (bytes[at + 2 + same]! | 0x20) === name.charCodeAt(same)) same++;
    if (same === name.length) return at;
  }
  return bytes.length;
}

/** By the machine's own search, which takes any view of bytes. */
const find = (bytes: Uint8Array, mark: string, from: number): number =>
  Buffer.prototype.indexOf.call(bytes, mark, from, 'latin1');
