import type { CapturedBody } from '../../../../domain/captured.ts';

/** As much of a body as `most` bytes hold; text is cut between two characters. */
export function cutBody(
  body: string,
  isBase64: boolean,
  most: number,
): { readonly body: CapturedBody; readonly length: number; readonly truncated: boolean } {
  const all = Buffer.from(body, isBase64 ? 'base64' : 'utf8');
  if (isBase64) {
    const bytes = new Uint8Array(all.subarray(0, most));
    return { body: { text: null, bytes }, length: bytes.length, truncated: all.length > most };
  }
  if (all.length <= most) return { body: { text: body, bytes: null }, length: all.length, truncated: false };
  let end = Math.max(0, most);
  // A byte that goes on with a character (RFC 3629 §3) cannot begin one.
  while (end > 0 && (all[end]! & 0xc0) === 0x80) end--;
  return { body: { text: all.toString('utf8', 0, end), bytes: null }, length: end, truncated: true };
}
