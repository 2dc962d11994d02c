import type { Socket } from 'node:net';
import type { Clock } from '../../../base/clock.ts';
import type { Dialled } from '../../../egress/dialled.ts';
import type { Dial, Gateway, GatewaySlot } from '../../../egress/gateway/gateway.ts';

/** A request that may want a connection to its place. */
export interface Caller {
  /** `host:port`. */
  readonly place: string;
  /** @param way null: no bytes went but the target's own */
  onDialled(dialled: Dialled, way: WayBytes | null): void;
  /** The first bytes of the target on the new connection: its side of the TLS handshake. */
  onHandshake(ms: number): void;
}

/** What it takes to get to the target through a proxy: from the first byte for the proxy on, the target's side of TLS included. */
export class WayBytes {
  readonly #wire: Socket;
  /** Both are known once there is an answer to what they stand for. */
  #out: number | null = null;
  #back: number | null = null;
  #seen: number;

  constructor(wire: Socket) {
    this.#wire = wire;
    this.#seen = wire.bytesRead;
  }

  get out(): number {
    return this.#out ?? this.#wire.bytesWritten;
  }

  get back(): number {
    return this.#back ?? this.#wire.bytesRead;
  }

  /** The target has said something. What it says after the second word of the client belongs to the answer. */
  hears(): void {
    if (this.#back !== null) return;
    const { bytesWritten, bytesRead } = this.#wire;
    if (this.#out === null) this.#out = bytesWritten;
    else if (bytesWritten > this.#out) this.#back = this.#seen;
    this.#seen = bytesRead;
  }
}

const KEPT_PLACES = 64;

/**
 * The listener of the gateway through which one client of the library leaves. The library does not tell which request
 * wanted a connection: the one that has waited longest for one to this place gets the word.
 */
export class WayOut {
  readonly proxy: string;
  readonly #slot: GatewaySlot;
  readonly #clock: Clock;
  readonly #callers = new Set<Caller>();
  readonly #never = new AbortController();
  /** The last address of each place, for requests on connections that stand. */
  readonly #addresses = new Map<string, string>();

  private constructor(slot: GatewaySlot, dial: Dial, clock: Clock) {
    this.proxy = slot.url;
    this.#slot = slot;
    this.#clock = clock;
    const signal = this.#never.signal;
    slot.begin({ signal, allowUrl: null, lent: true, dial: (ask) => this.#dial(dial, ask) });
  }

  static async open(gateway: Gateway, dial: Dial, clock: Clock): Promise<WayOut> {
    return new WayOut(await gateway.slot(), dial, clock);
  }

  /** The request waits for its connection until `stands`. */
  waits(caller: Caller): void {
    this.#callers.add(caller);
  }

  stands(caller: Caller): void {
    this.#callers.delete(caller);
  }

  addressOf(place: string): string | null {
    return this.#addresses.get(place) ?? null;
  }

  close(): Promise<void> {
    return this.#slot.close();
  }

  async #dial(dial: Dial, ask: Parameters<Dial>[0]): Promise<Awaited<ReturnType<Dial>>> {
    const place = `${ask.host}:${ask.port}`;
    const caller = this.#next(place);
    let began = 0;
    let heard = false;
    let way: WayBytes | null = null;
    const hear = () => {
      way?.hears();
      if (!heard) caller?.onHandshake(this.#clock.monotonic() - began);
      heard = true;
    };
    const { takeRead } = ask;
    const lends = takeRead !== undefined && {
      takeRead: (bytes: Buffer) => {
        hear();
        takeRead(bytes);
      },
    };
    const dialled = await dial({ ...ask, ...lends });
    if (caller !== null && dialled.wire !== undefined) way = new WayBytes(dialled.wire);
    caller?.onDialled(dialled, way);
    if (dialled.failure === null) {
      if (this.#addresses.size >= KEPT_PLACES) this.#addresses.clear();
      if (dialled.remoteIp !== null) this.#addresses.set(place, dialled.remoteIp);
      began = this.#clock.monotonic();
      // A socket that lends has no such event.
      (dialled.through ?? dialled.socket).on('data', hear);
    }
    return dialled;
  }

  #next(place: string): Caller | null {
    for (const caller of this.#callers) {
      if (caller.place !== place) continue;
      this.#callers.delete(caller);
      return caller;
    }
    return null;
  }
}
