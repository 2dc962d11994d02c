import { trimOws } from '../../base/http-syntax.ts';
import {
  MAX_COOKIES,
  type StorageState,
  type StorageStateSchema,
  type StoredCookie,
} from '../../domain/storage-state.ts';
import type { CallerCookie } from '../../domain/task.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { MAX_COOKIE_BYTES, readExpires, readPartition, readSameSite } from './exported-cookie.ts';
import type { CallerHeaders } from './headers.ts';
import { readNamedValues } from './named-values.ts';
import type { CookieObject, CookiesField } from './scrape-request-schema.ts';

/** Limit of the pieces that a Cookie header is split into, including empty ones between two semicolons. */
const MAX_HEADER_PIECES = 2 * MAX_COOKIES;

/** Names and values that browsers accept (RFC 6265bis §5.6): no `;`, and no control characters except tab. */
const COOKIE_NAME = /^[^\x00-\x20=;\x7f](?:[^\x00-\x08\x0a-\x1f=;\x7f]*[^\x00-\x20=;\x7f])?$/;
const COOKIE_VALUE = /^[^\x00-\x08\x0a-\x1f;\x7f]*$/;
const COOKIE_PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/** Reads `cookies`. Cookies of a Cookie header come first; those with a name that `cookies` has too are left out. */
export function readCookies(
  field: CookiesField | undefined,
  headers: CallerHeaders['cookies'],
  problems: Problems,
): readonly CallerCookie[] {
  const cookies: CallerCookie[] = [];
  if (field !== undefined) {
    const add = (name: string, text: string, pointer: string, entry: CookieObject | null) => {
      const cookie =
        entry === null
          ? hostOnlyCookie(name, text, pointer, problems)
          : readCookieObject(entry, text, pointer, problems);
      if (cookie !== null) cookies.push(cookie);
    };
    readNamedValues(field, '/cookies', '=', add, problems);
  }
  const fieldNames = new Set(cookies.map((cookie) => cookie.name));
  const merged = [
    ...headers
      .flatMap(({ value, pointer }) => readCookieHeader(value, pointer, problems))
      .filter(({ name }) => !fieldNames.has(name)),
    ...cookies,
  ];
  if (merged.length > MAX_COOKIES) {
    addProblem(
      problems,
      '/cookies',
      `${headers.length === 0 ? 'has' : 'and the Cookie header have'} ${merged.length} cookies; at most ${MAX_COOKIES}`,
    );
  }
  return merged;
}

function readCookieHeader(value: string, pointer: string, problems: Problems): readonly CallerCookie[] {
  // The limit saves memory if the header has far too many cookies.
  const pieces = value.split(';', MAX_HEADER_PIECES + 1);
  const pairs = pieces.map(trimOws).filter((pair) => pair !== '');
  if (pairs.length > MAX_COOKIES || pieces.length > MAX_HEADER_PIECES) {
    addProblem(problems, pointer, `has more than ${MAX_COOKIES} cookies`);
    return [];
  }
  return pairs.map((pair) => readCookiePair(pair, pointer, problems)).filter((cookie) => cookie !== null);
}

function readCookiePair(text: string, pointer: string, problems: Problems): CallerCookie | null {
  const equals = text.indexOf('=');
  if (equals === -1) {
    addProblem(problems, pointer, 'must have the form name=value');
    return null;
  }
  return hostOnlyCookie(trimOws(text.slice(0, equals)), text.slice(equals + 1), pointer, problems);
}

/** White space around a value is removed, as browsers do with `Set-Cookie` (RFC 6265bis §5.6). */
function hostOnlyCookie(
  name: string,
  text: string,
  pointer: string,
  problems: Problems,
): CallerCookie | null {
  const value = trimOws(text);
  if (!checkCookie(name, value, pointer, problems)) return null;
  return {
    name,
    value,
    domain: null,
    path: null,
    secure: false,
    httpOnly: false,
    sameSite: null,
    expires: null,
  };
}

function readCookieObject(
  cookie: CookieObject,
  text: string,
  pointer: string,
  problems: Problems,
): CallerCookie | null {
  const countBefore = problems.length;
  const value = trimOws(text);
  if (!checkCookie(cookie.name, value, pointer, problems)) return null;
  const domain = cookie.domain === undefined ? null : readDomain(cookie.domain, pointer, problems);
  const path = cookie.path ?? null;
  if (path !== null && !COOKIE_PATH.test(path)) {
    addProblem(
      problems,
      `${pointer}/path`,
      'must begin with `/` and be printable ASCII without `;`, all else percent-encoded',
    );
  }
  const sameSite = readSameSite(cookie.same_site, `${pointer}/same_site`, problems);
  const expires = readExpires(cookie, pointer, problems);
  const partition = readPartition(cookie, pointer, problems);
  if (cookie.hostOnly === false && domain === null)
    addProblem(problems, `${pointer}/hostOnly`, 'needs a `domain`');
  if (problems.length > countBefore) return null;
  return {
    name: cookie.name,
    value,
    domain,
    ...(cookie.hostOnly === true && domain !== null ? { hostOnly: true } : {}),
    ...(partition === null ? {} : { partition }),
    path,
    secure: cookie.secure ?? false,
    httpOnly: cookie.http_only ?? false,
    sameSite,
    expires: expires === -1 ? null : expires,
  };
}

/** The host of a cookie's domain, without a leading dot; null: it is not a host name. */
function readDomain(text: string, pointer: string, problems: Problems): string | null {
  const domain = text.startsWith('.') ? text.slice(1) : text;
  const host =
    /[/?#@:\\\s]/.test(domain) && !domain.startsWith('[')
      ? undefined
      : URL.parse(`http://${domain}/`)?.hostname;
  if (host === undefined || host === '') {
    addProblem(problems, `${pointer}/domain`, 'must be a host name');
    return null;
  }
  return host;
}

/** Whether browsers accept the cookie; if not, the reason is added to `problems`. */
function checkCookie(name: string, value: string, pointer: string, problems: Problems): boolean {
  const length = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (name === '') addProblem(problems, pointer, 'has a cookie without a name');
  else if (!COOKIE_NAME.test(name) || !name.isWellFormed()) {
    addProblem(problems, pointer, 'has a cookie name with a control character, `=` or `;`');
  } else if (!COOKIE_VALUE.test(value) || !value.isWellFormed()) {
    addProblem(problems, pointer, 'has a cookie value with a control character or `;`; percent-encode it');
  } else if (length > MAX_COOKIE_BYTES) {
    addProblem(problems, pointer, `is a cookie of ${length} bytes; at most ${MAX_COOKIE_BYTES}`);
  } else return true;
  return false;
}

/** The end of the year 9999, which is Playwright's limit. */
const MAX_EXPIRES_S = 253_402_300_799;
const PLAYWRIGHT_SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/** @returns null: no cookies and no storage */
export function readStorageState(
  { cookies = [], origins = [] }: StorageStateSchema,
  pointer: string,
  problems: Problems,
): StorageState | null {
  if (cookies.length === 0 && origins.length === 0) return null;
  return {
    cookies: cookies.flatMap(
      (cookie, i) => readStorageCookie(cookie, `${pointer}/cookies/${i}`, problems) ?? [],
    ),
    origins: origins.map(({ origin, localStorage, indexedDB }, i) => {
      checkOrigin(origin, `${pointer}/origins/${i}/origin`, problems);
      return { origin, localStorage, ...(indexedDB === undefined ? {} : { indexedDB }) };
    }),
  };
}

type StorageStateCookie = NonNullable<StorageStateSchema['cookies']>[number];

function readStorageCookie(
  cookie: StorageStateCookie,
  pointer: string,
  problems: Problems,
): StoredCookie | null {
  const { name, path, httpOnly = false, secure = false, hostOnly } = cookie;
  const value = trimOws(cookie.value);
  const countBefore = problems.length;
  if (!checkCookie(name, value, pointer, problems)) return null;
  const host = readDomain(cookie.domain, pointer, problems);
  const includesSubdomains = hostOnly === undefined ? cookie.domain.startsWith('.') : !hostOnly;
  const expires = readExpires(cookie, pointer, problems);
  const sameSite = readSameSite(cookie.sameSite, `${pointer}/sameSite`, problems);
  const partition = readPartition(cookie, pointer, problems);
  if (!path.startsWith('/')) addProblem(problems, `${pointer}/path`, 'must begin with `/`');
  if (expires !== -1 && !(expires >= 0 && expires <= MAX_EXPIRES_S))
    addProblem(
      problems,
      `${pointer}/expires`,
      `must be -1, or seconds up to ${MAX_EXPIRES_S}, the end of the year 9999`,
    );
  // RFC 6265bis §5.6: browsers drop such cookies.
  if (sameSite === 'none' && !secure)
    addProblem(problems, `${pointer}/secure`, 'must be true for a cookie with the sameSite None');
  // RFC 6265bis §4.1.3: browsers drop such cookies.
  if (/^__(?:Secure|Host)-/i.test(name) && !secure)
    addProblem(problems, `${pointer}/secure`, 'must be true for a cookie of this name');
  if (/^__Host-/i.test(name) && (path !== '/' || includesSubdomains))
    addProblem(problems, pointer, 'is a `__Host-` cookie: its path must be `/`, and its domain one host');
  if (problems.length > countBefore || host === null) return null;
  return {
    name,
    value,
    domain: includesSubdomains ? `.${host}` : host,
    path,
    expires,
    httpOnly,
    secure,
    sameSite: PLAYWRIGHT_SAME_SITE[sameSite ?? 'lax'],
    ...(partition === null ? {} : { partition }),
  };
}

function checkOrigin(origin: string, pointer: string, problems: Problems): void {
  const url = URL.parse(origin);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin;
  if (!isOrigin)
    addProblem(problems, pointer, 'must be an origin of http or https, such as https://example.com');
}
