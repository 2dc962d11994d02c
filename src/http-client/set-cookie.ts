import { trimOws } from '../base/http-syntax.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
// RFC 6265 §5.1.1: separators of the tokens.
const DELIMITERS = /[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;

/** Parses a cookie date (RFC 6265 §5.1.1). @returns milliseconds since the epoch; null: invalid */
export function parseCookieDate(text: string): number | null {
  let time: RegExpExecArray | null = null;
  let day = -1;
  let month = -1;
  let year = -1;
  for (const token of text.split(DELIMITERS)) {
    if (token === '') continue;
    let found: RegExpExecArray | null;
    if (time === null) {
      found = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
      if (found !== null) {
        time = found;
        continue;
      }
    }
    if (day === -1) {
      found = /^(\d{1,2})(?:\D|$)/.exec(token);
      if (found !== null) {
        day = Number(found[1]);
        continue;
      }
    }
    if (month === -1) {
      month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
      if (month !== -1) continue;
    }
    if (year === -1) {
      found = /^(\d{2,4})(?:\D|$)/.exec(token);
      if (found !== null) year = fullYear(Number(found[1]));
    }
  }
  if (time === null || day < 1 || day > 31 || month === -1 || year < 1601) return null;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, second);
  // The day differs if the month does not have it, as in 31 February.
  return date.getUTCDate() === day ? date.getTime() : null;
}

function fullYear(year: number): number {
  if (year >= 70 && year <= 99) return year + 1900;
  return year <= 69 ? year + 2000 : year;
}

/** A parsed `Set-Cookie` line, not yet checked against the URL of the response. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Milliseconds since the epoch; in the past: the cookie is deleted. null: a session cookie. */
  readonly expires: number | null;
  /** Lower-case, without a leading dot; null: host-only. */
  readonly domain: string | null;
  /** null: the default path for the URL. */
  readonly path: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null;
}

/** Limits of RFC 6265bis §5.6, in bytes. */
const MAX_PAIR_LENGTH = 4_096;
const MAX_ATTRIBUTE_LENGTH = 1_024;
// RFC 6265bis §5.6: a cookie with one of these is ignored.
const CONTROL_CHARACTERS = /[\x00-\x08\x0a-\x1f\x7f]/;
const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/**
 * Parses a `Set-Cookie` value (RFC 6265 §5.2, with the limits of 6265bis). null: it has no name, is too long, or has control
 * characters.
 * @param now milliseconds since the epoch, for Max-Age
 */
export function parseSetCookie(line: string, now: number): SetCookie | null {
  if (CONTROL_CHARACTERS.test(line)) return null;
  const segments = line.split(';');
  const pair = segments[0]!;
  const equals = pair.indexOf('=');
  if (equals === -1) return null;
  const name = trimOws(pair.slice(0, equals));
  const value = trimOws(pair.slice(equals + 1));
  if (name === '' || name.length + value.length > MAX_PAIR_LENGTH) return null;

  let expires: number | null = null;
  let maxAge: number | null = null;
  let domain: string | null = null;
  let path: string | null = null;
  let secure = false;
  let httpOnly = false;
  let sameSite: SetCookie['sameSite'] = null;
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i]!;
    const equalsSign = segment.indexOf('=');
    const attribute = trimOws(equalsSign === -1 ? segment : segment.slice(0, equalsSign)).toLowerCase();
    const attributeValue = equalsSign === -1 ? '' : trimOws(segment.slice(equalsSign + 1));
    if (attributeValue.length > MAX_ATTRIBUTE_LENGTH) continue;
    if (attribute === 'expires') expires = parseCookieDate(attributeValue) ?? expires;
    else if (attribute === 'max-age')
      maxAge = /^-?\d+$/.test(attributeValue) ? maxAgeToExpires(Number(attributeValue), now) : maxAge;
    else if (attribute === 'domain')
      domain = attributeValue === '' ? domain : attributeValue.replace(/^\./, '').toLowerCase();
    else if (attribute === 'path') path = attributeValue.startsWith('/') ? attributeValue : null;
    else if (attribute === 'secure') secure = true;
    else if (attribute === 'httponly') httpOnly = true;
    else if (attribute === 'samesite')
      sameSite = SAME_SITE[attributeValue.toLowerCase() as keyof typeof SAME_SITE] ?? null;
  }
  return { name, value, expires: maxAge ?? expires, domain, path, secure, httpOnly, sameSite };
}

/** @returns milliseconds since the epoch, at most the latest time that a `Date` can hold */
function maxAgeToExpires(seconds: number, now: number): number {
  return seconds <= 0 ? 0 : Math.min(now + seconds * 1000, 8.64e15);
}
