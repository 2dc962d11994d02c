import { isUtf8 } from 'node:buffer';
import { toContent } from '../../../../content/to-content.ts';
import type { CapturedBody } from '../../../../domain/captured.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';

/** What texts hold, as a rule, only in another charset: NUL in UTF-16, ESC in ISO-2022-JP. */
const OTHER_CHARSET = /[\0\x1b]/;

/**
 * The body of a response that a page received: text, or bytes where its type is none of a text; at most `most` bytes of
 * it, `length` of them.
 * @param whole from DevTools: as it came, or, of a text that the process of the page has kept, in UTF-8
 * @param undecoded its content coding could not be decoded
 */
export function exchangeBody(
  whole: Buffer,
  headers: HeaderList,
  most: number,
  undecoded = false,
): { readonly body: CapturedBody; readonly length: number; readonly truncated: boolean } {
  const body = new Uint8Array(whole.subarray(0, most));
  const truncated = whole.length > most;
  const { content } = toContent({
    body,
    headers,
    undecoded,
    cutAtLimit: truncated,
    noBody: false,
    want: 'auto',
  });
  if (content.encoding === 'base64')
    return { body: { text: null, bytes: content.bytes }, length: content.bytes.length, truncated };
  const asIs = isUtf8(whole) ? whole.toString('utf8') : null;
  const text = asIs === null || OTHER_CHARSET.test(asIs) ? new TextDecoder().decode(content.bytes) : asIs;
  const cut = cutText(text, most);
  return {
    body: { text: cut.text, bytes: null },
    length: cut.length,
    truncated: truncated || cut.text !== text,
  };
}

/** Cut between two characters. */
function cutText(text: string, most: number): { readonly text: string; readonly length: number } {
  const all = Buffer.from(text);
  if (all.length <= most) return { text, length: all.length };
  let end = Math.max(0, most);
  // A byte that goes on with a character (RFC 3629 §3) cannot begin one.
  while (end > 0 && (all[end]! & 0xc0) === 0x80) end--;
  return { text: all.toString('utf8', 0, end), length: end };
}
