import { createHmac } from 'node:crypto';

/** The hash functions of RFC 6238 §1.2. */
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

/** How the codes of an account are made: time-based one-time passwords (RFC 6238). */
export interface Totp {
  readonly secret: Uint8Array;
  readonly algorithm: (typeof ALGORITHMS)[number];
  /** 6 to 8. */
  readonly digits: number;
  readonly periodMs: number;
}

/** What all authenticator apps know, and a seed without further parameters means. */
export const USUAL_TOTP = { algorithm: 'sha1', digits: 6, periodMs: 30_000 } as const;

const BASE32_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648 §6) without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32_DIGITS[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32_DIGITS[(value << (5 - bits)) & 31] : text;
}

/** Base32 as sites show it: in any letter case, in groups, with or without padding. null: it is not Base32, or empty. */
function decodeBase32(text: string): Buffer | null {
  const digits = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replace(/={1,6}$/, '');
  const bytes: number[] = [];
  let value = 0;
  let bits = 0;
  for (const digit of digits) {
    const five = BASE32_DIGITS.indexOf(digit);
    if (five < 0) return null;
    value = (value << 5) | five;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(value >>> bits);
    value &= (1 << bits) - 1;
  }
  return bytes.length === 0 ? null : Buffer.from(bytes);
}

/** The code of a counter (HOTP, RFC 4226 §5.3). For TOTP the counter is the number of periods since the epoch. */
export function hotpCode({ secret, algorithm, digits }: Omit<Totp, 'periodMs'>, counter: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(algorithm, secret).update(bytes).digest();
  const truncated = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fff_ffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** The code of a time. @param now ms since the epoch */
export const totpCode = (totp: Totp, now: number): string => hotpCode(totp, Math.floor(now / totp.periodMs));

/** Why a seed cannot be used. The seed itself is in no message. */
export interface TotpProblem {
  readonly problem: string;
}

/**
 * A seed as sites show it: Base32, or the URI of a QR code
 * (https://github.com/google/google-authenticator/wiki/Key-Uri-Format).
 */
export function parseTotpSeed(seed: string): Totp | TotpProblem {
  const text = seed.trim();
  if (/^otpauth(?:-migration)?:/i.test(text)) return parseUri(text);
  const secret = decodeBase32(text);
  if (secret === null)
    return { problem: 'must be Base32 (letters and the digits 2 to 7), or an otpauth:// URI' };
  return { secret, ...USUAL_TOTP };
}

function parseUri(text: string): Totp | TotpProblem {
  const url = URL.parse(text);
  if (url?.protocol !== 'otpauth:' || url.host.toLowerCase() !== 'totp')
    return {
      problem: 'must be an otpauth://totp/ URI: codes by counter and exports of several accounts are none',
    };
  const parameters = url.searchParams;
  const secret = decodeBase32(parameters.get('secret') ?? '');
  if (secret === null) return { problem: 'has no secret in Base32' };
  const name = (parameters.get('algorithm') ?? 'SHA1').toLowerCase().replace(/^(?:hmac-?)?sha-?/, 'sha');
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (algorithm === undefined) return { problem: 'must have the algorithm SHA1, SHA256 or SHA512' };
  const digits = parameters.get('digits') ?? '6';
  if (!/^[678]$/.test(digits)) return { problem: 'must have 6, 7 or 8 digits' };
  const period = parameters.get('period') ?? '30';
  if (!/^[1-9]\d{0,2}$/.test(period)) return { problem: 'must have a period of 1 to 999 seconds' };
  return { secret, algorithm, digits: Number(digits), periodMs: Number(period) * 1_000 };
}
