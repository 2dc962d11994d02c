import { readFileSync } from 'node:fs';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Driver } from './driver.ts';
import type { BrowserBinaries } from './find-browsers.ts';
import { type BrowserType, browserUnavailableMessage, type FoundBrowser } from './found-browser.ts';
import type { LaunchedBrowser } from './launch.ts';
import { lowerBrowser, PageGovernor } from './page-governor.ts';

/** What a browser may do before another one takes its place. */
export interface RecyclingLimits {
  readonly pages: number;
  readonly ageMs: number;
  /** Of memory that its first process holds when a page has been closed: what pages held themselves is gone then. */
  readonly bytes: number;
  /** So long after the last page, what is kept beside one idle browser ends: one apart, a spare, pages made ahead. */
  readonly idleMs: number;
}

/** A browser that has shown a thousand pages holds about a tenth more than a fresh one; this is for those that do not. */
const RECYCLING_LIMITS: RecyclingLimits = { pages: 1_000, ageMs: 3_600_000, bytes: 2 ** 30, idleMs: 20_000 };

const PAGE_BYTES = 4_096;

/** Memory that a process holds and does not share, in bytes; 0 where there is no /proc, or no such process. */
export function privateMemoryBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    return (Number(resident) - Number(shared)) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** What a page of another user takes, in a browser that is left: it is not to come behind those that disturb it. */
const SHARED_GRACE_MS = 1_000;

/** Who looks after a browser. */
interface BrowserOwner<L extends Driver> {
  /** For pages that disturb others: it gives way to all other browsers. */
  readonly quarantined: boolean;
  /** It may be damaged: its pages may end in it, everybody else gets another one, which is started at once. */
  replace(running: BrowserInstance<L>): void;
  /**
   * Pages in it disturb the others: whoever comes gets another one, as soon as that runs, and this one becomes the one
   * apart, or ends with its last page. Not again and again, and not where such pages are among themselves.
   */
  reportDisturbance(running: BrowserInstance<L>): void;
  /** A page of this user was closed in it. Has it done enough, another one is started, and takes its place once it runs. */
  pageClosed(running: BrowserInstance<L>, userId: string): void;
  /** @param why it has ended */
  instanceExited(running: BrowserInstance<L>, why: string): void;
}

/** A browser that is in use, or waits to be. Closed when it is retired and the last user has left. */
class BrowserInstance<L extends Driver = Driver> {
  readonly launched: LaunchedBrowser<L>;
  owner: BrowserOwner<L>;
  readonly startedAt = performance.now();
  /** Pages that are open in it now, and all that ever were. */
  openPages = 0;
  served = 0;
  /** Pages in it disturb the others, who are to leave it. */
  disturbed = false;
  readonly #governor: PageGovernor;
  /** Who has pages in it, and how many. */
  readonly #users = new Map<string, number>();
  #loweringTimer: NodeJS.Timeout | null = null;
  #retired = false;

  constructor(launched: LaunchedBrowser<L>, keeper: BrowserOwner<L>) {
    this.launched = launched;
    this.owner = keeper;
    this.#governor = new PageGovernor(launched.pid, () => {
      if (this.shared) this.owner.reportDisturbance(this);
    });
    void launched.exited.then((why) => {
      this.#governor.stop();
      if (this.#loweringTimer !== null) clearTimeout(this.#loweringTimer);
      this.owner.instanceExited(this, why);
    });
  }

  get retired(): boolean {
    return this.#retired;
  }

  /** More than one user has pages in it. */
  get shared(): boolean {
    return this.#users.size > 1;
  }

  addPage(userId: string): void {
    this.#users.set(userId, (this.#users.get(userId) ?? 0) + 1);
    this.openPages++;
    this.served++;
    this.#governor.start();
  }

  removePage(userId: string): void {
    const left = this.#users.get(userId)! - 1;
    if (left > 0) this.#users.set(userId, left);
    else this.#users.delete(userId);
    this.openPages--;
    if (this.openPages === 0) this.#governor.stop();
    if (this.#retired && this.openPages === 0) void this.launched.close();
  }

  /** What it has too much of; null: it can go on. */
  recycleReason({ pages, ageMs, bytes }: RecyclingLimits): 'pages' | 'age' | 'memory' | 'disturbed' | null {
    if (this.disturbed) return 'disturbed';
    if (this.served >= pages) return 'pages';
    if (performance.now() - this.startedAt >= ageMs) return 'age';
    return privateMemoryBytes(this.launched.pid) >= bytes ? 'memory' : null;
  }

  /** With all its processes it gives way to every other browser: from now on, or once the others in it had time to end. */
  lowerPriority(): void {
    const later = this.shared ? SHARED_GRACE_MS : 0;
    this.#loweringTimer ??= setTimeout(() => void lowerBrowser(this.launched.pid), later).unref();
  }

  /** Nobody new enters. */
  retire(): void {
    this.#retired = true;
    if (this.openPages === 0) void this.launched.close();
  }
}

export interface BrowserManagerDeps {
  readonly binaries: BrowserBinaries;
  readonly launch: <L extends Driver>(
    found: FoundBrowser,
    headless: boolean,
    lane: L,
  ) => Promise<LaunchedBrowser<L> | Failure>;
  /** For the log: a line of what happened, with its facts. */
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly recycling?: RecyclingLimits;
}

export interface BrowserKind<L extends Driver> {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly driver: L;
  readonly quarantined: boolean;
}

/** One that ends sooner is not started again before somebody needs it. */
const MIN_UPTIME_MS = 5_000;
/** After a start that failed, the next try has to wait: this long, doubled each time up to a minute. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** Trouble seldom comes alone: so long after one was lost, another waits beside the one in use. */
const STANDBY_MS = 600_000;
/** Pages that disturb the others of their browser drive them out of it so often at most. */
const QUARANTINE_INTERVAL_MS = 30_000;

/** Keeps one browser of a kind running, from the first need on; one apart only while there are such pages. */
export class BrowserManager<L extends Driver = Driver> implements BrowserOwner<L> {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly driver: L;
  readonly quarantined: boolean;
  launches = 0;
  crashes = 0;
  /** Browsers that gave way to another one, because they had done enough, or because they were suspect. */
  recycles = 0;
  replaced = 0;
  /** Programs that did not start when they were last tried, by path. */
  readonly launchFailures = new Map<string, Failure>();
  readonly #deps: BrowserManagerDeps;
  readonly #limits: RecyclingLimits;
  readonly #quarantineManager: (() => BrowserManager<L>) | null;
  /** All that are not closed yet: the current one, and retired ones with pages still open. */
  readonly #instances = new Set<BrowserInstance<L>>();
  #current: BrowserInstance<L> | null = null;
  /** Runs, and waits to become the current one. */
  #standby: BrowserInstance<L> | null = null;
  #standbyUntil = 0;
  #starting: Promise<BrowserInstance<L> | Failure> | null = null;
  #backoff: { readonly failure: Failure; readonly until: number; readonly times: number } | null = null;
  /** Nobody is driven out before. */
  #quarantineFrom = 0;
  #idleTimer: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param ofApart the keeper of those for pages that disturb others; null: this is one */
  constructor(
    { type, headless, driver, quarantined }: BrowserKind<L>,
    parts: BrowserManagerDeps,
    ofApart: (() => BrowserManager<L>) | null,
  ) {
    this.type = type;
    this.headless = headless;
    this.driver = driver;
    this.quarantined = quarantined;
    this.#deps = parts;
    this.#limits = parts.recycling ?? RECYCLING_LIMITS;
    this.#quarantineManager = ofApart;
  }

  get instances(): readonly BrowserInstance<L>[] {
    return [...this.#instances];
  }

  get current(): BrowserInstance<L> | null {
    return this.#current;
  }

  get starting(): boolean {
    return this.#starting !== null;
  }

  /** Another one is being started, so that this one can be the one apart. */
  get quarantining(): boolean {
    return this.starting && this.#current?.disturbed === true;
  }

  /** What kept it from starting, until it starts. */
  get launchFailure(): Failure | null {
    return this.#backoff?.failure ?? null;
  }

  /** The failure that is too fresh for another try; null: try. */
  get backoffFailure(): Failure | null {
    return this.#backoff !== null && performance.now() < this.#backoff.until ? this.#backoff.failure : null;
  }

  /** The running one, or a new one. */
  acquire(): BrowserInstance<L> | Failure | Promise<BrowserInstance<L> | Failure> {
    // It is about to be needed.
    this.#idleTimer?.refresh();
    return this.#current ?? this.backoffFailure ?? this.#start();
  }

  replace(suspect: BrowserInstance<L>): void {
    if (suspect.retired) return;
    suspect.retire();
    this.replaced++;
    this.#deps.log('a browser is replaced', this.#logFields(suspect.launched));
    this.#dropInstance(suspect);
    if (!this.#closed && (this.#current === null || this.#standby === null)) void this.#start();
  }

  reportDisturbance(running: BrowserInstance<L>): void {
    const now = performance.now();
    if (this.quarantined || this.#closed || running !== this.#current || now < this.#quarantineFrom) return;
    this.#quarantineFrom = now + QUARANTINE_INTERVAL_MS;
    running.disturbed = true;
    if (this.#standby !== null) this.#switchTo(this.#standby);
    else if (this.backoffFailure === null) void this.#start();
  }

  /** Takes one in which pages disturb each other: there it does no more harm. false: there is one already. */
  adopt(running: BrowserInstance<L>): boolean {
    if (this.#closed || this.#current !== null) return false;
    running.owner = this;
    running.disturbed = false;
    this.#instances.add(running);
    this.#switchTo(running);
    this.#scheduleIdle();
    return true;
  }

  pageClosed(running: BrowserInstance<L>, userId: string): void {
    running.removePage(userId);
    if (running !== this.#current || this.#closed) return;
    this.#scheduleIdle();
    if (this.#standby !== null && performance.now() > this.#standbyUntil) {
      this.#standby.retire();
      this.#standby = null;
    }
    if (running.recycleReason(this.#limits) === null) return;
    if (this.#standby !== null) this.#switchTo(this.#standby);
    else if (this.backoffFailure === null) void this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    await this.#starting;
    this.#current = null;
    await Promise.all(this.instances.map(({ launched }) => launched.close()));
  }

  #start(): Promise<BrowserInstance<L> | Failure> {
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #launch(): Promise<BrowserInstance<L> | Failure> {
    const begun = performance.now();
    const { binaries, launch, log } = this.#deps;
    let first: Failure | null = null;
    for (const found of await binaries.matching(this.type, this.headless)) {
      if (this.#closed) break;
      const launched = await launch(found, this.headless, this.driver);
      if ('browser' in launched) {
        this.launchFailures.delete(found.path);
        this.#backoff = null;
        this.launches++;
        log('a browser is running', {
          ...this.#logFields(launched),
          ms: Math.round(performance.now() - begun),
        });
        return this.#addInstance(launched);
      }
      this.launchFailures.set(found.path, launched);
      log('a browser does not start', {
        type: this.type,
        path: found.path,
        headless: this.headless,
        lane: this.driver,
        apart: this.quarantined,
        why: launched.message,
      });
      first ??= launched;
    }
    if (this.#closed) return failure('service.unavailable', 'The service is shutting down.');
    first ??= failure(
      'browser.unavailable',
      browserUnavailableMessage(this.type, this.headless, await binaries.all()),
    );
    const times = (this.#backoff?.times ?? 0) + 1;
    const pause = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (times - 1));
    this.#backoff = { failure: first, until: performance.now() + pause, times };
    // Perhaps its files are damaged: they are checked before the next try.
    if (first.code === 'browser.down') binaries.invalidate();
    return first;
  }

  #addInstance(launched: LaunchedBrowser<L>): BrowserInstance<L> {
    const running = new BrowserInstance(launched, this);
    if (this.quarantined) running.lowerPriority();
    this.#instances.add(running);
    if (this.#current === null || this.#current.recycleReason(this.#limits) !== null) this.#switchTo(running);
    else this.#standby = running;
    this.#scheduleIdle();
    // After this one is known to run: a spare for it.
    if (this.#standby === null && performance.now() < this.#standbyUntil)
      setImmediate(() => void (this.#closed || this.#standby !== null || this.#start()));
    return running;
  }

  /** Who has pages in the one before ends them there; whoever comes goes to this one. */
  #switchTo(next: BrowserInstance<L>): void {
    const before = this.#current;
    this.#current = next;
    if (this.#standby === next) this.#standby = null;
    if (before === null) return;
    const why = before.recycleReason(this.#limits);
    if (why === 'disturbed') before.lowerPriority();
    if (why === 'disturbed' && !this.#closed && this.#quarantineManager?.().adopt(before))
      this.#instances.delete(before);
    else before.retire();
    this.recycles++;
    this.#deps.log('a browser is retired', {
      ...this.#logFields(before.launched),
      served: before.served,
      why,
    });
  }

  #scheduleIdle(): void {
    if (this.#idleTimer !== null) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => this.#closeIdle(), this.#limits.idleMs).unref();
  }

  /** Nobody has asked for a page in a while: what would only hold memory ends. */
  #closeIdle(): void {
    const current = this.#current;
    if (this.#closed || (current !== null && current.openPages > 0)) return;
    this.#standby?.retire();
    this.#standby = null;
    if (current === null) return;
    if (!this.quarantined) {
      const { browser } = current.launched;
      if ('closePreparedPages' in browser) browser.closePreparedPages();
      return;
    }
    this.#current = null;
    current.retire();
    this.#deps.log('an idle separate browser is closed', this.#logFields(current.launched));
  }

  instanceExited(running: BrowserInstance<L>, why: string): void {
    this.#instances.delete(running);
    void running.launched.close();
    if (this.#closed || running.retired) return;
    this.crashes++;
    running.retire();
    this.#deps.log('a browser ended unexpectedly', { ...this.#logFields(running.launched), why });
    this.#dropInstance(running);
    if (performance.now() - running.startedAt > MIN_UPTIME_MS) void this.#start();
  }

  #dropInstance(running: BrowserInstance<L>): void {
    this.#standbyUntil = performance.now() + STANDBY_MS;
    if (this.#standby === running) this.#standby = null;
    if (this.#current !== running) return;
    this.#current = this.#standby;
    this.#standby = null;
  }

  #logFields({ found, headless, driver, pid, smallShm }: LaunchedBrowser<Driver>) {
    return {
      type: found.type,
      path: found.path,
      version: found.version,
      headless,
      lane: driver,
      apart: this.quarantined,
      pid,
      ...(smallShm ? { shared_memory: 'too little space in /dev/shm: the browser uses files' } : {}),
    };
  }
}
