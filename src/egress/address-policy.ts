import type { Clock } from '../base/clock.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Address } from './address.ts';
import { type Cidr, parseCidr } from './cidr.ts';
import { type OwnListeners, ownListeners } from './own-listeners.ts';
import { embeddedV4, inAny, isMetadata, isPublic, isUnspecified } from './public-address.ts';

/** The one answer to every refusal: nobody can learn from it what lies where. */
export const REFUSED: Failure = Object.freeze(
  failure('policy.address', 'The target address is not allowed: only public addresses may be reached.'),
);

export interface AddressPolicy {
  /** Whether a scrape may open a TCP connection to this address and port. */
  permits(address: Address, port: number): boolean;
  readonly own: OwnListeners;
}

/**
 * @param allow CIDRs outside public space that are open; a bad one throws
 *
 * Never open: own listeners, 0.0.0.0 and ::. A metadata address is open only if `allow` names exactly it. An allowed
 * IPv6 address that leads to an IPv4 address (NAT64, 6to4) needs that one to be open, too.
 */
export function addressPolicy(allow: readonly string[], clock: Clock): AddressPolicy {
  const allowed: Cidr[] = [];
  const named = new Set<string>();
  for (const text of allow) {
    const cidr = parseCidr(text);
    if (cidr === null) throw new RangeError(`not an address or CIDR: ${JSON.stringify(text)}`);
    allowed.push(cidr);
    if (cidr.single !== null) named.add(cidr.single.text);
  }
  const own = ownListeners(clock);

  const permits = (address: Address, port: number): boolean => {
    if (own.covers(address, port) || isUnspecified(address)) return false;
    if (isMetadata(address)) return named.has(address.text);
    if (isPublic(address)) return true;
    if (!inAny(allowed, address)) return false;
    return embeddedV4(address).every((inner) => permits(inner, port));
  };
  return { permits, own };
}
