import { getDomain } from 'tldts';

/** The site of a host: its registrable domain by the public suffix list, private part included; the host itself if it has none. */
export const siteOfHost = (host: string): string =>
  getDomain(host, { allowPrivateDomains: true }) ?? host.replace(/\.$/, '');

/**
 * The site that a caller names by any of its hosts; null: it is no host name, or one below which anybody may register, such as `co.uk`.
 */
export function parseSite(text: string): string | null {
  if (/[/?#@\\\s]/.test(text)) return null;
  const host = URL.parse(`http://${text.replace(/^\./, '')}/`)?.hostname ?? '';
  if (host === '') return null;
  const domain = getDomain(host, { allowPrivateDomains: true });
  // Addresses and names without a dot, such as `localhost`, have no registrable domain, and are sites of their own.
  const isAlone = !host.includes('.') || /^\[|^\d+\.\d+\.\d+\.\d+$/.test(host);
  return domain ?? (isAlone ? host : null);
}

/** Whether a host belongs to one of the sites. @param host as in `URL.hostname` */
export const isOfSites = (host: string, sites: readonly string[]): boolean =>
  sites.includes(siteOfHost(host));
