import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafe(8192);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** A clock that was set back further is followed: its ids would tell a time to come, and outlive their retention. */
const BACK_MOST_MS = 60_000;

/**
 * UUID version 7 (RFC 9562 §5.7) as 16 bytes. Ids made by one process are strictly increasing: within a
 * millisecond `rand_a` counts up (RFC 9562 §6.2, method 1), and a clock that went back a little does not go back here.
 * @param now milliseconds since the epoch
 */
export function uuid7(now: number): Buffer {
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  if (now > lastMs || lastMs - now > BACK_MOST_MS) {
    lastMs = now;
    sequence = pool[used]! & 0x7f;
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  const id = Buffer.allocUnsafeSlow(16);
  id.writeUIntBE(lastMs, 0, 6);
  id.writeUInt16BE(0x7000 | sequence, 6);
  pool.copy(id, 8, used, used + 8);
  id[8] = (id[8]! & 0x3f) | 0x80;
  used += 8;
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
