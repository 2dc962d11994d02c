import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { ConnectRequest, ConnectResult } from '../connect-request.ts';

/**
 * An HTTP proxy on loopback, for engines that open their sockets themselves (browsers, impersonating clients). Their
 * connections are made by `Egress.connect`, so that targets are resolved and checked like all others. There is one listener
 * for each slot, because a browser can only be given a proxy by address, or else with credentials.
 */
export interface Gateway {
  /** Opens a listener. Rejects when the system cannot (it is out of descriptors or ports). */
  openSlot(): Promise<GatewaySlot>;
  /** Closes all slots; settles when all sockets are closed. */
  close(): Promise<void>;
}

export interface GatewayLimits {
  /** Maximum of concurrent connections from the engine. */
  readonly maxConnections?: number;
}

/**
 * A listener on 127.0.0.1 that serves one scrape at a time. Between two sessions it closes every connection at once. No
 * scrape can connect to it: it is an own listener.
 */
export interface GatewaySlot {
  /** The HTTP proxy to configure in the engine, for all schemes: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /**
   * Opens the slot for one scrape. A connection does not tell which browser context made it: close the context of the
   * previous scrape first. Throws when the slot is in use or closed, which is a bug of the caller.
   */
  begin(policy: GatewayPolicy): GatewaySession;
  /** Ends the session, if there is one, and closes the listener; settles when all sockets are closed. */
  close(): Promise<void>;
}

export interface GatewayPolicy {
  /** When it aborts, all connections are destroyed and new ones refused. `end` must still be called. */
  readonly signal: AbortSignal;
  /**
   * Called for every tunnel and every plain request before DNS, also for those of subresources: the gateway does not know
   * which are documents. The URL of a tunnel is `https://host:port/`. null: all are allowed.
   */
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  /** Called for each refused connection, also when `connections` is full. Must not throw. */
  readonly onRefusal?: (refusal: ConnectionLog) => void;
  /**
   * The proxy server to connect through, except to the hosts in its `bypass`. The engine never sees its credentials. Absent
   * or null: connect directly.
   */
  readonly upstream?: Upstream | null;
  /** How to connect to targets; default `Egress.connect`. Its request has the upstream, too. */
  readonly dial?: GatewayDial;
  /** Sockets to targets may use `ConnectRequest.onSharedRead`, which is cheaper. Absent: they are streams. */
  readonly allowSharedReads?: boolean;
}

/** As `Egress.connect`: never rejects, settles at once on abort. */
export type GatewayDial = (
  request: ConnectRequest & Pick<ConnectionLog, 'kind'>,
) => Promise<GatewayDialResult>;

export type GatewayDialResult = ConnectResult & {
  /** Connected with the engine instead of `socket`; it ends with the socket. */
  readonly engineStream?: Duplex;
  readonly tlsMs?: number;
  /** Earlier connections to the target that were given up; their bytes are counted. */
  readonly abandonedSockets?: readonly Socket[];
};

/** Reads the raw bytes of a response. Must not throw. */
export interface ResponseTap {
  /** Gets the bytes of the response, the head included, in pieces of any size. */
  feed(piece: Buffer): void;
  /** The target has ended its side, or the connection was lost. */
  end(lost: boolean): void;
}

export interface TapHandle {
  /**
   * From the next piece on only the tap reads the response: the engine gets just enough to report the head, and its
   * backpressure and disconnects no longer matter.
   */
  divert(): void;
  /** The tap needs nothing more of this response. */
  release(): void;
  pause(): void;
  resume(): void;
}

export type OpenTap = (handle: TapHandle) => ResponseTap;

/** A connection that the engine requested, successful or not. Byte counts grow while it is open. */
export interface ConnectionLog {
  /** As in `URL.hostname`; null: the engine's request could not be parsed. */
  readonly host: string | null;
  /** 0: the request could not be parsed. */
  readonly port: number;
  /** `tunnel`: CONNECT (for https and WebSockets); `plain`: http requests. */
  readonly kind: 'tunnel' | 'plain';
  /** The address connected to; null: there was no connection, or only a proxy knows it. */
  readonly remoteIp: string | null;
  /** null: there was no DNS query. */
  readonly dnsMs: number | null;
  /** null: there was no connection. */
  readonly connectMs: number | null;
  /** Time of a TLS handshake made by `dial`; null: there was none, or the engine makes it. */
  readonly tlsMs: number | null;
  /** Bytes on the connection to the target above TCP (in a tunnel with TLS). */
  readonly sent: number;
  readonly received: number;
  /**
   * Why there was no connection (`connectMs` null), which error a proxy reported, or how the connection was lost
   * (`connect.reset`, …). The engine does not learn the cause. `service.internal`: the engine sent an invalid request.
   */
  readonly cause: Failure | null;
}

export interface GatewaySession {
  /** The first 1,000, in the order of the requests. */
  readonly connections: readonly ConnectionLog[];
  /** The newest connection to a host and port, preferably one with a result. null: there is none. */
  connectionTo(host: string, port: number): ConnectionLog | null;
  /**
   * Taps the response to the next plain request for this URL (without a fragment, as engines send it). Replaces a tap
   * that still waits for its request.
   */
  tap(url: string, open: OpenTap): void;
  /** Adds the bytes of a closed connection that was made outside of the gateway. */
  addBytesOf(socket: Socket): void;
  /** Totals of all connections, also beyond the first 1,000. */
  totals(): GatewayTotals;
  /** Destroys all connections and refuses new ones. */
  stop(): void;
  /** Stops, and frees the slot; settles when all sockets are closed. A second call returns the same promise. */
  end(): Promise<GatewayTotals>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface GatewayTotals {
  readonly connections: number;
  /** Connections that were refused or failed. */
  readonly refused: number;
  readonly sent: number;
  readonly received: number;
}
