import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) as all authenticator apps know them: SHA-1, 6 digits, steps of 30 s. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

const BASE32_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

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

/** The code of a step (RFC 4226 §5.3). @param step number of 30 s since the epoch */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const truncated = mac.readUInt32BE(mac[19]! & 15) & 0x7fff_ffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step of a code: the present one, or the one before or after it, because clocks differ. null: the code is wrong.
 * @param now ms since the epoch
 */
export function stepOfCode(secret: Uint8Array, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const present = Math.floor(now / STEP_MS);
  // All three are compared, so that the duration does not reveal which one matches.
  const matching = [present, present - 1, present + 1].filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  );
  return matching[0] ?? null;
}

/** For a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export const totpUri = (secret: Uint8Array, email: string): string =>
  `otpauth://totp/Sluice:${encodeURIComponent(email)}?secret=${encodeBase32(secret)}&issuer=Sluice`;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Ten codes of 80 random bits, such as `abcd-efgh-2345-mnop`, for people who have lost their device. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = encodeBase32(randomBytes(RECOVERY_BYTES)).toLowerCase();
    return text.match(/.{4}/g)!.join('-');
  });
}

/** SHA-256 of a recovery code in any spelling; null: it is none. */
export function hashRecoveryCode(code: string): Buffer | null {
  const text = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return /^[a-z2-7]{16}$/.test(text) ? hash('sha256', text, 'buffer') : null;
}
