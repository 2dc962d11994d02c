import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP's parameters for scrypt are N=2^15, r=8, p=3; N is the operator's choice. */
const R = 8;
const P = 3;
const LENGTH = 32;
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,})\$([A-Za-z0-9+/]{22,})$/;

/** Hashes and compares passwords at one cost. */
export interface Passwords {
  /** `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`: the parameters travel with the hash, so that they can be raised later. */
  hash(password: string): Promise<string>;
  /**
   * Compares in constant time. A hash of unknown form, or with parameters beyond reason, fits nothing.
   * @param stored null: there is no such user; it takes as long as with one
   */
  verify(password: string, stored: string | null): Promise<PasswordCheck>;
}

export interface PasswordCheck {
  readonly fits: boolean;
  /** The hash was made with other parameters than those of today: the password should be hashed again. */
  readonly outdated: boolean;
}

const REFUSED: PasswordCheck = { fits: false, outdated: false };

/** @param cost log2 of scrypt's N, 1 to 18 */
export function createPasswords(cost: number): Passwords {
  const nobodys = `$scrypt$ln=${cost},r=${R},p=${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await derive(password, salt, LENGTH, cost, R, P);
      return `$scrypt$ln=${cost},r=${R},p=${P}$${base64(salt)}$${base64(hash)}`;
    },
    async verify(password, stored) {
      const match = FORM.exec(stored ?? nobodys);
      if (match === null) return REFUSED;
      const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
      if (ln < 1 || ln > 18 || r < 1 || r > 16 || p < 1 || p > 16) return REFUSED;
      const expected = Buffer.from(match[5]!, 'base64');
      const actual = await derive(password, Buffer.from(match[4]!, 'base64'), expected.length, ln, r, p);
      return {
        fits: timingSafeEqual(actual, expected),
        outdated: ln !== cost || r !== R || p !== P || expected.length !== LENGTH,
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
