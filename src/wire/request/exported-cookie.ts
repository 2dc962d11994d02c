import { type Static, Type } from 'typebox';
import type { CookiePartition } from '../../domain/browser-options.ts';
import { closed } from '../schema/build.ts';
import { type Problems, wrong } from '../schema/problems.ts';

const opt = Type.Optional;
const OF_ITS_BROWSER = {
  description: 'Describes the browser that the cookie was exported from. Accepted, and changes nothing.',
};

/**
 * Members of a cookie as Cookie-Editor, EditThisCookie, Puppeteer, the DevTools protocol, Selenium and Playwright export
 * it, beyond those that we have ourselves.
 */
export const EXPORTED_MEMBERS = {
  expirationDate: opt(Type.Number({ description: 'The same as `expires`.' })),
  expiry: opt(Type.Number({ description: 'The same as `expires`.' })),
  session: opt(Type.Boolean({ description: 'true: a session cookie, whatever `expires` says.' })),
  hostOnly: opt(Type.Boolean({ description: 'true: subdomains of `domain` are excluded.' })),
  partitionKey: opt(
    Type.Union(
      [
        Type.String(),
        closed({
          topLevelSite: opt(Type.String()),
          sourceOrigin: opt(Type.String()),
          hasCrossSiteAncestor: opt(Type.Boolean()),
        }),
      ],
      {
        description: 'The site of the top-level page that the cookie is for, such as `https://example.com`.',
      },
    ),
  ),
  _crHasCrossSiteAncestor: opt(Type.Boolean({ description: '`hasCrossSiteAncestor` of `partitionKey`.' })),
  partitionKeyOpaque: opt(Type.Boolean(OF_ITS_BROWSER)),
  id: opt(Type.Union([Type.Number(), Type.String()], OF_ITS_BROWSER)),
  storeId: opt(Type.String(OF_ITS_BROWSER)),
  firstPartyDomain: opt(Type.String(OF_ITS_BROWSER)),
  size: opt(Type.Number(OF_ITS_BROWSER)),
  priority: opt(Type.String(OF_ITS_BROWSER)),
  sameParty: opt(Type.Boolean(OF_ITS_BROWSER)),
  sourceScheme: opt(Type.String(OF_ITS_BROWSER)),
  sourcePort: opt(Type.Number(OF_ITS_BROWSER)),
};

const Exported = closed(EXPORTED_MEMBERS);
type Exported = Static<typeof Exported>;

/** Seconds since the epoch; -1, as Playwright writes it: until the scrape ends. */
export function expiresOf(
  given: Exported & { readonly expires?: number },
  at: string,
  problems: Problems,
): number {
  const names = (['expires', 'expirationDate', 'expiry'] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (names.length > 1) wrong(problems, `${at}/${names[1]}`, `means the same as \`${names[0]}\`; give one`);
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
export function sameSiteOf(given: string | undefined, at: string, problems: Problems) {
  const found = SAME_SITE.get((given ?? '').toLowerCase());
  if (found === undefined)
    wrong(
      problems,
      at,
      'must be strict, lax or none (or no_restriction or unspecified, as extensions write it)',
    );
  return found ?? null;
}

/** null: it is for the pages of all sites. @param at of the cookie */
export function partitionOf(given: Exported, at: string, problems: Problems): CookiePartition | null {
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
    wrong(problems, `${at}/partitionKey`, 'must be a site such as https://example.com');
    return null;
  }
  return { site: `${url.protocol}//${url.hostname}`, crossSite: hasCrossSiteAncestor };
}
