import { trimBlanks } from '../../../../base/trim-blanks.ts';
import { parseCookieDate } from './cookie-date.ts';

/** A `Set-Cookie` line, before it is judged against the URL that sent it. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Milliseconds since the epoch; null: a session cookie. In the past: to be deleted. */
  readonly expires: number | null;
  /** Lower-case, without a leading dot; null: host-only. */
  readonly domain: string | null;
  /** null: the default path of the URL. */
  readonly path: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null;
}

const MOST_PAIR = 4_096;
const MOST_ATTRIBUTE = 1_024;
// RFC 6265bis §5.6: such a cookie is refused whole.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/;
const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/**
 * Reads one `Set-Cookie` value (RFC 6265 §5.2, limits of 6265bis). null: no cookie, as the pair has no name.
 * @param now milliseconds since the epoch, for Max-Age
 */
export function parseSetCookie(line: string, now: number): SetCookie | null {
  if (CONTROLS.test(line)) return null;
  const parts = line.split(';');
  const pair = parts[0]!;
  const equals = pair.indexOf('=');
  if (equals === -1) return null;
  const name = trimBlanks(pair.slice(0, equals));
  const value = trimBlanks(pair.slice(equals + 1));
  if (name === '' || name.length + value.length > MOST_PAIR) return null;

  let expires: number | null = null;
  let maxAge: number | null = null;
  let domain: string | null = null;
  let path: string | null = null;
  let secure = false;
  let httpOnly = false;
  let sameSite: SetCookie['sameSite'] = null;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const at = part.indexOf('=');
    const key = trimBlanks(at === -1 ? part : part.slice(0, at)).toLowerCase();
    const given = at === -1 ? '' : trimBlanks(part.slice(at + 1));
    if (given.length > MOST_ATTRIBUTE) continue;
    if (key === 'expires') expires = parseCookieDate(given) ?? expires;
    else if (key === 'max-age') maxAge = /^-?\d+$/.test(given) ? expiry(Number(given), now) : maxAge;
    else if (key === 'domain') domain = given === '' ? domain : given.replace(/^\./, '').toLowerCase();
    else if (key === 'path') path = given.startsWith('/') ? given : null;
    else if (key === 'secure') secure = true;
    else if (key === 'httponly') httpOnly = true;
    else if (key === 'samesite') sameSite = SAME_SITE[given.toLowerCase() as keyof typeof SAME_SITE] ?? null;
  }
  return { name, value, expires: maxAge ?? expires, domain, path, secure, httpOnly, sameSite };
}

/** The latest instant a Date can hold bounds what a Max-Age may ask for. */
function expiry(seconds: number, now: number): number {
  return seconds <= 0 ? 0 : Math.min(now + seconds * 1000, 8.64e15);
}
