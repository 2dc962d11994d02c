import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import type { TakeRead } from '../connect-request.ts';
import type {
  ConnectionLog,
  GatewayDial,
  GatewayDialResult,
  GatewayPolicy,
  GatewaySession,
  GatewayTotals,
  OpenTap,
} from './gateway.ts';
import type { HostPort, RequestHead } from './request-head.ts';

/** The record of one wanted connection; reads its counts from the socket while that is open. */
export class LiveConnectionLog implements ConnectionLog {
  readonly host: string | null;
  readonly port: number;
  readonly kind: 'tunnel' | 'plain';
  remoteIp: string | null = null;
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  cause: Failure | null = null;
  #socket: Socket | null = null;
  #sent = 0;
  #received = 0;

  constructor(kind: 'tunnel' | 'plain', place: HostPort | null) {
    this.kind = kind;
    this.host = place?.host ?? null;
    this.port = place?.port ?? 0;
  }

  onConnected({
    socket,
    proxySocket,
    remoteIp,
    dnsMs,
    connectMs,
    tlsMs,
  }: Extract<GatewayDialResult, { failure: null }>): void {
    this.#socket = proxySocket ?? socket;
    this.remoteIp = remoteIp;
    this.dnsMs = dnsMs;
    this.connectMs = connectMs;
    this.tlsMs = tlsMs ?? null;
  }

  /** A proxy took and gave so much, and led nowhere. */
  recordProxyBytes(wire: Socket): void {
    this.#sent = wire.bytesWritten;
    this.#received = wire.bytesRead;
  }

  /** Keeps the counts and lets go of the socket. */
  onClosed(): void {
    this.#sent = this.sent;
    this.#received = this.received;
    this.#socket = null;
  }

  /** What was handed to the system; what still waits in memory is not counted. */
  get sent(): number {
    const socket = this.#socket;
    return socket === null ? this.#sent : socket.bytesWritten - socket.writableLength;
  }

  get received(): number {
    return this.#socket === null ? this.#received : this.#socket.bytesRead;
  }
}

/** A page may ask for any number of connections. */
const MAX_LOGGED_CONNECTIONS = 1000;

/** One scrape's time in a slot: its rules, its connections, and what became of them. */
export class SlotSession implements GatewaySession {
  readonly #policy: GatewayPolicy;
  readonly #dial: GatewayDial;
  readonly #connections: LiveConnectionLog[] = [];
  /** Trips that are counted and not kept, as long as they are open. */
  readonly #unlistedConnections = new Set<LiveConnectionLog>();
  readonly #sockets = new Set<Socket>();
  readonly #totals = { trips: 0, refused: 0, sent: 0, received: 0 };
  readonly #ended: () => void;
  #tap: { readonly url: string; readonly open: OpenTap } | null = null;
  #dialling = 0;
  #stopped = false;
  #ending: PromiseWithResolvers<GatewayTotals> | null = null;

  /**
   * @param dial for a policy that names none
   * @param ended called once, when after `end` no socket is left
   */
  constructor(policy: GatewayPolicy, dial: GatewayDial, ended: () => void) {
    this.#policy = policy;
    this.#ended = ended;
    this.#dial = policy.dial ?? dial;
    if (policy.signal.aborted) this.#stopped = true;
    else policy.signal.addEventListener('abort', this.stop, { once: true });
  }

  /** No connection is taken or made any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  get connections(): readonly ConnectionLog[] {
    return this.#connections;
  }

  connectionTo(host: string, port: number): ConnectionLog | null {
    const there = this.#connections.filter((trip) => trip.host === host && trip.port === port);
    // Browsers connect ahead, too: what is still on its way says nothing.
    return (
      there.findLast(({ remoteIp, cause }) => remoteIp !== null || cause !== null) ?? there.at(-1) ?? null
    );
  }

  tap(url: string, open: OpenTap): void {
    this.#tap = { url, open };
  }

  /** The tap that waits for the answer to this request; there is one answer for it. */
  takeTap(url: string): OpenTap | null {
    if (this.#tap === null || this.#tap.url !== url) return null;
    const { open } = this.#tap;
    this.#tap = null;
    return open;
  }

  adds({ bytesWritten, bytesRead }: Pick<Socket, 'bytesWritten' | 'bytesRead'>): void {
    this.#totals.sent += bytesWritten;
    this.#totals.received += bytesRead;
  }

  totals(): GatewayTotals {
    let { sent, received } = this.#totals;
    for (const list of [this.#connections, this.#unlistedConnections]) {
      for (const trip of list) {
        sent += trip.sent;
        received += trip.received;
      }
    }
    return { ...this.#totals, sent, received };
  }

  end(): Promise<GatewayTotals> {
    if (this.#ending === null) {
      this.#ending = Promise.withResolvers();
      this.#policy.signal.removeEventListener('abort', this.stop);
      this.stop();
      this.#settle();
    }
    return this.#ending.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** Counts a socket until it is closed. */
  trackSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#settle();
    });
  }

  /** Notes a request that gets no connection. */
  logRefusal(kind: LiveConnectionLog['kind'], place: HostPort | null, cause: Failure): void {
    this.#refused(this.#add(new LiveConnectionLog(kind, place)), cause);
  }

  /** The policy's word on a URL. */
  judge(url: string): Failure | null {
    const { allowUrl } = this.#policy;
    return allowUrl === null ? null : allowUrl(new URL(url));
  }

  /** What came on this trip is not the target's word. */
  logProxyFailure(trip: LiveConnectionLog, cause: Failure): void {
    this.#refused(trip, cause);
  }

  /**
   * A connection to the place, counted. Its failure is noted, but for one that `signal` gave up.
   * @param takeRead for a tunnel, if the policy lets sockets lend what they read; answers in plain HTTP may be tapped
   */
  async dial(
    { kind, place, upgrade }: Pick<RequestHead, 'kind' | 'place'> & { readonly upgrade?: boolean },
    signal: AbortSignal,
    takeRead: TakeRead,
  ): Promise<{ result: GatewayDialResult; log: LiveConnectionLog }> {
    const log = this.#add(new LiveConnectionLog(kind, place));
    this.#dialling++;
    const { upstream = null, allowTakeRead = false } = this.#policy;
    const lends = allowTakeRead && kind === 'tunnel' ? { takeRead } : {};
    const { host, port } = place;
    // What becomes another protocol needs a way to the target itself.
    const plain = kind === 'plain' && upgrade !== true;
    const result = await this.#dial({ host, port, signal, kind, upstream, plain, ...lends });
    this.#dialling--;
    for (const tried of result.abandonedSockets ?? []) this.adds(tried);
    log.dnsMs = result.dnsMs;
    if (result.failure === null) {
      log.onConnected(result);
      result.socket.once('close', () => {
        log.onClosed();
        this.#forget(log);
      });
      this.trackSocket(result.socket);
    } else {
      if (result.proxySocket !== undefined) log.recordProxyBytes(result.proxySocket);
      if (signal.aborted) this.#forget(log);
      else this.#refused(log, result.failure);
    }
    this.#settle();
    return { result, log };
  }

  #add(trip: LiveConnectionLog): LiveConnectionLog {
    this.#totals.trips++;
    if (this.#connections.length < MAX_LOGGED_CONNECTIONS) this.#connections.push(trip);
    else this.#unlistedConnections.add(trip);
    return trip;
  }

  #refused(trip: LiveConnectionLog, cause: Failure): void {
    trip.cause = cause;
    this.#totals.refused++;
    this.#policy.onRefusal?.(trip);
    this.#forget(trip);
  }

  #forget(trip: LiveConnectionLog): void {
    if (!this.#unlistedConnections.delete(trip)) return;
    this.#totals.sent += trip.sent;
    this.#totals.received += trip.received;
  }

  readonly stop = () => {
    this.#stopped = true;
    for (const socket of this.#sockets) socket.destroy();
  };

  #settle(): void {
    if (this.#ending === null || this.#dialling > 0 || this.#sockets.size > 0) return;
    this.#ended();
    this.#ending.resolve(this.totals());
  }
}
