import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { numberBase62, randomBase62 } from './base62.ts';

const PREFIX = 'slc_live_';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const FORM = /^slc_live_([0-9A-Za-z]{12})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

/** The parts of a key text that may be kept and shown. */
export interface KeyFacts {
  /** Null when the text is a token of the operator's own making. */
  readonly id: string | null;
  /** SHA-256 of the whole text, 32 bytes. */
  readonly hash: Buffer;
  readonly prefix: string;
  readonly last4: string;
}

/**
 * A new key: `slc_live_<id><secret><checksum>`, base62. The id has 12 characters, the secret 43 (256 bits), the
 * checksum 6 (CRC-32 of all that precedes), so that scanners for leaked secrets can tell a key from chance.
 */
export function makeKey(): { readonly text: string; readonly id: string } {
  const id = randomKeyId();
  const body = PREFIX + id + randomBase62(SECRET_LENGTH);
  return { text: body + checksum(body), id };
}

export function randomKeyId(): string {
  return randomBase62(ID_LENGTH);
}

/** The id of a key of our making; null when the form or the checksum is wrong. */
export function readKey(text: string): { readonly id: string } | null {
  const match = FORM.exec(text);
  if (match === null || checksum(text.slice(0, -6)) !== match[2]) return null;
  return { id: match[1]! };
}

export function keyHash(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** What is stored of a key: never the text, and of an own token at most a third to recognise it by. */
export function keyFacts(text: string): KeyFacts {
  const read = readKey(text);
  const shown = read === null ? Math.min(12, Math.floor(text.length / 3) - 4) : PREFIX.length + ID_LENGTH;
  return {
    id: read?.id ?? null,
    hash: keyHash(text),
    prefix: text.slice(0, Math.max(0, shown)),
    last4: text.slice(-4),
  };
}

function checksum(body: string): string {
  return numberBase62(crc32(body), 6);
}
