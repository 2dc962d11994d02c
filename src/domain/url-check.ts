import { type Failure, failure } from './failure.ts';
import { isTestHost, TEST_DOMAIN } from './test-hosts.ts';

/** Checks a URL before anything is sent to it. */
export interface UrlCheck {
  /** @returns a failure if the URL is not allowed; null if it is */
  (url: URL): Failure | null;
  /** The list that it checks against, so that another process can check the same. */
  readonly domains: readonly string[];
}

/** A check against the domains of a key (see `normaliseDomain`); null: the list is empty, so that all are allowed. */
export function urlCheckOf(domains: readonly string[]): UrlCheck | null {
  if (domains.length === 0) return null;
  return Object.assign((url: URL) => domainRefusal({ domains }, url), { domains });
}

/** The domains of test keys. */
export const TEST_KEY_DOMAINS: readonly string[] = [TEST_DOMAIN];

const isOfTestKey = (domains: readonly string[]): boolean =>
  domains.length === 1 && domains[0] === TEST_DOMAIN;

/** The check for a scrape that must not leave the test hosts. */
export const ONLY_TEST_HOSTS: UrlCheck = Object.assign((url: URL) => domainRefusal(ONLY_TEST_HOSTS, url), {
  domains: TEST_KEY_DOMAINS,
});

/** Whether a check is that of `ONLY_TEST_HOSTS`, also if another process has made it. */
export const staysOnTestHosts = (check: UrlCheck | null): boolean =>
  check !== null && isOfTestKey(check.domains);

/**
 * `policy.domain` or, for a test key, `test.host` if the key may not scrape this URL; null if it may. An empty list of domains
 * allows all; every key may scrape test hosts.
 */
export function domainRefusal(
  { domains }: { readonly domains: readonly string[] },
  url: URL,
): Failure | null {
  if (domains.length === 0 || isTestHost(url.hostname)) return null;
  const host = withoutFinalDot(url.hostname);
  if (isOfTestKey(domains))
    return failure(
      'test.host',
      `Only test hosts (*.${TEST_DOMAIN}) may be reached with a test key, and from pages of test hosts.`,
      {
        pointer: '/url',
      },
    );
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
