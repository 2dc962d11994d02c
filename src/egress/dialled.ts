import type { Socket } from 'node:net';
import type { Failure } from '../domain/failure.ts';
import type { TakeRead } from './lent-reads.ts';

export interface DialAsk {
  /** As in `URL.hostname`: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** Ends the attempt at once; the failure is then of no meaning, the caller knows the reason of its signal. */
  readonly signal: AbortSignal;
  /** Takes what the socket reads, which has no `data` events then, and is paused until its owner resumes it. */
  readonly takeRead?: TakeRead;
}

export type Dialled =
  | {
      readonly failure: null;
      /** Connected, no-delay, without listeners. The caller owns it. */
      readonly socket: Socket;
      readonly remoteIp: string;
      /** null when no look-up was made (a literal, or a cached answer). */
      readonly dnsMs: number | null;
      readonly connectMs: number;
    }
  | { readonly failure: Failure; readonly socket: null; readonly dnsMs: number | null };
