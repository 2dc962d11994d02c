import type { Static } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import { type CookiePartition, EXPORTED_COOKIE_MEMBERS } from '../../domain/storage-state.ts';
import { addProblem, type Problems } from '../schema/problems.ts';

/** Bytes of name and value. */
export const MAX_COOKIE_BYTES = 4096;

const ExportedCookie = closed(EXPORTED_COOKIE_MEMBERS);
type ExportedCookie = Static<typeof ExportedCookie>;

/** Seconds since the epoch; -1, as Playwright writes it: until the scrape ends. */
export function readExpires(
  given: ExportedCookie & { readonly expires?: number },
  at: string,
  problems: Problems,
): number {
  const names = (['expires', 'expirationDate', 'expiry'] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (names.length > 1)
    addProblem(problems, `${at}/${names[1]}`, `means the same as \`${names[0]}\`; give one`);
  return given.session === true || names.length === 0 ? -1 : given[names[0]!]!;
}

const SAME_SITE: ReadonlyMap<string, 'strict' | 'lax' | 'none' | null> = new Map([
  ['strict', 'strict'],
  ['lax', 'lax'],
  ['none', 'none'],
  // Of extensions of browsers.
  ['no_restriction', 'none'],
  ['unspecified', null],
  ['', null],
]);

/** null: nothing is said of it. @param at of the member */
export function readSameSite(given: string | undefined, at: string, problems: Problems) {
  const found = SAME_SITE.get((given ?? '').toLowerCase());
  if (found === undefined)
    addProblem(
      problems,
      at,
      'must be strict, lax or none (or no_restriction or unspecified, as extensions write it)',
    );
  return found ?? null;
}

/** null: it is for the pages of all sites. @param at of the cookie */
export function readPartition(given: ExportedCookie, at: string, problems: Problems): CookiePartition | null {
  const { partitionKey: key, _crHasCrossSiteAncestor = null } = given;
  const {
    topLevelSite,
    sourceOrigin,
    hasCrossSiteAncestor = _crHasCrossSiteAncestor,
  } = typeof key === 'object' ? key : { topLevelSite: key };
  const site = topLevelSite ?? sourceOrigin;
  if (site === undefined || site === '') return null;
  const url = URL.parse(site);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    addProblem(problems, `${at}/partitionKey`, 'must be a site such as https://example.com');
    return null;
  }
  return { site: `${url.protocol}//${url.hostname}`, crossSite: hasCrossSiteAncestor };
}
