import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random base62 text; every character is equally likely (bytes from 248 on are thrown away). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
    }
  }
  return text;
}

/** A non-negative integer in base62, padded with zeros to `width`. */
export function numberBase62(number: number, width: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text.padStart(width, '0');
}
