import type { CookiePartition } from '../../../../domain/browser-options.ts';
import type { TargetCookie } from '../../../../domain/fetched.ts';
import type { CallerCookie } from '../../../../domain/job.ts';
import { textOfBytes, utf8Bytes } from '../byte-string.ts';
import { defaultPath, domainMatches, isForPage, isPublicSuffix, pathMatches } from './cookie-match.ts';
import { parseSetCookie, type SetCookie } from './set-cookie.ts';

interface Entry {
  /** As byte strings, both. */
  readonly name: string;
  value: string;
  readonly domain: string;
  hostOnly: boolean;
  readonly path: string;
  secure: boolean;
  httpOnly: boolean;
  sameSite: string | null;
  /** Milliseconds since the epoch. */
  expires: number | null;
  /** Set by the target; else it is the caller's, as it was given. */
  fromTarget: boolean;
  /** Not a `Secure` one of `http:`, which browsers refuse. */
  trusted: boolean;
  /** null: for the pages of all sites. */
  partition: CookiePartition | null;
}

/** More than any browser keeps of one site; what comes beyond is dropped. */
const MOST = 1_000;

/**
 * The cookies of one scrape (RFC 6265 §5.3, §5.4), the caller's and those that its hops set. A `Secure` cookie is taken
 * from `http:` too, so that it is reported, but sent nowhere; in the place of one of `https:` nothing is taken from there.
 */
export class CookieJar {
  /** In order of creation. */
  #entries: Entry[] = [];

  /** @param host of the first URL: where cookies belong that name no domain */
  constructor(cookies: readonly CallerCookie[], host: string) {
    for (const cookie of cookies) {
      const domain = cookie.domain?.replace(/^\./, '').toLowerCase() || null;
      this.#entries.push({
        name: utf8Bytes(cookie.name),
        value: utf8Bytes(cookie.value),
        domain: domain ?? host,
        hostOnly: domain === null || cookie.hostOnly === true || isPublicSuffix(domain),
        path: cookie.path?.startsWith('/') ? cookie.path : '/',
        secure: cookie.secure,
        httpOnly: cookie.httpOnly,
        sameSite: null,
        expires: cookie.expires === null ? null : cookie.expires * 1000,
        fromTarget: false,
        trusted: true,
        partition: cookie.partition ?? null,
      });
    }
  }

  /** Takes a `Set-Cookie` line of an answer from `url`. @param now milliseconds since the epoch */
  take(line: string, url: URL, now: number): void {
    const cookie = parseSetCookie(line, now);
    if (cookie === null) return;
    const scope = scopeOf(cookie, url.hostname);
    if (scope === null || !keepsPrefix(cookie, url, scope.hostOnly)) return;
    const path = cookie.path ?? defaultPath(url.pathname);
    const safe = url.protocol === 'https:';
    if (!safe && this.#shadowsSecure(cookie.name, scope.domain, path)) return;
    const at = this.#entries.findIndex(
      (one) => one.name === cookie.name && one.domain === scope.domain && one.path === path,
    );
    if (cookie.expires !== null && cookie.expires <= now) {
      if (at !== -1) this.#entries.splice(at, 1);
      return;
    }
    const { name, value, secure, httpOnly, sameSite, expires } = cookie;
    const trusted = safe || !secure;
    const entry = {
      name,
      value,
      ...scope,
      path,
      secure,
      httpOnly,
      sameSite,
      expires,
      fromTarget: true,
      trusted,
      partition: null,
    };
    // In place: a cookie that is set anew keeps its time of creation.
    if (at !== -1) this.#entries[at] = entry;
    else if (this.#entries.length < MOST) this.#entries.push(entry);
  }

  /** The value of the `Cookie` header for a request to `url`, or null. @param callers whether the caller's may go there */
  header(url: URL, callers: boolean, now: number): string | null {
    const secure = url.protocol === 'https:';
    const fitting = this.#entries.filter(
      (one) =>
        (one.fromTarget || callers) &&
        (one.secure ? secure && one.trusted : true) &&
        (one.expires === null || one.expires > now) &&
        (one.hostOnly ? url.hostname === one.domain : domainMatches(url.hostname, one.domain)) &&
        pathMatches(url.pathname, one.path) &&
        (one.partition === null || isForPage(one.partition, url)),
    );
    if (fitting.length === 0) return null;
    // Longer paths first; the sort is stable, so that within one length the order of creation stays.
    fitting.sort((a, b) => b.path.length - a.path.length);
    return fitting.map((one) => (one.name === '' ? one.value : `${one.name}=${one.value}`)).join('; ');
  }

  /** Whether a `Secure` cookie of `https:` goes by this name there (RFC 6265bis §5.7, "leave secure cookies alone"). */
  #shadowsSecure(name: string, domain: string, path: string): boolean {
    return this.#entries.some(
      (one) =>
        one.name === name &&
        one.secure &&
        one.trusted &&
        (domainMatches(one.domain, domain) || domainMatches(domain, one.domain)) &&
        pathMatches(path, one.path),
    );
  }

  /** What the target has set and not deleted, in its last state, as text. */
  targetCookies(now: number): readonly TargetCookie[] {
    const cookies: TargetCookie[] = [];
    for (const { fromTarget, expires, name, value, domain, path, secure, httpOnly, sameSite } of this
      .#entries) {
      if (!fromTarget || (expires !== null && expires <= now)) continue;
      const until = expires === null ? null : expires / 1000;
      cookies.push({
        name: textOfBytes(name),
        value: textOfBytes(value),
        domain,
        path,
        expires: until,
        secure,
        httpOnly,
        sameSite,
      });
    }
    return cookies;
  }
}

/** Where the cookie belongs; null: the host may not set it. */
function scopeOf(cookie: SetCookie, host: string): { domain: string; hostOnly: boolean } | null {
  const { domain } = cookie;
  if (domain === null || domain === host) {
    return { domain: host, hostOnly: domain === null || isPublicSuffix(host) };
  }
  if (isPublicSuffix(domain) || !domainMatches(host, domain)) return null;
  return { domain, hostOnly: false };
}

/** The promises that a name makes: `__Secure-`, `__Host-` (RFC 6265bis §4.1.3). */
function keepsPrefix(cookie: SetCookie, url: URL, hostOnly: boolean): boolean {
  const name = cookie.name.toLowerCase();
  if (!name.startsWith('__secure-') && !name.startsWith('__host-')) return true;
  if (!cookie.secure || url.protocol !== 'https:') return false;
  return name.startsWith('__secure-') || (hostOnly && cookie.path === '/');
}
