import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import type { SharedReadHandler } from '../connect-request.ts';
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

/** The log of a requested connection. While the socket is open, byte counts are read from it. */
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

  constructor(kind: 'tunnel' | 'plain', target: HostPort | null) {
    this.kind = kind;
    this.host = target?.host ?? null;
    this.port = target?.port ?? 0;
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

  /** Counts the bytes of a connection to a proxy that did not lead to the target. */
  addClosedProxySocket(socket: Socket): void {
    this.#sent = socket.bytesWritten;
    this.#received = socket.bytesRead;
  }

  /** Keeps the counts and releases the socket. */
  onClosed(): void {
    this.#sent = this.sent;
    this.#received = this.received;
    this.#socket = null;
  }

  /** Bytes passed to the kernel, without those that Node still buffers. */
  get sent(): number {
    const socket = this.#socket;
    return socket === null ? this.#sent : socket.bytesWritten - socket.writableLength;
  }

  get received(): number {
    return this.#socket === null ? this.#received : this.#socket.bytesRead;
  }
}

/** Limits memory: a page may open any number of connections. */
const MAX_LOGGED_CONNECTIONS = 1000;

/** The use of a slot by one scrape, with its policy and its connections. */
export class SlotSession implements GatewaySession {
  readonly #policy: GatewayPolicy;
  readonly #dial: GatewayDial;
  readonly #connections: LiveConnectionLog[] = [];
  /**
   * Open connections that `connections` does not list, because it is full. When they close, their bytes are added to the
   * totals.
   */
  readonly #unlistedConnections = new Set<LiveConnectionLog>();
  readonly #sockets = new Set<Socket>();
  readonly #totals = { connections: 0, refused: 0, sent: 0, received: 0 };
  readonly #onEnded: () => void;
  #tap: { readonly url: string; readonly open: OpenTap } | null = null;
  #dialsInProgress = 0;
  #stopped = false;
  #ending: PromiseWithResolvers<GatewayTotals> | null = null;

  /**
   * @param dial used if the policy has none
   * @param onEnded called once: after `end`, when all sockets are closed
   */
  constructor(policy: GatewayPolicy, dial: GatewayDial, onEnded: () => void) {
    this.#policy = policy;
    this.#onEnded = onEnded;
    this.#dial = policy.dial ?? dial;
    if (policy.signal.aborted) this.#stopped = true;
    else policy.signal.addEventListener('abort', this.stop, { once: true });
  }

  /** No connection is accepted or made any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  get connections(): readonly ConnectionLog[] {
    return this.#connections;
  }

  connectionTo(host: string, port: number): ConnectionLog | null {
    const matching = this.#connections.filter((log) => log.host === host && log.port === port);
    // Browsers also preconnect: a connection that is still being made has no result yet.
    const withResult = matching.findLast(({ remoteIp, cause }) => remoteIp !== null || cause !== null);
    return withResult ?? matching.at(-1) ?? null;
  }

  tap(url: string, open: OpenTap): void {
    this.#tap = { url, open };
  }

  /** Takes the tap that waits for this request; null: there is none. */
  takeTap(url: string): OpenTap | null {
    if (this.#tap === null || this.#tap.url !== url) return null;
    const { open } = this.#tap;
    this.#tap = null;
    return open;
  }

  addBytesOf({ bytesWritten, bytesRead }: Pick<Socket, 'bytesWritten' | 'bytesRead'>): void {
    this.#totals.sent += bytesWritten;
    this.#totals.received += bytesRead;
  }

  totals(): GatewayTotals {
    let { sent, received } = this.#totals;
    for (const list of [this.#connections, this.#unlistedConnections]) {
      for (const log of list) {
        sent += log.sent;
        received += log.received;
      }
    }
    return { ...this.#totals, sent, received };
  }

  end(): Promise<GatewayTotals> {
    if (this.#ending === null) {
      this.#ending = Promise.withResolvers();
      this.#policy.signal.removeEventListener('abort', this.stop);
      this.stop();
      this.#resolveIfEnded();
    }
    return this.#ending.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** `end` waits until the socket is closed. */
  trackSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#resolveIfEnded();
    });
  }

  /** Logs a request that gets no connection. @param target null: the request could not be read */
  logRefusal(kind: LiveConnectionLog['kind'], target: HostPort | null, cause: Failure): void {
    this.#markRefused(this.#addConnection(new LiveConnectionLog(kind, target)), cause);
  }

  /** Why the policy does not allow the URL; null: it does. */
  checkUrl(url: string): Failure | null {
    const { allowUrl } = this.#policy;
    return allowUrl === null ? null : allowUrl(new URL(url));
  }

  /** Logs that a proxy reported an error instead of the target's response. */
  logFailure(log: LiveConnectionLog, cause: Failure): void {
    this.#markRefused(log, cause);
  }

  /**
   * Connects to a target and logs the connection. A dial that `signal` ends is not logged as refused.
   * @param onSharedRead used for tunnels, if the policy allows it; not for plain connections, because taps need their stream
   */
  async dial(
    { kind, target, upgrade }: Pick<RequestHead, 'kind' | 'target'> & { readonly upgrade?: boolean },
    signal: AbortSignal,
    onSharedRead: SharedReadHandler,
  ): Promise<{ result: GatewayDialResult; log: LiveConnectionLog }> {
    const log = this.#addConnection(new LiveConnectionLog(kind, target));
    this.#dialsInProgress++;
    const { upstream = null, allowSharedReads = false } = this.#policy;
    const sharedRead = allowSharedReads && kind === 'tunnel' ? { onSharedRead } : {};
    const { host, port } = target;
    // An upgrade to another protocol needs a tunnel to the target, even through an HTTP proxy.
    const plain = kind === 'plain' && upgrade !== true;
    const result = await this.#dial({ host, port, signal, kind, upstream, plain, ...sharedRead });
    this.#dialsInProgress--;
    for (const abandoned of result.abandonedSockets ?? []) this.addBytesOf(abandoned);
    log.dnsMs = result.dnsMs;
    if (result.failure === null) {
      log.onConnected(result);
      result.socket.once('close', () => {
        log.onClosed();
        this.#countUnlisted(log);
      });
      this.trackSocket(result.socket);
    } else {
      if (result.proxySocket !== undefined) log.addClosedProxySocket(result.proxySocket);
      if (signal.aborted) this.#countUnlisted(log);
      else this.#markRefused(log, result.failure);
    }
    this.#resolveIfEnded();
    return { result, log };
  }

  #addConnection(log: LiveConnectionLog): LiveConnectionLog {
    this.#totals.connections++;
    if (this.#connections.length < MAX_LOGGED_CONNECTIONS) this.#connections.push(log);
    else this.#unlistedConnections.add(log);
    return log;
  }

  #markRefused(log: LiveConnectionLog, cause: Failure): void {
    log.cause = cause;
    this.#totals.refused++;
    this.#policy.onRefusal?.(log);
    this.#countUnlisted(log);
  }

  /** Adds the bytes of a closed connection to the totals, unless `connections` lists it. */
  #countUnlisted(log: LiveConnectionLog): void {
    if (!this.#unlistedConnections.delete(log)) return;
    this.#totals.sent += log.sent;
    this.#totals.received += log.received;
  }

  readonly stop = () => {
    this.#stopped = true;
    for (const socket of this.#sockets) socket.destroy();
  };

  #resolveIfEnded(): void {
    if (this.#ending === null || this.#dialsInProgress > 0 || this.#sockets.size > 0) return;
    this.#onEnded();
    this.#ending.resolve(this.totals());
  }
}
