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
  /** Also the id of the page's main frame. */
  readonly targetId: string;
  /** The session of a frame or worker, by the id that `Target.attachedToTarget` reports. */
  readonly childSession: (sessionId: string) => CdpSession;
}

/** Attaches to targets of all types: those that start paused, such as worklets, wait for ever if no session resumes them. */
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Targets that make requests and have a user agent. */
const USER_AGENT_TARGETS = new Set(['iframe', 'worker', 'service_worker', 'shared_worker']);

/** A page in its own browser context. It is used for one scrape. */
export class CdpPage {
  readonly contextId: string;
  /** Resolves when the page can navigate. Rejects when the page ends first. */
  readonly ready: Promise<void>;
  /** Blocks sub-resources; null: none are blocked. */
  blocker: RequestBlocker | null = null;
  /** The user agent of its frames and workers. */
  userAgentOverride: UserAgentOverride;
  /** Sessions of frames in processes of their own; some may have ended. */
  readonly frameSessions = new Set<CdpSession>();
  readonly #browser: CdpSession;
  readonly #onClosed: () => void;
  readonly #closed = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #session: CdpSession | null = null;
  #target: PageTarget | null = null;

  constructor(browser: CdpSession, contextId: string, identity: BrowserIdentity, onClosed: () => void) {
    this.userAgentOverride = createUserAgentOverride(identity.userAgent, { identity });
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

  /** Aborts when the page crashes or is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Adopts the first page target of the context and prepares it. @returns false: the context has a page already */
  attach(session: CdpSession, target: PageTarget): boolean {
    if (this.#target !== null) return false;
    this.#target = target;
    this.#session = session;
    this.#prepare(session, target).then(this.#ready.resolve, this.#ready.reject);
    return true;
  }

  async #prepare(session: CdpSession, { targetId, childSession }: PageTarget): Promise<void> {
    session.on('Inspector.targetCrashed', () => this.markClosed());
    // An open dialog would block the page. Leaving the page is permitted; other dialogs are dismissed.
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
      // The window has the size of the viewport, because pages can read both. Mostly it was created with that size.
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
      // Wait for the initial document (`about:blank`, or one of the browser itself): its load would disturb the first navigation.
      loaded,
    ]);
  }

  /** Prepares a new frame or worker of the page, and resumes it. */
  setUpChild(session: CdpSession, type: string): void {
    const sent: Promise<unknown>[] = [];
    if (type === 'iframe' || type === 'worker') {
      this.#watchChildren(session, this.#target!.childSession);
      sent.push(session.send('Target.setAutoAttach', AUTO_ATTACH));
    }
    if (type === 'iframe') {
      this.frameSessions.add(session);
      sent.push(session.send('Emulation.setEmulatedMedia', DEFAULT_MEDIA));
      sent.push(session.send('Page.setFontFamilies', DEFAULT_FONTS));
    }
    if (USER_AGENT_TARGETS.has(type))
      sent.push(session.send('Emulation.setUserAgentOverride', this.userAgentOverride));
    if (this.blocker !== null && USER_AGENT_TARGETS.has(type))
      sent.push(...this.blocker.attach(session, type));
    sent.push(session.send('Runtime.runIfWaitingForDebugger'));
    // The target may have ended already.
    for (const command of sent) command.catch(() => {});
  }

  #watchChildren(session: CdpSession, childSession: PageTarget['childSession']): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type } }) => {
      // Each client of a service worker reports it. It is set up only once, by the session of the browser.
      if (type !== 'service_worker') this.setUpChild(childSession(sessionId), type);
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

  /** Closes the page and its context. Rejects when the browser ends. */
  async close(): Promise<void> {
    this.markClosed();
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.contextId });
    this.#onClosed();
  }

  markClosed(): void {
    const reason = new Error('the page is gone');
    this.#ready.reject(reason);
    this.#closed.abort(reason);
  }
}

/** A page that takes longer to create is given up. */
const CREATE_TIMEOUT_MS = 5_000;
const MAX_TRIES = 2;
/** Limits memory: each prepared page is a process. */
const MAX_PREPARED = 8;
/** After so long without a new page, all prepared pages but one are closed. */
const IDLE_MS = 20_000;

/**
 * A browser that is controlled by our own CDP messages. Pages are prepared before they are needed. Each has its own context
 * with its own proxy, and is used once.
 */
export class CdpBrowser {
  readonly #identity: BrowserIdentity;
  readonly #connection: CdpConnection;
  /** By context. */
  readonly #pages = new Map<string, CdpPage>();
  /** Pages created in advance, by proxy. */
  readonly #prepared = new Map<string, Promise<CdpPage>>();
  /** Proxies whose prepared page is ready. */
  readonly #readyProxies = new Set<string>();
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

  /** Resolves when the browser responds. Rejects when it ends. */
  static async connect(transport: PipeTransport, identity: BrowserIdentity): Promise<CdpBrowser> {
    const connection = new CdpConnection(transport);
    const browser = new CdpBrowser(connection, identity);
    await connection.browserSession.send('Target.setAutoAttach', AUTO_ATTACH);
    return browser;
  }

  isConnected(): boolean {
    return !this.#connection.closed.aborted;
  }

  /** Aborts when the browser has ended. */
  get closed(): AbortSignal {
    return this.#connection.closed;
  }

  hasPreparedPage(proxyServer: string): boolean {
    return this.#readyProxies.has(proxyServer);
  }

  /** Creates a page in advance, unless there is one for this proxy, or too many in total. */
  preparePage(proxyServer: string): void {
    if (this.#prepared.has(proxyServer) || this.#prepared.size >= MAX_PREPARED || !this.isConnected()) return;
    const creating = this.#createPage(proxyServer);
    this.#prepared.set(proxyServer, creating);
    this.#idleTimer ??= setTimeout(() => this.#closePreparedPages(), IDLE_MS).unref();
    this.#idleTimer.refresh();
    const isUnused = () => this.#prepared.get(proxyServer) === creating;
    creating.then(
      () => isUnused() && this.#readyProxies.add(proxyServer),
      () => isUnused() && this.#prepared.delete(proxyServer),
    );
  }

  /** Returns an unused page, prepared or new; the caller closes it. Rejects when no page can be created. */
  async newPage(proxyServer: string): Promise<CdpPage> {
    const prepared = this.#prepared.get(proxyServer);
    this.#prepared.delete(proxyServer);
    this.#readyProxies.delete(proxyServer);
    const page = await prepared?.catch(() => null);
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
    for (const proxyServer of [...this.#readyProxies].slice(1)) {
      const prepared = this.#prepared.get(proxyServer);
      this.#prepared.delete(proxyServer);
      this.#readyProxies.delete(proxyServer);
      prepared?.then((page) => page.close()).catch(() => {});
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
      const creating = Promise.all([
        // Scrapes have no use for downloads that a page starts.
        browserSession.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
        browserSession.send('Target.createTarget', { url: 'about:blank', browserContextId, width, height }),
        page.ready,
      ]);
      if ((await orTimeout(creating, CREATE_TIMEOUT_MS, null)) === null)
        throw new Error('the page was not created in time');
      return page;
    } catch (error) {
      await page.close().catch(() => {});
      throw error;
    }
  }

  #onAttached({ sessionId, targetInfo }: AttachedToTargetEvent): void {
    const { type, targetId, browserContextId } = targetInfo;
    const session = this.#connection.session(sessionId);
    // No context has the id ''.
    const page = this.#pages.get(browserContextId ?? '');
    const childSession = (id: string) => this.#connection.session(id);
    if (type === 'page' && page?.attach(session, { sessionId, targetId, childSession }) === true) return;
    if ((type === 'service_worker' || type === 'shared_worker') && page !== undefined) {
      page.setUpChild(session, type);
      return;
    }
    // A popup blocks the page that opened it until it is resumed, even if it is closed at once. This driver has no use for
    // popups.
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
