import { getDomain, getPublicSuffix } from 'tldts';
import type { CookiePartition } from '../../../../domain/browser-options.ts';

/** Whether the host lies within the domain (RFC 6265 §5.1.3). Both lower-case; addresses lie within nothing. */
export function domainMatches(host: string, domain: string): boolean {
  if (host === domain) return true;
  return host.endsWith(domain) && host.charCodeAt(host.length - domain.length - 1) === 46 && !isAddress(host);
}

/** Whether the path of a request lies within that of a cookie (RFC 6265 §5.1.4). */
export function pathMatches(path: string, cookiePath: string): boolean {
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
export function isForPage({ site, crossSite }: CookiePartition, page: URL): boolean {
  return crossSite !== true && siteOf(new URL(site)) === siteOf(page);
}

/** IPv4, or IPv6 in brackets, as in `URL.hostname`. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
