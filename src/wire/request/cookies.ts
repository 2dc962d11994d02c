import { trimOws } from '../../base/http-syntax.ts';
import type { CallerCookie } from '../../domain/job.ts';
import {
  MAX_COOKIES,
  type StorageState,
  type StorageStateSchema,
  type StoredCookie,
} from '../../domain/storage-state.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';
import { MAX_COOKIE_BYTES, readExpires, readPartition, readSameSite } from './exported-cookie.ts';
import type { CallerHeaders } from './headers.ts';
import type { CookieObject, CookiesField } from './scrape-request-schema.ts';

/** Of a Cookie header, empty ones between two semicolons included. */
const MAX_HEADER_PIECES = 2 * MAX_COOKIES;

/** Name and value as a browser keeps them (RFC 6265bis §5.6): no control characters but a tabulator, and no `;`. */
const COOKIE_NAME = /^[^\x00-\x20=;\x7f](?:[^\x00-\x08\x0a-\x1f=;\x7f]*[^\x00-\x20=;\x7f])?$/;
const COOKIE_VALUE = /^[^\x00-\x08\x0a-\x1f;\x7f]*$/;
const COOKIE_PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/** The cookies of the field, and before them those of a Cookie header whose names the field has not. */
export function readCookies(
  field: CookiesField | undefined,
  headers: CallerHeaders['cookies'],
  problems: Problems,
): readonly CallerCookie[] {
  const cookies: CallerCookie[] = [];
  if (field !== undefined) {
    if (Array.isArray(field)) {
      (field as readonly (CookieObject | string)[]).forEach((entry, i) => {
        const at = childPointer('/cookies', i);
        const cookie =
          typeof entry === 'string'
            ? readCookiePair(entry, at, problems)
            : readCookieObject(entry, at, problems);
        if (cookie !== null) cookies.push(cookie);
      });
    } else {
      for (const [name, value] of Object.entries(field as Readonly<Record<string, string>>)) {
        const cookie = hostOnlyCookie(name, value, childPointer('/cookies', name), problems);
        if (cookie !== null) cookies.push(cookie);
      }
    }
  }
  if (headers.length === 0) return cookies;
  const named = new Set(cookies.map((cookie) => cookie.name));
  const merged = [
    ...headers
      .flatMap(({ value, at }) => readCookieHeader(value, at, problems))
      .filter(({ name }) => !named.has(name)),
    ...cookies,
  ];
  if (merged.length > MAX_COOKIES) {
    addProblem(
      problems,
      '/cookies',
      `and the Cookie header have ${merged.length} cookies; at most ${MAX_COOKIES}`,
    );
  }
  return merged;
}

function readCookieHeader(value: string, at: string, problems: Problems): readonly CallerCookie[] {
  // Not taken apart to the end, when it has far too many anyway.
  const pieces = value.split(';', MAX_HEADER_PIECES + 1);
  const pairs = pieces.map(trimOws).filter((pair) => pair !== '');
  if (pairs.length > MAX_COOKIES || pieces.length > MAX_HEADER_PIECES) {
    addProblem(problems, at, `has more than ${MAX_COOKIES} cookies`);
    return [];
  }
  return pairs.map((pair) => readCookiePair(pair, at, problems)).filter((cookie) => cookie !== null);
}

function readCookiePair(text: string, at: string, problems: Problems): CallerCookie | null {
  const equals = text.indexOf('=');
  if (equals === -1) {
    addProblem(problems, at, 'must have the form name=value');
    return null;
  }
  return hostOnlyCookie(trimOws(text.slice(0, equals)), text.slice(equals + 1), at, problems);
}

/** Blanks around a value are no part of it, as of what a server sets (RFC 6265bis §5.6). */
function hostOnlyCookie(name: string, given: string, at: string, problems: Problems): CallerCookie | null {
  const value = trimOws(given);
  if (!checkCookie(name, value, at, problems)) return null;
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

function readCookieObject(given: CookieObject, at: string, problems: Problems): CallerCookie | null {
  const before = problems.length;
  const value = trimOws(given.value);
  if (!checkCookie(given.name, value, at, problems)) return null;
  const domain = given.domain === undefined ? null : readDomain(given.domain, at, problems);
  const path = given.path ?? null;
  if (path !== null && !COOKIE_PATH.test(path)) {
    addProblem(
      problems,
      `${at}/path`,
      'must begin with `/` and be printable ASCII without `;`, all else percent-encoded',
    );
  }
  const sameSite = readSameSite(given.same_site, `${at}/same_site`, problems);
  const expires = readExpires(given, at, problems);
  const partition = readPartition(given, at, problems);
  if (given.hostOnly === false && domain === null) addProblem(problems, `${at}/hostOnly`, 'needs a `domain`');
  if (problems.length > before) return null;
  return {
    name: given.name,
    value,
    domain,
    ...(given.hostOnly === true && domain !== null ? { hostOnly: true } : {}),
    ...(partition === null ? {} : { partition }),
    path,
    secure: given.secure ?? false,
    httpOnly: given.http_only ?? false,
    sameSite,
    expires: expires === -1 ? null : expires,
  };
}

/** The host of a cookie's domain, without the dot that may stand before it; null: it is none. */
function readDomain(given: string, at: string, problems: Problems): string | null {
  const bare = given.startsWith('.') ? given.slice(1) : given;
  const host =
    /[/?#@:\\\s]/.test(bare) && !bare.startsWith('[') ? undefined : URL.parse(`http://${bare}/`)?.hostname;
  if (host === undefined || host === '') {
    addProblem(problems, `${at}/domain`, 'must be a host name');
    return null;
  }
  return host;
}

/** Whether a browser takes it; else what is wrong is told. */
function checkCookie(name: string, value: string, at: string, problems: Problems): boolean {
  const length = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (name === '') addProblem(problems, at, 'has a cookie without a name');
  else if (!COOKIE_NAME.test(name) || !name.isWellFormed()) {
    addProblem(problems, at, 'has a cookie name with a control character, `=` or `;`');
  } else if (!COOKIE_VALUE.test(value) || !value.isWellFormed()) {
    addProblem(problems, at, 'has a cookie value with a control character or `;`; percent-encode it');
  } else if (length > MAX_COOKIE_BYTES) {
    addProblem(problems, at, `is a cookie of ${length} bytes; at most ${MAX_COOKIE_BYTES}`);
  } else return true;
  return false;
}

const MAX_EXPIRES_S = 253_402_300_799;
const PLAYWRIGHT_SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/** Cookies and storage that the page finds; null: none. @param at pointer of the state */
export function readStorageState(
  { cookies = [], origins = [] }: StorageStateSchema,
  at: string,
  problems: Problems,
): StorageState | null {
  if (cookies.length === 0 && origins.length === 0) return null;
  return {
    cookies: cookies.flatMap((cookie, i) => readStorageCookie(cookie, `${at}/cookies/${i}`, problems) ?? []),
    origins: origins.map(({ origin, localStorage, indexedDB }, i) => {
      checkOrigin(origin, `${at}/origins/${i}/origin`, problems);
      return { origin, localStorage, ...(indexedDB === undefined ? {} : { indexedDB }) };
    }),
  };
}

type StorageStateCookie = NonNullable<StorageStateSchema['cookies']>[number];

function readStorageCookie(given: StorageStateCookie, at: string, problems: Problems): StoredCookie | null {
  const { name, path, httpOnly = false, secure = false, hostOnly } = given;
  const value = trimOws(given.value);
  const before = problems.length;
  if (!checkCookie(name, value, at, problems)) return null;
  const host = readDomain(given.domain, at, problems);
  const isWide = hostOnly === undefined ? given.domain.startsWith('.') : !hostOnly;
  const expires = readExpires(given, at, problems);
  const sameSite = readSameSite(given.sameSite, `${at}/sameSite`, problems);
  const partition = readPartition(given, at, problems);
  if (!path.startsWith('/')) addProblem(problems, `${at}/path`, 'must begin with `/`');
  if (expires !== -1 && !(expires >= 0 && expires <= MAX_EXPIRES_S))
    addProblem(
      problems,
      `${at}/expires`,
      `must be -1, or seconds up to ${MAX_EXPIRES_S}, the end of the year 9999`,
    );
  // RFC 6265bis §5.6: browsers throw such cookies away.
  if (sameSite === 'none' && !secure)
    addProblem(problems, `${at}/secure`, 'must be true for a cookie with the sameSite None');
  // RFC 6265bis §4.1.3: browsers throw such cookies away.
  if (/^__(?:Secure|Host)-/i.test(name) && !secure)
    addProblem(problems, `${at}/secure`, 'must be true for a cookie of this name');
  if (/^__Host-/i.test(name) && (path !== '/' || isWide))
    addProblem(problems, at, 'is a `__Host-` cookie: its path must be `/`, and its domain one host');
  if (problems.length > before || host === null) return null;
  return {
    name,
    value,
    domain: isWide ? `.${host}` : host,
    path,
    expires,
    httpOnly,
    secure,
    sameSite: PLAYWRIGHT_SAME_SITE[sameSite ?? 'lax'],
    ...(partition === null ? {} : { partition }),
  };
}

function checkOrigin(origin: string, at: string, problems: Problems): void {
  const url = URL.parse(origin);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin;
  if (!isOrigin) addProblem(problems, at, 'must be an origin of http or https, such as https://example.com');
}
