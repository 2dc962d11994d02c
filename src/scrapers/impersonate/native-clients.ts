import type { Clock } from '../../base/time.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { Gateway, GatewayDial } from '../../egress/gateway/gateway.ts';
import type { Lease } from '../../ports/proxies.ts';
import { ClientGateway } from './client-gateway.ts';
import type { NativeBinding, NativeRequest } from './native-binding.ts';

/**
 * The profiles of the library differ from the browsers in the HTTP/2 weight of a navigation: Chromium has 256, its profiles
 * 220 (measured on version 156); Firefox has 42, its profiles 22, which is the weight of other requests (measured on version
 * 153). On the wire, and here, a weight is one less. The HTTP/2 settings of a profile can only be replaced as a whole.
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

/** The settings that replace those of the browser's profile, as JSON; null: none. */
function emulationJsonOf(browser: string): string | null {
  if (/^(?:chrome|edge)_/.test(browser)) return CHROMIUM_EMULATION;
  return browser.startsWith('firefox_') ? FIREFOX_EMULATION : null;
}

/** Beyond this number, the least recently used idle clients are closed: each holds a port of the gateway, and memory. */
const MAX_IDLE_CLIENTS = 32;

const NO_GATEWAY_PORT = failure(
  'service.unavailable',
  'The HTTP client library cannot open another connection pool now.',
);

interface NativeClientRequest {
  readonly lease: Lease;
  /** Name of the library's profile. */
  readonly browser: string;
  readonly verifyTls: boolean;
  /** true: HTTP/2 only; false: HTTP/1.1 only. */
  /** true: HTTP/2 only; false: HTTP/1.1 only. */
  readonly http2: 'auto' | boolean;
}

/** A client of the library: a connection pool for one browser profile and one exit. */
export interface NativeClient {
  readonly gateway: ClientGateway;
  /** The options of a request that select the client. */
  readonly options: NativeClientOptions;
  /** Returns the client to the pool; to be called once. */
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
  /** Certificates (PEM), trusted besides the authorities of the library. */
  readonly ca: readonly string[];
  /** The function that connects to targets through the exit of a lease. */
  readonly dialOf: (lease: Lease) => GatewayDial;
}

/** Client ids are global in the process: two pools must not use the same. */
let lastId = 0;

/** The clients of the library by browser profile, TLS options and exit. */
export class NativeClientPool {
  readonly #deps: NativeClientDeps;
  readonly #ca: readonly Buffer[];
  /** By browser profile, TLS options and exit. The least recently used come first. */
  readonly #entries = new Map<string, PooledClient>();

  constructor(deps: NativeClientDeps) {
    this.#deps = deps;
    this.#ca = deps.ca.map((pem) => Buffer.from(pem));
  }

  get size(): number {
    return this.#entries.size;
  }

  async acquire(request: NativeClientRequest): Promise<NativeClient | Failure> {
    const key = `${request.browser} verify=${request.verifyTls} http2=${request.http2} ${request.lease.exit}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) entry = { opened: this.#openClient(request), inUse: 0 };
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
    await Promise.all(entries.map((entry) => this.#closeClient(entry)));
  }

  #release(entry: PooledClient): void {
    entry.inUse--;
    let idle = 0;
    for (const { inUse } of this.#entries.values()) if (inUse === 0) idle++;
    for (const [key, other] of this.#entries) {
      if (idle <= MAX_IDLE_CLIENTS) break;
      if (other.inUse > 0) continue;
      this.#entries.delete(key);
      void this.#closeClient(other);
      idle--;
    }
  }

  async #openClient({
    lease,
    browser,
    verifyTls,
    http2,
  }: NativeClientRequest): Promise<Omit<NativeClient, 'release'> | Failure> {
    const { gateway, clock, dialOf } = this.#deps;
    let clientGateway: ClientGateway;
    try {
      clientGateway = await ClientGateway.open(gateway, dialOf(lease), clock);
    } catch {
      return NO_GATEWAY_PORT;
    }
    const emulationJson = emulationJsonOf(browser);
    const options: NativeClientOptions = {
      browser,
      ...(emulationJson === null ? {} : { emulationJson }),
      clientId: ++lastId,
      // Constant: `clientId` already tells the clients apart.
      // Constant: `clientId` already tells the clients apart.
      clientCacheKey: '1',
      proxy: clientGateway.proxyUrl,
      ca: { certs: this.#ca, includeDefaultRoots: true },
      ...(verifyTls ? {} : { tlsDanger: { certVerification: false, verifyHostname: false } }),
      ...(http2 === 'auto' ? {} : http2 ? { http2Only: true } : { http1Only: true }),
    };
    return { gateway: clientGateway, options };
  }

  async #closeClient(entry: PooledClient): Promise<void> {
    const opened = await entry.opened;
    if (isFailure(opened)) return;
    this.#deps.binding.releaseClient(opened.options.clientId);
    await opened.gateway.close();
  }
}
