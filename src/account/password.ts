import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of new hashes: 32 MiB and about a quarter of a second, in a thread of the pool (OWASP, scrypt: N=2^15, r=8, p=3). */
const LN = 15;
const R = 8;
const P = 3;
const LENGTH = 32;
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,})\$([A-Za-z0-9+/]{22,})$/;

/** `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`: the parameters travel with the hash, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, LENGTH, LN, R, P);
  return `$scrypt$ln=${LN},r=${R},p=${P}$${base64(salt)}$${base64(hash)}`;
}

/** Fits no password, and costs as much to compare as one that might: for users that there are not. */
export const NOBODYS_HASH = `$scrypt$ln=${LN},r=${R},p=${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export interface PasswordCheck {
  readonly fits: boolean;
  /** The hash was made with other parameters than those of today: hash the password anew. */
  readonly outdated: boolean;
}

const REFUSED: PasswordCheck = { fits: false, outdated: false };

/** Compares in constant time. A hash of unknown form, or with parameters beyond reason, fits nothing. */
export async function verifyPassword(password: string, stored: string): Promise<PasswordCheck> {
  const match = FORM.exec(stored);
  if (match === null) return REFUSED;
  const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (ln < 1 || ln > 18 || r < 1 || r > 16 || p < 1 || p > 16) return REFUSED;
  const expected = Buffer.from(match[5]!, 'base64');
  const actual = await derive(password, Buffer.from(match[4]!, 'base64'), expected.length, ln, r, p);
  return {
    fits: timingSafeEqual(actual, expected),
    outdated: ln !== LN || r !== R || p !== P || expected.length !== LENGTH,
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
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p) + 1024 * 1024 };
  // The same characters typed on another keyboard may come composed differently (NIST SP 800-63B §5.1.1.2).
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
