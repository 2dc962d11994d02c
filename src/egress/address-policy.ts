import { networkInterfaces } from 'node:os';
import type { Clock } from '../base/time.ts';
import { type Failure, failure } from '../domain/failure.ts';
import {
  type Address,
  addressFromWords,
  type Cidr,
  cidrContains,
  parseAddress,
  parseCidr,
  sameAddress,
  V4_MAPPED_WORD,
} from './address.ts';
import { METADATA_ADDRESSES, NON_PUBLIC, PUBLIC_V6 } from './special-addresses.ts';

const parseCidrs = (texts: readonly string[]): readonly Cidr[] =>
  texts.map((text) => {
    const cidr = parseCidr(text);
    if (cidr === null) throw new Error(`not a CIDR: ${text}`);
    return cidr;
  });

const nonPublic = parseCidrs(NON_PUBLIC.map(([cidr]) => cidr));
const nonPublicV4 = nonPublic.filter((cidr) => cidr.family === 4);
const nonPublicV6 = nonPublic.filter((cidr) => cidr.family === 6);
const publicV6 = parseCidrs(PUBLIC_V6);
const metadata = new Set(METADATA_ADDRESSES.map(([text]) => parseAddress(text)!.text));
const THIS_NETWORK = parseCidr('0.0.0.0/8')!;
const LOOPBACK_V4 = parseCidr('127.0.0.0/8')!;

function inAnyCidr(list: readonly Cidr[], address: Address): boolean {
  for (let i = 0; i < list.length; i++) if (cidrContains(list[i]!, address)) return true;
  return false;
}

/** Whether the address is public unicast. Does not look for metadata addresses. */
function isPublic(address: Address): boolean {
  if (address.family === 4) return !inAnyCidr(nonPublicV4, address);
  return inAnyCidr(publicV6, address) && !inAnyCidr(nonPublicV6, address);
}

function isMetadata(address: Address): boolean {
  return metadata.has(address.text);
}

/** 127.0.0.0/8 or ::1. */
function isLoopback(address: Address): boolean {
  if (address.family === 4) return cidrContains(LOOPBACK_V4, address);
  const [a, b, c, d] = address.words;
  return a === 0 && b === 0 && c === 0 && d === 1;
}

/** 0.0.0.0 or ::, which connect to the host itself on many systems. */
function isUnspecified(address: Address): boolean {
  const [a, b, c, d] = address.words;
  return d === 0 && a === 0 && b === 0 && (c === 0 || c === V4_MAPPED_WORD);
}

/**
 * The IPv4 addresses to which a translator may map an IPv6 address: NAT64 (RFC 6052 with /96, RFC 8215), 6to4 (RFC 3056
 * §2), v4-compatible (RFC 4291 §2.5.5.1). Empty: it embeds none. If there are several, it depends on the translator
 * which of them it uses.
 */
function embeddedV4(address: Address): readonly Address[] {
  if (address.family === 4) return [];
  const [a, b, c, d] = address.words;
  if (a === 0x0064ff9b && b >>> 16 === 1) return localNat64(address);
  const nat64 = a === 0x0064ff9b && b === 0 && c === 0;
  const compatible = a === 0 && b === 0 && c === 0 && d >>> 0 > 0xffff;
  if (nat64 || compatible) return [v4(d)];
  return a >>> 16 === 0x2002 ? [v4((a << 16) | (b >>> 16))] : [];
}

/**
 * Within 64:ff9b:1::/48 (RFC 8215) the network operator chooses the length of the prefix, and so the position of the IPv4
 * address (RFC 6052 §2.2: /48, /56, /64, /96; bits 64 to 71 are not part of it). All positions are candidates.
 * Those with an address of 0.0.0.0/8 are left out: nothing can be reached there, and the unused bits are often zeros.
 */
function localNat64({ words: [, b, c, d] }: Address): readonly Address[] {
  const last = v4(d);
  const candidates = [
    v4((b << 16) | ((c >>> 8) & 0xffff)),
    v4((b << 24) | (c & 0xffffff)),
    v4((c << 8) | (d >>> 24)),
    last,
  ].filter((candidate) => !cidrContains(THIS_NETWORK, candidate));
  return candidates.length === 0 ? [last] : candidates;
}

function v4(bits: number): Address {
  return addressFromWords(0, 0, V4_MAPPED_WORD, bits);
}

/** The addresses and ports that this process listens on. No scrape may connect to them. */
export interface OwnListeners {
  /**
   * @param address from `server.address()`
   * @param options `exact`: covers only this address, not all of loopback: the system chose the port, so another process may listen on
   *   the same port of another loopback address
   * @returns removes the listener
   */
  add(address: string, port: number, options?: { readonly exact?: boolean }): () => void;
  covers(address: Address, port: number): boolean;
}

/** How long the addresses of the network interfaces are cached; reading them takes about 0.1 ms. */
const INTERFACES_TTL_MS = 1000;

/**
 * A listener on an address covers that address. On a loopback address it covers all of loopback, unless it is exact. On
 * 0.0.0.0, on :: or on something that is not an address it covers every address of this host.
 */
function createOwnListeners(clock: Clock): OwnListeners {
  const byPort = new Map<number, ((address: Address) => boolean)[]>();
  let hostAddresses: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;

  const isThisHost = (address: Address): boolean => {
    if (isLoopback(address) || isUnspecified(address)) return true;
    const now = clock.monotonic();
    if (now - readAt >= INTERFACES_TTL_MS) {
      hostAddresses = interfaceAddresses();
      readAt = now;
    }
    return hostAddresses.has(address.text);
  };

  return {
    add(address, port, { exact = false } = {}) {
      const listening = parseAddress(address);
      const isCovered =
        listening === null || isUnspecified(listening)
          ? isThisHost
          : (target: Address) =>
              sameAddress(listening, target) || (!exact && isLoopback(listening) && isLoopback(target));
      byPort.set(port, [...(byPort.get(port) ?? []), isCovered]);
      return () => {
        const list = byPort.get(port) ?? [];
        const index = list.indexOf(isCovered);
        if (index === -1) return;
        if (list.length === 1) byPort.delete(port);
        else byPort.set(port, list.toSpliced(index, 1));
      };
    },
    covers(address, port) {
      return byPort.get(port)?.some((isCovered) => isCovered(address)) ?? false;
    },
  };
}

function interfaceAddresses(): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const list of Object.values(networkInterfaces())) {
    for (const { address } of list ?? []) {
      const parsed = parseAddress(address);
      if (parsed !== null) texts.add(parsed.text);
    }
  }
  return texts;
}

/** One failure for all refused addresses, so that its text tells callers nothing about the internal network. */
export const ADDRESS_REFUSED: Failure = Object.freeze(
  failure('policy.address', 'The target address is not allowed: only public addresses may be reached.'),
);

export interface AddressPolicy {
  /** Whether a scrape may open a TCP connection to this address and port. */
  permits(address: Address, port: number): boolean;
  readonly ownListeners: OwnListeners;
}

/**
 * Permits public addresses and those in `allow`. Never permitted: own listeners, 0.0.0.0 and ::. A metadata address is
 * permitted only if `allow` names exactly this address. An IPv6 address in `allow` that embeds an IPv4 address (NAT64,
 * 6to4) is permitted only if that one is permitted, too.
 * @param allow CIDRs outside public space. Throws a RangeError for an invalid one.
 * @param ownListeners those of another policy, to share them
 */
export function createAddressPolicy(
  allow: readonly string[],
  clock: Clock,
  ownListeners: OwnListeners = createOwnListeners(clock),
): AddressPolicy {
  const allowed: Cidr[] = [];
  const singleAddresses = new Set<string>();
  for (const text of allow) {
    const cidr = parseCidr(text);
    if (cidr === null) throw new RangeError(`not an address or CIDR: ${JSON.stringify(text)}`);
    allowed.push(cidr);
    if (cidr.single !== null) singleAddresses.add(cidr.single.text);
  }

  const permits = (address: Address, port: number): boolean => {
    if (ownListeners.covers(address, port) || isUnspecified(address)) return false;
    if (isMetadata(address)) return singleAddresses.has(address.text);
    if (isPublic(address)) return true;
    if (!inAnyCidr(allowed, address)) return false;
    return embeddedV4(address).every((inner) => permits(inner, port));
  };
  return { permits, ownListeners };
}
