import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random base62 text. Bytes from 248 (4 · 62) on are discarded, so that all characters are equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += BASE62_DIGITS[byte % 62];
    }
  }
  return text;
}

/** A non-negative integer in base62, padded with zeros to `width`. */
export function encodeBase62(number: number, width: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = BASE62_DIGITS[rest % 62] + text;
  return text.padStart(width, '0');
}

const LIVE_PREFIX = 'slc_live_';
/** As long as the other one. */
const TEST_PREFIX = 'slc_test_';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const KEY_FORMAT = /^slc_(?:live|test)_([0-9A-Za-z]{12})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

/** What may be stored and shown of a key. */
interface KeyFingerprint {
  /** null: the key was chosen by the operator. */
  readonly id: string | null;
  /** SHA-256 of the whole text, 32 bytes. */
  readonly hash: Buffer;
  readonly prefix: string;
  readonly last4: string;
}

/**
 * Generates a key: `slc_live_<id><secret><checksum>`, of a test key `slc_test_…`, base62. The id has 12 characters, the secret 43 (256 bits), the checksum
 * 6 (CRC-32 of everything before it). The checksum lets scanners for leaked secrets recognize keys.
 */
export function generateKey(isTest = false): { readonly text: string; readonly id: string } {
  const id = randomKeyId();
  const body = (isTest ? TEST_PREFIX : LIVE_PREFIX) + id + randomBase62(SECRET_LENGTH);
  return { text: body + keyChecksum(body), id };
}

export function randomKeyId(): string {
  return randomBase62(ID_LENGTH);
}

/** Whether a generated key, or the prefix of one, is that of a test key. */
export const isTestKey = (text: string): boolean => text.startsWith(TEST_PREFIX);

/** Parses a generated key; null if the format or the checksum is wrong. */
export function parseKey(text: string): { readonly id: string } | null {
  const match = KEY_FORMAT.exec(text);
  if (match === null || keyChecksum(text.slice(0, -6)) !== match[2]) return null;
  return { id: match[1]! };
}

/** The prefix is the public part of a generated key. Of a key chosen by the operator, at most a third is shown, `last4` included. */
export function fingerprintKey(text: string): KeyFingerprint {
  const generated = parseKey(text);
  const prefixLength =
    generated === null ? Math.min(12, Math.floor(text.length / 3) - 4) : LIVE_PREFIX.length + ID_LENGTH;
  return {
    id: generated?.id ?? null,
    hash: hashToken(text),
    prefix: text.slice(0, Math.max(0, prefixLength)),
    last4: text.slice(-4),
  };
}

function keyChecksum(body: string): string {
  return encodeBase62(crc32(body), 6);
}

/** 256 random bits for a session or link: the text for its holder, and its SHA-256, which is stored. */
export function generateToken(): { readonly text: string; readonly hash: Buffer } {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashToken(text) };
}

/** SHA-256 of a key, or of the token of a session or link. */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
