import type { Socket } from 'node:net';
import { headEndOffset } from '../../base/http-syntax.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import { type Address, parseAddress } from '../address.ts';
import { connectFailure } from '../connect-failure.ts';
import { type ProxyResponseHead, proxyFailure, tunnelRefusal } from './proxy-failure.ts';

interface ProxyReadOptions<T> {
  readonly socket: Socket;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /**
   * Called with all that has come and was not taken. What it throws is `unreadable`.
   * @returns null: more is needed; else what it came to, and how many bytes belong to it
   */
  readonly read: (bytes: Buffer) => { readonly value: T; readonly length: number } | null;
}

/** Why there is no answer: `closed` also stands for an error of the socket. */
type ProxyReadError = 'closed' | 'timeout' | 'left' | 'unreadable';

interface ReceivedBytes {
  readonly buffer: Buffer;
  readonly length: number;
}

const EMPTY = Buffer.alloc(0);

/**
 * Reads from a socket until what came makes sense; what came beyond it stays in the socket. Without listeners on the
 * socket afterwards. Never rejects.
 */
export function readFromProxy<T>({
  socket,
  signal,
  limitMs,
  read,
}: ProxyReadOptions<T>): Promise<{ value: T } | ProxyReadError> {
  return new Promise((resolve) => {
    // By hand and not by `base/wait.ts`: the listeners on the socket, the timer and the signal come and go together.
    let come: ReceivedBytes = { buffer: EMPTY, length: 0 };
    const settle = (result: { value: T } | ProxyReadError) => {
      clearTimeout(timer);
      socket.removeListener('readable', onReadable);
      socket.removeListener('end', onClosed);
      socket.removeListener('close', onClosed);
      socket.removeListener('error', onClosed);
      signal.removeEventListener('abort', onLeft);
      resolve(result);
    };
    const readOn = () => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read()) {
        come = appendPiece(come, piece);
        const bytes = come.buffer.subarray(0, come.length);
        const end = read(bytes);
        if (end === null) continue;
        if (end.length < bytes.length) socket.unshift(bytes.subarray(end.length));
        return settle({ value: end.value });
      }
    };
    const onReadable = () => {
      try {
        readOn();
      } catch {
        // Thrown out of a listener it would end the process, and what came is the peer's to choose.
        settle('unreadable');
      }
    };
    const onClosed = () => settle('closed');
    const onLeft = () => settle('left');
    const timer = setTimeout(() => settle('timeout'), limitMs);
    if (signal.aborted) return settle('left');
    signal.addEventListener('abort', onLeft, { once: true });
    socket.on('readable', onReadable);
    socket.once('end', onClosed);
    socket.once('close', onClosed);
    socket.once('error', onClosed);
    if (socket.destroyed) onClosed();
  });
}

/** Doubles its room, so that a peer that sends byte by byte costs no copy of everything for each. */
function appendPiece({ buffer, length }: ReceivedBytes, piece: Buffer): ReceivedBytes {
  const sum = length + piece.length;
  if (length === 0) return { buffer: piece, length: sum };
  let larger = buffer;
  if (sum > buffer.length) {
    larger = Buffer.allocUnsafe(2 * sum);
    buffer.copy(larger, 0, 0, length);
  }
  piece.copy(larger, length);
  return { buffer: larger, length: sum };
}

/** Of the answer to CONNECT, interim heads and all. */
const MAX_HEAD_BYTES = 65_536;
/** Interim heads before the final one. Proxies send one or none. */
const MAX_INTERIM_RESPONSES = 10;
const STATUS_LINE = /^HTTP\/1\.[01][ \t]+(\d{3})(?:[ \t]|$)/i;

interface TunnelOptions {
  readonly socket: Socket;
  readonly upstream: Upstream;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** Makes a connection to an HTTP proxy one to the target (RFC 9110 §9.3.6). null: it leads there now. */
export async function httpTunnel(ask: TunnelOptions): Promise<Failure | null> {
  const { socket, upstream, host, port } = ask;
  const target = `${host}:${port}`;
  const { credentials } = upstream;
  const allowed = credentials === null ? '' : `Proxy-Authorization: ${credentials.basic()}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${allowed}\r\n`, 'latin1');
  const answer = await readFromProxy({ ...ask, read: headReader() });
  if (typeof answer === 'string') return proxyReadFailure(answer, target);
  const head = answer.value;
  if (head === null)
    return proxyFailure('protocol', 'proxy', 'The response of the proxy to CONNECT is not HTTP.');
  if (head.status < 200 || head.status >= 300) return tunnelRefusal(head, target);
  // Nobody has said anything to the target, and it is for the client to begin: what is there is the proxy's own.
  return socket.readableLength === 0
    ? null
    : proxyFailure('protocol', 'tunnel', 'The proxy sent data after its response to CONNECT.');
}

/** Why the talk with a proxy came to nothing. */
function proxyReadFailure(why: ProxyReadError, target: string): Failure {
  if (why === 'timeout')
    return proxyFailure('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  if (why === 'unreadable')
    return proxyFailure('protocol', 'proxy', 'The response of the proxy cannot be read.');
  return proxyFailure(
    'protocol',
    'tunnel',
    `The proxy closed the connection instead of connecting to ${target}.`,
  );
}

/**
 * Reads the final head; interim ones (1xx) are passed over. `value` null: it is none. Made anew for each answer: it goes
 * on where it stopped, so that no byte is looked at again for each piece or head that comes.
 */
function headReader(): ProxyReadOptions<ProxyResponseHead | null>['read'] {
  /** Where the head begins that is being read. */
  let start = 0;
  /** Up to here there is no end of it. */
  let searched = 0;
  let interim = 0;
  return (bytes) => {
    const none = { value: null, length: bytes.length };
    for (;;) {
      const beginning = bytes.toString('latin1', start, start + 5).toUpperCase();
      if (!'HTTP/'.startsWith(beginning)) return none;
      const end = headEndOffset(bytes, searched);
      const length = end === -1 ? bytes.length : end;
      if (length > MAX_HEAD_BYTES || (end === -1 && length === MAX_HEAD_BYTES)) return none;
      searched = end === -1 ? Math.max(start, length - 2) : end;
      if (end === -1) return null;
      const [line, ...fields] = bytes.toString('latin1', start, length).trimEnd().split(/\r?\n/);
      const status = Number(STATUS_LINE.exec(line!)?.[1]);
      if (Number.isNaN(status)) return none;
      if (status < 100 || status >= 200)
        return { value: { status, headers: fields.map(parseFieldLine) }, length };
      interim++;
      if (interim > MAX_INTERIM_RESPONSES) return none;
      start = length;
    }
  };
}

function parseFieldLine(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

const NO_AUTH = 0;
const PASSWORD = 2;
const NO_ACCEPTABLE_METHOD = 0xff;

interface SocksTunnelOptions extends TunnelOptions {
  /** Sent in place of the name, which was resolved here; null: the proxy resolves. */
  readonly address: Address | null;
  /** Our own name servers do not know the name. */
  readonly nameUnknown: boolean;
}

/** Makes a connection to a SOCKS5 proxy one to the target (RFC 1928, RFC 1929). null: it leads there now. */
export async function socksTunnel(ask: SocksTunnelOptions): Promise<Failure | null> {
  const target = `${ask.host}:${ask.port}`;
  const { credentials } = ask.upstream;
  ask.socket.write(Buffer.from(credentials === null ? [5, 1, NO_AUTH] : [5, 2, NO_AUTH, PASSWORD]));
  const method = await readFromProxy({ ...ask, read: (bytes) => parseShortReply(bytes, 5) });
  if (typeof method === 'string') return proxyReadFailure(method, target);
  if (method.value === null) return notSocksFailure();
  if (method.value === PASSWORD && credentials !== null) {
    if (!sendPassword(ask.socket, credentials.read())) return credentialsRejected();
    const said = await readFromProxy({ ...ask, read: (bytes) => parseShortReply(bytes, 1) });
    // A proxy that does not take them may simply hang up (RFC 1929 §2).
    if (said === 'closed' || (typeof said === 'object' && said.value !== 0)) return credentialsRejected();
    if (typeof said === 'string') return proxyReadFailure(said, target);
  } else if (method.value !== NO_AUTH)
    return method.value === NO_ACCEPTABLE_METHOD ? credentialsRejected() : notSocksFailure();
  ask.socket.write(Buffer.concat([Buffer.from([5, 1, 0]), destinationAddress(ask), portBytes(ask.port)]));
  const answer = await readFromProxy({ ...ask, read: parseConnectReply });
  if (typeof answer === 'string') return proxyReadFailure(answer, target);
  return answer.value === null
    ? notSocksFailure()
    : connectReplyFailure(answer.value, target, ask.nameUnknown);
}

/** The second byte of a short reply; null: it is none of this version. */
function parseShortReply(bytes: Buffer, version: number): { value: number | null; length: number } | null {
  if (bytes[0] !== version) return { value: null, length: bytes.length };
  return bytes.length < 2 ? null : { value: bytes[1]!, length: 2 };
}

function parseConnectReply(bytes: Buffer): { value: number | null; length: number } | null {
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

function destinationAddress({ host, address }: SocksTunnelOptions): Buffer {
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
function connectReplyFailure(code: number, target: string, unknown: boolean): Failure | null {
  if (unknown && (code === 1 || code === 4))
    return proxyFailure('dns', 'tunnel', `The proxy cannot resolve ${target}.`);
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
      return proxyFailure('refused', 'tunnel', `The proxy could not connect to ${target} (SOCKS ${code}).`);
  }
}

const credentialsRejected = () => proxyFailure('auth', 'proxy', 'The proxy rejected the credentials.');
const notSocksFailure = () => proxyFailure('protocol', 'proxy', 'The response of the proxy is not SOCKS5.');
