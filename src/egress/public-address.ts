import { type Address, addressOf, MAPPED, parseAddress } from './address.ts';
import { type Cidr, contains, parseCidr } from './cidr.ts';
import { CLOSED, METADATA, OPEN_V6 } from './special-addresses.ts';

const ranges = (texts: readonly string[]): readonly Cidr[] =>
  texts.map((text) => {
    const cidr = parseCidr(text);
    if (cidr === null) throw new Error(`not a CIDR: ${text}`);
    return cidr;
  });

const closed = ranges(CLOSED.map(([cidr]) => cidr));
const closedV4 = closed.filter((cidr) => cidr.family === 4);
const closedV6 = closed.filter((cidr) => cidr.family === 6);
const openV6 = ranges(OPEN_V6);
const metadata = new Set(METADATA.map(([text]) => parseAddress(text)!.text));
const LOOPBACK_V4 = parseCidr('127.0.0.0/8')!;

export function inAny(list: readonly Cidr[], address: Address): boolean {
  for (let i = 0; i < list.length; i++) if (contains(list[i]!, address)) return true;
  return false;
}

/** Public unicast, by the table of special addresses. Metadata addresses are not looked at here. */
export function isPublic(address: Address): boolean {
  if (address.family === 4) return !inAny(closedV4, address);
  return inAny(openV6, address) && !inAny(closedV6, address);
}

export function isMetadata(address: Address): boolean {
  return metadata.has(address.text);
}

/** 127.0.0.0/8 or ::1. */
export function isLoopback(address: Address): boolean {
  if (address.family === 4) return contains(LOOPBACK_V4, address);
  const [a, b, c, d] = address.words;
  return a === 0 && b === 0 && c === 0 && d === 1;
}

/** 0.0.0.0 or ::, which systems take for the host itself. */
export function isUnspecified(address: Address): boolean {
  const [a, b, c, d] = address.words;
  return d === 0 && a === 0 && b === 0 && (c === 0 || c === MAPPED);
}

/**
 * The IPv4 address that a gateway would make of an IPv6 one: NAT64 (RFC 6052 with /96, RFC 8215), 6to4 (RFC 3056 §2),
 * v4-compatible (RFC 4291 §2.5.5.1); null when it holds none.
 */
export function embeddedV4(address: Address): Address | null {
  if (address.family === 4) return null;
  const [a, b, c, d] = address.words;
  const nat64 = a === 0x0064ff9b && ((b === 0 && c === 0) || b >>> 16 === 1);
  const compatible = a === 0 && b === 0 && c === 0 && d >>> 0 > 0xffff;
  if (nat64 || compatible) return addressOf(0, 0, MAPPED, d);
  return a >>> 16 === 0x2002 ? addressOf(0, 0, MAPPED, (a << 16) | (b >>> 16)) : null;
}
