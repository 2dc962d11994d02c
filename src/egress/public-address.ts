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
const THIS_NETWORK = parseCidr('0.0.0.0/8')!;
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
 * The IPv4 addresses that a gateway may make of an IPv6 one: NAT64 (RFC 6052 with /96, RFC 8215), 6to4 (RFC 3056 §2),
 * v4-compatible (RFC 4291 §2.5.5.1); none when it holds none. More than one: which it is depends on the gateway.
 */
export function embeddedV4(address: Address): readonly Address[] {
  if (address.family === 4) return [];
  const [a, b, c, d] = address.words;
  if (a === 0x0064ff9b && b >>> 16 === 1) return localNat64(address);
  const nat64 = a === 0x0064ff9b && b === 0 && c === 0;
  const compatible = a === 0 && b === 0 && c === 0 && d >>> 0 > 0xffff;
  if (nat64 || compatible) return [v4(d)];
  return a >>> 16 === 0x2002 ? [v4((a << 16) | (b >>> 16))] : [];
}

/**
 * Within 64:ff9b:1::/48 (RFC 8215) the operator chooses the length of the prefix, and with it where the address stands
 * (RFC 6052 §2.2: /48, /56, /64, /96; bits 64 to 71 are not part of it). Places that hold one of 0.0.0.0/8 are left out, as
 * the rest of an address in another place does: nothing can be reached there.
 */
function localNat64({ words: [, b, c, d] }: Address): readonly Address[] {
  const last = v4(d);
  const places = [
    v4((b << 16) | ((c >>> 8) & 0xffff)),
    v4((b << 24) | (c & 0xffffff)),
    v4((c << 8) | (d >>> 24)),
    last,
  ].filter((place) => !contains(THIS_NETWORK, place));
  return places.length === 0 ? [last] : places;
}

function v4(bits: number): Address {
  return addressOf(0, 0, MAPPED, bits);
}
