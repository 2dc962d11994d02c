import type { Socket } from 'node:net';
import type { Failure } from '../domain/failure.ts';
import type { Upstream } from '../domain/proxy.ts';

/** Called with the bytes that a socket has read. They are in a shared buffer: the next read overwrites them. */
export type SharedReadHandler = (bytes: Buffer) => void;

/** The most that Node reads from a socket at once. */
const READ_BYTES = 65_536;
/**
 * All sockets with shared reads read into this buffer: a read is handled before the next one is made. Its memory
 * is one byte longer than the buffer: `freeBuffer` (base/memory-budget.ts) frees only a buffer that fills its memory.
 */
const sharedReadBuffer = Buffer.allocUnsafeSlow(READ_BYTES + 1).subarray(0, READ_BYTES);

/**
 * The option `onread` of `net.connect` that makes a socket read into the shared buffer. A stream would allocate 64 KiB for
 * each read, shorten it to the bytes that came, and leave it to the garbage collector.
 */
export function sharedReadOption(handler: SharedReadHandler) {
  return {
    buffer: sharedReadBuffer,
    callback(count: number) {
      handler(sharedReadBuffer.subarray(0, count));
      return true;
    },
  };
}

export interface ConnectRequest {
  /** As in `URL.hostname`: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** Ends the attempt at once. The failure in the result does not say why: the caller, who aborted it, knows. */
  readonly signal: AbortSignal;
  /** Gets what the socket reads. The socket then has no `data` events, and is paused until its owner resumes it. */
  readonly onSharedRead?: SharedReadHandler;
  /** The proxy server to connect through, except to the hosts in its `bypass`. Absent or null: connect directly. */
  readonly upstream?: Upstream | null;
  /** The caller will send HTTP without TLS. An HTTP proxy then gets requests in absolute form, without a tunnel. */
  readonly plain?: boolean;
}

/** The connection leads to an HTTP proxy that takes requests in absolute form (RFC 9112 §3.2.2). */
export interface AbsoluteForm {
  /** The value of `Proxy-Authorization`; null: none. */
  readonly authorization: string | null;
}

export type ConnectResult = {
  /**
   * The TCP connection to the proxy, for its byte counts; after a failure it is closed. `socket` may be a TLS connection over
   * it. Absent: there was no connection, or the target is reached directly.
   */
  readonly proxySocket?: Socket;
} & (
  | {
      readonly failure: null;
      /** Connected, no-delay, without listeners. The caller owns it. */
      readonly socket: Socket;
      /** null: only the proxy knows it. */
      readonly remoteIp: string | null;
      /** Requests must be sent in absolute form. Absent: the connection leads to the target. */
      readonly absoluteForm?: AbsoluteForm;
      /** null: no DNS query was needed (an address, or a cached response). */
      readonly dnsMs: number | null;
      readonly connectMs: number;
    }
  | { readonly failure: Failure; readonly socket: null; readonly dnsMs: number | null }
);
