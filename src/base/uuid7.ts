import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafe(4096);
/** The random bytes of `pool` as hexadecimal digits; the first `usedDigits` of them are used up. */
let randomHex = '';
let usedDigits = 0;
let lastMs = 0;
let sequence = 0;
/** The beginning of ids of the millisecond `timePrefixMs`. */
let timePrefix = '';
let timePrefixMs = -1;

/** First digits of the fourth field: the two bits of the variant, and two random bits (RFC 9562 §4.1). */
const VARIANT = ['8', '9', 'a', 'b'];

/** If the clock is set back further, ids follow it: with a time in the future, records would outlive their retention. */
const MAX_CLOCK_STEP_BACK_MS = 60_000;

/**
 * UUID version 7 (RFC 9562 §5.7) in its text form. Ids of one process are strictly increasing: within a millisecond
 * `rand_a` counts up (RFC 9562 §6.2, method 1), and when the clock goes back a little, the last time is kept.
 * @param now milliseconds since the epoch
 */
export function uuid7(now: number): string {
  if (usedDigits + 16 > randomHex.length) {
    randomFillSync(pool);
    randomHex = pool.toString('hex');
    usedDigits = 0;
  }
  if (now > lastMs || lastMs - now > MAX_CLOCK_STEP_BACK_MS) {
    lastMs = now;
    // 7 random bits of the 12: ids of one millisecond can count up at least 3968 times.
    sequence = Number.parseInt(randomHex.slice(usedDigits, usedDigits + 2), 16) & 0x7f;
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  if (lastMs !== timePrefixMs) {
    timePrefixMs = lastMs;
    const hex = lastMs.toString(16).padStart(12, '0');
    timePrefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
  }
  const sequenceHex = sequence.toString(16).padStart(3, '0');
  const variant = VARIANT[Number.parseInt(randomHex[usedDigits]!, 16) & 3];
  const id = `${timePrefix}${sequenceHex}-${variant}${randomHex.slice(usedDigits + 1, usedDigits + 4)}-${randomHex.slice(usedDigits + 4, usedDigits + 16)}`;
  usedDigits += 16;
  return id;
}

/** The 8-4-4-4-12 text form, lower-case. */
export function uuidText(id: Uint8Array): string {
  const hex = Buffer.from(id.buffer, id.byteOffset, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The 16 bytes of a UUID in text form; null: it is not a UUID. */
export function uuidBytes(text: string): Buffer | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) return null;
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

/** The time in a UUID of version 7, ms since the epoch. */
export function uuid7Time(text: string): number {
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16);
}
