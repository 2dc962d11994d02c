import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { picturesOf, SCREENSHOT_NUMBER } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';

/** Returns the URL of a picture of a record; null: the picture does not exist any more. */
export type PictureUrlOf = (id: string, number: number) => string | null;

/**
 * Stands for the URL of a picture in a stored answer, because URLs expire. A page cannot forge a placeholder, because it
 * cannot know the id of the record. A picture that is not stored is returned as a data URL instead.
 */
export function picturePlaceholder({ id, job, delivered }: Scrape, number: number): string | null {
  const picture = delivered === null ? null : (picturesOf(delivered.page)[number] ?? null);
  if (id === null || picture === null) return null;
  if (job.router.retain === 'full') return `${placeholderPrefix(id)}${number}`;
  const { bytes, type } = picture;
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return `data:${type};base64,${base64}`;
}

/** Replaces the placeholders in an answer by URLs. */
export function withPictureUrls(answerJson: string, id: string | null, urlOf: PictureUrlOf): string {
  if (id === null || !answerJson.includes(`"${placeholderPrefix(id)}`)) return answerJson;
  return answerJson.replaceAll(new RegExp(`"${placeholderPrefix(id)}([0-9]+)"`, 'g'), (_, number) =>
    JSON.stringify(urlOf(id, Number(number))),
  );
}

const placeholderPrefix = (id: string): string => `picture:${id}:`;

interface PictureLinkOptions {
  /** The key of `pictureLinkKey`. */
  readonly key: Uint8Array;
  readonly baseUrl: () => string;
  /** Lifetime of a link, ms. */
  readonly ttlMs: number;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/** Makes signed links to pictures, which work without an API key. */
export function createPictureUrlOf({ key, baseUrl, ttlMs, now }: PictureLinkOptions): PictureUrlOf {
  return (id, number) => {
    const expires = Math.ceil((now() + ttlMs) / 1_000);
    return `${baseUrl()}${signedPicturePath(key, id, number, expires)}`;
  };
}

/** The key for signing links, derived from the secret, so that other signatures by the secret are not valid links. */
export function pictureLinkKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice picture link', 32));
}

/** Path and query of a link. @param expires seconds since the epoch */
function signedPicturePath(key: Uint8Array, id: string, number: number, expires: number): string {
  const pictureSuffix = number === SCREENSHOT_NUMBER ? '' : `/${number}`;
  const signature = signatureOf(key, id, number, String(expires)).toString('base64url');
  return `/api/v1/scrape/${id}/screenshot${pictureSuffix}?expires=${expires}&signature=${signature}`;
}

/** Checks a link. `wrong`: it was not signed with this key, or was changed since. @param now seconds since the epoch */
export function verifyPictureLink(
  key: Uint8Array,
  { id, number, expires, signature }: PictureLink,
  now: number,
): 'good' | 'expired' | 'wrong' {
  const received = Buffer.from(signature, 'base64url');
  const expected = signatureOf(key, id, number, expires);
  // Compares the text too, because several base64 texts decode to the same bytes.
  if (
    received.length !== expected.length ||
    !timingSafeEqual(received, expected) ||
    received.toString('base64url') !== signature
  )
    return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
}

interface PictureLink {
  readonly id: string;
  readonly number: number;
  /** As in the link: seconds since the epoch. */
  readonly expires: string;
  readonly signature: string;
}

function signatureOf(key: Uint8Array, id: string, number: number, expires: string): Buffer {
  return createHmac('sha256', key).update(`${id} ${number} ${expires}`).digest();
}
