import type { Clock } from '../../base/time.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { Gateway, GatewayDial } from '../../egress/gateway/gateway.ts';
import type { Lease } from '../../ports/proxies.ts';
import { ClientGateway } from './client-gateway.ts';
import type { NativeBinding, NativeRequest } from './native-binding.ts';

/**
 * The library's own profiles differ from the browsers in one number of HTTP/2: the weight of a navigation. That of
 * Chromium is 256 where they have 220 (measured on version 156), that of Firefox 42 where they have 22, which is that of
 * its other requests (measured on version 153). HTTP/2 can be corrected only as a whole.
 */
const CHROMIUM_EMULATION = JSON.stringify({
  http2Options: {
    headerTableSize: 65_536,
    enablePush: false,
    initialWindowSize: 6_291_456,
    maxHeaderListSize: 262_144,
    initialConnectionWindowSize: 15_728_640,
    settingsOrder: ['HeaderTableSize', 'EnablePush', 'InitialWindowSize', 'MaxHeaderListSize'],
    headersPseudoOrder: ['Method', 'Authority', 'Scheme', 'Path'],
    headersStreamDependency: { dependencyId: 0, weight: 255, exclusive: true },
  },
});
const FIREFOX_EMULATION = JSON.stringify({
  http2Options: {
    initialStreamId: 3,
    headerTableSize: 65_536,
    enablePush: false,
    initialWindowSize: 131_072,
    maxFrameSize: 16_384,
    initialConnectionWindowSize: 12_582_912,
    settingsOrder: ['HeaderTableSize', 'EnablePush', 'InitialWindowSize', 'MaxFrameSize'],
    headersPseudoOrder: ['Method', 'Path', 'Authority', 'Scheme'],
    headersStreamDependency: { dependencyId: 0, weight: 41, exclusive: false },
  },
});

/** What is corrected in a profile; null: nothing. */
function emulationJsonOf(browser: string): string | null {
  if (/^(?:chrome|edge)_/.test(browser)) return CHROMIUM_EMULATION;
  return browser.startsWith('firefox_') ? FIREFOX_EMULATION : null;
}

/** Idle ones beyond this are closed, the longest unused first. Each has a listener and the library's own caches. */
const MAX_IDLE_CLIENTS = 32;

const NO_LISTENER = failure(
  'service.unavailable',
  'The HTTP client library cannot open another connection pool now.',
);

interface NativeClientRequest {
  readonly lease: Lease;
  /** As the library names it. */
  readonly browser: string;
  readonly verifyTls: boolean;
  readonly http2: 'auto' | boolean;
}

/** A client of the library: its connections, of one browser, leave by one exit. */
export interface NativeClient {
  readonly gateway: ClientGateway;
  /** What of a request makes the client. */
  readonly options: NativeClientOptions;
  /** Gives it back; once. */
  release(): void;
}

type NativeClientOptions = Pick<
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

interface PooledClient {
  readonly opened: Promise<Omit<NativeClient, 'release'> | Failure>;
  inUse: number;
}

interface NativeClientDeps {
  readonly binding: NativeBinding;
  readonly gateway: Gateway;
  readonly clock: Clock;
  /** PEM, trusted beside the authorities that the library brings. */
  readonly ca: readonly string[];
  /** How targets are reached by a lease. */
  readonly dialOf: (lease: Lease) => GatewayDial;
}

/** Numbers are the library's own for the whole process: two scrapers must not share one. */
let lastId = 0;

/** The clients of the library by exit, browser and rules of TLS. */
export class NativeClientPool {
  readonly #deps: NativeClientDeps;
  readonly #ca: readonly Buffer[];
  /** In the order of their last use. */
  readonly #entries = new Map<string, PooledClient>();

  constructor(parts: NativeClientDeps) {
    this.#deps = parts;
    this.#ca = parts.ca.map((pem) => Buffer.from(pem));
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  async acquire(ask: NativeClientRequest): Promise<NativeClient | Failure> {
    const key = `${ask.browser} ${ask.verifyTls ? 1 : 0}${ask.http2 === 'auto' ? 'a' : ask.http2 ? 2 : 1} ${ask.lease.exit}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) entry = { opened: this.#open(ask), inUse: 0 };
    else this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.inUse++;
    const opened = await entry.opened;
    if (isFailure(opened)) {
      entry.inUse--;
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

  #release(entry: PooledClient): void {
    entry.inUse--;
    let idle = 0;
    for (const one of this.#entries.values()) if (one.inUse === 0) idle++;
    for (const [key, one] of this.#entries) {
      if (idle <= MAX_IDLE_CLIENTS) break;
      if (one.inUse > 0) continue;
      this.#entries.delete(key);
      void this.#end(one);
      idle--;
    }
  }

  async #open({
    lease,
    browser,
    verifyTls,
    http2,
  }: NativeClientRequest): Promise<Omit<NativeClient, 'release'> | Failure> {
    const { gateway, clock, dialOf } = this.#deps;
    let way: ClientGateway;
    try {
      way = await ClientGateway.open(gateway, dialOf(lease), clock);
    } catch {
      return NO_LISTENER;
    }
    const emulationJson = emulationJsonOf(browser);
    const options: NativeClientOptions = {
      browser,
      ...(emulationJson === null ? {} : { emulationJson }),
      clientId: ++lastId,
      clientCacheKey: '1',
      proxy: way.proxyUrl,
      ca: { certs: this.#ca, includeDefaultRoots: true },
      ...(verifyTls ? {} : { tlsDanger: { certVerification: false, verifyHostname: false } }),
      ...(http2 === 'auto' ? {} : http2 ? { http2Only: true } : { http1Only: true }),
    };
    return { gateway: way, options };
  }

  async #end(entry: PooledClient): Promise<void> {
    const opened = await entry.opened;
    if (isFailure(opened)) return;
    this.#deps.binding.releaseClient(opened.options.clientId);
    await opened.gateway.close();
  }
}
