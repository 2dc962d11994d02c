import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import { type Address, parseAddress } from '../address.ts';
import { connectFailure } from '../connect-failure.ts';
import { noAnswer, type TunnelAsk } from './http-tunnel.ts';
import { proxyFailed } from './proxy-failure.ts';
import { takeBytes } from './take-bytes.ts';

const NO_AUTH = 0;
const PASSWORD = 2;
const NONE_FITS = 0xff;

export interface SocksAsk extends TunnelAsk {
  /** Sent in place of the name, which was resolved here; null: the proxy resolves. */
  readonly address: Address | null;
  /** Our own name servers do not know the name. */
  readonly unknown: boolean;
}

/** Makes a connection to a SOCKS5 proxy one to the target (RFC 1928, RFC 1929). null: it leads there now. */
export async function socksTunnel(ask: SocksAsk): Promise<Failure | null> {
  const target = `${ask.host}:${ask.port}`;
  const { credentials } = ask.upstream;
  ask.socket.write(Buffer.from(credentials === null ? [5, 1, NO_AUTH] : [5, 2, NO_AUTH, PASSWORD]));
  const method = await takeBytes({ ...ask, read: (bytes) => reply(bytes, 5) });
  if (typeof method === 'string') return noAnswer(method, target);
  if (method.value === null) return notSocks();
  if (method.value === PASSWORD && credentials !== null) {
    if (!sendPassword(ask.socket, credentials.read())) return denied();
    const said = await takeBytes({ ...ask, read: (bytes) => reply(bytes, 1) });
    // A proxy that does not take them may simply hang up (RFC 1929 §2).
    if (said === 'closed' || (typeof said === 'object' && said.value !== 0)) return denied();
    if (typeof said === 'string') return noAnswer(said, target);
  } else if (method.value !== NO_AUTH) return method.value === NONE_FITS ? denied() : notSocks();
  ask.socket.write(Buffer.concat([Buffer.from([5, 1, 0]), destination(ask), portBytes(ask.port)]));
  const answer = await takeBytes({ ...ask, read: readAnswer });
  if (typeof answer === 'string') return noAnswer(answer, target);
  return answer.value === null ? notSocks() : saidOf(answer.value, target, ask.unknown);
}

/** The second byte of a short reply; null: it is none of this version. */
function reply(bytes: Buffer, version: number): { value: number | null; length: number } | null {
  if (bytes[0] !== version) return { value: null, length: bytes.length };
  return bytes.length < 2 ? null : { value: bytes[1]!, length: 2 };
}

function readAnswer(bytes: Buffer): { value: number | null; length: number } | null {
  if (bytes[0] !== 5) return { value: null, length: bytes.length };
  if (bytes.length >= 2 && bytes[1] !== 0) return { value: bytes[1]!, length: bytes.length };
  if (bytes.length < 5) return null;
  const size = bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : bytes[3] === 3 ? 1 + bytes[4]! : -1;
  if (size < 0) return { value: null, length: bytes.length };
  const length = 4 + size + 2;
  return bytes.length < length ? null : { value: 0, length };
}

/** @returns false when they are too long to be sent */
function sendPassword(
  socket: Socket,
  { username, password }: { username: string; password: string },
): boolean {
  const name = Buffer.from(username, 'utf8');
  const word = Buffer.from(password, 'utf8');
  if (name.length > 255 || word.length > 255) return false;
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]));
  return true;
}

function destination({ host, address }: SocksAsk): Buffer {
  const literal = address ?? parseAddress(host.replace(/^\[|\]$/g, ''));
  if (literal === null) {
    const name = Buffer.from(host, 'latin1');
    return Buffer.concat([Buffer.from([3, name.length]), name]);
  }
  const bytes = Buffer.alloc(16);
  literal.words.forEach((word, at) => {
    bytes.writeInt32BE(word, at * 4);
  });
  return literal.family === 4
    ? Buffer.concat([Buffer.from([1]), bytes.subarray(12)])
    : Buffer.concat([Buffer.from([4]), bytes]);
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}

/** RFC 1928 §6. What the proxy says of the target is the target's. */
function saidOf(code: number, target: string, unknown: boolean): Failure | null {
  if (unknown && (code === 1 || code === 4))
    return proxyFailed('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
  switch (code) {
    case 0:
      return null;
    case 3:
      return connectFailure('ENETUNREACH', target);
    case 4:
      return connectFailure('EHOSTUNREACH', target);
    case 5:
      return connectFailure('ECONNREFUSED', target);
    case 6:
      return connectFailure('ETIMEDOUT', target);
    default:
      return proxyFailed('refused', 'tunnel', `The proxy could not connect to ${target} (SOCKS ${code}).`);
  }
}

const denied = () => proxyFailed('auth', 'proxy', 'The proxy rejected the credentials.');
const notSocks = () => proxyFailed('protocol', 'proxy', 'The response of the proxy is not SOCKS5.');
