import { connect, type Socket } from 'node:net';
import { type Failure, failure } from '../domain/failure.ts';
import { type Address, parseAddress, sameAddress } from './address.ts';
import { ADDRESS_REFUSED } from './address-policy.ts';
import { type ConnectTarget, connectFailure, moreRelevantFailure } from './connect-failure.ts';
import { type SharedReadHandler, sharedReadOption } from './connect-request.ts';

interface DialOptions {
  /** At least one, checked already, in the order in which they are tried. */
  readonly addresses: readonly Address[];
  readonly port: number;
  /** For messages. */
  readonly target: ConnectTarget;
  /** Time limit of all attempts together. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** See `ConnectRequest`. */
  readonly onSharedRead?: SharedReadHandler | undefined;
}

type DialResult =
  | { readonly socket: Socket; readonly address: Address; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

/** RFC 8305 §5: the delay before the next address is tried concurrently. */
const STAGGER_MS = 250;
/** Idle time before TCP keep-alive probes: they notice that a peer is gone. */
const KEEP_ALIVE_MS = 30_000;
const CANCELLED: DialResult = {
  socket: null,
  failure: failure('request.cancelled', 'The connection was closed.'),
};

/**
 * Connects to the first address that accepts a TCP connection (Happy Eyeballs, RFC 8305 §5). All other attempts are ended
 * before the promise settles. Never rejects. Sockets get addresses only, never names, and the address that a socket is
 * connected to is compared with the one that was checked.
 */
export function dial(options: DialOptions): Promise<DialResult> {
  return new Promise((resolve) => {
    const { addresses, signal, target } = options;
    if (signal.aborted) return resolve(CANCELLED);
    const pending = new Set<Socket>();
    let nextIndex = 0;
    let reportedFailure: Failure | null = null;
    let staggerTimer: NodeJS.Timeout | undefined;

    // Not with src/base/wait.ts: sockets, timers and the listener on the signal end together.
    const settle = (result: DialResult) => {
      clearTimeout(limitTimer);
      clearTimeout(staggerTimer);
      signal.removeEventListener('abort', onAbort);
      for (const socket of pending) discardSocket(socket);
      pending.clear();
      resolve(result);
    };
    const onAbort = () => settle(CANCELLED);
    const onLimit = () => {
      const timeout = failure('connect.timeout', `${target} did not accept a TCP connection in time.`);
      settle({ socket: null, failure: moreRelevantFailure(reportedFailure, timeout) });
    };
    const onFailure = (socket: Socket, cause: Failure) => {
      pending.delete(socket);
      reportedFailure = moreRelevantFailure(reportedFailure, cause);
      if (nextIndex < addresses.length) attempt();
      else if (pending.size === 0) settle({ socket: null, failure: reportedFailure });
    };
    const attempt = () => {
      clearTimeout(staggerTimer);
      const address = addresses[nextIndex++]!;
      if (nextIndex < addresses.length) staggerTimer = setTimeout(attempt, STAGGER_MS);
      const socket = openSocket(address, options);
      pending.add(socket);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        onFailure(socket, connectFailure(error.code, target));
      });
      socket.once('connect', () => {
        const mismatch = addressMismatch(socket, address, target);
        if (mismatch !== null) {
          discardSocket(socket);
          return onFailure(socket, mismatch);
        }
        pending.delete(socket);
        socket.removeAllListeners('error');
        settle({ socket, address, failure: null });
      });
    };

    const limitTimer = setTimeout(onLimit, options.limitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    attempt();
  });
}

function openSocket(address: Address, { port, onSharedRead }: DialOptions): Socket {
  const socket = connect({
    host: address.text,
    port,
    autoSelectFamily: false,
    lookup: noLookup,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    ...(onSharedRead === undefined ? {} : { onread: sharedReadOption(onSharedRead) }),
  });
  // Paused until its owner is ready: bytes that nobody handles would be lost.
  return onSharedRead === undefined ? socket : socket.pause();
}

/** An address needs no look-up. If the runtime ever tried one, it would fail. */
function noLookup(_host: string, _options: unknown, done: (error: Error, address: string) => void): void {
  done(new Error('a socket must not resolve names'), '');
}

/** Why the socket must not be used: it is connected to another address than the one that was checked, or closed. */
function addressMismatch(socket: Socket, expected: Address, target: ConnectTarget): Failure | null {
  const remote = socket.remoteAddress;
  if (remote === undefined) return connectFailure('ECONNRESET', target);
  if (remote === expected.text) return null;
  const actual = parseAddress(remote);
  return actual !== null && sameAddress(actual, expected) ? null : ADDRESS_REFUSED;
}

function discardSocket(socket: Socket): void {
  socket.removeAllListeners();
  socket.on('error', ignore);
  socket.destroy();
}

function ignore(): void {}

/** A DNS response may have hundreds of addresses; only the first are tried. */
const MAX_DIAL_ATTEMPTS = 12;

/** The order of attempts (RFC 8305 §4): the families alternate, IPv6 first, each family in its order of resolution. */
export function dialOrder(addresses: readonly Address[]): readonly Address[] {
  if (addresses.length === 1) return addresses;
  const v6 = addresses.filter((address) => address.family === 6);
  const v4 = addresses.filter((address) => address.family === 4);
  const order: Address[] = [];
  for (let i = 0; i < Math.max(v6.length, v4.length); i++) {
    if (i < v6.length) order.push(v6[i]!);
    if (i < v4.length) order.push(v4[i]!);
  }
  return order.slice(0, MAX_DIAL_ATTEMPTS);
}
