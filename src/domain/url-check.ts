import { type Failure, failure } from './failure.ts';

/** Checks a URL before anything is sent to it. */
export interface UrlCheck {
  /** @returns `policy.domain` if the URL is not allowed; null if it is */
  (url: URL): Failure | null;
  /** The list that it checks against, so that another process can check the same. */
  readonly domains: readonly string[];
}

/** A check against the domains of a key (see `normaliseDomain`); null: the list is empty, so that all are allowed. */
export function urlCheckOf(domains: readonly string[]): UrlCheck | null {
  if (domains.length === 0) return null;
  return Object.assign((url: URL) => domainRefusal({ domains }, url), { domains });
}

/** `policy.domain` if the key may not scrape this URL; null if it may. An empty list of domains allows all. */
export function domainRefusal(
  { domains }: { readonly domains: readonly string[] },
  url: URL,
): Failure | null {
  if (domains.length === 0) return null;
  const host = withoutFinalDot(url.hostname);
  for (const domain of domains) {
    if (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : coversHost(domain, host)) return null;
  }
  return failure('policy.domain', `The host ${host} is not on the list of domains that this key may scrape.`);
}

function coversHost(domain: string, host: string): boolean {
  return host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === '.');
}

export function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
