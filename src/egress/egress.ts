import type { Socket } from 'node:net';
import type { Failure } from '../domain/failure.ts';
import type { Gateway } from './gateway/gateway.ts';

export interface DialAsk {
  /** As in `URL.hostname`: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** Ends the attempt at once; the failure is then of no meaning, the caller knows the reason of its signal. */
  readonly signal: AbortSignal;
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

/** The only way out of the process. Judges every address at the moment of the connection. */
export interface Egress {
  connect(ask: DialAsk): Promise<Dialled>;
  /**
   * Tells a socket of our own that is listening, so that scrapes never reach it (contract: own listeners). What it
   * returns is called when it listens no more.
   */
  addOwnListener(address: string, port: number): () => void;
  /** A way out for engines that own their sockets. Opens nothing yet; closed by the caller. */
  openGateway(): Gateway;
  close(): void;
}
