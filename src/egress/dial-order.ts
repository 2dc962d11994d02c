import type { Address } from './address.ts';

/** An answer may hold hundreds of addresses; a scrape is not to knock at all of them. */
const MAX_ATTEMPTS = 12;

/** The order of attempts (RFC 8305 §4): IPv6 first, then the families take turns, each in the order it came in. */
export function dialOrder(addresses: readonly Address[]): readonly Address[] {
  if (addresses.length === 1) return addresses;
  const v6 = addresses.filter((address) => address.family === 6);
  const v4 = addresses.filter((address) => address.family === 4);
  const order: Address[] = [];
  for (let i = 0; i < Math.max(v6.length, v4.length); i++) {
    if (i < v6.length) order.push(v6[i]!);
    if (i < v4.length) order.push(v4[i]!);
  }
  return order.slice(0, MAX_ATTEMPTS);
}
