import type { Socket } from 'node:net';
import type { Clock } from '../../base/time.ts';
import type { ConnectResult } from '../../egress/connect-request.ts';
import type { Gateway, GatewayDial, GatewaySlot } from '../../egress/gateway/gateway.ts';

/** A request that may want a connection to its place. */
export interface ConnectionWaiter {
  /** `host:port`. */
  readonly authority: string;
  /** @param way null: no bytes went but the target's own */
  onConnectResult(dialled: ConnectResult, way: ProxyBytes | null): void;
  /** The first bytes of the target on the new connection: its side of the TLS handshake. */
  onHandshake(ms: number): void;
}

/** What it takes to get to the target through a proxy: from the first byte for the proxy on, the target's side of TLS included. */
export class ProxyBytes {
  readonly #proxySocket: Socket;
  /** Both are known once there is an answer to what they stand for. */
  #sent: number | null = null;
  #received: number | null = null;
  #seen: number;

  constructor(wire: Socket) {
    this.#proxySocket = wire;
    this.#seen = wire.bytesRead;
  }

  get sent(): number {
    return this.#sent ?? this.#proxySocket.bytesWritten;
  }

  get received(): number {
    return this.#received ?? this.#proxySocket.bytesRead;
  }

  /** The target has said something. What it says after the second word of the client belongs to the answer. */
  onTargetData(): void {
    if (this.#received !== null) return;
    const { bytesWritten, bytesRead } = this.#proxySocket;
    if (this.#sent === null) this.#sent = bytesWritten;
    else if (bytesWritten > this.#sent) this.#received = this.#seen;
    this.#seen = bytesRead;
  }
}

const MAX_ADDRESSES = 64;

/**
 * The listener of the gateway through which one client of the library leaves. The library does not tell which request
 * wanted a connection: the one that has waited longest for one to this place gets the word.
 */
export class ClientGateway {
  readonly proxyUrl: string;
  readonly #slot: GatewaySlot;
  readonly #clock: Clock;
  readonly #waiters = new Set<ConnectionWaiter>();
  readonly #neverAborted = new AbortController();
  /** The last address of each place, for requests on connections that stand. */
  readonly #addresses = new Map<string, string>();

  private constructor(slot: GatewaySlot, dial: GatewayDial, clock: Clock) {
    this.proxyUrl = slot.url;
    this.#slot = slot;
    this.#clock = clock;
    const signal = this.#neverAborted.signal;
    slot.begin({ signal, allowUrl: null, allowSharedReads: true, dial: (ask) => this.#dial(dial, ask) });
  }

  static async open(gateway: Gateway, dial: GatewayDial, clock: Clock): Promise<ClientGateway> {
    return new ClientGateway(await gateway.openSlot(), dial, clock);
  }

  /** The request waits for its connection until `stands`. */
  addWaiter(caller: ConnectionWaiter): void {
    this.#waiters.add(caller);
  }

  removeWaiter(caller: ConnectionWaiter): void {
    this.#waiters.delete(caller);
  }

  remoteIpOf(place: string): string | null {
    return this.#addresses.get(place) ?? null;
  }

  close(): Promise<void> {
    return this.#slot.close();
  }

  async #dial(dial: GatewayDial, ask: Parameters<GatewayDial>[0]): Promise<Awaited<ReturnType<GatewayDial>>> {
    const place = `${ask.host}:${ask.port}`;
    const caller = this.#takeWaiter(place);
    let began = 0;
    let heard = false;
    let way: ProxyBytes | null = null;
    const hear = () => {
      way?.onTargetData();
      if (!heard) caller?.onHandshake(this.#clock.monotonic() - began);
      heard = true;
    };
    const { onSharedRead } = ask;
    const lends = onSharedRead !== undefined && {
      onSharedRead: (bytes: Buffer) => {
        hear();
        onSharedRead(bytes);
      },
    };
    const dialled = await dial({ ...ask, ...lends });
    if (caller !== null && dialled.proxySocket !== undefined) way = new ProxyBytes(dialled.proxySocket);
    caller?.onConnectResult(dialled, way);
    if (dialled.failure === null) {
      if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
      if (dialled.remoteIp !== null) this.#addresses.set(place, dialled.remoteIp);
      began = this.#clock.monotonic();
      // A socket that lends has no such event.
      (dialled.engineStream ?? dialled.socket).on('data', hear);
    }
    return dialled;
  }

  #takeWaiter(place: string): ConnectionWaiter | null {
    for (const caller of this.#waiters) {
      if (caller.authority !== place) continue;
      this.#waiters.delete(caller);
      return caller;
    }
    return null;
  }
}
