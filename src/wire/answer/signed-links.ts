import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { filesOf, picturesOf } from '../../domain/record.ts';
import type { Scrape } from '../../domain/scrape.ts';

/** What a link leads to. A picture is the stored image of a screenshot. */
export type LinkKind = 'picture' | 'file';

/** What a signed link may lead to. */
export type SignedKind = LinkKind | 'export';

/** Returns the URL of a picture or file of a record; null: it does not exist any more. */
export type LinkUrlOf = (kind: LinkKind, id: string, number: number) => string | null;

/**
 * Stands for the URL of a picture or file in a stored answer, because URLs expire. A page cannot forge a placeholder, because
 * it cannot know the id of the record. What is not stored is returned as a data URL instead.
 */
export function linkPlaceholder(
  { id, task, delivered }: Scrape,
  kind: LinkKind,
  number: number,
): string | null {
  if (id === null || delivered === null) return null;
  const parts = kind === 'picture' ? picturesOf(delivered.page) : filesOf(delivered.page);
  const part = parts[number] ?? null;
  if (part === null) return null;
  if (task.router.retain === 'full') return `${placeholderPrefix(kind, id)}${number}`;
  const { bytes, type } = part;
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return `data:${type};base64,${base64}`;
}

/** Whether the answer to a scrape may have placeholders. */
export const hasLinks = ({ delivered }: Scrape): boolean =>
  delivered !== null && (picturesOf(delivered.page).length > 0 || filesOf(delivered.page).length > 0);

const LINK_KINDS: readonly LinkKind[] = ['picture', 'file'];

/** Replaces the placeholders in an answer by URLs. */
export function withLinks(answerJson: string, id: string | null, urlOf: LinkUrlOf): string {
  if (id === null) return answerJson;
  let json = answerJson;
  for (const kind of LINK_KINDS) {
    const prefix = placeholderPrefix(kind, id);
    if (!json.includes(`"${prefix}`)) continue;
    json = json.replaceAll(new RegExp(`"${prefix}([0-9]+)"`, 'g'), (_, number) =>
      JSON.stringify(urlOf(kind, id, Number(number))),
    );
  }
  return json;
}

const placeholderPrefix = (kind: LinkKind, id: string): string => `${kind}:${id}:`;

interface LinkOptions {
  /** The key of `linkKeyOf`. */
  readonly key: Uint8Array;
  readonly baseUrl: () => string;
  /** Lifetime of a link, ms. */
  readonly ttlMs: number;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/** Makes signed links to pictures and files, which work without an API key. */
export function createLinkUrlOf({ key, baseUrl, ttlMs, now }: LinkOptions): LinkUrlOf {
  return (kind, id, number) => {
    const expires = Math.ceil((now() + ttlMs) / 1_000);
    return `${baseUrl()}${signedPath(key, { kind, id, number }, expires)}`;
  };
}

/** The key for signing links, derived from the secret, so that other signatures by the secret are not valid links. */
export function linkKeyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice picture link', 32));
}

interface LinkTarget {
  readonly kind: SignedKind;
  readonly id: string;
  readonly number: number;
}

/** Path and query of a link. @param expires seconds since the epoch */
function signedPath(key: Uint8Array, target: LinkTarget, expires: number): string {
  const { kind, id, number } = target;
  const signature = signatureOf(key, target, String(expires)).toString('base64url');
  const query = `expires=${expires}&signature=${signature}`;
  if (kind === 'export') return `/api/v1/exports/${id}/file/?${query}`;
  const picture = number === 0 ? 'screenshot' : `screenshot/${number}`;
  const path = kind === 'picture' ? picture : `files/${number}/`;
  return `/api/v1/scrape/${id}/${path}?${query}`;
}

/** Path and query of a link to an export. @param expires seconds since the epoch */
export const signedExportPath = (key: Uint8Array, id: string, expires: number): string =>
  signedPath(key, { kind: 'export', id, number: 0 }, expires);

/** Checks a link. `wrong`: it was not signed with this key, or was changed since. @param now seconds since the epoch */
export function verifyLink(
  key: Uint8Array,
  { expires, signature, ...target }: SignedLink,
  now: number,
): 'good' | 'expired' | 'wrong' {
  const given = Buffer.from(signature, 'base64url');
  const tag = signatureOf(key, target, expires);
  // Compares the text too, because several base64 texts decode to the same bytes.
  if (
    given.length !== tag.length ||
    !timingSafeEqual(given, tag) ||
    given.toString('base64url') !== signature
  )
    return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
}

interface SignedLink extends LinkTarget {
  /** As in the link: seconds since the epoch. */
  readonly expires: string;
  readonly signature: string;
}

function signatureOf(key: Uint8Array, { kind, id, number }: LinkTarget, expires: string): Buffer {
  const text = `${id} ${number} ${expires}`;
  return createHmac('sha256', key)
    .update(kind === 'picture' ? text : `${kind} ${text}`)
    .digest();
}
