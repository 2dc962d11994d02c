import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { CommandError, WRONG_USAGE } from '../core/command.ts';

/** Whether the cookies of a host are wanted. @param host as a browser stores it: a leading dot includes the subdomains */
export type HostFilter = (host: string) => boolean;

/**
 * Takes the cookies of these domains, of their subdomains, and those of parents that pages of the domains get, too.
 * @param domains such as `example.com`; not empty
 * @throws CommandError if one is none, or is one under which anybody can register names (`com`, `co.uk`)
 */
export function filterOfDomains(domains: readonly string[]): HostFilter {
  const wanted = domains.map(domainOf);
  return (host) => {
    const name = host.replace(/^\./, '').toLowerCase();
    return wanted.some(
      (domain) =>
        name === domain || name.endsWith(`.${domain}`) || (host.startsWith('.') && domain.endsWith(host)),
    );
  };
}

function domainOf(text: string): string {
  const domain = domainToASCII(text.trim().replace(/^\.|\.$/g, ''));
  if (domain === '' || /[^a-z0-9._-]/.test(domain))
    throw new CommandError(`--domain must be a domain such as example.com, got "${text}"`, WRONG_USAGE);
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  if (publicSuffix === domain && (isIcann === true || isPrivate === true))
    throw new CommandError(
      `--domain ${text}: anybody can register names below it; name the site, such as example.${domain}`,
      WRONG_USAGE,
    );
  return domain;
}
