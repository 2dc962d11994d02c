import type { Socket } from 'node:net';
import type { Failure } from '../domain/failure.ts';
import type { Upstream } from '../domain/proxy.ts';

/** Called with what a socket has read. The bytes are lent: they are good until it returns, then the next read is there. */
export type TakeRead = (bytes: Buffer) => void;

/** As much as Node reads of a socket at once. */
const READ_BYTES = 65_536;
/**
 * All sockets whose bytes are lent read into this: each read is taken before the next one is made. It is longer than
 * what is ever lent, so that nobody takes lent bytes for memory of their own and frees it.
 */
const sharedReadBuffer = Buffer.allocUnsafeSlow(READ_BYTES + 1).subarray(0, READ_BYTES);

/**
 * The option of `net.connect` that makes a socket lend its bytes instead of being a stream of them. A stream gets memory
 * of 64 KiB for each read, shortens it to what came, and leaves it to the garbage collector.
 */
export function sharedReadOption(take: TakeRead) {
  return {
    buffer: sharedReadBuffer,
    callback(count: number) {
      take(sharedReadBuffer.subarray(0, count));
      return true;
    },
  };
}

export interface ConnectRequest {
  /** As in `URL.hostname`: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** Ends the attempt at once; the failure is then of no meaning, the caller knows the reason of its signal. */
  readonly signal: AbortSignal;
  /** Takes what the socket reads, which has no `data` events then, and is paused until its owner resumes it. */
  readonly takeRead?: TakeRead;
  /** The proxy server to go through, but for the hosts that it leaves out. Absent or null: directly. */
  readonly upstream?: Upstream | null;
  /** Plain HTTP is to be spoken: where a proxy takes requests in absolute form, they are to be written so. */
  readonly plain?: boolean;
}

/** The connection leads to an HTTP proxy that takes requests with a whole URL (RFC 9112 §3.2.2). */
export interface AbsoluteForm {
  /** For `Proxy-Authorization`; null: none. */
  readonly authorization: string | null;
}

export type ConnectResult = {
  /**
   * The TCP connection with a proxy, for its byte counts: `socket` may be TLS in it, and after a failure it is closed.
   * Absent: there was none, or the target is reached directly.
   */
  readonly proxySocket?: Socket;
} & (
  | {
      readonly failure: null;
      /** Connected, no-delay, without listeners. The caller owns it. */
      readonly socket: Socket;
      /** null: the proxy knows. */
      readonly remoteIp: string | null;
      /** Requests are to be written in absolute form; absent: the connection leads to the target. */
      readonly absolute?: AbsoluteForm;
      /** null when no look-up was made (a literal, or a cached answer). */
      readonly dnsMs: number | null;
      readonly connectMs: number;
    }
  | { readonly failure: Failure; readonly socket: null; readonly dnsMs: number | null }
);
