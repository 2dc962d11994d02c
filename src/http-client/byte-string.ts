import { isUtf8 } from 'node:buffer';

const UNSAFE = /[\r\n\0]|[^\x00-\xff]/;

/**
 * Converts a value to a byte string, one character per byte on the wire. A value with characters beyond Latin-1 is encoded as
 * UTF-8. CR, LF and NUL become spaces: this is the last guard against header injection. Without the encoding, U+010D, written
 * as Latin-1, would become CR.
 */
export function toByteString(value: string): string {
  if (!UNSAFE.test(value)) return value;
  const bytes = /[^\x00-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
  return bytes.replace(/[\r\n\0]+/g, ' ');
}

/** Decodes a byte string: as UTF-8 if it is valid, else as ISO-8859-1. */
export function fromByteString(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** The UTF-8 bytes of a text as a byte string. */
export function utf8ToByteString(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}
