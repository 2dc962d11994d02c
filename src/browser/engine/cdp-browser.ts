import { orTimeout } from '../../base/wait.ts';
import { type ContextCookie, readContextCookies } from './browser-page.ts';
import { CdpConnection } from './cdp-connection.ts';
import { type CdpSession, enableDomains } from './cdp-session.ts';
import { type CookieParam, DEFAULT_FONTS, DEFAULT_MEDIA, DEFAULT_METRICS } from './emulation.ts';
import type { PipeTransport } from './pipe-transport.ts';
import type { RequestBlocker } from './request-blocking.ts';
import { type BrowserIdentity, createUserAgentOverride, type UserAgentOverride } from './user-agent.ts';

interface PageTarget {
  readonly sessionId: string;
  readonly targetId: string;
  readonly childSession: (sessionId: string) => CdpSession;
}

/** Of all kinds: what is not heard of may wait for ever to be let run (worklets do). */
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Those that say what browser they are in, and make requests. */
const USER_AGENT_TARGETS = new Set(['iframe', 'worker', 'service_worker', 'shared_worker']);

/** An empty page in a context of its own. */
export class CdpPage {
  readonly contextId: string;
  /** Settles when it is ready to go somewhere. Rejects with its end. */
  readonly ready: Promise<void>;
  /** Keeps what is not wanted from being loaded; null: all is wanted. */
  blocker: RequestBlocker | null = null;
  /** What frames and workers are to say that they are. */
  userAgentOverride: UserAgentOverride;
  /** Of frames in processes of their own; some may be gone. */
  readonly frameSessions = new Set<CdpSession>();
  readonly #browser: CdpSession;
  readonly #onClosed: () => void;
  readonly #closed = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #session: CdpSession | null = null;
  #target: PageTarget | null = null;

  constructor(browser: CdpSession, contextId: string, identity: BrowserIdentity, onClosed: () => void) {
    this.userAgentOverride = createUserAgentOverride(identity.userAgent, null, identity);
    this.#browser = browser;
    this.contextId = contextId;
    this.#onClosed = onClosed;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {});
  }

  get session(): CdpSession {
    return this.#session!;
  }

  get sessionId(): string | null {
    return this.#target?.sessionId ?? null;
  }

  get mainFrameId(): string {
    return this.#target!.targetId;
  }

  /** Aborts when it crashed or was closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** The context has its page. @returns false: it had it before, and this is another one */
  attach(session: CdpSession, begun: PageTarget): boolean {
    if (this.#target !== null) return false;
    this.#target = begun;
    this.#session = session;
    this.#prepare(session, begun).then(this.#ready.resolve, this.#ready.reject);
    return true;
  }

  async #prepare(session: CdpSession, { targetId, childSession }: PageTarget): Promise<void> {
    session.on('Inspector.targetCrashed', () => this.markClosed());
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => {});
    });
    this.#watchChildren(session, childSession);
    const loaded = new Promise<void>((resolve) => {
      const onEvent = ({ frameId, name }: { frameId: string; name: string }) => {
        if (frameId !== targetId || name !== 'load') return;
        session.off('Page.lifecycleEvent', onEvent);
        resolve();
      };
      session.on('Page.lifecycleEvent', onEvent);
    });
    const { windowId, bounds } = await session.send('Browser.getWindowForTarget');
    const { width, height } = DEFAULT_METRICS;
    await Promise.all([
      // As large as what is seen of the page, before anything is said of that: a page can ask. Mostly it was made so.
      bounds.width !== width || bounds.height !== height
        ? this.#browser.send('Browser.setWindowBounds', { windowId, bounds: { width, height } })
        : null,
      enableDomains(session),
      session.send('Inspector.enable'),
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      session.send('Emulation.setUserAgentOverride', this.userAgentOverride),
      session.send('Emulation.setDeviceMetricsOverride', DEFAULT_METRICS),
      session.send('Emulation.setEmulatedMedia', DEFAULT_MEDIA),
      session.send('Page.setFontFamilies', DEFAULT_FONTS),
      session.send('Runtime.runIfWaitingForDebugger'),
      // A browser may show a page of its own first.
      loaded,
    ]);
  }

  /** A frame or a worker of the page has begun, and waits to be let run. */
  setUpChild(session: CdpSession, type: string): void {
    const asked: Promise<unknown>[] = [];
    if (type === 'iframe' || type === 'worker') {
      this.#watchChildren(session, this.#target!.childSession);
      asked.push(session.send('Target.setAutoAttach', AUTO_ATTACH));
    }
    if (type === 'iframe') {
      this.frameSessions.add(session);
      asked.push(session.send('Emulation.setEmulatedMedia', DEFAULT_MEDIA));
      asked.push(session.send('Page.setFontFamilies', DEFAULT_FONTS));
    }
    if (USER_AGENT_TARGETS.has(type))
      asked.push(session.send('Emulation.setUserAgentOverride', this.userAgentOverride));
    if (this.blocker !== null && USER_AGENT_TARGETS.has(type))
      asked.push(...this.blocker.attach(session, type));
    asked.push(session.send('Runtime.runIfWaitingForDebugger'));
    // What is gone already needs nothing.
    for (const one of asked) one.catch(() => {});
  }

  #watchChildren(session: CdpSession, child: PageTarget['childSession']): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type } }) => {
      // Service workers are governed where the browser tells of them: each once.
      if (type !== 'service_worker') this.setUpChild(child(sessionId), type);
      else session.send('Target.detachFromTarget', { sessionId }).catch(() => {});
    });
  }

  cookies(): Promise<ContextCookie[]> {
    return readContextCookies(this.#browser, this.contextId);
  }

  async addCookies(cookies: readonly CookieParam[]): Promise<void> {
    await this.#browser.send('Storage.setCookies', {
      cookies: cookies.map(({ partition, ...cookie }) =>
        partition === undefined
          ? cookie
          : {
              ...cookie,
              partitionKey: { topLevelSite: partition.site, hasCrossSiteAncestor: partition.crossSite },
            },
      ),
      browserContextId: this.contextId,
    });
  }

  /** Settles when nothing of its context is left. Rejects with the browser. */
  async close(): Promise<void> {
    this.markClosed();
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.contextId });
    this.#onClosed();
  }

  /** It is not there any more. */
  markClosed(): void {
    const why = new Error('the page is gone');
    this.#ready.reject(why);
    this.#closed.abort(why);
  }
}

/** A page that takes longer is thrown away. */
const CREATE_TIMEOUT_MS = 5_000;
const MAX_TRIES = 2;
/** Each of them is a process. */
const MAX_PREPARED = 8;
/** After so long without a new page, all prepared pages but one are closed. */
const IDLE_MS = 20_000;

/**
 * A browser of the fast lane: driven by a few messages of our own, on pages that are made before they are asked for.
 * Each page has a context of its own, is used once, and belongs to one way out.
 */
export class CdpBrowser {
  readonly #identity: BrowserIdentity;
  readonly #connection: CdpConnection;
  /** By their contexts. */
  readonly #pages = new Map<string, CdpPage>();
  /** Those that nobody has asked for yet, by their way out. */
  readonly #prepared = new Map<string, Promise<CdpPage>>();
  /** The ways out whose pages are whole. */
  readonly #ready = new Set<string>();
  #idleTimer: NodeJS.Timeout | undefined;

  private constructor(connection: CdpConnection, identity: BrowserIdentity) {
    this.#identity = identity;
    this.#connection = connection;
    connection.browserSession.on('Target.attachedToTarget', (event) => this.#onAttached(event));
    connection.browserSession.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const page of this.#pages.values()) if (page.sessionId === sessionId) page.markClosed();
    });
    connection.closed.addEventListener('abort', () => {
      clearTimeout(this.#idleTimer);
      for (const page of this.#pages.values()) page.markClosed();
    });
  }

  /** Settles when the browser answers. Rejects with its end. */
  static async connect(transport: PipeTransport, identity: BrowserIdentity): Promise<CdpBrowser> {
    const connection = new CdpConnection(transport);
    const browser = new CdpBrowser(connection, identity);
    await connection.browserSession.send('Target.setAutoAttach', AUTO_ATTACH);
    return browser;
  }

  isConnected(): boolean {
    return !this.#connection.closed.aborted;
  }

  /** Aborts when it is gone. */
  get closed(): AbortSignal {
    return this.#connection.closed;
  }

  /** Whether a page with this way out waits to be asked for. */
  hasPreparedPage(proxyServer: string): boolean {
    return this.#ready.has(proxyServer);
  }

  /** Makes a page ahead; there is one at most for each way out, and few together. */
  preparePage(proxyServer: string): void {
    if (this.#prepared.has(proxyServer) || this.#prepared.size >= MAX_PREPARED || !this.isConnected()) return;
    const making = this.#createPage(proxyServer);
    this.#prepared.set(proxyServer, making);
    this.#idleTimer ??= setTimeout(() => this.#closePreparedPages(), IDLE_MS).unref();
    this.#idleTimer.refresh();
    const isStill = () => this.#prepared.get(proxyServer) === making;
    making.then(
      () => isStill() && this.#ready.add(proxyServer),
      () => isStill() && this.#prepared.delete(proxyServer),
    );
  }

  /** A page that nobody has used, in a context of its own; whoever asks closes it. Rejects when none can be made. */
  async newPage(proxyServer: string): Promise<CdpPage> {
    const ahead = this.#prepared.get(proxyServer);
    this.#prepared.delete(proxyServer);
    this.#ready.delete(proxyServer);
    const page = await ahead?.catch(() => null);
    if (page != null && !page.closed.aborted) return page;
    await page?.close().catch(() => {});
    for (let tries = 1; ; tries++) {
      try {
        return await this.#createPage(proxyServer);
      } catch (error) {
        if (tries === MAX_TRIES || !this.isConnected()) throw error;
      }
    }
  }

  #closePreparedPages(): void {
    for (const proxyServer of [...this.#ready].slice(1)) {
      const ahead = this.#prepared.get(proxyServer);
      this.#prepared.delete(proxyServer);
      this.#ready.delete(proxyServer);
      ahead?.then((page) => page.close()).catch(() => {});
    }
  }

  async #createPage(proxyServer: string): Promise<CdpPage> {
    const { browserSession } = this.#connection;
    const { width, height } = DEFAULT_METRICS;
    const { browserContextId } = await browserSession.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer,
      // Without this rule Chromium connects to loopback addresses directly.
      proxyBypassList: '<-loopback>',
    });
    const page = new CdpPage(
      browserSession,
      browserContextId,
      this.#identity,
      () => void this.#pages.delete(browserContextId),
    );
    this.#pages.set(browserContextId, page);
    try {
      const making = Promise.all([
        // What a page starts to download is of no use.
        browserSession.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
        browserSession.send('Target.createTarget', { url: 'about:blank', browserContextId, width, height }),
        page.ready,
      ]);
      if ((await orTimeout(making, CREATE_TIMEOUT_MS, null)) === null)
        throw new Error('a page was not made in time');
      return page;
    } catch (error) {
      await page.close().catch(() => {});
      throw error;
    }
  }

  #onAttached({ sessionId, targetInfo }: AttachedToTargetEvent): void {
    const { type, targetId, browserContextId } = targetInfo;
    const session = this.#connection.session(sessionId);
    const page = this.#pages.get(browserContextId ?? '');
    const childSession = (id: string) => this.#connection.session(id);
    if (type === 'page' && page?.attach(session, { sessionId, targetId, childSession }) === true) return;
    if ((type === 'service_worker' || type === 'shared_worker') && page !== undefined) {
      page.setUpChild(session, type);
      return;
    }
    // A popup holds up the page that opened it until it may run, also when it is closed at once: nobody asked for it.
    session.send('Runtime.runIfWaitingForDebugger').catch(() => {});
    if (type !== 'page') return;
    this.#connection.browserSession.send('Target.closeTarget', { targetId }).catch(() => {});
  }
}

interface AttachedToTargetEvent {
  readonly sessionId: string;
  readonly targetInfo: {
    readonly type: string;
    readonly targetId: string;
    readonly browserContextId?: string;
  };
}
