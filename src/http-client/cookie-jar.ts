import { getDomain, getPublicSuffix } from 'tldts';
import type { TargetCookie } from '../domain/fetch-result.ts';
import type { CookiePartition } from '../domain/storage-state.ts';
import type { CallerCookie } from '../domain/task.ts';
import { fromByteString, utf8ToByteString } from './byte-string.ts';
import { parseSetCookie, type SetCookie } from './set-cookie.ts';

/** Whether the host is the domain or below it (RFC 6265 §5.1.3). Both in lower case; an IP address only matches itself. */
export function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true;
  return host.endsWith(domain) && host[host.length - domain.length - 1] === '.' && !isAddress(host);
}

/** Whether the path of a request is the path of a cookie or below it (RFC 6265 §5.1.4). */
function pathMatches(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return path.length === cookiePath.length || cookiePath.endsWith('/') || path[cookiePath.length] === '/';
}

/** The path of a cookie without `Path` (RFC 6265 §5.1.4). @param path of the URL */
export function defaultPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** Whether anybody may register names below the domain (`co.uk`, `github.io`): a cookie must not be set for all of them. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

/** The site of a URL: scheme and registrable domain, or the host if it has none (an address, `localhost`). */
export function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${getDomain(hostname, { allowPrivateDomains: true }) ?? hostname}`;
}

/** Whether cookies of this partition (CHIPS) are sent with a top-level request for the page. */
function isPartitionOfPage({ site, crossSite }: CookiePartition, page: URL): boolean {
  return crossSite !== true && siteOf(new URL(site)) === siteOf(page);
}

/** IPv4, or IPv6 in brackets, as in `URL.hostname`. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

interface StoredCookie {
  /** Name and value are byte strings. */
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
  /** Set by the target, not by the caller. */
  fromTarget: boolean;
  /** false: a `Secure` cookie that was set over `http:`. It is reported, but never sent. */
  trusted: boolean;
  /** null: not partitioned. */
  partition: CookiePartition | null;
}

/** Further cookies are ignored; browsers keep fewer for one site. */
const MAX_COOKIES = 1_000;

/**
 * The cookies of one scrape, from the caller and from responses (RFC 6265 §5.3, §5.4). A `Secure` cookie that was set over
 * `http:` is reported, but never sent, and cannot replace one that was set over `https:`.
 */
export class CookieJar {
  /** In order of creation. */
  #cookies: StoredCookie[] = [];

  /** @param host of the first URL; it is the domain of cookies that have none */
  constructor(cookies: readonly CallerCookie[], host: string) {
    for (const cookie of cookies) {
      const domain = cookie.domain?.replace(/^\./, '').toLowerCase() || null;
      this.#cookies.push({
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

  /** Stores the cookie of a `Set-Cookie` line in a response from `url`. @param now milliseconds since the epoch */
  setCookie(line: string, url: URL, now: number): void {
    const cookie = parseSetCookie(line, now);
    if (cookie === null) return;
    const scope = cookieScope(cookie, url.hostname);
    if (scope === null || !satisfiesNamePrefix(cookie, url, scope.hostOnly)) return;
    const path = cookie.path ?? defaultPath(url.pathname);
    const isHttps = url.protocol === 'https:';
    if (!isHttps && this.#shadowsSecure(cookie.name, scope.domain, path)) return;
    const index = this.#cookies.findIndex(
      (stored) => stored.name === cookie.name && stored.domain === scope.domain && stored.path === path,
    );
    if (cookie.expires !== null && cookie.expires <= now) {
      if (index !== -1) this.#cookies.splice(index, 1);
      return;
    }
    const entry: StoredCookie = {
      ...cookie,
      ...scope,
      path,
      fromTarget: true,
      trusted: isHttps || !cookie.secure,
      partition: null,
    };
    // A cookie that is set again keeps its position, as it keeps its creation time (RFC 6265 §5.3, step 11).
    if (index !== -1) this.#cookies[index] = entry;
    else if (this.#cookies.length < MAX_COOKIES) this.#cookies.push(entry);
  }

  /**
   * The value of the `Cookie` header for a request to `url`; null: no cookie matches.
   * @param withCallerCookies false: only cookies of the target @param now milliseconds since the epoch
   */
  cookieHeader(url: URL, withCallerCookies: boolean, now: number): string | null {
    const secure = url.protocol === 'https:';
    const matching = this.#cookies.filter(
      (stored) =>
        (stored.fromTarget || withCallerCookies) &&
        (stored.secure ? secure && stored.trusted : true) &&
        (stored.expires === null || stored.expires > now) &&
        (stored.hostOnly ? url.hostname === stored.domain : domainMatches(url.hostname, stored.domain)) &&
        pathMatches(url.pathname, stored.path) &&
        (stored.partition === null || isPartitionOfPage(stored.partition, url)),
    );
    if (matching.length === 0) return null;
    // Longer paths first. The sort is stable: paths of the same length stay in the order of creation.
    matching.sort((a, b) => b.path.length - a.path.length);
    return matching
      .map((stored) => (stored.name === '' ? stored.value : `${stored.name}=${stored.value}`))
      .join('; ');
  }

  /** Whether a new cookie would hide a `Secure` one that was set over `https:` (RFC 6265bis §5.7, "leave secure cookies alone"). */
  #shadowsSecure(name: string, domain: string, path: string): boolean {
    return this.#cookies.some(
      (stored) =>
        stored.name === name &&
        stored.secure &&
        stored.trusted &&
        (domainMatches(stored.domain, domain) || domainMatches(domain, stored.domain)) &&
        pathMatches(path, stored.path),
    );
  }

  /** The cookies that the target has set and not deleted, as text. */
  targetCookies(now: number): readonly TargetCookie[] {
    const cookies: TargetCookie[] = [];
    for (const stored of this.#cookies) {
      const { fromTarget, expires, name, value, domain, hostOnly, path, secure, httpOnly, sameSite } = stored;
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
        ...(hostOnly ? {} : { subdomains: true }),
      });
    }
    return cookies;
  }
}

/** The domain of the cookie; null: the host may not set it. */
function cookieScope(cookie: SetCookie, host: string): { domain: string; hostOnly: boolean } | null {
  const { domain } = cookie;
  if (domain === null || domain === host) {
    return { domain: host, hostOnly: domain === null || isPublicSuffix(host) };
  }
  if (isPublicSuffix(domain) || !domainMatches(host, domain)) return null;
  return { domain, hostOnly: false };
}

/** Whether the cookie meets the conditions of the name prefixes `__Secure-` and `__Host-` (RFC 6265bis §4.1.3). */
function satisfiesNamePrefix(cookie: SetCookie, url: URL, hostOnly: boolean): boolean {
  const name = cookie.name.toLowerCase();
  if (!name.startsWith('__secure-') && !name.startsWith('__host-')) return true;
  if (!cookie.secure || url.protocol !== 'https:') return false;
  return name.startsWith('__secure-') || (hostOnly && cookie.path === '/');
}
