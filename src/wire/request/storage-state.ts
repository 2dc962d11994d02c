import { trimBlanks } from '../../base/trim-blanks.ts';
import type { StorageState, StoredCookie } from '../../domain/browser-options.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import type { StorageStateOptions } from './browser-options-schema.ts';
import { fitsCookie, readDomain } from './cookies.ts';
import { expiresOf, partitionOf, sameSiteOf } from './exported-cookie.ts';

const LAST_EXPIRES = 253_402_300_799;
const AT = '/scraper_options/storage_state';
const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/** What is to be there before the page is; null: nothing. */
export function readStorageState(
  given: StorageStateOptions | undefined,
  problems: Problems,
): StorageState | null {
  const { cookies = [], origins = [] } = given ?? {};
  if (cookies.length === 0 && origins.length === 0) return null;
  return {
    cookies: cookies.flatMap((cookie, at) => readCookie(cookie, `${AT}/cookies/${at}`, problems) ?? []),
    origins: origins.map(({ origin, localStorage, indexedDB }, at) => {
      checkOrigin(origin, `${AT}/origins/${at}/origin`, problems);
      return { origin, localStorage, ...(indexedDB === undefined ? {} : { indexedDB }) };
    }),
  };
}

type GivenCookie = NonNullable<StorageStateOptions['cookies']>[number];

function readCookie(given: GivenCookie, at: string, problems: Problems): StoredCookie | null {
  const { name, path, httpOnly = false, secure = false, hostOnly } = given;
  const value = trimBlanks(given.value);
  const before = problems.length;
  if (!fitsCookie(name, value, at, problems)) return null;
  const host = readDomain(given.domain, at, problems);
  const isWide = hostOnly === undefined ? given.domain.startsWith('.') : !hostOnly;
  const expires = expiresOf(given, at, problems);
  const sameSite = sameSiteOf(given.sameSite, `${at}/sameSite`, problems);
  const partition = partitionOf(given, at, problems);
  if (!path.startsWith('/')) wrong(problems, `${at}/path`, 'must begin with `/`');
  if (expires !== -1 && !(expires >= 0 && expires <= LAST_EXPIRES))
    wrong(
      problems,
      `${at}/expires`,
      `must be -1, or seconds up to ${LAST_EXPIRES}, the end of the year 9999`,
    );
  // RFC 6265bis §5.6: browsers throw such cookies away.
  if (sameSite === 'none' && !secure)
    wrong(problems, `${at}/secure`, 'must be true for a cookie with the sameSite None');
  // RFC 6265bis §4.1.3: browsers throw such cookies away.
  if (/^__(?:Secure|Host)-/i.test(name) && !secure)
    wrong(problems, `${at}/secure`, 'must be true for a cookie of this name');
  if (/^__Host-/i.test(name) && (path !== '/' || isWide))
    wrong(problems, at, 'is a `__Host-` cookie: its path must be `/`, and its domain one host');
  if (problems.length > before || host === null) return null;
  return {
    name,
    value,
    domain: isWide ? `.${host}` : host,
    path,
    expires,
    httpOnly,
    secure,
    sameSite: SAME_SITE[sameSite ?? 'lax'],
    ...(partition === null ? {} : { partition }),
  };
}

function checkOrigin(origin: string, at: string, problems: Problems): void {
  const url = URL.parse(origin);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin;
  if (!isOrigin) wrong(problems, at, 'must be an origin of http or https, such as https://example.com');
}
