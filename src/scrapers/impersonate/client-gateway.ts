import type { Socket } from 'node:net';
import type { Clock } from '../../base/time.ts';
import type { ConnectResult } from '../../egress/connect-request.ts';
import type { Gateway, GatewayDial, GatewaySlot } from '../../egress/gateway/gateway.ts';

/** A request that may need a new connection to its target. */
export interface ConnectionWaiter {
  /** `host:port`. */
  readonly authority: string;
  /** @param proxyBytes null: there is no proxy */
  onConnectResult(dialled: ConnectResult, proxyBytes: ProxyBytes | null): void;
  /** The target has sent its first bytes, which belong to the TLS handshake. @param ms since the connection was opened */
  onHandshake(ms: number): void;
}

/**
 * Counts the bytes on the connection to a proxy before the first request: tunnel and TLS handshake. TLS is not parsed, so bytes
 * that the target sends after the client's second flight are assumed to belong to the response.
 */
export class ProxyBytes {
  readonly #proxySocket: Socket;
  /** Set when the target sends its first data (`#sent`), and when it answers the client's next flight (`#received`). */
  #sent: number | null = null;
  #received: number | null = null;
  /** Bytes received before the data that is being reported. */
  #receivedBefore: number;

  constructor(proxySocket: Socket) {
    this.#proxySocket = proxySocket;
    this.#receivedBefore = proxySocket.bytesRead;
  }

  get sent(): number {
    return this.#sent ?? this.#proxySocket.bytesWritten;
  }

  get received(): number {
    return this.#received ?? this.#proxySocket.bytesRead;
  }

  onTargetData(): void {
    if (this.#received !== null) return;
    const { bytesWritten, bytesRead } = this.#proxySocket;
    if (this.#sent === null) this.#sent = bytesWritten;
    else if (bytesWritten > this.#sent) this.#received = this.#receivedBefore;
    this.#receivedBefore = bytesRead;
  }
}

/** A client mostly connects to few targets; beyond this, all addresses are forgotten. */
const MAX_ADDRESSES = 64;

/**
 * The gateway slot through which one client of the library connects. The library does not say for which request it opens a
 * connection, so a new connection is attributed to the request that has waited longest for one to this target.
 */
export class ClientGateway {
  readonly proxyUrl: string;
  readonly #slot: GatewaySlot;
  readonly #clock: Clock;
  readonly #waiters = new Set<ConnectionWaiter>();
  readonly #neverAborted = new AbortController();
  /** The last address of each `host:port`, for requests that reuse a connection. */
  readonly #addresses = new Map<string, string>();

  private constructor(slot: GatewaySlot, dial: GatewayDial, clock: Clock) {
    this.proxyUrl = slot.url;
    this.#slot = slot;
    this.#clock = clock;
    const signal = this.#neverAborted.signal;
    slot.begin({
      signal,
      allowUrl: null,
      allowSharedReads: true,
      dial: (request) => this.#dial(dial, request),
    });
  }

  static async open(gateway: Gateway, dial: GatewayDial, clock: Clock): Promise<ClientGateway> {
    return new ClientGateway(await gateway.openSlot(), dial, clock);
  }

  /** From now until `removeWaiter`, the request may need a new connection. */
  addWaiter(waiter: ConnectionWaiter): void {
    this.#waiters.add(waiter);
  }

  removeWaiter(waiter: ConnectionWaiter): void {
    this.#waiters.delete(waiter);
  }

  remoteIpOf(authority: string): string | null {
    return this.#addresses.get(authority) ?? null;
  }

  close(): Promise<void> {
    return this.#slot.close();
  }

  /** Opens a connection, and reports its progress to the request that it is attributed to. */
  async #dial(dial: GatewayDial, request: Parameters<GatewayDial>[0]): ReturnType<GatewayDial> {
    const authority = `${request.host}:${request.port}`;
    const waiter = this.#takeWaiter(authority);
    let connectedAt = 0;
    let handshakeReported = false;
    let proxyBytes: ProxyBytes | null = null;
    const onTargetData = () => {
      proxyBytes?.onTargetData();
      if (!handshakeReported) waiter?.onHandshake(this.#clock.monotonic() - connectedAt);
      handshakeReported = true;
    };
    const { onSharedRead } = request;
    const observedRequest: typeof request =
      onSharedRead === undefined
        ? request
        : {
            ...request,
            onSharedRead: (bytes) => {
              onTargetData();
              onSharedRead(bytes);
            },
          };
    const dialled = await dial(observedRequest);
    if (waiter !== null && dialled.proxySocket !== undefined)
      proxyBytes = new ProxyBytes(dialled.proxySocket);
    waiter?.onConnectResult(dialled, proxyBytes);
    if (dialled.failure === null) {
      if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
      if (dialled.remoteIp !== null) this.#addresses.set(authority, dialled.remoteIp);
      connectedAt = this.#clock.monotonic();
      // A socket with shared reads has no `data` events.
      (dialled.clientStream ?? dialled.socket).on('data', onTargetData);
    }
    return dialled;
  }

  #takeWaiter(authority: string): ConnectionWaiter | null {
    for (const waiter of this.#waiters) {
      if (waiter.authority !== authority) continue;
      this.#waiters.delete(waiter);
      return waiter;
    }
    return null;
  }
}
