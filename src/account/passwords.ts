import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Failure } from '../domain/failure.ts';
import { invalid } from './account-actions.ts';

/** OWASP recommends N=2^15, r=8, p=3 for scrypt. The operator can change N. */
const SCRYPT_R = 8;
const SCRYPT_P = 3;
const HASH_LENGTH = 32;
const HASH_FORMAT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,})\$([A-Za-z0-9+/]{22,})$/;

export interface PasswordHasher {
  /**
   * `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` (PHC string format; `ln` is log2 of N). Contains the parameters, so that they can
   * be changed for new hashes.
   */
  hash(password: string): Promise<string>;
  /**
   * Compares in constant time. A hash of an unknown format, or with unreasonable parameters, matches no password.
   * @param stored null: there is no such user. It takes as long as with a hash, so that the duration does not reveal this.
   */
  verify(password: string, stored: string | null): Promise<PasswordCheck>;
}

interface PasswordCheck {
  readonly matches: boolean;
  /** The hash has other parameters than the current ones: the password should be hashed again. */
  readonly needsRehash: boolean;
}

const NO_MATCH: PasswordCheck = { matches: false, needsRehash: false };

/** @param cost log2 of scrypt's N, 1 to 18 */
export function createPasswordHasher(cost: number): PasswordHasher {
  const dummyHash = `$scrypt$ln=${cost},r=${SCRYPT_R},p=${SCRYPT_P}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await derive(password, salt, HASH_LENGTH, cost, SCRYPT_R, SCRYPT_P);
      return `$scrypt$ln=${cost},r=${SCRYPT_R},p=${SCRYPT_P}$${base64(salt)}$${base64(hash)}`;
    },
    async verify(password, stored) {
      const match = HASH_FORMAT.exec(stored ?? dummyHash);
      if (match === null) return NO_MATCH;
      const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
      if (ln < 1 || ln > 18 || r < 1 || r > 16 || p < 1 || p > 16) return NO_MATCH;
      const expected = Buffer.from(match[5]!, 'base64');
      const actual = await derive(password, Buffer.from(match[4]!, 'base64'), expected.length, ln, r, p);
      return {
        matches: timingSafeEqual(actual, expected),
        needsRehash: ln !== cost || r !== SCRYPT_R || p !== SCRYPT_P || expected.length !== HASH_LENGTH,
      };
    },
  };
}

function derive(
  password: string,
  salt: Buffer,
  length: number,
  ln: number,
  r: number,
  p: number,
): Promise<Buffer> {
  // scrypt needs 128·r·(N + p) bytes (RFC 7914 §6), and a little more.
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p) + 1024 * 1024 };
  // Another keyboard may compose the same characters differently (NIST SP 800-63B §5.1.1.2).
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 1024;

/** Checks a new password; empty if it is valid. Only the length matters (NIST SP 800-63B §5.1.1.2). */
export function passwordProblems(pointer: string, password: string): readonly Failure[] {
  if (password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH) return [];
  return [
    invalid(pointer, `The password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`),
  ];
}
