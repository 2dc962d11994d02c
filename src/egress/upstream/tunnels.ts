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
   * Called with all bytes received so far. If it throws, the result is `unreadable`.
   * @returns null: more bytes are needed; else the value, and how many of the bytes belong to it
   */
  readonly parse: (bytes: Buffer) => { readonly value: T; readonly length: number } | null;
}

/** Why nothing was read. `closed`: the peer ended, or the socket failed; `unreadable`: `parse` threw. */
type ProxyReadError = 'closed' | 'timeout' | 'aborted' | 'unreadable';

interface ReceivedBytes {
  readonly buffer: Buffer;
  readonly length: number;
}

const EMPTY = Buffer.alloc(0);

/**
 * Reads from a socket until `parse` has a value; further bytes stay in the socket. Leaves no listeners on the socket. Never
 * rejects.
 */
export function readFromProxy<T>({
  socket,
  signal,
  limitMs,
  parse,
}: ProxyReadOptions<T>): Promise<{ value: T } | ProxyReadError> {
  return new Promise((resolve) => {
    // Not with src/base/wait.ts: listeners on the socket and the signal, and the timer, end together.
    let received: ReceivedBytes = { buffer: EMPTY, length: 0 };
    const settle = (result: { value: T } | ProxyReadError) => {
      clearTimeout(timer);
      socket.removeListener('readable', onReadable);
      socket.removeListener('end', onClosed);
      socket.removeListener('close', onClosed);
      socket.removeListener('error', onClosed);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const readAvailable = () => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read()) {
        received = appendPiece(received, piece);
        const bytes = received.buffer.subarray(0, received.length);
        const parsed = parse(bytes);
        if (parsed === null) continue;
        if (parsed.length < bytes.length) socket.unshift(bytes.subarray(parsed.length));
        return settle({ value: parsed.value });
      }
    };
    const onReadable = () => {
      try {
        readAvailable();
      } catch {
        // The peer chooses these bytes. Thrown in a listener, the error would end the process.
        settle('unreadable');
      }
    };
    const onClosed = () => settle('closed');
    const onAbort = () => settle('aborted');
    const timer = setTimeout(() => settle('timeout'), limitMs);
    if (signal.aborted) return settle('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('readable', onReadable);
    socket.once('end', onClosed);
    socket.once('close', onClosed);
    socket.once('error', onClosed);
    if (socket.destroyed) onClosed();
  });
}

/** Doubles the buffer when it is full, so that a peer that sends single bytes does not cause a copy for each. */
function appendPiece({ buffer, length }: ReceivedBytes, piece: Buffer): ReceivedBytes {
  const total = length + piece.length;
  if (length === 0) return { buffer: piece, length: total };
  let larger = buffer;
  if (total > buffer.length) {
    larger = Buffer.allocUnsafe(2 * total);
    buffer.copy(larger, 0, 0, length);
  }
  piece.copy(larger, length);
  return { buffer: larger, length: total };
}

/** Limit of the response to CONNECT, interim responses included. */
const MAX_HEAD_BYTES = 65_536;
/** Interim responses before the final one. Proxies send one or none. */
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

/** Opens a tunnel to the target over a connection to an HTTP proxy (CONNECT, RFC 9110 §9.3.6). @returns null: it is open */
export async function openHttpTunnel(options: TunnelOptions): Promise<Failure | null> {
  const { socket, upstream, host, port } = options;
  const target = `${host}:${port}`;
  const { credentials } = upstream;
  const authorizationLine = credentials === null ? '' : `Proxy-Authorization: ${credentials.basic()}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorizationLine}\r\n`, 'latin1');
  const response = await readFromProxy({ ...options, parse: connectResponseParser() });
  if (typeof response === 'string') return proxyReadFailure(response, target);
  const head = response.value;
  if (head === null)
    return proxyFailure('protocol', 'proxy', 'The response of the proxy to CONNECT is not HTTP.');
  if (head.status < 200 || head.status >= 300) return tunnelRefusal(head, target);
  // Nothing was sent to the target yet, and in HTTP and TLS the client speaks first: further bytes come from the proxy.
  return socket.readableLength === 0
    ? null
    : proxyFailure('protocol', 'tunnel', 'The proxy sent data after its response to CONNECT.');
}

function proxyReadFailure(error: ProxyReadError, target: string): Failure {
  if (error === 'timeout')
    return proxyFailure('timeout', 'tunnel', `The proxy did not reach ${target} in time.`);
  if (error === 'unreadable')
    return proxyFailure('protocol', 'proxy', 'The response of the proxy cannot be read.');
  return proxyFailure(
    'protocol',
    'tunnel',
    `The proxy closed the connection instead of connecting to ${target}.`,
  );
}

/**
 * Parses the final head of a response and skips interim ones (1xx); its value is null when the response is not HTTP. Create
 * one for each response: it remembers where it stopped, so that no byte is searched twice.
 */
function connectResponseParser(): ProxyReadOptions<ProxyResponseHead | null>['parse'] {
  /** Where the current head begins. */
  let start = 0;
  /** The current head does not end before this offset. */
  let searched = 0;
  let interimCount = 0;
  return (bytes) => {
    const notHttp = { value: null, length: bytes.length };
    for (;;) {
      // May be shorter than five characters.
      const beginning = bytes.toString('latin1', start, start + 5).toUpperCase();
      if (!'HTTP/'.startsWith(beginning)) return notHttp;
      const end = headEndOffset(bytes, searched);
      const length = end === -1 ? bytes.length : end;
      if (length > MAX_HEAD_BYTES || (end === -1 && length === MAX_HEAD_BYTES)) return notHttp;
      // The empty line that ends the head may be cut: its first bytes are searched again.
      searched = end === -1 ? Math.max(start, length - 2) : end;
      if (end === -1) return null;
      const [line, ...fields] = bytes.toString('latin1', start, length).trimEnd().split(/\r?\n/);
      const status = Number(STATUS_LINE.exec(line!)?.[1]);
      if (Number.isNaN(status)) return notHttp;
      if (status < 100 || status >= 200)
        return { value: { status, headers: fields.map(parseFieldLine) }, length };
      interimCount++;
      if (interimCount > MAX_INTERIM_RESPONSES) return notHttp;
      start = length;
    }
  };
}

function parseFieldLine(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

const SOCKS_VERSION = 5;
/** Version of the negotiation of user name and password (RFC 1929 §2). */
const PASSWORD_VERSION = 1;
/** Methods of authentication (RFC 1928 §3). */
const NO_AUTH = 0;
const PASSWORD = 2;
const NO_ACCEPTABLE_METHOD = 0xff;

interface SocksTunnelOptions extends TunnelOptions {
  /** The address of the name, which was resolved here; null: the proxy resolves the name. */
  readonly address: Address | null;
  /** The name servers of this service do not know the name. */
  readonly nameUnknown: boolean;
}

/** Opens a tunnel to the target over a connection to a SOCKS5 proxy (RFC 1928, RFC 1929). @returns null: it is open */
export async function openSocksTunnel(options: SocksTunnelOptions): Promise<Failure | null> {
  const target = `${options.host}:${options.port}`;
  const { credentials } = options.upstream;
  const methods = credentials === null ? [NO_AUTH] : [NO_AUTH, PASSWORD];
  options.socket.write(Buffer.from([SOCKS_VERSION, methods.length, ...methods]));
  const method = await readFromProxy({ ...options, parse: (bytes) => parseShortReply(bytes, SOCKS_VERSION) });
  if (typeof method === 'string') return proxyReadFailure(method, target);
  if (method.value === null) return notSocksFailure();
  if (method.value === PASSWORD && credentials !== null) {
    if (!sendPassword(options.socket, credentials.read())) return credentialsRejected();
    const passwordReply = await readFromProxy({
      ...options,
      parse: (bytes) => parseShortReply(bytes, PASSWORD_VERSION),
    });
    // A proxy may reject credentials by closing the connection (RFC 1929 §2).
    if (passwordReply === 'closed' || (typeof passwordReply === 'object' && passwordReply.value !== 0))
      return credentialsRejected();
    if (typeof passwordReply === 'string') return proxyReadFailure(passwordReply, target);
  } else if (method.value !== NO_AUTH)
    return method.value === NO_ACCEPTABLE_METHOD ? credentialsRejected() : notSocksFailure();
  // 1: CONNECT; 0: a reserved byte.
  options.socket.write(
    Buffer.concat([Buffer.from([SOCKS_VERSION, 1, 0]), destinationAddress(options), portBytes(options.port)]),
  );
  const reply = await readFromProxy({ ...options, parse: parseConnectReply });
  if (typeof reply === 'string') return proxyReadFailure(reply, target);
  return reply.value === null
    ? notSocksFailure()
    : connectReplyFailure(reply.value, target, options.nameUnknown);
}

/** Parses a reply of two bytes, version and code. The value is the code; null: another version. */
function parseShortReply(bytes: Buffer, version: number): { value: number | null; length: number } | null {
  if (bytes[0] !== version) return { value: null, length: bytes.length };
  return bytes.length < 2 ? null : { value: bytes[1]!, length: 2 };
}

/** Parses the reply to CONNECT (RFC 1928 §6). The value is its code; null: not SOCKS5. */
function parseConnectReply(bytes: Buffer): { value: number | null; length: number } | null {
  if (bytes[0] !== SOCKS_VERSION) return { value: null, length: bytes.length };
  if (bytes.length >= 2 && bytes[1] !== 0) return { value: bytes[1]!, length: bytes.length };
  if (bytes.length < 5) return null;
  // Address types: 1 is IPv4, 4 is IPv6, 3 is a name after a byte with its length.
  const size = bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : bytes[3] === 3 ? 1 + bytes[4]! : -1;
  if (size < 0) return { value: null, length: bytes.length };
  const length = 4 + size + 2;
  return bytes.length < length ? null : { value: 0, length };
}

/** @returns false: user name or password is too long for RFC 1929 */
function sendPassword(
  socket: Socket,
  { username, password }: { username: string; password: string },
): boolean {
  const nameBytes = Buffer.from(username, 'utf8');
  const passwordBytes = Buffer.from(password, 'utf8');
  if (nameBytes.length > 255 || passwordBytes.length > 255) return false;
  socket.write(
    Buffer.concat([
      Buffer.from([PASSWORD_VERSION, nameBytes.length]),
      nameBytes,
      Buffer.from([passwordBytes.length]),
      passwordBytes,
    ]),
  );
  return true;
}

/** Address type (1: IPv4, 3: name, 4: IPv6) and address (RFC 1928 §5). */
function destinationAddress({ host, address }: SocksTunnelOptions): Buffer {
  const literal = address ?? parseAddress(host.replace(/^\[|\]$/g, ''));
  if (literal === null) {
    const name = Buffer.from(host, 'latin1');
    return Buffer.concat([Buffer.from([3, name.length]), name]);
  }
  const bytes = Buffer.alloc(16);
  literal.words.forEach((word, index) => {
    bytes.writeInt32BE(word, index * 4);
  });
  return literal.family === 4
    ? Buffer.concat([Buffer.from([1]), bytes.subarray(12)])
    : Buffer.concat([Buffer.from([4]), bytes]);
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}

/** Reply codes of RFC 1928 §6. Those that report the state of the target become failures of the target. null: connected. */
function connectReplyFailure(code: number, target: string, nameUnknown: boolean): Failure | null {
  // 1: general failure; 4: host unreachable.
  if (nameUnknown && (code === 1 || code === 4))
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
