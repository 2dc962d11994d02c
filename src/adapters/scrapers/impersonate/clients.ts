import type { Clock } from '../../../base/clock.ts';
import { type Failure, failure } from '../../../domain/failure.ts';
import type { Dial, Gateway } from '../../../egress/gateway/gateway.ts';
import type { Lease } from '../../../ports/proxies.ts';
import type { Binding, NativeRequest } from './binding.ts';
import { emulationOf } from './emulation.ts';
import { WayOut } from './way-out.ts';

/** Idle ones beyond this are closed, the longest unused first. Each has a listener and the library's own caches. */
const MOST_IDLE = 32;

const NO_LISTENER = failure(
  'service.unavailable',
  'The HTTP client library cannot open another connection pool now.',
);

export interface ClientAsk {
  readonly lease: Lease;
  /** As the library names it. */
  readonly browser: string;
  readonly verifyTls: boolean;
  readonly http2: 'auto' | boolean;
}

/** A client of the library: its connections, of one browser, leave by one exit. */
export interface Client {
  readonly way: WayOut;
  /** What of a request makes the client. */
  readonly options: ClientOptions;
  /** Gives it back; once. */
  release(): void;
}

export type ClientOptions = Pick<
  NativeRequest,
  | 'browser'
  | 'emulationJson'
  | 'clientId'
  | 'clientCacheKey'
  | 'proxy'
  | 'ca'
  | 'tlsDanger'
  | 'http1Only'
  | 'http2Only'
>;

interface Entry {
  readonly opened: Promise<Omit<Client, 'release'> | Failure>;
  using: number;
}

export interface ClientParts {
  readonly binding: Binding;
  readonly gateway: Gateway;
  readonly clock: Clock;
  /** PEM, trusted beside the authorities that the library brings. */
  readonly ca: readonly string[];
  /** How targets are reached by a lease. */
  readonly dialOf: (lease: Lease) => Dial;
}

/** Numbers are the library's own for the whole process: two scrapers must not share one. */
let lastId = 0;

/** The clients of the library by exit, browser and rules of TLS. */
export class Clients {
  readonly #parts: ClientParts;
  readonly #ca: readonly Buffer[];
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#ca = parts.ca.map((pem) => Buffer.from(pem));
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  async take(ask: ClientAsk): Promise<Client | Failure> {
    const key = `${ask.browser} ${ask.verifyTls ? 1 : 0}${ask.http2 === 'auto' ? 'a' : ask.http2 ? 2 : 1} ${ask.lease.exit}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) entry = { opened: this.#open(ask), using: 0 };
    else this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.using++;
    const opened = await entry.opened;
    if ('code' in opened) {
      entry.using--;
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      return opened;
    }
    return { ...opened, release: () => this.#release(entry) };
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map((entry) => this.#end(entry)));
  }

  #release(entry: Entry): void {
    entry.using--;
    let idle = 0;
    for (const one of this.#entries.values()) if (one.using === 0) idle++;
    for (const [key, one] of this.#entries) {
      if (idle <= MOST_IDLE) break;
      if (one.using > 0) continue;
      this.#entries.delete(key);
      void this.#end(one);
      idle--;
    }
  }

  async #open({ lease, browser, verifyTls, http2 }: ClientAsk): Promise<Omit<Client, 'release'> | Failure> {
    const { gateway, clock, dialOf } = this.#parts;
    let way: WayOut;
    try {
      way = await WayOut.open(gateway, dialOf(lease), clock);
    } catch {
      return NO_LISTENER;
    }
    const emulationJson = emulationOf(browser);
    const options: ClientOptions = {
      browser,
      ...(emulationJson === null ? {} : { emulationJson }),
      clientId: ++lastId,
      clientCacheKey: '1',
      proxy: way.proxy,
      ca: { certs: this.#ca, includeDefaultRoots: true },
      ...(verifyTls ? {} : { tlsDanger: { certVerification: false, verifyHostname: false } }),
      ...(http2 === 'auto' ? {} : http2 ? { http2Only: true } : { http1Only: true }),
    };
    return { way, options };
  }

  async #end(entry: Entry): Promise<void> {
    const opened = await entry.opened;
    if ('code' in opened) return;
    this.#parts.binding.releaseClient(opened.options.clientId);
    await opened.way.close();
  }
}
