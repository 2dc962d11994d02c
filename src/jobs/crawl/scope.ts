import { getDomain } from 'tldts';
import type { CrawlScope } from '../../domain/crawl.ts';

/** The host as scopes compare it: without `www.`, with the port if it is not the usual one. The scheme does not matter. */
const siteOf = ({ host }: URL): string => (host.startsWith('www.') ? host.slice(4) : host);

/**
 * The registrable domain, by the public suffix list with its private part: two sites of `github.io` are two domains. Addresses
 * and names without one are themselves.
 */
const domainOf = ({ hostname }: URL): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;

/** The path of a start URL as a folder: `/docs` and `/docs/` are `/docs/`, `/docs/index.html` is `/docs/`. */
function folderOf({ pathname }: URL): string {
  if (pathname.endsWith('/')) return pathname;
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  return name.includes('.') ? pathname.slice(0, -name.length) : `${pathname}/`;
}

/** Whether the folder of a URL is not the whole site, and both URLs are on one site: then a scope of paths can follow. */
export const canFollow = (from: URL, to: URL): boolean => siteOf(from) === siteOf(to) && folderOf(to) !== '/';

/** Whether a URL is in the scope of a crawl with these start URLs. */
export function scopeTest(scope: CrawlScope, startUrls: readonly URL[]): (url: URL) => boolean {
  switch (scope) {
    case 'any':
      return () => true;
    case 'domain': {
      const domains = new Set(startUrls.map(domainOf));
      return (url) => domains.has(domainOf(url));
    }
    case 'host': {
      const sites = new Set(startUrls.map(siteOf));
      return (url) => sites.has(siteOf(url));
    }
    case 'path': {
      const folders = startUrls.map((url) => ({ site: siteOf(url), folder: folderOf(url) }));
      return (url) => {
        const site = siteOf(url);
        const path = `${url.pathname}/`;
        return folders.some((start) => start.site === site && path.startsWith(start.folder));
      };
    }
  }
}

/** Whether a URL is on the site of a start URL, so that it may get the caller's credentials. */
export function sameSiteTest(startUrls: readonly URL[]): (url: URL) => boolean {
  return scopeTest('host', startUrls);
}
