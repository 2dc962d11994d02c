import { isIPv6 } from 'node:net';
import { type Failure, failure } from '../domain/failure.ts';
import type { Principal } from '../domain/principal.ts';

/**
 * An entry of a key's domain list as it is stored and compared: `example.com` (itself and its sub-domains),
 * `*.example.com` (sub-domains only), or an IP literal. Lower-case, IDNA as the URL parser does it, without a final
 * dot. null when it is none of these.
 */
export function normaliseDomain(text: string): string | null {
  const wild = text.startsWith('*.');
  const name = wild ? text.slice(2) : text;
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  if (isIPv6(bare)) return wild || bare.includes('%') ? null : new URL(`http://[${bare}]/`).hostname;
  if (bare === '' || /[\s/?#@\\:*[\]]/.test(name)) return null;
  const url = URL.parse(`http://${name}/`);
  if (url === null || url.pathname !== '/' || url.port !== '') return null;
  const host = withoutFinalDot(url.hostname);
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return null;
  const literal = /^[\d.]+$/.test(host);
  return wild && literal ? null : wild ? `*.${host}` : host;
}

/** Whether the key's list covers the host of `url`, a main document: `policy.domain` when not. Empty list: all. */
export function domainRefusal(principal: Pick<Principal, 'domains'>, url: URL): Failure | null {
  const { domains } = principal;
  if (domains.length === 0) return null;
  const host = withoutFinalDot(url.hostname);
  for (const domain of domains) {
    if (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : covers(domain, host)) return null;
  }
  return failure('policy.domain', `The host ${host} is not on the list of domains that this key may scrape.`);
}

function covers(domain: string, host: string): boolean {
  return host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === '.');
}

function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
