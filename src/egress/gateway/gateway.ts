import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { ConnectRequest, ConnectResult } from '../connect-request.ts';

/**
 * An HTTP proxy of our own on loopback, for engines that open their sockets themselves (browsers, impersonating
 * clients). Whatever they ask of it leaves by `Egress.connect`: resolved, judged and dialled like everything else.
 * It has one listener for each slot, because browsers can name a proxy without credentials only by its address.
 */
export interface Gateway {
  /** Opens a listener. Rejects when the system gives none (out of descriptors or ports). */
  openSlot(): Promise<GatewaySlot>;
  /** Closes all slots; settles when no socket is left. A second call does nothing new. */
  close(): Promise<void>;
}

export interface GatewayLimits {
  /** Connections of an engine at once. */
  readonly maxConnections?: number;
}

/**
 * One listener on 127.0.0.1. It serves one scrape at a time: between `end` and `begin` every connection to it is closed
 * without a word. Scrapes can never reach it: it is an own listener.
 */
export interface GatewaySlot {
  /** What the engine is to be given as its HTTP proxy, for all schemes: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /**
   * Opens the slot for one scrape. The slot cannot see which context a connection comes from: have the context of the
   * scrape before closed first. Throws when the slot is in use or closed: that is a bug of the caller.
   */
  begin(policy: GatewayPolicy): GatewaySession;
  /** Ends a use, closes the listener; settles when no socket is left. */
  close(): Promise<void>;
}

export interface GatewayPolicy {
  /** The deadline's. When it aborts, all connections of the use are destroyed and no more are made; `end` is still to be called. */
  readonly signal: AbortSignal;
  /**
   * Asked before the look-up, for every connection and every plain request, sub-resources as well: the gateway cannot
   * know what is a document. Of a tunnel only `https://host:port/` is known. null: all.
   */
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  /** Called at each refusal, also past the limit of `trips`. Must not throw. */
  readonly onRefusal?: (refusal: ConnectionLog) => void;
  /**
   * The proxy server that all connections of the use go through, but for the hosts that it leaves out; its credentials
   * stay on this side. Absent or null: directly.
   */
  readonly upstream?: Upstream | null;
  /** How targets are reached; default `Egress.connect`. It is told the upstream. */
  readonly dial?: GatewayDial;
  /** Sockets to targets may lend what they read (`ConnectRequest.takeRead`), which is cheaper. Absent: they are streams. */
  readonly allowTakeRead?: boolean;
}

/** As `Egress.connect`: never rejects, settles at once on abort. */
export type GatewayDial = (ask: ConnectRequest & Pick<ConnectionLog, 'kind'>) => Promise<GatewayDialResult>;

/**
 * `through`: what the engine is connected with, where that is not the socket itself; it ends with it. `tried`: connections
 * to the place that were given up before; their bytes count.
 */
export type GatewayDialResult = ConnectResult & {
  readonly engineStream?: Duplex;
  readonly tlsMs?: number;
  readonly abandonedSockets?: readonly Socket[];
};

/** Reads what a target answers, as it came. Must not throw. */
export interface ResponseTap {
  /** A piece of the answer, cut anywhere, from its head on. */
  feed(piece: Buffer): void;
  /** Nothing more comes: the target has ended its side, or was lost (`broken`). */
  end(broken: boolean): void;
}

export interface TapHandle {
  /**
   * From the next piece on the answer is for the tap: the engine gets no more than it needs to see that there is a head,
   * and neither its pace nor its hanging up matter.
   */
  divert(): void;
  /** Nothing more is wanted of this answer. */
  release(): void;
  pause(): void;
  resume(): void;
}

export type OpenTap = (handle: TapHandle) => ResponseTap;

/** One connection that the engine wanted, got or not. Numbers grow while it is open. */
export interface ConnectionLog {
  /** As `URL.hostname`, `null` when the engine's request could not be read. */
  readonly host: string | null;
  /** 0 when it could not be read. */
  readonly port: number;
  /** `tunnel`: by CONNECT (https, and WebSockets of either kind); `plain`: http requests. */
  readonly kind: 'tunnel' | 'plain';
  /** The address connected to; null when there was no connection, or only a proxy knows it. */
  readonly remoteIp: string | null;
  /** null: no look-up was made, or it did not come so far. */
  readonly dnsMs: number | null;
  /** null: there was no connection. */
  readonly connectMs: number | null;
  /** Of a handshake that `dial` made; null: none, or one that the engine makes itself. */
  readonly tlsMs: number | null;
  /** Bytes on the connection to the target above TCP (TLS included in a tunnel). */
  readonly sent: number;
  readonly received: number;
  /**
   * Why there was no connection (`connectMs` null), what a proxy said instead of the target, or how the target broke it (`connect.reset`, …). The
   * engine is given no answer that it could read: read this. `service.internal` is a request that no engine should send.
   */
  readonly cause: Failure | null;
}

export interface GatewaySession {
  /** In the order they were asked for; the first 1,000. */
  readonly connections: readonly ConnectionLog[];
  /**
   * The newest trip to this place of which there is something to tell: remote address and times of a document. null: none.
   */
  connectionTo(host: string, port: number): ConnectionLog | null;
  /** Taps the answer to the next plain request for this URL (as engines write it: without a fragment). Asked again: the last. */
  tap(url: string, open: OpenTap): void;
  /** Counts the bytes of a connection that was made beside it, and is closed. */
  adds(wire: Socket): void;
  /** All trips together, those past the first 1,000 as well. */
  totals(): GatewayTotals;
  /** Destroys all connections; from here on there are no new ones. */
  stop(): void;
  /** `stop`, and gives the slot back; settles when no socket is left. Again: the same promise. */
  end(): Promise<GatewayTotals>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface GatewayTotals {
  readonly trips: number;
  /** Trips that were refused or failed before there was a connection. */
  readonly refused: number;
  readonly sent: number;
  readonly received: number;
}
