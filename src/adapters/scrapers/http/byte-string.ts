const UNSAFE = /[\r\n\0]|[^\x00-\xff]/;

/**
 * A value as the byte string that goes on the wire: characters beyond Latin-1 as their UTF-8 bytes. Written as Latin-1
 * without this, U+010D would become a carriage return: the guard against header injection stands here, last.
 */
export function byteString(value: string): string {
  if (!UNSAFE.test(value)) return value;
  const bytes = /[^\x00-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
  return bytes.replace(/[\r\n\0]+/g, ' ');
}
