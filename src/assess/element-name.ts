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

/** @param letters lower-case; of the page they may be capitals */
export function named(bytes: Uint8Array, letters: Uint8Array, at: number): boolean {
  for (let n = 0; n < letters.length; n++) if ((bytes[at + n]! | 0x20) !== letters[n]) return false;
  return true;
}
