import { connect, type Socket } from 'node:net';
import { type Failure, failure } from '../domain/failure.ts';
import { type Address, parseAddress, sameAddress } from './address.ts';
import { ADDRESS_REFUSED } from './address-policy.ts';
import { type ConnectTarget, connectFailure, moreRelevantFailure } from './connect-failure.ts';
import { sharedReadOption, type TakeRead } from './connect-request.ts';

interface DialOptions {
  /** At least one, already judged, in the order of trying. */
  readonly addresses: readonly Address[];
  readonly port: number;
  /** For the messages. */
  readonly target: ConnectTarget;
  /** Of all attempts together. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** See `DialAsk`. */
  readonly takeRead?: TakeRead | undefined;
}

type DialResult =
  | { readonly socket: Socket; readonly address: Address; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

/** RFC 8305 §5: the pause before the next address is tried beside those under way. */
const STAGGER_MS = 250;
const KEEP_ALIVE_MS = 30_000;
const CANCELLED: DialResult = {
  socket: null,
  failure: failure('request.cancelled', 'The connection was closed.'),
};

/**
 * The first of the addresses that takes a TCP connection (Happy Eyeballs, RFC 8305 §5); all other attempts are ended
 * before this settles. Never rejects. The sockets get addresses only, and what they are connected to is compared with
 * what was judged.
 */
export function dial(plan: DialOptions): Promise<DialResult> {
  return new Promise((resolve) => {
    const { addresses, signal, target } = plan;
    if (signal.aborted) return resolve(CANCELLED);
    const pending = new Set<Socket>();
    let next = 0;
    let worst: Failure | null = null;
    let stagger: NodeJS.Timeout | undefined;

    // By hand and not by `base/wait.ts`: sockets, timers and the signal come and go together.
    const end = (result: DialResult) => {
      clearTimeout(limit);
      clearTimeout(stagger);
      signal.removeEventListener('abort', onAbort);
      for (const socket of pending) discardSocket(socket);
      pending.clear();
      resolve(result);
    };
    const onAbort = () => end(CANCELLED);
    const onLimit = () => {
      const late = failure('connect.timeout', `${target} did not accept a TCP connection in time.`);
      end({ socket: null, failure: moreRelevantFailure(worst, late) });
    };
    const failed = (socket: Socket, why: Failure) => {
      pending.delete(socket);
      worst = moreRelevantFailure(worst, why);
      if (next < addresses.length) attempt();
      else if (pending.size === 0) end({ socket: null, failure: worst });
    };
    const attempt = () => {
      clearTimeout(stagger);
      const address = addresses[next++]!;
      if (next < addresses.length) stagger = setTimeout(attempt, STAGGER_MS);
      const socket = openSocket(address, plan);
      pending.add(socket);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        failed(socket, connectFailure(error.code, target));
      });
      socket.once('connect', () => {
        const wrong = addressMismatch(socket, address, target);
        if (wrong !== null) {
          discardSocket(socket);
          return failed(socket, wrong);
        }
        pending.delete(socket);
        socket.removeAllListeners('error');
        end({ socket, address, failure: null });
      });
    };

    const limit = setTimeout(onLimit, plan.limitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    attempt();
  });
}

function openSocket(address: Address, { port, takeRead }: DialOptions): Socket {
  const socket = connect({
    host: address.text,
    port,
    autoSelectFamily: false,
    lookup: noLookup,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    ...(takeRead === undefined ? {} : { onread: sharedReadOption(takeRead) }),
  });
  // What is read before its owner is there would be lost.
  return takeRead === undefined ? socket : socket.pause();
}

/** An address needs no look-up; should the runtime ever think otherwise, it gets none. */
function noLookup(_host: string, _options: unknown, done: (error: Error, address: string) => void): void {
  done(new Error('a socket must not resolve names'), '');
}

/** Fails closed: a socket that leads elsewhere than it was told to is not handed out. */
function addressMismatch(socket: Socket, judged: Address, target: ConnectTarget): Failure | null {
  const remote = socket.remoteAddress;
  if (remote === undefined) return connectFailure('ECONNRESET', target);
  if (remote === judged.text) return null;
  const actual = parseAddress(remote);
  return actual !== null && sameAddress(actual, judged) ? null : ADDRESS_REFUSED;
}

function discardSocket(socket: Socket): void {
  socket.removeAllListeners();
  socket.on('error', ignore);
  socket.destroy();
}

function ignore(): void {}

/** An answer may hold hundreds of addresses; a scrape is not to knock at all of them. */
const MAX_DIAL_ATTEMPTS = 12;

/** The order of attempts (RFC 8305 §4): IPv6 first, then the families take turns, each in the order it came in. */
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
