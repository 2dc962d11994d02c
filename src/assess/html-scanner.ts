import { bytePattern, findBytes, type HtmlTag, matchesName } from './rule-prefilter.ts';

const GT = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const SLASH = 0x2f;
const SPACE = 0x20;

/**
 * Where the tag that begins at `at` ends: the place of its `>`; the length of the page when it does not. Quoted values
 * may hold one (HTML §13.2.5).
 */
export function tagEnd(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  for (let i = at + 1; i < length; i++) {
    const byte = bytes[i]!;
    // Letters, which most are.
    if (byte > GT) continue;
    if (byte === GT) return i;
    if ((byte !== QUOTE && byte !== APOSTROPHE) || bytes[i - 1] !== EQUALS) continue;
    i++;
    while (i < length && bytes[i] !== byte) i++;
  }
  return length;
}

/**
 * Whether the tag from `open` to `end` ends with a slash that closes it: one behind an equals sign is the value of an
 * attribute, or the last letter of one that has no quotes (HTML §13.2.5.37).
 */
export function isSelfClosing(bytes: Uint8Array, open: number, end: number): boolean {
  if (bytes[end - 1] !== SLASH) return false;
  let at = end - 2;
  for (; at > open && bytes[at]! > SPACE; at--) {
    const byte = bytes[at]!;
    if (byte === QUOTE || byte === APOSTROPHE) return true;
    if (byte === EQUALS) return false;
  }
  while (at > open && bytes[at]! <= SPACE) at--;
  return bytes[at] !== EQUALS;
}

/** What is noticed in a tag on the way to its end. */
interface TagFindings {
  /** It may have an id that `MOUNT_IDS` fits. */
  mount: boolean;
}

/** The same with a look at each equals sign, which takes longer. */
export function tagEndWithFindings(bytes: Uint8Array, at: number, noticed: TagFindings): number {
  const { length } = bytes;
  for (let i = at + 1; i < length; i++) {
    const byte = bytes[i]!;
    if (byte > GT) continue;
    if (byte === GT) return i;
    if (byte !== EQUALS) continue;
    if (beginsMount(bytes, i)) noticed.mount = true;
    const quote = bytes[i + 1];
    if (quote !== QUOTE && quote !== APOSTROPHE) continue;
    for (i += 2; i < length; i++) {
      const inside = bytes[i]!;
      if (inside > EQUALS) continue;
      if (inside === quote) break;
      if (inside === EQUALS && beginsMount(bytes, i)) noticed.mount = true;
    }
  }
  return length;
}

export const MOUNT_IDS =
  /\bid\s{0,3}=\s{0,3}["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|main-app|app-root|ember-app|mount|single-spa-application)(?:["'\s/>]|$)/i;

/** Whether an `=` may stand in what `MOUNT_IDS` fits: after `id`, before the first letter of one of them. */
function beginsMount(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1]!;
  // Beyond ASCII there are spaces as well.
  if ((before | 0x20) !== 0x64 && before > 0x20 && before < 0x80) return false;
  let next = bytes[at + 1]!;
  if (next === QUOTE || next === APOSTROPHE) next = bytes[at + 2]!;
  switch (next | 0x20) {
    case 0x61: // app
    case 0x65: // ember-app
    case 0x6d: // main-app
    case 0x71: // q-app
    case 0x72: // root
    case 0x73: // svelte
    case 0x7f: // __next
      return true;
    default:
      return next <= 0x20 || next >= 0x80;
  }
}

const END_TAG = bytePattern('</');
const DASHES = bytePattern('--');
const DASH = 0x2d;
const GREATER_THAN = 0x3e;
const BANG = 0x21;

/**
 * Where the inside of a raw element ends. In HTML only those of SVG and MathML can be closed by a slash in their own
 * tag (§13.2.6.5), in XML all can.
 * @param open the `<` of its tag
 * @param end the `>` of it
 */
export function rawContentEnd(
  bytes: Uint8Array,
  tag: HtmlTag,
  open: number,
  end: number,
  xhtml: boolean,
): number {
  if ((xhtml || tag.foreign) && isSelfClosing(bytes, open, end)) return end + 1;
  return rawEnd(bytes, tag.letters, end + 1);
}

/** Where the end tag of a raw element begins, after `from`; the length of the page when there is none. */
function rawEnd(bytes: Uint8Array, letters: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = findBytes(bytes, END_TAG, from);
  while (at < length && !matchesName(bytes, letters, at + 2)) at = findBytes(bytes, END_TAG, at + 2);
  return at;
}

/**
 * What follows a comment, which `-->` and `--!>` close, at its very beginning `>` and `->` as well (HTML §13.2.5.43).
 * One search for both ends: one for each would go over the rest of the page again and again where only one is in use.
 * @param from after its `<!--`
 */
export function commentEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] === GREATER_THAN) return from + 1;
  if (bytes[from] === DASH && bytes[from + 1] === GREATER_THAN) return from + 2;
  const { length } = bytes;
  for (let at = findBytes(bytes, DASHES, from); at < length; at = findBytes(bytes, DASHES, at + 1)) {
    const next = bytes[at + 2];
    if (next === GREATER_THAN) return at + 3;
    if (next === BANG && bytes[at + 3] === GREATER_THAN) return at + 4;
  }
  return length;
}
