import type { Static } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import { type CookiePartition, EXPORTED_COOKIE_MEMBERS } from '../../domain/storage-state.ts';
import { addProblem, type Problems } from '../schema/problems.ts';

/** Limit for name and value together (RFC 6265bis §5.6). */
export const MAX_COOKIE_BYTES = 4096;

const ExportedCookie = closed(EXPORTED_COOKIE_MEMBERS);
type ExportedCookie = Static<typeof ExportedCookie>;

/** @returns seconds since the epoch; -1, as in Playwright: a session cookie */
export function readExpires(
  cookie: ExportedCookie & { readonly expires?: number },
  pointer: string,
  problems: Problems,
): number {
  const names = (['expires', 'expirationDate', 'expiry'] as const).filter(
    (name) => cookie[name] !== undefined,
  );
  if (names.length > 1)
    addProblem(problems, `${pointer}/${names[1]}`, `means the same as \`${names[0]}\`; give one`);
  return cookie.session === true || names.length === 0 ? -1 : cookie[names[0]!]!;
}

const SAME_SITE: ReadonlyMap<string, 'strict' | 'lax' | 'none' | null> = new Map([
  ['strict', 'strict'],
  ['lax', 'lax'],
  ['none', 'none'],
  // Names of browser extensions.
  ['no_restriction', 'none'],
  ['unspecified', null],
  ['', null],
]);

/** @param pointer of the member @returns null: not set */
export function readSameSite(text: string | undefined, pointer: string, problems: Problems) {
  const sameSite = SAME_SITE.get((text ?? '').toLowerCase());
  if (sameSite === undefined)
    addProblem(
      problems,
      pointer,
      'must be strict, lax or none (or no_restriction or unspecified, as extensions write it)',
    );
  return sameSite ?? null;
}

/** @param pointer of the cookie @returns null: not partitioned */
export function readPartition(
  cookie: ExportedCookie,
  pointer: string,
  problems: Problems,
): CookiePartition | null {
  const { partitionKey: key, _crHasCrossSiteAncestor = null } = cookie;
  const {
    topLevelSite,
    sourceOrigin,
    hasCrossSiteAncestor = _crHasCrossSiteAncestor,
  } = typeof key === 'object' ? key : { topLevelSite: key };
  const site = topLevelSite ?? sourceOrigin;
  if (site === undefined || site === '') return null;
  const url = URL.parse(site);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    addProblem(problems, `${pointer}/partitionKey`, 'must be a site such as https://example.com');
    return null;
  }
  return { site: `${url.protocol}//${url.hostname}`, crossSite: hasCrossSiteAncestor };
}
