import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafe(4096);
/** Digits of `pool`, of which `used` are. */
let random = '';
let used = 0;
let lastMs = 0;
let sequence = 0;
/** What ids of the millisecond `timeMs` begin with. */
let time = '';
let timeMs = -1;

/** First digits of the third field but one: the two bits of the variant, and two of chance (RFC 9562 §4.1). */
const VARIANT = ['8', '9', 'a', 'b'];

/** A clock that was set back further is followed: its ids would tell a time to come, and outlive their retention. */
const BACK_MOST_MS = 60_000;

/**
 * UUID version 7 (RFC 9562 §5.7) in its text form. Ids made by one process are strictly increasing: within a
 * millisecond `rand_a` counts up (RFC 9562 §6.2, method 1), and a clock that went back a little does not go back here.
 * @param now milliseconds since the epoch
 */
export function uuid7(now: number): string {
  if (used + 16 > random.length) {
    randomFillSync(pool);
    random = pool.toString('hex');
    used = 0;
  }
  if (now > lastMs || lastMs - now > BACK_MOST_MS) {
    lastMs = now;
    sequence = Number.parseInt(random.slice(used, used + 2), 16) & 0x7f;
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  if (lastMs !== timeMs) {
    timeMs = lastMs;
    const hex = lastMs.toString(16).padStart(12, '0');
    time = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
  }
  const counted = sequence.toString(16).padStart(3, '0');
  const variant = VARIANT[Number.parseInt(random[used]!, 16) & 3];
  const id = `${time}${counted}-${variant}${random.slice(used + 1, used + 4)}-${random.slice(used + 4, used + 16)}`;
  used += 16;
  return id;
}

/** The 8-4-4-4-12 text form, lower-case. */
export function uuidText(id: Uint8Array): string {
  const hex = Buffer.from(id.buffer, id.byteOffset, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The 16 bytes of a UUID text, or null when it is not one. */
export function uuidBytes(text: string): Buffer | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) return null;
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

/** When a UUID of version 7 was made, ms since the epoch. */
export function uuid7Time(text: string): number {
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16);
}
