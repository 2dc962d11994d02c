import { charsetOf } from '../content/charset.ts';
import { toUtf8 } from '../content/decode-text.ts';
import type { Mime } from '../content/mime.ts';
import { LOOKED_AT_BYTES } from './says-enough.ts';

/** A page as far as it is looked at: of a long one its beginning and its end. */
export interface PageSource {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** The same. */
  readonly html: string;
}

const TAIL_BYTES = 100 * 1024;

export function sourceOf(body: Uint8Array, mime: Mime, cut: boolean): PageSource {
  if (body.length <= LOOKED_AT_BYTES) return decoded(body, mime, cut);
  const { html: head } = decoded(body.slice(0, LOOKED_AT_BYTES - TAIL_BYTES), mime, true);
  const html = `${head}\n${Buffer.from(body.slice(-TAIL_BYTES)).toString('latin1')}`;
  return { bytes: Buffer.from(html), html };
}

function decoded(body: Uint8Array, mime: Mime, cut: boolean): PageSource {
  const { name } = charsetOf(body, mime.kind, mime.charsetLabel, cut);
  const { bytes } = toUtf8(body, name, cut);
  if ('resizable' in bytes.buffer && bytes.buffer.resizable) {
    // Slow to read byte by byte.
    const copy = Buffer.from(bytes);
    return { bytes: copy, html: copy.toString('utf8') };
  }
  return { bytes, html: view(bytes).toString('utf8') };
}

/** What stands between two places of the bytes. */
export function part({ bytes, html }: PageSource, from: number, to: number): string {
  // Where all is ASCII a place in the bytes is one in the text, and a part of a text is no copy.
  return html.length === bytes.length ? html.slice(from, to) : view(bytes).toString('utf8', from, to);
}

const view = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
