import { orAborted, orTimeout } from '../../base/wait.ts';
import type { BrowserType } from '../../domain/browser-options.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { RemoteBrowser, RemoteBrowserState } from '../../domain/remote-browsers.ts';
import { ADDRESS_REFUSED } from '../../egress/address-policy.ts';
import type { Guard } from '../../egress/gateway/guard.ts';
import { PageSlots, slotsFull, waitFailure } from './page-slots.ts';
import { connectRemote, type RemoteConnection } from './remote-connect.ts';
import type { BrowserLease, BrowserLeaseRequest } from './supervisor.ts';

/** How remote browsers reach the guard. */
export interface GuardAccess {
  /** As the remote browsers see it: `SLUICE_GUARD_URL`. */
  readonly url: string;
  readonly guard: Guard;
}

export interface RemoteEndpointDeps {
  /** null: there is no guard, and so no browser with `network: proxied`. */
  readonly guard: GuardAccess | null;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** The pause after a failed connection, doubled each time up to the maximum. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const CHECK_PAGE_MS = 10_000;
/** The user in the queue for slots when the browser is checked. */
const CHECKER = '';

/** How the last check of a browser ended. */
type Health =
  | { readonly state: 'unknown' }
  | { readonly state: 'ready'; readonly version: string; readonly headless: boolean }
  | { readonly state: 'down'; readonly trouble: string };

/**
 * One remote browser. It is checked before its first use; after a failure, scrapes leave it alone until a later check succeeds. Each
 * scrape has a connection of its own, which ends with it and takes its contexts along.
 */
export class RemoteEndpoint {
  readonly remote: RemoteBrowser;
  readonly #deps: RemoteEndpointDeps;
  readonly #slots: PageSlots;
  readonly #closing = new AbortController();
  #health: Health = { state: 'unknown' };
  #version: string | null = null;
  #checking: Promise<void> | null = null;
  #failuresInTurn = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #counts = { served: 0, failures: 0 };

  constructor(remote: RemoteBrowser, deps: RemoteEndpointDeps) {
    this.remote = remote;
    this.#deps = deps;
    this.#slots = new PageSlots(remote.slots, false);
  }

  get health(): Health {
    return this.#health;
  }

  /** Share of the slots that are taken or waited for; above 1, scrapes wait. */
  get load(): number {
    return (this.#slots.busy + this.#slots.waiting) / this.#slots.total;
  }

  /** Settles when it is known whether the browser can be used. Never rejects. */
  async checked(): Promise<void> {
    if (this.#health.state === 'unknown') await this.check();
  }

  /** Connects, checks the version, and that pages reach the network through the guard. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Waits for a slot, in turn with other users, and connects. `browser.down`: it cannot be used now. Never rejects. */
  async lease({ userId, deadline, type }: BrowserLeaseRequest): Promise<BrowserLease | Failure> {
    const requestedAt = performance.now();
    const signal = AbortSignal.any([deadline.signal, this.#closing.signal]);
    const slot = await this.#slots.acquire(userId, signal);
    if (slot === 'full') return slotsFull();
    if (slot === 'aborted') return this.#ended(signal.reason, 'a free slot of the remote browser');
    const connecting = this.#connect(type);
    const connection = await orAborted(connecting, signal, () =>
      this.#ended(signal.reason, 'the remote browser'),
    );
    if (isFailure(connection)) {
      // The slot is free when the connection, which may still be made, is closed.
      void connecting
        .then((late) => (isFailure(late) ? null : late.close()))
        .finally(() => this.#slots.release(slot));
      return connection;
    }
    this.#counts.served++;
    const found = { type, version: connection.version };
    return this.#leaseOf(connection, found, slot, performance.now() - requestedAt);
  }

  #leaseOf(
    { browser, close }: RemoteConnection,
    found: BrowserLease['found'],
    slot: number,
    queuedMs: number,
  ): BrowserLease {
    let released = false;
    return {
      browser,
      found,
      downloadsDir: null,
      remote: this.remote,
      quarantined: false,
      slot,
      queuedMs,
      isBrowserGone: () => !browser.isConnected(),
      // The processes are on another machine, so their priority is not ours to change.
      reportDisturbance: () => {},
      release: () => {
        if (released) return;
        released = true;
        void close().finally(() => this.#slots.release(slot));
      },
    };
  }

  state(): RemoteBrowserState {
    const { name, kind, types, network, users, auto } = this.remote;
    const { total, busy, waiting } = this.#slots;
    return {
      ...{ name, kind, types, network, users, auto },
      state: this.#health.state,
      trouble: this.#health.state === 'down' ? this.#health.trouble : null,
      version: this.#version,
      slots: { total, busy, waiting },
      ...this.#counts,
    };
  }

  /** Ends waits and checks. Scrapes that are connected may finish. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort(RETIRED);
  }

  #ended(reason: unknown, what: string): Failure {
    return reason === RETIRED
      ? this.#down('it is no longer in the file of browsers')
      : waitFailure(reason, what);
  }

  async #connect(type: BrowserType): Promise<RemoteConnection | Failure> {
    try {
      return await connectRemote(this.remote, type);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Leaves the browser alone for a while. */
  #failed(error: unknown): Failure {
    const trouble = troubleOf(error, this.remote);
    this.#counts.failures++;
    if (this.#health.state !== 'down')
      this.#deps.log('a remote browser cannot be used', { browser: this.remote.name, why: trouble });
    this.#health = { state: 'down', trouble };
    // Many scrapes may fail at once: they have one pause together.
    if (this.#timer === undefined && !this.#closing.signal.aborted) {
      const pauseMs = Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** this.#failuresInTurn++);
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.check();
      }, pauseMs).unref();
    }
    return this.#down(trouble);
  }

  #down(trouble: string): Failure {
    return failure('browser.down', `The remote browser ${this.remote.name} cannot be used: ${trouble}.`);
  }

  async #check(): Promise<void> {
    const { signal } = this.#closing;
    const slot = await this.#slots.acquire(CHECKER, signal);
    if (typeof slot === 'string') return;
    try {
      const connection = await this.#connect(this.remote.types[0]!);
      if (isFailure(connection)) return;
      try {
        await this.#checkGuard(connection, signal);
        const { version, headless } = connection;
        this.#deps.log('a remote browser is ready', { browser: this.remote.name, version });
        this.#failuresInTurn = 0;
        this.#version = version;
        this.#health = { state: 'ready', version, headless };
      } catch (error) {
        this.#failed(error);
      } finally {
        await connection.close();
      }
    } finally {
      this.#slots.release(slot);
    }
  }

  /**
   * Opens a page of loopback, which no scrape may reach, and rejects unless the guard gets the request: then neither the remote browser
   * nor its settings keep requests from the guard.
   */
  async #checkGuard({ browser }: RemoteConnection, signal: AbortSignal): Promise<void> {
    if (this.remote.network === 'direct') return;
    const { url, guard } = this.#deps.guard!;
    const { gateway, credentials } = guard.begin({
      signal,
      allowUrl: null,
      dial: async () => ({ failure: ADDRESS_REFUSED, socket: null, dnsMs: null }),
    });
    try {
      const opening = browser.newContext({ proxy: { server: url, ...credentials } }).then(async (context) => {
        const page = await context.newPage();
        const text = await page.goto(`http://${CHECKED_HOST}/`, { timeout: CHECK_PAGE_MS }).then(
          () => '',
          (error: Error) => /net::(\w+)/.exec(error.message)?.[1] ?? '',
        );
        await context.close();
        return text;
      });
      const text = await orTimeout(opening, 2 * CHECK_PAGE_MS, '');
      if (gateway.connectionTo(CHECKED_HOST, 80) !== null) return;
      const why = text === '' ? '' : ` (${text})`;
      throw new Error(`its requests do not reach the guard at SLUICE_GUARD_URL${why}`);
    } finally {
      await gateway.end();
    }
  }
}

const CHECKED_HOST = '127.0.0.1';
const RETIRED = new Error('the browser is no longer configured');

/** What went wrong, in one line, without the URL and the headers: they may have credentials. */
function troubleOf(error: unknown, { url, headers }: RemoteBrowser): string {
  const { message, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? (error as NodeJS.ErrnoException).code;
  let text = typeof code === 'string' ? `${message} (${code})` : message;
  for (const secret of [url, new URL(url).search.slice(1), new URL(url).password, ...Object.values(headers)])
    if (secret.length > 3) text = text.replaceAll(secret, '***');
  const [line = ''] = text.split('\n', 1);
  return line
    .replace(/\w+:\/\/\S+/g, '***')
    .slice(0, 300)
    .replace(/\.$/, '');
}
