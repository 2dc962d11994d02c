import { setTimeout as pause } from 'node:timers/promises';
import type { PipeTransport } from '../launch/pipe-transport.ts';
import type { BrowserIdentity } from '../user-agent.ts';
import { SCREEN } from './as-playwright.ts';
import { Connection } from './connection.ts';
import { ATTACH, FastPage } from './fast-page.ts';

/** A page that takes longer is thrown away. */
const MAKING_MS = 5_000;
const TRIES = 2;
/** Each is a process that waits. */
const MOST_AHEAD = 8;

/**
 * A browser of the fast lane: driven by a few messages of our own, on pages that are made before they are asked for.
 * Each page has a context of its own, is used once, and belongs to one way out.
 */
export class FastBrowser {
  readonly #identity: BrowserIdentity;
  readonly #connection: Connection;
  /** By their contexts. */
  readonly #pages = new Map<string, FastPage>();
  /** Those that nobody has asked for yet, by their way out. */
  readonly #ahead = new Map<string, Promise<FastPage>>();
  /** The ways out whose pages are whole. */
  readonly #ready = new Set<string>();

  private constructor(connection: Connection, identity: BrowserIdentity) {
    this.#identity = identity;
    this.#connection = connection;
    connection.browser.on('Target.attachedToTarget', (event) => this.#onAttached(event));
    connection.browser.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const page of this.#pages.values()) if (page.sessionId === sessionId) page.lose();
    });
    connection.gone.addEventListener('abort', () => {
      for (const page of this.#pages.values()) page.lose();
    });
  }

  /** Settles when the browser answers. Rejects with its end. */
  static async over(transport: PipeTransport, identity: BrowserIdentity): Promise<FastBrowser> {
    const connection = new Connection(transport);
    const browser = new FastBrowser(connection, identity);
    await connection.browser.send('Target.setAutoAttach', ATTACH);
    return browser;
  }

  isConnected(): boolean {
    return !this.#connection.gone.aborted;
  }

  /** Aborts when it is gone. */
  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  /** Whether a page with this way out waits to be asked for. */
  has(proxyServer: string): boolean {
    return this.#ready.has(proxyServer);
  }

  /** Makes a page ahead; there is one at most for each way out, and few together. */
  prepare(proxyServer: string): void {
    if (this.#ahead.has(proxyServer) || this.#ahead.size >= MOST_AHEAD || !this.isConnected()) return;
    const making = this.#make(proxyServer);
    this.#ahead.set(proxyServer, making);
    const isStill = () => this.#ahead.get(proxyServer) === making;
    making.then(
      () => isStill() && this.#ready.add(proxyServer),
      () => isStill() && this.#ahead.delete(proxyServer),
    );
  }

  /** A page that nobody has used, in a context of its own; whoever asks closes it. Rejects when none can be made. */
  async page(proxyServer: string): Promise<FastPage> {
    const ahead = this.#ahead.get(proxyServer);
    this.#ahead.delete(proxyServer);
    this.#ready.delete(proxyServer);
    const page = await ahead?.catch(() => null);
    if (page != null && !page.lost.aborted) return page;
    await page?.close().catch(() => {});
    for (let tries = 1; ; tries++) {
      try {
        return await this.#make(proxyServer);
      } catch (error) {
        if (tries === TRIES || !this.isConnected()) throw error;
      }
    }
  }

  /** Closes the pages that were made ahead but one: each is a process. */
  rest(): void {
    for (const proxyServer of [...this.#ready].slice(1)) {
      const ahead = this.#ahead.get(proxyServer);
      this.#ahead.delete(proxyServer);
      this.#ready.delete(proxyServer);
      ahead?.then((page) => page.close()).catch(() => {});
    }
  }

  async #make(proxyServer: string): Promise<FastPage> {
    const { browser } = this.#connection;
    const { width, height } = SCREEN;
    const { browserContextId } = await browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer,
      // Without this rule Chromium connects to loopback addresses directly.
      proxyBypassList: '<-loopback>',
    });
    const page = new FastPage(
      browser,
      browserContextId,
      this.#identity,
      () => void this.#pages.delete(browserContextId),
    );
    this.#pages.set(browserContextId, page);
    const late = new AbortController();
    try {
      const making = Promise.all([
        // What a page starts to download is of no use.
        browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
        browser.send('Target.createTarget', { url: 'about:blank', browserContextId, width, height }),
        page.made,
      ]);
      making.catch(() => {});
      const tooLate = pause(MAKING_MS, null, { signal: late.signal }).then(
        () => Promise.reject(new Error('a page was not made in time')),
        () => {},
      );
      await Promise.race([making, tooLate]);
      return page;
    } catch (error) {
      await page.close().catch(() => {});
      throw error;
    } finally {
      late.abort();
    }
  }

  #onAttached({ sessionId, targetInfo }: Attached): void {
    const { type, targetId, browserContextId } = targetInfo;
    const session = this.#connection.session(sessionId);
    const page = this.#pages.get(browserContextId ?? '');
    const child = (id: string) => this.#connection.session(id);
    if (type === 'page' && page?.begin(session, { sessionId, targetId, child }) === true) return;
    if ((type === 'service_worker' || type === 'shared_worker') && page !== undefined) {
      page.govern(session, type);
      return;
    }
    // A popup holds up the page that opened it until it may run, also when it is closed at once: nobody asked for it.
    session.send('Runtime.runIfWaitingForDebugger').catch(() => {});
    if (type !== 'page') return;
    this.#connection.browser.send('Target.closeTarget', { targetId }).catch(() => {});
  }
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: {
    readonly type: string;
    readonly targetId: string;
    readonly browserContextId?: string;
  };
}
