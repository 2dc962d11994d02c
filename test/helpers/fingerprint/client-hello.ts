import { createHash } from 'node:crypto';

/** The fields of a TLS ClientHello (RFC 8446 §4.1.2), with the numbers of the wire. */
export interface ClientHello {
  readonly version: number;
  readonly ciphers: readonly number[];
  /** In the order of arrival. */
  readonly extensions: readonly number[];
  readonly groups: readonly number[];
  readonly pointFormats: readonly number[];
  readonly signatures: readonly number[];
  readonly alpn: readonly string[];
  /** From `supported_versions`; empty without it. */
  readonly versions: readonly number[];
  /** Groups of `key_share`. */
  readonly shares: readonly number[];
}

/** Whether a value is GREASE (RFC 8701): sent so that servers go on ignoring unknown values. */
export function isGrease(value: number): boolean {
  return (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
}

/** Reads bytes that may end anywhere. Beyond the end it returns zeros or fewer bytes, and sets `isTruncated`. */
class Reader {
  #offset = 0;
  isTruncated = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  number(length: 1 | 2 | 3): number {
    const piece = this.take(length);
    return piece.length < length ? 0 : piece.readUIntBE(0, length);
  }

  take(length: number): Buffer {
    if (this.remaining < length) this.isTruncated = true;
    const piece = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += piece.length;
    return piece;
  }

  /** A vector after its length (RFC 8446 §3.4). @param width bytes of the length */
  vector(width: 1 | 2): Reader {
    return new Reader(this.take(this.number(width)));
  }

  numbers(width: 1 | 2): number[] {
    const list: number[] = [];
    while (this.remaining >= width) list.push(this.number(width));
    return list;
  }
}

/** Parses the first bytes of a connection; null: they are not a whole ClientHello. */
export function parseClientHello(bytes: Buffer): ClientHello | null {
  const message = handshakeOf(bytes);
  if (message === null || message[0] !== 1) return null;
  const reader = new Reader(message);
  reader.take(1);
  const body = new Reader(reader.take(reader.number(3)));
  const version = body.number(2);
  body.take(32);
  body.vector(1);
  const ciphers = body.vector(2).numbers(2);
  body.vector(1);
  const found = new Map<number, Reader>();
  const extensions: number[] = [];
  const list = body.vector(2);
  while (list.remaining >= 4) {
    const type = list.number(2);
    extensions.push(type);
    found.set(type, list.vector(2));
  }
  if (reader.isTruncated || body.isTruncated || list.isTruncated) return null;
  const alpn: string[] = [];
  const names = found.get(16)?.vector(2);
  while (names !== undefined && names.remaining > 0) {
    alpn.push(names.take(names.number(1)).toString('latin1'));
  }
  const shares: number[] = [];
  const keys = found.get(51)?.vector(2);
  while (keys !== undefined && keys.remaining >= 4) {
    shares.push(keys.number(2));
    keys.vector(2);
  }
  return {
    version,
    ciphers,
    extensions,
    groups: found.get(10)?.vector(2).numbers(2) ?? [],
    pointFormats: found.get(11)?.vector(1).numbers(1) ?? [],
    signatures: found.get(13)?.vector(2).numbers(2) ?? [],
    alpn,
    versions: found.get(43)?.vector(1).numbers(2) ?? [],
    shares,
  };
}

/** Joins a handshake message from its records (RFC 8446 §5.1); null: it is not complete. */
function handshakeOf(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let length = 0;
  for (let offset = 0; offset + 5 <= bytes.length; ) {
    if (bytes[offset] !== 22) return null;
    const size = bytes.readUInt16BE(offset + 3);
    const part = bytes.subarray(offset + 5, offset + 5 + size);
    parts.push(part);
    length += part.length;
    offset += 5 + size;
    if (length < 4) continue;
    const whole = Buffer.concat(parts);
    if (whole.length >= 4 + whole.readUIntBE(1, 3)) return whole;
  }
  return null;
}

const hex = (value: number): string => value.toString(16).padStart(4, '0');
const withoutGrease = (values: readonly number[]): number[] => values.filter((value) => !isGrease(value));
const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
const VERSIONS: Readonly<Record<number, string>> = { 772: '13', 771: '12', 770: '11', 769: '10' };

/** JA4 as FoxIO defines it, for TLS over TCP. */
export function ja4(hello: ClientHello): string {
  const extensions = withoutGrease(hello.extensions);
  const best = Math.max(hello.version, ...withoutGrease(hello.versions));
  const protocol = hello.alpn[0] ?? '';
  const ends = protocol === '' ? '00' : `${protocol[0]}${protocol.at(-1)}`;
  const count = (list: readonly unknown[]) => String(Math.min(99, list.length)).padStart(2, '0');
  const ciphers = withoutGrease(hello.ciphers);
  const name = extensions.includes(0) ? 'd' : 'i';
  const head = `t${VERSIONS[best] ?? '00'}${name}${count(ciphers)}${count(extensions)}${ends}`;
  const rest = extensions.filter((type) => type !== 0 && type !== 16).map(hex);
  const sorted = rest.sort().join(',');
  const signed = hello.signatures.length === 0 ? sorted : `${sorted}_${hello.signatures.map(hex).join(',')}`;
  return `${head}_${shortHash(ciphers.map(hex).sort().join(','))}_${shortHash(signed)}`;
}

/** The text that JA3 hashes, but with sorted extensions, because Chromium shuffles them. */
export function ja3Text(hello: ClientHello): string {
  const parts = [
    withoutGrease(hello.ciphers),
    withoutGrease(hello.extensions).sort((a, b) => a - b),
    withoutGrease(hello.groups),
    hello.pointFormats,
  ];
  return [hello.version, ...parts.map((part) => part.join('-'))].join(',');
}

/** The JA3 hash, with the extensions in the order of arrival. */
export function ja3(hello: ClientHello): string {
  const parts = [
    withoutGrease(hello.ciphers),
    withoutGrease(hello.extensions),
    withoutGrease(hello.groups),
    hello.pointFormats,
  ];
  const text = [hello.version, ...parts.map((part) => part.join('-'))].join(',');
  return createHash('md5').update(text).digest('hex');
}
