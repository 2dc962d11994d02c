import { uuidBytes } from '../../../base/uuid7.ts';

/** The 16 bytes of a UUID in memory of their own (a view of a pool would take the pool along to another thread). */
export function idOrNull(text: string): Uint8Array | null {
  const bytes = uuidBytes(text);
  return bytes === null ? null : Uint8Array.from(bytes);
}

/** @throws TypeError when it is none: ids that are written are our own. */
export function idBytes(text: string): Uint8Array {
  const bytes = idOrNull(text);
  if (bytes === null) throw new TypeError(`not a UUID: ${JSON.stringify(text.slice(0, 80))}`);
  return bytes;
}

/** The smallest id that can be made at `ms` (RFC 9562 §5.7): 48 bits of time, then zeros. */
export function firstIdAt(ms: number): Uint8Array {
  const id = new Uint8Array(16);
  const time = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1);
  new DataView(id.buffer).setUint32(0, Math.floor(time / 65_536));
  new DataView(id.buffer).setUint16(4, time % 65_536);
  return id;
}
