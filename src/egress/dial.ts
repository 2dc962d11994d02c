import { connect, type Socket } from 'node:net';
import { type Failure, failure } from '../domain/failure.ts';
import { type Address, parseAddress, sameAddress } from './address.ts';
import { REFUSED } from './address-policy.ts';
import { connectFailure, moreTelling, type Target } from './connect-failure.ts';
import { lentReads, type TakeRead } from './lent-reads.ts';

export interface DialPlan {
  /** At least one, already judged, in the order of trying. */
  readonly addresses: readonly Address[];
  readonly port: number;
  /** For the messages. */
  readonly target: Target;
  /** Of all attempts together. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** See `DialAsk`. */
  readonly takeRead?: TakeRead | undefined;
}

export type DialEnd =
  | { readonly socket: Socket; readonly address: Address; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

/** RFC 8305 §5: the pause before the next address is tried beside those under way. */
const STAGGER_MS = 250;
const KEEP_ALIVE_MS = 30_000;
const LEFT: DialEnd = { socket: null, failure: failure('request.cancelled', 'The connection was closed.') };

/**
 * The first of the addresses that takes a TCP connection (Happy Eyeballs, RFC 8305 §5); all other attempts are ended
 * before this settles. Never rejects. The sockets get addresses only, and what they are connected to is compared with
 * what was judged.
 */
export function dial(plan: DialPlan): Promise<DialEnd> {
  return new Promise((resolve) => {
    const { addresses, signal, target } = plan;
    if (signal.aborted) return resolve(LEFT);
    const pending = new Set<Socket>();
    let next = 0;
    let worst: Failure | null = null;
    let stagger: NodeJS.Timeout | undefined;

    const end = (result: DialEnd) => {
      clearTimeout(limit);
      clearTimeout(stagger);
      signal.removeEventListener('abort', onAbort);
      for (const socket of pending) abandon(socket);
      pending.clear();
      resolve(result);
    };
    const onAbort = () => end(LEFT);
    const onLimit = () => {
      const late = failure('connect.timeout', `${target} did not accept a TCP connection in time.`);
      end({ socket: null, failure: moreTelling(worst, late) });
    };
    const failed = (socket: Socket, why: Failure) => {
      pending.delete(socket);
      worst = moreTelling(worst, why);
      if (next < addresses.length) attempt();
      else if (pending.size === 0) end({ socket: null, failure: worst });
    };
    const attempt = () => {
      clearTimeout(stagger);
      const address = addresses[next++]!;
      if (next < addresses.length) stagger = setTimeout(attempt, STAGGER_MS);
      const socket = open(address, plan);
      pending.add(socket);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        failed(socket, connectFailure(error.code, target));
      });
      socket.once('connect', () => {
        const wrong = mismatch(socket, address, target);
        if (wrong !== null) {
          abandon(socket);
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

function open(address: Address, { port, takeRead }: DialPlan): Socket {
  const socket = connect({
    host: address.text,
    port,
    autoSelectFamily: false,
    lookup: noLookup,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    ...(takeRead === undefined ? {} : { onread: lentReads(takeRead) }),
  });
  // What is read before its owner is there would be lost.
  return takeRead === undefined ? socket : socket.pause();
}

/** An address needs no look-up; should the runtime ever think otherwise, it gets none. */
function noLookup(_host: string, _options: unknown, done: (error: Error, address: string) => void): void {
  done(new Error('a socket must not resolve names'), '');
}

/** Fails closed: a socket that leads elsewhere than it was told to is not handed out. */
function mismatch(socket: Socket, judged: Address, target: Target): Failure | null {
  const remote = socket.remoteAddress;
  if (remote === undefined) return connectFailure('ECONNRESET', target);
  if (remote === judged.text) return null;
  const actual = parseAddress(remote);
  return actual !== null && sameAddress(actual, judged) ? null : REFUSED;
}

function abandon(socket: Socket): void {
  socket.removeAllListeners();
  socket.on('error', ignore);
  socket.destroy();
}

function ignore(): void {}
