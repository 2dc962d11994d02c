import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { picturesOf } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';

/** Gives the URL of a picture; null: the picture does not exist any more. */
export type PictureUrlOf = (id: string, number: number) => string | null;

/**
 * What a stored answer has in place of the URL of a picture, because URLs expire. No page can forge a placeholder: it holds
 * the id of the record, which nobody knows before the answer. A picture that is not stored is in the answer itself, as a
 * data URL.
 */
export function picturePlaceholder({ id, job, delivered }: Scrape, number: number): string | null {
  const picture = delivered === null ? null : (picturesOf(delivered.page)[number] ?? null);
  if (id === null || picture === null) return null;
  if (job.router.retain === 'full') return `${placeholderPrefix(id)}${number}`;
  const { bytes, type } = picture;
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return `data:${type};base64,${base64}`;
}

/** An answer with URLs in place of its placeholders. */
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
  /** How long a link is good, ms. */
  readonly ttlMs: number;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/** Makes links to pictures, which need no key. */
export function createPictureUrlOf({ key, baseUrl, ttlMs, now }: PictureLinkOptions): PictureUrlOf {
  return (id, number) => {
    const expires = Math.ceil((now() + ttlMs) / 1_000);
    return `${baseUrl()}${signedPicturePath(key, id, number, expires)}`;
  };
}

/** The key of links to pictures: what it has signed is of no use for anything else that the secret signs. */
export function pictureLinkKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice picture link', 32));
}

/** Path and query of a picture, good until `expires` (seconds since the epoch). */
function signedPicturePath(key: Uint8Array, id: string, number: number, expires: number): string {
  const place = number === 0 ? '' : `/${number}`;
  const signature = signatureOf(key, id, number, String(expires)).toString('base64url');
  return `/api/v1/scrape/${id}/screenshot${place}?expires=${expires}&signature=${signature}`;
}

/** What a link is worth; `wrong` also when anything of it was changed. @param now seconds since the epoch */
export function verifyPictureLink(
  key: Uint8Array,
  { id, number, expires, signature }: PictureLink,
  now: number,
): 'good' | 'expired' | 'wrong' {
  const given = Buffer.from(signature, 'base64url');
  const tag = signatureOf(key, id, number, expires);
  // The text too: base64 has more than one for the same bytes.
  if (
    given.length !== tag.length ||
    !timingSafeEqual(given, tag) ||
    given.toString('base64url') !== signature
  )
    return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
}

interface PictureLink {
  readonly id: string;
  readonly number: number;
  /** As it stands in the link. */
  readonly expires: string;
  readonly signature: string;
}

function signatureOf(key: Uint8Array, id: string, number: number, expires: string): Buffer {
  return createHmac('sha256', key).update(`${id} ${number} ${expires}`).digest();
}
