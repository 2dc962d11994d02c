import { find, markOf } from './byte-search.ts';
import { named } from './element-name.ts';
import type { Tag } from './tag.ts';
import { selfCloses } from './tag-end.ts';

const END_TAG = markOf('</');
const DASHES = markOf('--');
const DASH = 0x2d;
const GT = 0x3e;
const BANG = 0x21;

/**
 * Where the inside of a raw element ends. In HTML only those of SVG and MathML can be closed by a slash in their own
 * tag (§13.2.6.5), in XML all can.
 * @param open the `<` of its tag
 * @param end the `>` of it
 */
export function insideEnd(bytes: Uint8Array, tag: Tag, open: number, end: number, xhtml: boolean): number {
  if ((xhtml || tag.foreign) && selfCloses(bytes, open, end)) return end + 1;
  return rawEnd(bytes, tag.letters, end + 1);
}

/** Where the end tag of a raw element begins, after `from`; the length of the page when there is none. */
function rawEnd(bytes: Uint8Array, letters: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = find(bytes, END_TAG, from);
  while (at < length && !named(bytes, letters, at + 2)) at = find(bytes, END_TAG, at + 2);
  return at;
}

/**
 * What follows a comment, which `-->` and `--!>` close, at its very beginning `>` and `->` as well (HTML §13.2.5.43).
 * One search for both ends: one for each would go over the rest of the page again and again where only one is in use.
 * @param from after its `<!--`
 */
export function afterComment(bytes: Uint8Array, from: number): number {
  if (bytes[from] === GT) return from + 1;
  if (bytes[from] === DASH && bytes[from + 1] === GT) return from + 2;
  const { length } = bytes;
  for (let at = find(bytes, DASHES, from); at < length; at = find(bytes, DASHES, at + 1)) {
    const next = bytes[at + 2];
    if (next === GT) return at + 3;
    if (next === BANG && bytes[at + 3] === GT) return at + 4;
  }
  return length;
}
