import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { encodeBase32, hotpCode, USUAL_TOTP } from '../domain/totp.ts';

const STEP_MS = USUAL_TOTP.periodMs;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The code of a step. @param step number of 30 s since the epoch */
export const totpCode = (secret: Uint8Array, step: number): string =>
  hotpCode({ secret, ...USUAL_TOTP }, step);

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
