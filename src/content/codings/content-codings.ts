import { constants, crc32 } from 'node:zlib';

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Codings in the order of decoding: the last one applied comes first. */
type Codings =
  | { readonly problem: null; readonly codings: readonly Coding[] }
  | { readonly problem: string; readonly codings: null };

/** Contract §4. RFC 9110 sets no limit, but in practice there are at most two. */
const MAX_CODINGS = 5;

const CODINGS_BY_NAME: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * Values of Content-Encoding that name no coding: a charset, a framing (`aws-chunked`, left from an upload), or
 * nothing. As in browsers, they do not change the body.
 */
const NOT_A_CODING: ReadonlySet<string> = new Set([
  '',
  'identity',
  'none',
  'utf-8',
  'utf8',
  'binary',
  '8bit',
  '7bit',
  'chunked',
  'aws-chunked',
]);

const NO_CODINGS: Codings = { problem: null, codings: [] };

/**
 * Parses Content-Encoding (RFC 9110 §8.4: a list in the order of application; names are case-insensitive).
 * @param value all field lines joined with `, `; null if there are none
 */
export function parseContentCodings(value: string | null): Codings {
  if (value === null || value === '') return NO_CODINGS;
  const codings: Coding[] = [];
  for (const item of value.split(',')) {
    const name = item.trim().toLowerCase();
    if (NOT_A_CODING.has(name)) continue;
    const coding = CODINGS_BY_NAME.get(name);
    if (coding === undefined) return { problem: `unknown content coding ${quotedName(name)}`, codings: null };
    if (codings.length === MAX_CODINGS)
      return { problem: `more than ${MAX_CODINGS} content codings`, codings: null };
    codings.unshift(coding);
  }
  return codings.length === 0 ? NO_CODINGS : { problem: null, codings };
}

function quotedName(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}

/** Why one coding could not be decoded completely. */
export interface CodingProblem {
  /** true: the coded bytes end too early; false: they are invalid. */
  readonly truncated: boolean;
  readonly detail: string;
}

/** The largest window of the zstd content coding: 8 MiB (RFC 9659). Without this limit a frame could demand 2 GiB. */
export const ZSTD_OPTIONS = { [constants.ZSTD_d_windowLogMax]: 23 };

export function truncated(coding: Coding): CodingProblem {
  return { truncated: true, detail: `${coding}: the data ends too early` };
}

export function corrupt(coding: Coding, what: string): CodingProblem {
  return { truncated: false, detail: `${coding}: ${what}` };
}

export function missingSignature(coding: Coding): CodingProblem {
  return corrupt(coding, 'the body does not start with its signature');
}

/** Translates an error of node:zlib. */
export function zlibProblem(coding: Coding, error: unknown): CodingProblem {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'Z_BUF_ERROR') return truncated(coding);
  // Brotli has the same message for all errors; only the code is specific.
  const detail = code?.startsWith('ERR__ERROR_') === true ? `corrupt data (${code.slice(11)})` : message;
  return corrupt(coding, detail.charAt(0).toLowerCase() + detail.slice(1));
}

/**
 * Thousands of nearly empty members are an attack: they would occupy the main thread. Allowed are 1,000, and one more for
 * each 4 KiB of output.
 */
export function tooManyMembers(members: number, size: number): boolean {
  return members > 1000 + size / 4096;
}

/** Result of `headerLength`: more bytes are needed. */
export const HEADER_INCOMPLETE = -1;
/** Result of `headerLength`: the bytes do not begin with a header of this coding. */
const HEADER_INVALID = -2;

/**
 * The header and trailer around the compressed data. Those of gzip and zlib are parsed here and not by zlib, because zlib
 * discards its output if a checksum is wrong or data follows the end.
 */
export interface CodingFraming {
  readonly coding: Coding;
  readonly engine: 'inflate' | 'br' | 'zstd';
  /** Length of the header, or HEADER_INCOMPLETE, or HEADER_INVALID. */
  headerLength(bytes: Uint8Array): number;
  readonly trailerLength: number;
  /** Checksum of no bytes. */
  readonly initialChecksum: number;
  /** @param previous the checksum of the bytes before */
  checksum(bytes: Uint8Array, previous: number): number;
  /** @param size number of decoded bytes */
  trailerProblem(trailer: Uint8Array, sum: number, size: number): string | null;
  /** After a member, another one may follow (RFC 1952 §2.2). Other data after the end is ignored, as in browsers. */
  readonly multiMember: boolean;
}

const noHeader = () => 0;
const noChecksum = () => 0;
const noProblem = () => null;

function unframed(coding: Coding, engine: CodingFraming['engine']): CodingFraming {
  return {
    coding,
    engine,
    headerLength: noHeader,
    trailerLength: 0,
    initialChecksum: 0,
    checksum: noChecksum,
    trailerProblem: noProblem,
    multiMember: false,
  };
}

const GZIP: CodingFraming = {
  coding: 'gzip',
  engine: 'inflate',
  headerLength: gzipHeaderLength,
  trailerLength: 8,
  initialChecksum: 0,
  checksum: (bytes, previous) => crc32(bytes, previous),
  trailerProblem(trailer, sum, size) {
    if (uint32le(trailer, 0) !== sum) return 'the check sum (CRC-32) does not match';
    return uint32le(trailer, 4) === size % 2 ** 32 ? null : 'the length at the end does not match';
  },
  multiMember: true,
};

const ZLIB: CodingFraming = {
  coding: 'deflate',
  engine: 'inflate',
  headerLength: (bytes) => (bytes.length < 2 ? HEADER_INCOMPLETE : 2),
  trailerLength: 4,
  initialChecksum: 1,
  checksum: adler32,
  trailerProblem: (trailer, sum) =>
    ((trailer[0]! << 24) | (trailer[1]! << 16) | (trailer[2]! << 8) | trailer[3]!) >>> 0 === sum
      ? null
      : 'the check sum (Adler-32) does not match',
  multiMember: false,
};

const RAW_DEFLATE = unframed('deflate', 'inflate');
const BROTLI = unframed('br', 'br');
const ZSTD = unframed('zstd', 'zstd');

/**
 * The framing of a coded body. `deflate` has a zlib header by RFC 9110 §8.4.1.2, but many servers send it without. A raw
 * stream is not mistaken for one with a header: it would have to begin with a stored block whose padding is not zero.
 * @param first the first bytes of the body; two are enough
 */
export function framingOf(coding: Coding, first: Uint8Array): CodingFraming {
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
function gzipHeaderLength(bytes: Uint8Array): number {
  const length = bytes.length;
  if (length > 0 && bytes[0] !== 0x1f) return HEADER_INVALID;
  if (length > 1 && bytes[1] !== 0x8b) return HEADER_INVALID;
  if (length > 2 && bytes[2] !== 8) return HEADER_INVALID;
  if (length > 3 && (bytes[3]! & 0xe0) !== 0) return HEADER_INVALID;
  if (length < 10) return HEADER_INCOMPLETE;
  const flags = bytes[3]!;
  let index = 10;
  // FEXTRA: a field that begins with its length.
  if (flags & 4) {
    if (length < index + 2) return HEADER_INCOMPLETE;
    index += 2 + (bytes[index]! | (bytes[index + 1]! << 8));
  }
  // FNAME and FCOMMENT: texts that end with a zero byte. No honest header is longer than 128 KiB.
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const end = index < length ? bytes.indexOf(0, index) : -1;
    if (end === -1) return length > 0x2_0000 ? HEADER_INVALID : HEADER_INCOMPLETE;
    index = end + 1;
  }
  // FHCRC: a checksum of the header.
  if (flags & 2) index += 2;
  return index > length ? HEADER_INCOMPLETE : index;
}

function uint32le(bytes: Uint8Array, index: number): number {
  return (
    (bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24)) >>> 0
  );
}

/** RFC 1950 §8.2. The sums of 5,552 bytes stay below 2³², so the modulo is taken only once per so many bytes. */
function adler32(bytes: Uint8Array, previous: number): number {
  let a = previous & 0xffff;
  let b = previous >>> 16;
  for (let index = 0; index < bytes.length; ) {
    const end = Math.min(index + 5552, bytes.length);
    for (; index < end; index++) {
      a += bytes[index]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}
