import { parseIpRange } from '../base/ip-range.ts';

/**
 * An IP address as its bits, so that it is compared by value and never by spelling. An IPv4 address is held in its
 * v4-mapped form (::ffff:a.b.c.d), so that both spellings of it are the same address here.
 */
export interface Address {
  readonly family: 4 | 6;
  /** Made from the bits: dotted decimal, or RFC 5952. Sockets connect to this text. */
  readonly text: string;
  /** The 128 bits as four signed 32-bit words, the most significant first. */
  readonly words: readonly [number, number, number, number];
}

/** The third word of an IPv4 address in its v4-mapped form (::ffff:0:0/96). */
export const V4_MAPPED_WORD = 0xffff;

/**
 * Parses four decimal octets without leading zeros, and the IPv6 forms of RFC 4291 §2.2. null for anything else, such as
 * zone ids, brackets, and the short, octal and hexadecimal forms of IPv4.
 */
export function parseAddress(text: string): Address | null {
  if (text.indexOf(':') === -1) {
    const bits = parseV4(text, 0);
    return bits < 0 ? null : addressFromWords(0, 0, V4_MAPPED_WORD, bits);
  }
  return readGroups(text)
    ? addressFromWords(wordOfGroups(0), wordOfGroups(2), wordOfGroups(4), wordOfGroups(6))
    : null;
}

/** @param a with `b`, `c`, `d`: the 128 bits as 32-bit words, signed or unsigned, the most significant first */
export function addressFromWords(a: number, b: number, c: number, d: number): Address {
  const words = [a | 0, b | 0, c | 0, d | 0] as const;
  return a === 0 && b === 0 && c === V4_MAPPED_WORD
    ? { family: 4, text: v4Text(d), words }
    : { family: 6, text: v6Text(words), words };
}

export function sameAddress(first: Address, second: Address): boolean {
  const a = first.words;
  const b = second.words;
  return a[3] === b[3] && a[2] === b[2] && a[1] === b[1] && a[0] === b[0];
}

const DOT = 0x2e;
const COLON = 0x3a;

/** Parses the text from the index `from` to its end. @returns the 32 bits, unsigned; -1: not an IPv4 address */
function parseV4(text: string, from: number): number {
  let bits = 0;
  let octets = 0;
  let index = from;
  const end = text.length;
  while (octets < 4) {
    const start = index;
    let octet = 0;
    for (; index < end; index++) {
      const digit = text.charCodeAt(index) - 0x30;
      if (digit < 0 || digit > 9) break;
      octet = octet * 10 + digit;
      if (octet > 255) return -1;
    }
    if (index === start || (index - start > 1 && text.charCodeAt(start) === 0x30)) return -1;
    bits = bits * 256 + octet;
    octets++;
    if (octets < 4 && text.charCodeAt(index++) !== DOT) return -1;
  }
  return index === end ? bits : -1;
}

/** The result of `readGroups`. One array is enough, as parsing is synchronous. */
const groups = new Uint16Array(8);

function wordOfGroups(index: number): number {
  return (groups[index]! << 16) | groups[index + 1]!;
}

/** Reads an IPv6 address into `groups`. @returns false: the text is not an IPv6 address */
function readGroups(text: string): boolean {
  const end = text.length;
  // The longest form has 45 characters: six groups and an IPv4 address of 15 characters.
  if (end < 2 || end > 45) return false;
  let count = 0;
  /** Index in `groups` of the zeros that `::` stands for; -1: there is no `::`. */
  let gap = -1;
  let index = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    gap = 0;
    index = 2;
  }
  while (index < end) {
    if (count === 8) return false;
    const start = index;
    let value = 0;
    for (let digit = hexDigit(text, index); digit >= 0; digit = hexDigit(text, ++index))
      value = value * 16 + digit;
    if (text.charCodeAt(index) === DOT) {
      const v4 = count > 6 ? -1 : parseV4(text, start);
      if (v4 < 0) return false;
      groups[count++] = v4 >>> 16;
      groups[count++] = v4 & 0xffff;
      break;
    }
    if (index === start || index - start > 4) return false;
    groups[count++] = value;
    if (index === end) break;
    if (text.charCodeAt(index++) !== COLON || index === end) return false;
    if (text.charCodeAt(index) === COLON) {
      if (gap >= 0) return false;
      gap = count;
      index++;
    }
  }
  if (gap < 0) return count === 8;
  if (count === 8) return false;
  const tail = 8 - (count - gap);
  groups.copyWithin(tail, gap, count);
  groups.fill(0, gap, tail);
  return true;
}

function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function v4Text(d: number): string {
  return `${d >>> 24}.${(d >>> 16) & 255}.${(d >>> 8) & 255}.${d & 255}`;
}

/** RFC 5952 §4: lower-case, no leading zeros, the first longest run of two or more zero groups as `::`. */
function v6Text(words: readonly number[]): string {
  const allGroups: number[] = [];
  for (const word of words) allGroups.push(word >>> 16, word & 0xffff);
  let longestStart = -1;
  let longest = 1;
  for (let i = 0; i < 8; i++) {
    let zeros = 0;
    while (i + zeros < 8 && allGroups[i + zeros] === 0) zeros++;
    if (zeros > longest) {
      longestStart = i;
      longest = zeros;
    }
    i += zeros;
  }
  const hex = (list: readonly number[]) => list.map((group) => group.toString(16)).join(':');
  return longestStart < 0
    ? hex(allGroups)
    : `${hex(allGroups.slice(0, longestStart))}::${hex(allGroups.slice(longestStart + longest))}`;
}

type AddressWords = readonly [number, number, number, number];

/** A range of addresses of one family, in a form that is fast to compare. */
export interface Cidr {
  readonly family: 4 | 6;
  /** The only address in the range (it was written bare, or with /32 or /128); null: there are more. */
  readonly single: Address | null;
  readonly base: AddressWords;
  readonly mask: AddressWords;
}

/** @param text see `parseIpRange`; null when it is not a range */
export function parseCidr(text: string): Cidr | null {
  const range = parseIpRange(text);
  if (range === null) return null;
  const family = range.bytes.length === 4 ? 4 : 6;
  const bits = family === 4 ? range.bits + 96 : range.bits;
  const mask = [maskWord(bits), maskWord(bits - 32), maskWord(bits - 64), maskWord(bits - 96)] as const;
  const view = new DataView(range.bytes.buffer, range.bytes.byteOffset, range.bytes.length);
  const word = (offset: number) => view.getInt32(offset);
  const first: AddressWords =
    family === 4 ? [0, 0, V4_MAPPED_WORD, word(0)] : [word(0), word(4), word(8), word(12)];
  const base = [first[0] & mask[0], first[1] & mask[1], first[2] & mask[2], first[3] & mask[3]] as const;
  return { family, single: bits === 128 ? addressFromWords(...base) : null, base, mask };
}

/** An IPv6 range never contains an IPv4 address: `::/0` contains only IPv6 addresses. */
export function cidrContains(cidr: Cidr, address: Address): boolean {
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

/** A 32-bit mask. @param bits number of leading ones; below 0: none, above 32: all */
function maskWord(bits: number): number {
  if (bits >= 32) return -1;
  return bits <= 0 ? 0 : (-1 << (32 - bits)) | 0;
}
