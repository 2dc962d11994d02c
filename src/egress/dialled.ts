import type { Socket } from 'node:net';
import type { Failure } from '../domain/failure.ts';
import type { Upstream } from '../domain/upstream.ts';
import type { TakeRead } from './lent-reads.ts';

export interface DialAsk {
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

export type Dialled = {
  /**
   * The TCP connection with a proxy, for its byte counts: `socket` may be TLS in it, and after a failure it is closed.
   * Absent: there was none, or the target is reached directly.
   */
  readonly wire?: Socket;
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
