import { isUtf8 } from 'node:buffer';

const UNSAFE = /[\r\n\0]|[^\x00-\xff]/;

/**
 * A value as the byte string that goes on the wire: characters beyond Latin-1 as their UTF-8 bytes. Written as Latin-1
 * without this, U+010D would become a carriage return: the guard against header injection stands here, last.
 */
export function toByteString(value: string): string {
  if (!UNSAFE.test(value)) return value;
  const bytes = /[^\x00-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
  return bytes.replace(/[\r\n\0]+/g, ' ');
}

/** What the bytes mean: UTF-8 where they are that, else each byte is a character (ISO-8859-1). */
export function fromByteString(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** A text as the byte string of its UTF-8. */
export function utf8ToByteString(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}
