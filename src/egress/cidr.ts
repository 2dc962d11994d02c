import { parseIpRange } from '../base/ip-range.ts';
import { type Address, addressOf, MAPPED } from './address.ts';

type Words = readonly [number, number, number, number];

/** A range of addresses of one family, made for fast comparison. */
export interface Cidr {
  readonly family: 4 | 6;
  /** The only address in it, when it was written bare or with /32 or /128; else null. */
  readonly single: Address | null;
  readonly base: Words;
  readonly mask: Words;
}

/** A range from the texts that the settings accept (see `parseIpRange`); null when it is none. */
export function parseCidr(text: string): Cidr | null {
  const range = parseIpRange(text);
  if (range === null) return null;
  const family = range.bytes.length === 4 ? 4 : 6;
  const bits = family === 4 ? range.bits + 96 : range.bits;
  const mask = [maskWord(bits), maskWord(bits - 32), maskWord(bits - 64), maskWord(bits - 96)] as const;
  const view = new DataView(range.bytes.buffer, range.bytes.byteOffset, range.bytes.length);
  const word = (at: number) => view.getInt32(at);
  const first: Words = family === 4 ? [0, 0, MAPPED, word(0)] : [word(0), word(4), word(8), word(12)];
  const base = [first[0] & mask[0], first[1] & mask[1], first[2] & mask[2], first[3] & mask[3]] as const;
  return { family, single: bits === 128 ? addressOf(...base) : null, base, mask };
}

/** An IPv6 range never holds an IPv4 address, however wide it is: `::/0` opens no IPv4. */
export function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.family !== address.family) return false;
  const { base, mask } = cidr;
  const words = address.words;
  return (
    (words[0] & mask[0]) === base[0] &&
    (words[1] & mask[1]) === base[1] &&
    (words[2] & mask[2]) === base[2] &&
    (words[3] & mask[3]) === base[3]
  );
}

/** A mask word with the given number of leading ones; below 0 none, above 32 all. */
function maskWord(bits: number): number {
  if (bits >= 32) return -1;
  return bits <= 0 ? 0 : (-1 << (32 - bits)) | 0;
}
