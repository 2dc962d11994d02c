/** A name as key: lower-case, without the dot of the root. */
export function canonicalName(host: string): string {
  const name = host.charCodeAt(host.length - 1) === 0x2e ? host.slice(0, -1) : host;
  return name.toLowerCase();
}

/** RFC 6761 §6.3: never asked of a name server. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Whether DNS can hold the name: at most 253 characters in labels of 1 to 63 (RFC 1035 §2.3.4). A URL may hold others.
 * Any printable ASCII is a label (RFC 2181 §11; underscores are common) but the backslash, which the resolver library
 * reads as an escape. `.invalid` is never there (RFC 6761 §6.4).
 */
export function isDnsName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  let label = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 0x2e) {
      if (label === 0) return false;
      label = 0;
    } else {
      if (code <= 0x20 || code >= 0x7f || code === 0x5c || ++label > 63) return false;
    }
  }
  return label > 0 && name !== 'invalid' && !name.endsWith('.invalid');
}
