import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { PictureUrl } from '../answer/picture-marks.ts';

export interface PictureLinkParts {
  /** The key of `pictureLinkKey`. */
  readonly key: Uint8Array;
  readonly baseUrl: () => string;
  /** How long a link is good, ms. */
  readonly goodMs: number;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/** Makes links to pictures, which need no key. */
export function pictureUrls({ key, baseUrl, goodMs, now }: PictureLinkParts): PictureUrl {
  return (id, number) => {
    const expires = Math.ceil((now() + goodMs) / 1_000);
    return `${baseUrl()}${picturePath(key, id, number, expires)}`;
  };
}

/** The key of links to pictures: what it has signed is of no use for anything else that the secret signs. */
export function pictureLinkKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice picture link', 32));
}

/** Path and query of a picture, good until `expires` (seconds since the epoch). */
function picturePath(key: Uint8Array, id: string, number: number, expires: number): string {
  const place = number === 0 ? '' : `/${number}`;
  const signature = tagOf(key, id, number, String(expires)).toString('base64url');
  return `/api/v1/scrape/${id}/screenshot${place}?expires=${expires}&signature=${signature}`;
}

/** What a link is worth; `wrong` also when anything of it was changed. @param now seconds since the epoch */
export function judgePictureLink(
  key: Uint8Array,
  { id, number, expires, signature }: PictureLink,
  now: number,
): 'good' | 'expired' | 'wrong' {
  const given = Buffer.from(signature, 'base64url');
  const tag = tagOf(key, id, number, expires);
  // The text too: base64 has more than one for the same bytes.
  if (
    given.length !== tag.length ||
    !timingSafeEqual(given, tag) ||
    given.toString('base64url') !== signature
  )
    return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
}

export interface PictureLink {
  readonly id: string;
  readonly number: number;
  /** As it stands in the link. */
  readonly expires: string;
  readonly signature: string;
}

function tagOf(key: Uint8Array, id: string, number: number, expires: string): Buffer {
  return createHmac('sha256', key).update(`${id} ${number} ${expires}`).digest();
}
