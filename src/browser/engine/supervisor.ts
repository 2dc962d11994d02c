import { type Deadline, SHUTDOWN } from '../../base/time.ts';
import { orAborted } from '../../base/wait.ts';
import type { BrowserType } from '../../domain/browser-options.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { Driver } from '../../domain/option.ts';
import type { RemoteBrowser } from '../../domain/remote-browsers.ts';
import type { BrowserActivity } from '../../domain/system.ts';
import { BrowserInstance } from './browser-instance.ts';
import { type DriverBrowsers, defaultDriver } from './driver.ts';
import type { BrowserBinaries } from './find-browsers.ts';
import { browserUnavailableMessage, isOutdated } from './found-browser.ts';
import type { LaunchBrowser, LaunchedBrowser } from './launch.ts';
import type { PageGovernor } from './page-governor.ts';
import { PageSlots, slotsFull, waitFailure } from './page-slots.ts';
import type { KnownBrowser } from './user-agent.ts';

// From top to bottom:
//   Supervisor   grants leases: a page slot, then a browser of the requested kind
//   BrowserPool  keeps one browser of a kind: starts, recycling, crashes, pauses after failed starts
//   PageSlots    limits the number of open pages; queues the scrapes that wait for a slot

interface BrowserKind {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly driver: Driver;
  /** For pages that disturb others. */
  readonly quarantined: boolean;
}

/** The browser that a scrape needs, with the user, host and deadline of the scrape. */
export interface BrowserLeaseRequest extends Omit<BrowserKind, 'quarantined'> {
  readonly userId: string;
  /** Host of the page. */
  readonly host: string;
  readonly deadline: Deadline;
}

/** The right to open one page in a browser. Its holder releases it exactly once. */
export interface BrowserLease extends Pick<LaunchedBrowser<Driver>, 'browser'> {
  readonly found: KnownBrowser;
  /** Where it saves downloads; null: on another machine. */
  readonly downloadsDir: string | null;
  /** null: it runs on this machine. */
  readonly remote: RemoteBrowser | null;
  /** The browser is the separate one for pages that disturb others. It has a lower priority. */
  readonly quarantined: boolean;
  /**
   * The page slot: 0 to the number of slots, inclusive. No other lease of this machine or of the remote browser has it until this
   * one is released.
   */
  readonly slot: number;
  /** Time spent waiting for the slot and for the browser to start. */
  readonly queuedMs: number;
  /** Whether the browser has ended. */
  isBrowserGone(): boolean;
  /**
   * The page disturbs the other pages of its browser. Further pages of its user and host get a separate browser.
   * @param why for the log
   * @param ongoing the page disturbs the others until it is closed, so further pages of all users get a new browser
   */
  reportDisturbance(why: string, options?: { readonly ongoing?: boolean }): void;
  /** Call it when the page is closed. @param suspect the browser may be hung or damaged: it gets no further pages */
  release(options?: { readonly suspect?: boolean }): void;
}

export interface SupervisorDeps {
  readonly binaries: BrowserBinaries;
  readonly launch: LaunchBrowser;
  /** Whether this free slot is taken before others: the browser has prepared a page for it. */
  readonly prefersSlot?: (slot: number, browser: DriverBrowsers[Driver]) => boolean;
  readonly governor: PageGovernor;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** How many pages may be open at once. */
  readonly slots: number;
  readonly sandbox: boolean;
  readonly recycling?: RecyclingLimits;
}

/** All browsers of the service: it starts them, shares their pages between users, and replaces them. */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #slots: PageSlots;
  readonly #pools = new Map<string, BrowserPool>();
  readonly #closing = new AbortController();
  #pagesServed = 0;
  #refused = 0;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#slots = new PageSlots(deps.slots);
  }

  /** Waits for a free slot, in turn with other users, and for the browser. Never rejects. */
  async lease(request: BrowserLeaseRequest): Promise<BrowserLease | Failure> {
    const { userId, host, deadline } = request;
    const { prefersSlot, governor, log } = this.#deps;
    const requestedAt = performance.now();
    const { current, backoffFailure } = this.#poolFor(request);
    // Without a browser the slot would be of no use: fail before waiting for one.
    if (current === null && backoffFailure !== null) return backoffFailure;
    const signal = AbortSignal.any([deadline.signal, this.#closing.signal]);
    const slot = await this.#slots.acquire(
      userId,
      signal,
      (slot) => current !== null && prefersSlot?.(slot, current.launched.browser) === true,
    );
    if (slot === 'full') {
      this.#refused++;
      return slotsFull();
    }
    if (slot === 'aborted') return waitFailure(signal.reason, 'a free browser slot');
    // Looked up again: during the wait, another page may have put the host into quarantine.
    const pool = this.#poolFor(request);
    const instance = await orAborted(pool.acquire(), signal, () =>
      waitFailure(signal.reason, 'the browser to start'),
    );
    if (isFailure(instance)) {
      this.#slots.release(slot);
      return instance;
    }
    instance.pageOpened(userId);
    this.#pagesServed++;
    const { browser, found, downloadsDir } = instance.launched;
    let released = false;
    return {
      browser,
      found,
      downloadsDir,
      remote: null,
      quarantined: pool.kind.quarantined,
      slot,
      queuedMs: performance.now() - requestedAt,
      isBrowserGone: () => !browser.isConnected(),
      reportDisturbance: (why, { ongoing = false } = {}) => {
        if (ongoing && !released) pool.replaceDisturbed(instance);
        if (!governor.quarantine(userId, host)) return;
        log('a page slows down others: its host gets a separate browser', { user_id: userId, host, why });
        // Started now, so that the next page does not have to wait for it.
        void this.#pool({ ...pool.kind, quarantined: true }).acquire();
      },
      release: ({ suspect = false } = {}) => {
        if (released) return;
        released = true;
        if (suspect) pool.replace(instance);
        pool.pageClosed(instance, userId);
        this.#slots.release(slot);
      },
    };
  }

  /**
   * Why scrapes can never get such a browser on this machine; null: they can. If none runs, one is started, because only a
   * start shows whether the machine allows it. That takes a second or two.
   */
  async unavailableFailure(type: BrowserType, headless: boolean): Promise<Failure | null> {
    const { binaries } = this.#deps;
    if ((await binaries.matching(type, headless)).length === 0)
      return failure('browser.unavailable', browserUnavailableMessage(type, headless, await binaries.all()));
    const kind = { type, headless, driver: defaultDriver(headless), quarantined: false };
    const started = await this.#pool(kind).acquire();
    return isFailure(started) && started.code === 'browser.unavailable' ? started : null;
  }

  /** Path of the running browser of this kind; null: none runs. */
  runningPath({ type, headless }: Pick<BrowserKind, 'type' | 'headless'>): string | null {
    for (const { kind, current } of this.#pools.values())
      if (kind.type === type && kind.headless === headless && current !== null)
        return current.launched.found.path;
    return null;
  }

  state(): SupervisorState {
    const pools = [...this.#pools.values()];
    const running = pools.flatMap(({ instances }) => instances.map(({ launched }) => launched));
    const ages = running.filter(({ headless }) => headless).map(({ found }) => found.ageDays ?? 0);
    const { total, busy, waiting } = this.#slots;
    return {
      sandbox: this.#deps.sandbox,
      outdatedDays: ages.filter(isOutdated).sort((a, b) => b - a)[0] ?? null,
      smallShm: running.some(({ smallShm }) => smallShm),
      slots: { total, busy, waiting },
      pagesServed: this.#pagesServed,
      refused: this.#refused,
      kinds: pools.map((pool) => pool.state()),
    };
  }

  /** Ends all browsers. Scrapes that wait for one get a failure. */
  async close(): Promise<void> {
    this.#closing.abort(SHUTDOWN);
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #poolFor({ userId, host, type, headless, driver }: BrowserLeaseRequest): BrowserPool {
    const common = this.#pool({ type, headless, driver, quarantined: false });
    if (!this.#deps.governor.isQuarantined(userId, host)) return common;
    const separate = this.#pool({ type, headless, driver, quarantined: true });
    if (separate.current !== null || common.current === null) return separate;
    // Until the separate browser runs, the page gets the common one: its deadline may not allow to wait.
    void separate.acquire();
    return common;
  }

  #pool(kind: BrowserKind): BrowserPool {
    const { type, headless, driver, quarantined } = kind;
    const key = `${type} ${headless} ${driver} ${quarantined}`;
    const pool = this.#pools.get(key) ?? new BrowserPool(kind, this.#deps);
    this.#pools.set(key, pool);
    return pool;
  }
}

interface SupervisorState extends Omit<BrowserActivity, 'remote'> {
  readonly sandbox: boolean;
  /** A running browser uses files in place of shared memory. */
  readonly smallShm: boolean;
  /** Days since the oldest running headless browser was built, if that is too long ago; else null. */
  readonly outdatedDays: number | null;
}

/** When one of these limits is reached, a new browser replaces the old one. They are checked whenever a page is closed. */
export interface RecyclingLimits {
  /** Pages that were ever opened in it. */
  readonly pages: number;
  readonly ageMs: number;
  /** Memory of its main process. Other processes belong to pages, and end with them. */
  readonly bytes: number;
  /** A separate browser without pages is closed after this time. */
  readonly idleMs: number;
}

const RECYCLING_LIMITS: RecyclingLimits = { pages: 1_000, ageMs: 3_600_000, bytes: 2 ** 30, idleMs: 20_000 };
/** A browser that crashes sooner is not started again before a scrape needs it. */
const MIN_UPTIME_MS = 5_000;
/** The pause after a failed start, doubled each time up to the maximum. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** At most one new browser is started because of disturbing pages in this time. */
const DISTURBED_INTERVAL_MS = 30_000;

/** Keeps one browser of a kind running after it was first needed. */
class BrowserPool {
  readonly kind: BrowserKind;
  /** The browser that gets all new pages; null: none runs. */
  current: BrowserInstance | null = null;
  readonly #deps: SupervisorDeps;
  readonly #limits: RecyclingLimits;
  /** All browsers that have not ended: the current one, and retired ones whose last pages are still open. */
  readonly #instances = new Set<BrowserInstance>();
  #starting: Promise<BrowserInstance | Failure> | null = null;
  #backoff: { readonly failure: Failure; readonly until: number; readonly times: number } | null = null;
  /** When a browser may next be replaced because of disturbing pages, by `performance.now()`. */
  #nextDisturbedAt = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #counts = { launches: 0, crashes: 0, recycles: 0, replaced: 0 };

  constructor(kind: BrowserKind, deps: SupervisorDeps) {
    this.kind = kind;
    this.#deps = deps;
    this.#limits = deps.recycling ?? RECYCLING_LIMITS;
  }

  get instances(): readonly BrowserInstance[] {
    return [...this.#instances];
  }

  /** The last failed start, if it is too recent to try again. */
  get backoffFailure(): Failure | null {
    return this.#backoff !== null && performance.now() < this.#backoff.until ? this.#backoff.failure : null;
  }

  /** The running browser, or a new one. */
  async acquire(): Promise<BrowserInstance | Failure> {
    this.#idleTimer?.refresh();
    return this.current ?? this.backoffFailure ?? this.#start();
  }

  pageClosed(instance: BrowserInstance, userId: string): void {
    instance.pageClosed(userId);
    if (instance !== this.current || this.#closed) return;
    if (this.kind.quarantined) this.#scheduleIdle();
    const { pages, ageMs, bytes } = this.#limits;
    if (instance.served >= pages) void this.#recycle('pages');
    else if (instance.ageMs() >= ageMs) void this.#recycle('age');
    else if (instance.memoryBytes() >= bytes) void this.#recycle('memory');
  }

  /** Replaces a browser that may be hung or damaged: it is closed after its last page, and a new one is started at once. */
  replace(instance: BrowserInstance): void {
    if (instance.retired) return;
    instance.retire();
    this.#counts.replaced++;
    this.#log('a browser is replaced', instance.launched);
    if (instance !== this.current || this.#closed) return;
    this.current = null;
    void this.#start();
  }

  /** Gives new pages another browser as soon as it runs: pages of this one keep its main process or all processors busy. */
  replaceDisturbed(instance: BrowserInstance): void {
    const now = performance.now();
    // A quarantined browser has only disturbing pages, so there is nobody to protect.
    if (this.kind.quarantined || instance !== this.current || now < this.#nextDisturbedAt) return;
    this.#nextDisturbedAt = now + DISTURBED_INTERVAL_MS;
    void this.#recycle('disturbed');
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    await this.#starting;
    this.current = null;
    await Promise.all(this.instances.map(({ launched }) => launched.close()));
  }

  state(): BrowserActivity['kinds'][number] {
    return {
      ...this.kind,
      starting: this.#starting !== null,
      trouble: this.#backoff?.failure.message ?? null,
      ...this.#counts,
      browsers: this.instances.map((instance) => instance.state()),
    };
  }

  /**
   * Starts a browser that takes the place of the current one as soon as it runs. Open pages of the old one may finish there.
   */
  async #recycle(why: 'pages' | 'age' | 'memory' | 'disturbed'): Promise<void> {
    const old = this.current;
    if (old === null || this.#starting !== null || this.backoffFailure !== null) return;
    if (isFailure(await this.#start()) || old.retired) return;
    old.retire();
    if (why === 'disturbed') old.lowerPriority();
    this.#counts.recycles++;
    this.#log('a browser is retired', old.launched, { served: old.served, why });
  }

  #start(): Promise<BrowserInstance | Failure> {
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  /** Tries the binaries of this kind, the preferred one first. */
  async #launch(): Promise<BrowserInstance | Failure> {
    const startedAt = performance.now();
    const { type, headless, driver } = this.kind;
    const { binaries, launch } = this.#deps;
    let firstFailure: Failure | null = null;
    for (const found of await binaries.matching(type, headless)) {
      if (this.#closed) break;
      const launched = await launch(found, headless, driver);
      if (!isFailure(launched)) {
        binaries.launchFailures.delete(found.path);
        this.#backoff = null;
        this.#counts.launches++;
        this.#log('a browser is running', launched, { ms: Math.round(performance.now() - startedAt) });
        return this.#add(launched);
      }
      binaries.launchFailures.set(found.path, launched);
      this.#deps.log('a browser does not start', {
        ...this.kind,
        path: found.path,
        why: launched.message,
      });
      firstFailure ??= launched;
    }
    if (this.#closed) return failure('service.unavailable', 'The service is shutting down.');
    firstFailure ??= failure(
      'browser.unavailable',
      browserUnavailableMessage(type, headless, await binaries.all()),
    );
    const times = (this.#backoff?.times ?? 0) + 1;
    const pauseMs = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (times - 1));
    this.#backoff = { failure: firstFailure, until: performance.now() + pauseMs, times };
    // The files of the browser may be damaged: they are checked before the next start.
    if (firstFailure.code === 'browser.down') binaries.invalidate();
    return firstFailure;
  }

  #add(launched: LaunchedBrowser<Driver>): BrowserInstance {
    const instance = new BrowserInstance(launched, this.#deps.governor, (saturated) =>
      this.replaceDisturbed(saturated),
    );
    if (this.kind.quarantined) instance.lowerPriority();
    this.#instances.add(instance);
    this.current = instance;
    void launched.exited.then((reason) => this.#onExit(instance, reason));
    if (this.kind.quarantined) this.#scheduleIdle();
    return instance;
  }

  #onExit(instance: BrowserInstance, reason: string): void {
    const isExpected = this.#closed || instance.retired;
    this.#instances.delete(instance);
    instance.onExited();
    if (isExpected) return;
    this.#counts.crashes++;
    this.#log('a browser ended unexpectedly', instance.launched, { why: reason });
    if (this.current === instance) this.current = null;
    if (instance.ageMs() > MIN_UPTIME_MS) void this.#start();
  }

  #scheduleIdle(): void {
    this.#idleTimer ??= setTimeout(() => this.#closeIdle(), this.#limits.idleMs).unref();
    this.#idleTimer.refresh();
  }

  #closeIdle(): void {
    const { current } = this;
    if (this.#closed || current === null || current.openPages > 0) return;
    this.current = null;
    current.retire();
    this.#log('an idle separate browser is closed', current.launched);
  }

  #log(message: string, { found, pid, smallShm }: LaunchedBrowser<Driver>, fields: object = {}): void {
    const { path, version } = found;
    const shm = smallShm ? { shared_memory: 'too little space in /dev/shm: the browser uses files' } : {};
    this.#deps.log(message, { ...this.kind, path, version, pid, ...shm, ...fields });
  }
}
