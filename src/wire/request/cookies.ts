import { trimBlanks } from '../../base/trim-blanks.ts';
import type { CallerCookie } from '../../domain/job.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { LONGEST_COOKIE, MOST_COOKIES } from './cookie-limits.ts';
import { expiresOf, partitionOf, sameSiteOf } from './exported-cookie.ts';
import type { CallerHeaders } from './headers.ts';
import type { CookieObject, CookiesField } from './request-schema.ts';

/** Of a Cookie header, empty ones between two semicolons included. */
const MOST_PIECES = 2 * MOST_COOKIES;

/** Name and value as a browser keeps them (RFC 6265bis §5.6): no control characters but a tabulator, and no `;`. */
const NAME = /^[^\x00-\x20=;\x7f](?:[^\x00-\x08\x0a-\x1f=;\x7f]*[^\x00-\x20=;\x7f])?$/;
const VALUE = /^[^\x00-\x08\x0a-\x1f;\x7f]*$/;
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

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
        const at = pointTo('/cookies', i);
        const cookie =
          typeof entry === 'string' ? fromText(entry, at, problems) : fromObject(entry, at, problems);
        if (cookie !== null) cookies.push(cookie);
      });
    } else {
      for (const [name, value] of Object.entries(field as Readonly<Record<string, string>>)) {
        const cookie = hostOnly(name, value, pointTo('/cookies', name), problems);
        if (cookie !== null) cookies.push(cookie);
      }
    }
  }
  if (headers.length === 0) return cookies;
  const named = new Set(cookies.map((cookie) => cookie.name));
  const merged = [
    ...headers
      .flatMap(({ value, at }) => fromHeader(value, at, problems))
      .filter(({ name }) => !named.has(name)),
    ...cookies,
  ];
  if (merged.length > MOST_COOKIES) {
    wrong(
      problems,
      '/cookies',
      `and the Cookie header have ${merged.length} cookies; at most ${MOST_COOKIES}`,
    );
  }
  return merged;
}

function fromHeader(value: string, at: string, problems: Problems): readonly CallerCookie[] {
  // Not taken apart to the end, when it has far too many anyway.
  const pieces = value.split(';', MOST_PIECES + 1);
  const pairs = pieces.map(trimBlanks).filter((pair) => pair !== '');
  if (pairs.length > MOST_COOKIES || pieces.length > MOST_PIECES) {
    wrong(problems, at, `has more than ${MOST_COOKIES} cookies`);
    return [];
  }
  return pairs.map((pair) => fromText(pair, at, problems)).filter((cookie) => cookie !== null);
}

function fromText(text: string, at: string, problems: Problems): CallerCookie | null {
  const equals = text.indexOf('=');
  if (equals === -1) {
    wrong(problems, at, 'must have the form name=value');
    return null;
  }
  return hostOnly(trimBlanks(text.slice(0, equals)), text.slice(equals + 1), at, problems);
}

/** Blanks around a value are no part of it, as of what a server sets (RFC 6265bis §5.6). */
function hostOnly(name: string, given: string, at: string, problems: Problems): CallerCookie | null {
  const value = trimBlanks(given);
  if (!fitsCookie(name, value, at, problems)) return null;
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

function fromObject(given: CookieObject, at: string, problems: Problems): CallerCookie | null {
  const before = problems.length;
  const value = trimBlanks(given.value);
  if (!fitsCookie(given.name, value, at, problems)) return null;
  const domain = given.domain === undefined ? null : readDomain(given.domain, at, problems);
  const path = given.path ?? null;
  if (path !== null && !PATH.test(path)) {
    wrong(
      problems,
      `${at}/path`,
      'must begin with `/` and be printable ASCII without `;`, all else percent-encoded',
    );
  }
  const sameSite = sameSiteOf(given.same_site, `${at}/same_site`, problems);
  const expires = expiresOf(given, at, problems);
  const partition = partitionOf(given, at, problems);
  if (given.hostOnly === false && domain === null) wrong(problems, `${at}/hostOnly`, 'needs a `domain`');
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
export function readDomain(given: string, at: string, problems: Problems): string | null {
  const bare = given.startsWith('.') ? given.slice(1) : given;
  const host =
    /[/?#@:\\\s]/.test(bare) && !bare.startsWith('[') ? undefined : URL.parse(`http://${bare}/`)?.hostname;
  if (host === undefined || host === '') {
    wrong(problems, `${at}/domain`, 'must be a host name');
    return null;
  }
  return host;
}

/** Whether a browser takes it; else what is wrong is told. */
export function fitsCookie(name: string, value: string, at: string, problems: Problems): boolean {
  const length = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (name === '') wrong(problems, at, 'has a cookie without a name');
  else if (!NAME.test(name) || !name.isWellFormed()) {
    wrong(problems, at, 'has a cookie name with a control character, `=` or `;`');
  } else if (!VALUE.test(value) || !value.isWellFormed()) {
    wrong(problems, at, 'has a cookie value with a control character or `;`; percent-encode it');
  } else if (length > LONGEST_COOKIE) {
    wrong(problems, at, `is a cookie of ${length} bytes; at most ${LONGEST_COOKIE}`);
  } else return true;
  return false;
}
