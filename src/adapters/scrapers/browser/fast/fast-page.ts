import type { CdpSession } from '../cdp/cdp-session.ts';
import type { GivenCookie } from '../context-options.ts';
import { cookiesIn, type KeptCookie } from '../kept-cookies.ts';
import { type AgentOverride, agentOverride, type BrowserIdentity } from '../user-agent.ts';
import { startTelling } from '../visit/start-telling.ts';
import { FONTS, MEDIA, SCREEN } from './as-playwright.ts';
import type { Blocker } from './blocker.ts';

interface Begun {
  readonly sessionId: string;
  readonly targetId: string;
  readonly child: (sessionId: string) => CdpSession;
}

/** Of all kinds: what is not heard of may wait for ever to be let run (worklets do). */
export const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Those that say what browser they are in, and make requests. */
const AGENTS = new Set(['iframe', 'worker', 'service_worker', 'shared_worker']);

/** An empty page in a context of its own. */
export class FastPage {
  readonly contextId: string;
  /** Settles when it is ready to go somewhere. Rejects with its end. */
  readonly made: Promise<void>;
  /** Keeps what is not wanted from being loaded; null: all is wanted. */
  blocker: Blocker | null = null;
  /** What frames and workers are to say that they are. */
  agent: AgentOverride;
  /** Of frames in processes of their own; some may be gone. */
  readonly frames = new Set<CdpSession>();
  readonly #browser: CdpSession;
  readonly #onClosed: () => void;
  readonly #lost = new AbortController();
  readonly #made = Promise.withResolvers<void>();
  #session: CdpSession | null = null;
  #begun: Begun | null = null;

  constructor(browser: CdpSession, contextId: string, identity: BrowserIdentity, onClosed: () => void) {
    this.agent = agentOverride(identity.userAgent, null, identity);
    this.#browser = browser;
    this.contextId = contextId;
    this.#onClosed = onClosed;
    this.made = this.#made.promise;
    this.made.catch(() => {});
  }

  get session(): CdpSession {
    return this.#session!;
  }

  get sessionId(): string | null {
    return this.#begun?.sessionId ?? null;
  }

  get mainFrame(): string {
    return this.#begun!.targetId;
  }

  /** Aborts when it crashed or was closed. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** The context has its page. @returns false: it had it before, and this is another one */
  begin(session: CdpSession, begun: Begun): boolean {
    if (this.#begun !== null) return false;
    this.#begun = begun;
    this.#session = session;
    this.#prepare(session, begun).then(this.#made.resolve, this.#made.reject);
    return true;
  }

  async #prepare(session: CdpSession, { targetId, child }: Begun): Promise<void> {
    session.on('Inspector.targetCrashed', () => this.lose());
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => {});
    });
    this.#hearOfChildren(session, child);
    const loaded = new Promise<void>((resolve) => {
      const onEvent = ({ frameId, name }: { frameId: string; name: string }) => {
        if (frameId !== targetId || name !== 'load') return;
        session.off('Page.lifecycleEvent', onEvent);
        resolve();
      };
      session.on('Page.lifecycleEvent', onEvent);
    });
    const { windowId, bounds } = await session.send('Browser.getWindowForTarget');
    const { width, height } = SCREEN;
    await Promise.all([
      // As large as what is seen of the page, before anything is said of that: a page can ask. Mostly it was made so.
      bounds.width !== width || bounds.height !== height
        ? this.#browser.send('Browser.setWindowBounds', { windowId, bounds: { width, height } })
        : null,
      startTelling(session),
      session.send('Inspector.enable'),
      session.send('Target.setAutoAttach', ATTACH),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      session.send('Emulation.setUserAgentOverride', this.agent),
      session.send('Emulation.setDeviceMetricsOverride', SCREEN),
      session.send('Emulation.setEmulatedMedia', MEDIA),
      session.send('Page.setFontFamilies', FONTS),
      session.send('Runtime.runIfWaitingForDebugger'),
      // A browser may show a page of its own first.
      loaded,
    ]);
  }

  /** A frame or a worker of the page has begun, and waits to be let run. */
  govern(session: CdpSession, type: string): void {
    const asked: Promise<unknown>[] = [];
    if (type === 'iframe' || type === 'worker') {
      this.#hearOfChildren(session, this.#begun!.child);
      asked.push(session.send('Target.setAutoAttach', ATTACH));
    }
    if (type === 'iframe') {
      this.frames.add(session);
      asked.push(session.send('Emulation.setEmulatedMedia', MEDIA));
      asked.push(session.send('Page.setFontFamilies', FONTS));
    }
    if (AGENTS.has(type)) asked.push(session.send('Emulation.setUserAgentOverride', this.agent));
    if (this.blocker !== null && AGENTS.has(type)) asked.push(...this.blocker.govern(session, type));
    asked.push(session.send('Runtime.runIfWaitingForDebugger'));
    // What is gone already needs nothing.
    for (const one of asked) one.catch(() => {});
  }

  #hearOfChildren(session: CdpSession, child: Begun['child']): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type } }) => {
      // Service workers are governed where the browser tells of them: each once.
      if (type !== 'service_worker') this.govern(child(sessionId), type);
      else session.send('Target.detachFromTarget', { sessionId }).catch(() => {});
    });
  }

  cookies(): Promise<KeptCookie[]> {
    return cookiesIn(this.#browser, this.contextId);
  }

  async addCookies(cookies: readonly GivenCookie[]): Promise<void> {
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
    this.lose();
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.contextId });
    this.#onClosed();
  }

  /** It is not there any more. */
  lose(): void {
    const why = new Error('the page is gone');
    this.#made.reject(why);
    this.#lost.abort(why);
  }
}
