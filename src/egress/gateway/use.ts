import type { Socket } from 'node:net';
import type { Failure } from '../../domain/failure.ts';
import type { TakeRead } from '../lent-reads.ts';
import type {
  Dial,
  GatewayPolicy,
  GatewayTotals,
  GatewayTrip,
  GatewayUse,
  OpenTap,
  Through,
} from './gateway.ts';
import type { Place } from './place.ts';
import type { RequestHead } from './request-head.ts';
import { Trip } from './trip.ts';

/** A page may ask for any number of connections. */
const MAX_TRIPS = 1000;

/** One scrape's time in a slot: its rules, its connections, and what became of them. */
export class Use implements GatewayUse {
  readonly #policy: GatewayPolicy;
  readonly #dial: Dial;
  readonly #trips: Trip[] = [];
  /** Trips that are counted and not kept, as long as they are open. */
  readonly #unlisted = new Set<Trip>();
  readonly #sockets = new Set<Socket>();
  readonly #past = { trips: 0, refused: 0, sent: 0, received: 0 };
  readonly #ended: () => void;
  #tap: { readonly url: string; readonly open: OpenTap } | null = null;
  #dialling = 0;
  #over = false;
  #ending: PromiseWithResolvers<GatewayTotals> | null = null;

  /**
   * @param dial for a policy that names none
   * @param ended called once, when after `end` no socket is left
   */
  constructor(policy: GatewayPolicy, dial: Dial, ended: () => void) {
    this.#policy = policy;
    this.#ended = ended;
    this.#dial = policy.dial ?? dial;
    if (policy.signal.aborted) this.#over = true;
    else policy.signal.addEventListener('abort', this.stop, { once: true });
  }

  /** No connection is taken or made any more. */
  get over(): boolean {
    return this.#over;
  }

  get trips(): readonly GatewayTrip[] {
    return this.#trips;
  }

  tripTo(host: string, port: number): GatewayTrip | null {
    const there = this.#trips.filter((trip) => trip.host === host && trip.port === port);
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
    this.#past.sent += bytesWritten;
    this.#past.received += bytesRead;
  }

  totals(): GatewayTotals {
    let { sent, received } = this.#past;
    for (const list of [this.#trips, this.#unlisted]) {
      for (const trip of list) {
        sent += trip.sent;
        received += trip.received;
      }
    }
    return { ...this.#past, sent, received };
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
  hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#settle();
    });
  }

  /** Notes a request that gets no connection. */
  refuse(kind: Trip['kind'], place: Place | null, cause: Failure): void {
    this.#refused(this.#add(new Trip(kind, place)), cause);
  }

  /** The policy's word on a URL. */
  judge(url: string): Failure | null {
    const { allowUrl } = this.#policy;
    return allowUrl === null ? null : allowUrl(new URL(url));
  }

  /** What came on this trip is not the target's word. */
  distrust(trip: Trip, cause: Failure): void {
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
  ): Promise<{ dialled: Through; trip: Trip }> {
    const trip = this.#add(new Trip(kind, place));
    this.#dialling++;
    const { upstream = null, lent = false } = this.#policy;
    const lends = lent && kind === 'tunnel' ? { takeRead } : {};
    const { host, port } = place;
    // What becomes another protocol needs a way to the target itself.
    const plain = kind === 'plain' && upgrade !== true;
    const dialled = await this.#dial({ host, port, signal, kind, upstream, plain, ...lends });
    this.#dialling--;
    for (const tried of dialled.tried ?? []) this.adds(tried);
    trip.dnsMs = dialled.dnsMs;
    if (dialled.failure === null) {
      trip.connected(dialled);
      dialled.socket.once('close', () => {
        trip.closed();
        this.#forget(trip);
      });
      this.hold(dialled.socket);
    } else {
      if (dialled.wire !== undefined) trip.spent(dialled.wire);
      if (signal.aborted) this.#forget(trip);
      else this.#refused(trip, dialled.failure);
    }
    this.#settle();
    return { dialled, trip };
  }

  #add(trip: Trip): Trip {
    this.#past.trips++;
    if (this.#trips.length < MAX_TRIPS) this.#trips.push(trip);
    else this.#unlisted.add(trip);
    return trip;
  }

  #refused(trip: Trip, cause: Failure): void {
    trip.cause = cause;
    this.#past.refused++;
    this.#policy.onRefusal?.(trip);
    this.#forget(trip);
  }

  #forget(trip: Trip): void {
    if (!this.#unlisted.delete(trip)) return;
    this.#past.sent += trip.sent;
    this.#past.received += trip.received;
  }

  readonly stop = () => {
    this.#over = true;
    for (const socket of this.#sockets) socket.destroy();
  };

  #settle(): void {
    if (this.#ending === null || this.#dialling > 0 || this.#sockets.size > 0) return;
    this.#ended();
    this.#ending.resolve(this.totals());
  }
}
