import { find, markOf } from './byte-search.ts';

/** Elements whose inside is not shown as text, and in which tags are not tags (or not of this document). */
export const RAW_NAMES: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'title',
  'textarea',
  'object',
  'math',
]);

const END_TAG = markOf('</');
const COMMENT_END = markOf('-->');

/** Where the end tag of a raw element begins, after `from`; the length of the page when there is none. */
export function rawEnd(bytes: Uint8Array, letters: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = find(bytes, END_TAG, from);
  while (at < length && !named(bytes, letters, at + 2)) at = find(bytes, END_TAG, at + 2);
  return at;
}

/** @param letters lower-case; of the page they may be capitals */
export function named(bytes: Uint8Array, letters: Uint8Array, at: number): boolean {
  for (let n = 0; n < letters.length; n++) if ((bytes[at + n]! | 0x20) !== letters[n]) return false;
  return true;
}

/** What follows a comment. @param from after its `<!--` */
export function afterComment(bytes: Uint8Array, from: number): number {
  return Math.min(bytes.length, find(bytes, COMMENT_END, from) + 3);
}
