import { getDomain, getPublicSuffix } from 'tldts';
import type { TargetCookie } from '../domain/fetch-result.ts';
import type { CallerCookie } from '../domain/job.ts';
import type { CookiePartition } from '../domain/storage-state.ts';
import { fromByteString, utf8ToByteString } from './byte-string.ts';
import { parseSetCookie, type SetCookie } from './set-cookie.ts';

/** Whether the host lies within the domain (RFC 6265 §5.1.3). Both lower-case; addresses lie within nothing. */
export function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true;
  return host.endsWith(domain) && host.charCodeAt(host.length - domain.length - 1) === 46 && !isAddress(host);
}

/** Whether the path of a request lies within that of a cookie (RFC 6265 §5.1.4). */
function pathMatches(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return path.length === cookiePath.length || cookiePath.endsWith('/') || path[cookiePath.length] === '/';
}

/** The path of a cookie that names none (RFC 6265 §5.1.4). */
export function defaultPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** Whether anybody may register names below it (`co.uk`, `github.io`): no cookie may be set for all of them. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

/** Scheme and registrable domain; of what has none (an address, `localhost`) the host. */
export function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${getDomain(hostname, { allowPrivateDomains: true }) ?? hostname}`;
}

/** Whether a cookie of this partition belongs to the page itself at that URL. */
function isPartitionOfPage({ site, crossSite }: CookiePartition, page: URL): boolean {
  return crossSite !== true && siteOf(new URL(site)) === siteOf(page);
}

/** IPv4, or IPv6 in brackets, as in `URL.hostname`. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

interface StoredCookie {
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
const MAX_COOKIES = 1_000;

/**
 * The cookies of one scrape (RFC 6265 §5.3, §5.4), the caller's and those that its hops set. A `Secure` cookie is taken
 * from `http:` too, so that it is reported, but sent nowhere; in the place of one of `https:` nothing is taken from there.
 */
export class CookieJar {
  /** In order of creation. */
  #entries: StoredCookie[] = [];

  /** @param host of the first URL: where cookies belong that name no domain */
  constructor(cookies: readonly CallerCookie[], host: string) {
    for (const cookie of cookies) {
      const domain = cookie.domain?.replace(/^\./, '').toLowerCase() || null;
      this.#entries.push({
        name: utf8ToByteString(cookie.name),
        value: utf8ToByteString(cookie.value),
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
  setCookie(line: string, url: URL, now: number): void {
    const cookie = parseSetCookie(line, now);
    if (cookie === null) return;
    const scope = cookieScope(cookie, url.hostname);
    if (scope === null || !satisfiesNamePrefix(cookie, url, scope.hostOnly)) return;
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
    else if (this.#entries.length < MAX_COOKIES) this.#entries.push(entry);
  }

  /** The value of the `Cookie` header for a request to `url`, or null. @param callers whether the caller's may go there */
  cookieHeader(url: URL, callers: boolean, now: number): string | null {
    const secure = url.protocol === 'https:';
    const fitting = this.#entries.filter(
      (one) =>
        (one.fromTarget || callers) &&
        (one.secure ? secure && one.trusted : true) &&
        (one.expires === null || one.expires > now) &&
        (one.hostOnly ? url.hostname === one.domain : domainMatches(url.hostname, one.domain)) &&
        pathMatches(url.pathname, one.path) &&
        (one.partition === null || isPartitionOfPage(one.partition, url)),
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
        name: fromByteString(name),
        value: fromByteString(value),
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
function cookieScope(cookie: SetCookie, host: string): { domain: string; hostOnly: boolean } | null {
  const { domain } = cookie;
  if (domain === null || domain === host) {
    return { domain: host, hostOnly: domain === null || isPublicSuffix(host) };
  }
  if (isPublicSuffix(domain) || !domainMatches(host, domain)) return null;
  return { domain, hostOnly: false };
}

/** The promises that a name makes: `__Secure-`, `__Host-` (RFC 6265bis §4.1.3). */
function satisfiesNamePrefix(cookie: SetCookie, url: URL, hostOnly: boolean): boolean {
  const name = cookie.name.toLowerCase();
  if (!name.startsWith('__secure-') && !name.startsWith('__host-')) return true;
  if (!cookie.secure || url.protocol !== 'https:') return false;
  return name.startsWith('__secure-') || (hostOnly && cookie.path === '/');
}
