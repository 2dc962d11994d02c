import { crc32 } from 'node:zlib';
import type { Coding } from './content-codings.ts';

/** `head()`: more bytes are needed to tell. */
export const HEAD_MORE = -1;
/** `head()`: the bytes do not begin like this coding. */
export const HEAD_NOT = -2;

/**
 * What stands around the compressed data. The gzip and zlib wrappers are read here rather than by zlib, because zlib
 * throws away what it has unpacked when a check sum is wrong or something stands behind the end.
 */
export interface Framing {
  readonly coding: Coding;
  readonly engine: 'inflate' | 'br' | 'zstd';
  /** Length of the head, or HEAD_MORE, or HEAD_NOT. */
  head(bytes: Uint8Array): number;
  readonly trailerLength: number;
  /** Sum of no bytes. */
  readonly sum0: number;
  sum(bytes: Uint8Array, before: number): number;
  /** @param size decoded bytes */
  trailerProblem(trailer: Uint8Array, sum: number, size: number): string | null;
  /** Another member may follow (RFC 1952 §2.2). What does not look like one is ignored, as browsers do. */
  readonly many: boolean;
}

const noHead = () => 0;
const noSum = () => 0;
const fine = () => null;

function bare(coding: Coding, engine: Framing['engine']): Framing {
  return {
    coding,
    engine,
    head: noHead,
    trailerLength: 0,
    sum0: 0,
    sum: noSum,
    trailerProblem: fine,
    many: false,
  };
}

const GZIP: Framing = {
  coding: 'gzip',
  engine: 'inflate',
  head: gzipHead,
  trailerLength: 8,
  sum0: 0,
  sum: (bytes, before) => crc32(bytes, before),
  trailerProblem(trailer, sum, size) {
    if (uint32le(trailer, 0) !== sum) return 'the check sum (CRC-32) does not match';
    return uint32le(trailer, 4) === size % 2 ** 32 ? null : 'the length at the end does not match';
  },
  many: true,
};

const ZLIB: Framing = {
  coding: 'deflate',
  engine: 'inflate',
  head: (bytes) => (bytes.length < 2 ? HEAD_MORE : 2),
  trailerLength: 4,
  sum0: 1,
  sum: adler32,
  trailerProblem: (trailer, sum) =>
    ((trailer[0]! << 24) | (trailer[1]! << 16) | (trailer[2]! << 8) | trailer[3]!) >>> 0 === sum
      ? null
      : 'the check sum (Adler-32) does not match',
  many: false,
};

const RAW_DEFLATE = bare('deflate', 'inflate');
const BROTLI = bare('br', 'br');
const ZSTD = bare('zstd', 'zstd');

/**
 * The framing of a coded body by its first bytes (two are enough).
 * `deflate` is zlib-wrapped by RFC 9110 §8.4.1.2, but raw from many servers. A raw stream that looks like a zlib head
 * would have to begin with a stored block whose padding bits are not zero.
 */
export function framingOf(coding: Coding, first: Uint8Array): Framing {
  switch (coding) {
    case 'gzip':
      return GZIP;
    case 'br':
      return BROTLI;
    case 'zstd':
      return ZSTD;
    case 'deflate':
      return looksLikeZlib(first) ? ZLIB : RAW_DEFLATE;
  }
}

/** RFC 1950 §2.2, without preset dictionary. */
function looksLikeZlib(first: Uint8Array): boolean {
  if (first.length < 2) return false;
  const [cmf, flags] = first as unknown as [number, number];
  return (cmf & 0x0f) === 8 && cmf >> 4 <= 7 && ((cmf << 8) | flags) % 31 === 0 && (flags & 0x20) === 0;
}

/** RFC 1952 §2.3. */
function gzipHead(bytes: Uint8Array): number {
  const length = bytes.length;
  if (length > 0 && bytes[0] !== 0x1f) return HEAD_NOT;
  if (length > 1 && bytes[1] !== 0x8b) return HEAD_NOT;
  if (length > 2 && bytes[2] !== 8) return HEAD_NOT;
  if (length > 3 && (bytes[3]! & 0xe0) !== 0) return HEAD_NOT;
  if (length < 10) return HEAD_MORE;
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) {
    if (length < at + 2) return HEAD_MORE;
    at += 2 + (bytes[at]! | (bytes[at + 1]! << 8));
  }
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const end = at < length ? bytes.indexOf(0, at) : -1;
    if (end === -1) return length > 0x2_0000 ? HEAD_NOT : HEAD_MORE;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at > length ? HEAD_MORE : at;
}

function uint32le(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** RFC 1950 §8.2. 5,552 is the most bytes whose sums stay below 2³². */
function adler32(bytes: Uint8Array, before: number): number {
  let a = before & 0xffff;
  let b = before >>> 16;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 5552, bytes.length);
    for (; at < end; at++) {
      a += bytes[at]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}
