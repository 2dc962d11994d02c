import { isIPv4, isIPv6 } from 'node:net';

/** A range of addresses of one family. `bytes` (4 or 16) is the first address, `bits` the length of the prefix. */
export interface IpRange {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/**
 * The bytes of an address in network order: 4 for IPv4, 16 for IPv6, and 4 for an IPv4-mapped IPv6 address
 * (RFC 4291 §2.5.5.2), as a dual-stack socket reports IPv4 callers. A zone is left out. null: not an address.
 */
export function addressBytes(text: string): Uint8Array | null {
  if (isIPv4(text)) return bytes4(text);
  if (!isIPv6(text)) return null;
  const zone = text.indexOf('%');
  const bytes = bytes16(zone === -1 ? text : text.slice(0, zone));
  return isMapped(bytes) ? bytes.subarray(12) : bytes;
}

/**
 * Parses `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`; bits beyond the prefix are ignored. null: neither an address nor a
 * CIDR range (RFC 4632 §3.1, RFC 4291 §2.3).
 */
export function parseIpRange(text: string): IpRange | null {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  if (address.includes('%')) return null;
  const full = isIPv4(address) ? bytes4(address) : isIPv6(address) ? bytes16(address) : null;
  if (full === null) return null;
  const width = full.length * 8;
  let bits = width;
  if (slash !== -1) {
    const length = text.slice(slash + 1);
    if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null;
    bits = Number(length);
    if (bits > width) return null;
  }
  // `addressBytes` makes ::ffff:a.b.c.d an IPv4 address, so a range of such addresses is an IPv4 range, too.
  return full.length === 16 && bits >= 96 && isMapped(full)
    ? { bytes: full.subarray(12), bits: bits - 96 }
    : { bytes: full, bits };
}

/** @param address from `addressBytes`; false when it is of the other family */
export function inIpRange(range: IpRange, address: Uint8Array): boolean {
  const { bytes, bits } = range;
  if (bytes.length !== address.length) return false;
  const wholeBytes = bits >> 3;
  for (let i = 0; i < wholeBytes; i++) if (bytes[i] !== address[i]) return false;
  const restBits = bits & 7;
  return restBits === 0 || (bytes[wholeBytes]! ^ address[wholeBytes]!) >> (8 - restBits) === 0;
}

function bytes4(text: string): Uint8Array {
  return Uint8Array.from(text.split('.'), Number);
}

/** @param text accepted by `isIPv6`, without zone */
function bytes16(text: string): Uint8Array {
  const bytes = new Uint8Array(16);
  const gap = text.indexOf('::');
  const head = groups(gap === -1 ? text : text.slice(0, gap));
  const tail = gap === -1 ? [] : groups(text.slice(gap + 2));
  bytes.set(head, 0);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function isMapped(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}
