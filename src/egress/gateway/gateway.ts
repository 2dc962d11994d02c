import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { ConnectRequest, ConnectResult } from '../connect-request.ts';

/**
 * An HTTP proxy on loopback, for clients that open their sockets themselves: browsers and the impersonating client. In this
 * folder "the client" is one of them. The gateway connects to targets with `Egress.connect`, so that they are resolved and
 * checked like all others. Each slot has its own port, by which the gateway knows the scrape: credentials would be the only
 * other way to tell the connections of several browsers apart.
 */
export interface Gateway {
  /** Opens a listener. Rejects when the system has no descriptors or ports left. */
  openSlot(): Promise<GatewaySlot>;
  /** Closes all slots; settles when all sockets are closed. */
  close(): Promise<void>;
}

export interface GatewayLimits {
  /** Maximum of concurrent connections from the client. */
  readonly maxConnections?: number;
}

/**
 * A listener on 127.0.0.1 that serves one scrape at a time. Between two sessions it closes every connection at once. No
 * scrape can connect to it: it is an own listener.
 */
export interface GatewaySlot {
  /** The HTTP proxy to configure in the client, for all schemes: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /**
   * Begins a session for one scrape. A connection does not tell which browser context made it, so close the context of the
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
  /** Called for each refused connection, also beyond the first 1,000, which `connections` lists. Must not throw. */
  readonly onRefusal?: (refusal: ConnectionLog) => void;
  /**
   * The proxy server to connect through, except to the hosts in its `bypass`. The client never sees its credentials. Absent
   * or null: connect directly.
   */
  readonly upstream?: Upstream | null;
  /** How to connect to targets; default `Egress.connect`. The requests that it gets have the upstream, too. */
  readonly dial?: GatewayDial;
  /** Sockets to targets may use `ConnectRequest.onSharedRead`, which is cheaper. Absent: they are streams. */
  readonly allowSharedReads?: boolean;
}

/** As `Egress.connect`: never rejects, settles at once on abort. */
export type GatewayDial = (
  request: ConnectRequest & Pick<ConnectionLog, 'kind'>,
) => Promise<GatewayDialResult>;

export type GatewayDialResult = ConnectResult & {
  /** Piped to the client instead of `socket`, for example if TLS is terminated here; it ends with the socket. */
  readonly clientStream?: Duplex;
  /** Time of the TLS handshake, if `dial` made one. */
  readonly tlsMs?: number;
  /** Earlier attempts of this dial that were given up; the session counts their bytes. */
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
   * From the next piece on only the tap reads the response. The client gets just enough of it to report the head; its
   * backpressure and disconnects are ignored.
   */
  divert(): void;
  /** The tap needs nothing more of this response. */
  release(): void;
  /** Stops and resumes reading from the target. */
  pause(): void;
  resume(): void;
}

export type OpenTap = (handle: TapHandle) => ResponseTap;

/** A connection that the client requested, successful or not. Byte counts grow while it is open. */
export interface ConnectionLog {
  /** As in `URL.hostname`; null: the client's request could not be parsed. */
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
  /** Time of a TLS handshake made by `dial`; null: there was none, or the client makes it. */
  readonly tlsMs: number | null;
  /** Bytes on the connection to the target or proxy, without TCP and IP headers; TLS is included. */
  readonly sent: number;
  readonly received: number;
  /**
   * Why there was no connection (`connectMs` null), which error a proxy reported, or how the connection was lost
   * (`connect.reset`, …). The client does not learn the cause. `service.internal`: the client sent an invalid request.
   */
  readonly cause: Failure | null;
}

export interface GatewaySession {
  /** The first 1,000, in the order of the requests. */
  readonly connections: readonly ConnectionLog[];
  /** The newest connection to a host and port, preferably one with a result. null: there is none. */
  connectionTo(host: string, port: number): ConnectionLog | null;
  /**
   * Taps the response to the next plain request for this URL (without a fragment, as clients send it). Replaces a tap
   * that still waits for its request.
   */
  tap(url: string, open: OpenTap): void;
  /** Adds the bytes of a closed connection that the gateway did not make to the totals. */
  addBytesOf(socket: Socket): void;
  /** Totals of all connections, also beyond the first 1,000. */
  totals(): GatewayTotals;
  /** Destroys all connections and refuses new ones. */
  stop(): void;
  /** Stops the session and frees the slot; settles when all sockets are closed. A second call returns the same promise. */
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
