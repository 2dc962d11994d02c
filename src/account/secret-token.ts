import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a session or link: the text for its holder, and its SHA-256, which is all that is kept. */
export function makeToken(): { readonly text: string; readonly hash: Buffer } {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: tokenHash(text) };
}

export function tokenHash(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
