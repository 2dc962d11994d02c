import { availableParallelism } from 'node:os';
import { CLIENT_DISCONNECTED, DEADLINE_EXCEEDED, type Deadline, SHUTDOWN } from '../../base/time.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { BrowserActivity } from '../../domain/system.ts';
import {
  type BrowserKind,
  BrowserManager,
  type BrowserManagerDeps,
  privateMemoryBytes,
} from './browser-process.ts';
import { type Driver, type DriverBrowsers, defaultDriver } from './driver.ts';
import {
  type BrowserType,
  browserUnavailableMessage,
  type FoundBrowser,
  isOutdated,
} from './found-browser.ts';

/**
 * Why a wait for a browser came to its end.
 * @param reason of the signal that ended it
 * @param what was waited for, as the end of a sentence
 */
function waitFailure(reason: unknown, what: string): Failure {
  if (reason === CLIENT_DISCONNECTED) return failure('request.cancelled', 'The client disconnected.');
  if (reason === DEADLINE_EXCEEDED)
    return failure('service.unavailable', `The request timed out while it waited for ${what}.`);
  return failure('service.unavailable', 'The service is shutting down.');
}

/**
 * Who waits, by user: the users take turns, and within a user the first to come is the first to go. A user with a
 * hundred waiting delays another by one, not by a hundred.
 */
export class RoundRobinQueue<T> {
  /** In the order of their turns: who was served goes to the end. */
  readonly #users = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(userId: string, item: T): void {
    const waiting = this.#users.get(userId);
    if (waiting === undefined) this.#users.set(userId, new Set([item]));
    else waiting.add(item);
    this.#size++;
  }

  /** Takes out the next one of a user who may go; undefined when nobody waits who may. */
  shift(may: (userId: string) => boolean): { readonly userId: string; readonly item: T } | undefined {
    for (const [userId, waiting] of this.#users) {
      if (!may(userId)) continue;
      this.#users.delete(userId);
      for (const item of waiting) {
        waiting.delete(item);
        this.#size--;
        if (waiting.size > 0) this.#users.set(userId, waiting);
        return { userId, item };
      }
    }
    return undefined;
  }

  /** Takes one out that does not want to wait any more. */
  remove(userId: string, item: T): void {
    const waiting = this.#users.get(userId);
    if (waiting === undefined || !waiting.delete(item)) return;
    this.#size--;
    if (waiting.size === 0) this.#users.delete(userId);
  }
}

/** Contract §8: what waits beyond it is refused at once. */
const MAX_WAITING = 1_000;

interface Waiter {
  readonly grant: (slot: number) => void;
}

/**
 * The numbers of the pages that may be open at once, 0 and up. Whoever takes one gives it back. There is one more, with the
 * number `total`: for a user who has no page open while others have them all, and may keep them for long.
 */
export class PageSlots {
  readonly total: number;
  /** The lowest last: it is taken first, so that what belongs to a slot is used again. */
  readonly #free: number[];
  /** Who has those that are taken, by their numbers. */
  readonly #holders = new Map<number, string>();
  /** Those whose page is being opened. */
  readonly #opening = new Set<number>();
  /** Those whose page is new, and how many pages of each other user were opened beside it. */
  readonly #newPages = new Map<number, Map<string, number>>();
  readonly #maxOpening: number;
  readonly #queue = new RoundRobinQueue<Waiter>();

  /**
   * @param mostOpening pages that a user opens at once while others have pages, 1 or more; and so many at most beside one
   * new page of another user
   */
  constructor(total: number, mostOpening: number) {
    this.total = total;
    this.#maxOpening = mostOpening;
    this.#free = Array.from({ length: total + 1 }, (_, at) => total - at);
  }

  /** `total` + 1 at most. */
  get busy(): number {
    return this.#holders.size;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * A number, now or after a wait in turn; `full` when too many wait; `ended` when the signal ended the wait.
   * @param prefers of those that are free, one of these is taken rather than another
   */
  acquire(
    userId: string,
    signal: AbortSignal,
    prefers?: (slot: number) => boolean,
  ): number | 'full' | 'ended' | Promise<number | 'ended'> {
    if (signal.aborted) return 'ended';
    if (this.#isAvailableTo(userId)) return this.#assign(userId, prefers);
    if (this.#queue.size >= MAX_WAITING) return 'full';
    return new Promise((resolve) => {
      const wait: Waiter = {
        grant: (slot) => {
          signal.removeEventListener('abort', onAbort);
          resolve(slot);
        },
      };
      const onAbort = () => {
        this.#queue.remove(userId, wait);
        resolve('ended');
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(userId, wait);
    });
  }

  /** The page of this number is shown, and has cost most of what it costs to open one. */
  pageShown(slot: number): void {
    if (this.#opening.delete(slot)) this.#grantWaiting();
  }

  /** The page of this number is new no longer: how many are opened beside it does not matter any more. */
  pageSettled(slot: number): void {
    this.#newPages.delete(slot);
    this.#opening.delete(slot);
    this.#grantWaiting();
  }

  release(slot: number): void {
    this.#holders.delete(slot);
    this.#opening.delete(slot);
    this.#newPages.delete(slot);
    this.#free.push(slot);
    this.#free.sort((a, b) => b - a);
    this.#grantWaiting();
  }

  #grantWaiting(): void {
    const next = () => this.#queue.shift((userId) => this.#isAvailableTo(userId));
    // With this one the one beyond may be for somebody, too.
    for (let one = next(); one !== undefined; one = next()) one.item.grant(this.#assign(one.userId));
  }

  /** Whether one of those that are free is for this user. */
  #isAvailableTo(userId: string): boolean {
    const isFirst = ![...this.#holders.values()].includes(userId);
    if (!isFirst && !this.#mayOpen(userId)) return false;
    const lowest = this.#free.at(-1);
    return lowest === this.total ? isFirst : lowest !== undefined;
  }

  /** Whether one more page of this user, who has some, leaves the others their share. */
  #mayOpen(userId: string): boolean {
    if (![...this.#holders.values()].some((holder) => holder !== userId)) return true;
    for (const beside of this.#newPages.values())
      if ((beside.get(userId) ?? 0) >= this.#maxOpening) return false;
    const own = [...this.#opening].filter((slot) => this.#holders.get(slot) === userId);
    return own.length < this.#maxOpening;
  }

  /** Only when one is for this user. */
  #assign(userId: string, prefers: (slot: number) => boolean = () => false): number {
    const preferred = this.#free.findLastIndex((slot) => slot < this.total && prefers(slot));
    const slot = this.#free.splice(preferred, 1)[0]!;
    const beside = new Map<string, number>();
    for (const [other, ofOther] of this.#newPages) {
      const holder = this.#holders.get(other)!;
      if (holder === userId) continue;
      increment(ofOther, userId);
      if (this.#opening.has(other)) increment(beside, holder);
    }
    this.#holders.set(slot, userId);
    this.#opening.add(slot);
    this.#newPages.set(slot, beside);
    return slot;
  }
}

const increment = (beside: Map<string, number>, userId: string): void =>
  void beside.set(userId, (beside.get(userId) ?? 0) + 1);

/** What operators see of the browsers. */
interface SupervisorState extends BrowserActivity {
  readonly sandbox: boolean;
  /** One that runs does without shared memory. */
  readonly smallShm: boolean;
  /** Days since the oldest headless browser that runs was built, when that is too long ago; else null. */
  readonly outdatedDays: number | null;
}

interface SupervisorStateOptions {
  readonly slots: PageSlots;
  readonly managers: readonly BrowserManager[];
  readonly sandbox: boolean;
  readonly leases: number;
  readonly refused: number;
}

function supervisorState({
  slots,
  managers,
  sandbox,
  leases,
  refused,
}: SupervisorStateOptions): SupervisorState {
  const now = performance.now();
  const ages = managers.flatMap(({ headless, instances }) =>
    headless ? instances.map(({ launched }) => launched.found.ageDays) : [],
  );
  return {
    sandbox,
    outdatedDays: ages.filter(isOutdated).reduce((a, b) => (a === null || b! > a ? b : a), null),
    smallShm: managers.some(({ instances }) => instances.some(({ launched }) => launched.smallShm)),
    slots: { total: slots.total, busy: slots.busy, waiting: slots.waiting },
    leases,
    refused,
    kinds: managers.map((kind) => ({
      type: kind.type,
      headless: kind.headless,
      driver: kind.driver,
      quarantined: kind.quarantined,
      starting: kind.starting,
      trouble: kind.launchFailure?.message ?? null,
      launches: kind.launches,
      crashes: kind.crashes,
      recycles: kind.recycles,
      replaced: kind.replaced,
      browsers: kind.instances.map(({ launched, startedAt, openPages, served, retired }) => ({
        version: launched.found.version,
        pid: launched.pid,
        ageMs: Math.round(now - startedAt),
        pages: openPages,
        served,
        draining: retired,
        memory: privateMemoryBytes(launched.pid),
      })),
    })),
  };
}

/**
 * While others have pages, a user's next one waits for the one before to be shown, and for those pages of theirs to be over
 * that the one before was opened beside; so long at most for each of both.
 */
const NEW_PAGE_MS = 500;

interface BrowserRequest<L extends Driver> {
  readonly userId: string;
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly driver: L;
  /**
   * Whether the page is likely to disturb others: it gets a browser that gives way to all others. Asked once more after
   * a wait, in which another page may have told.
   */
  readonly isQuarantined: () => boolean;
  readonly deadline: Deadline;
  /** Of the slots that are free, one of these is taken rather than another. */
  readonly prefersSlot?: (slot: number, browser: DriverBrowsers[L]) => boolean;
}

/** The right to open one page in a browser. Whoever has it gives it back, exactly once. */
export interface BrowserLease<L extends Driver = 'playwright'> {
  readonly driver: L;
  /** Whether its browser gives way to others by now. */
  readonly quarantined: boolean;
  readonly browser: DriverBrowsers[L];
  readonly found: FoundBrowser;
  /** 0 to slots − 1; nobody else has it meanwhile. */
  readonly slot: number;
  /** Milliseconds from the asking to the having: for a slot, and for the browser to start. */
  readonly queuedMs: number;
  /** Where the browser puts downloads. */
  readonly downloadsDir: string;
  /** Whether the browser has ended under the page. */
  isBrowserGone(): boolean;
  /** Whether other users have pages in its browser, while it lasts. */
  readonly shared: boolean;
  /** A document is shown. */
  pageShown(): void;
  /** The page disturbs the others of its browser, and may until its end. */
  reportDisturbance(): void;
  /** The page must be closed before. @param suspect the browser may be hung or damaged: nobody else gets it */
  release(suspect: boolean): void;
}

interface SupervisorDeps extends BrowserManagerDeps {
  readonly slots: number;
  readonly sandbox: boolean;
}

/** Who has which browser: slots, the queue before them, and one warm browser of each kind that was ever needed. */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #slots: PageSlots;
  readonly #managers = new Map<string, BrowserManager>();
  readonly #closing = new AbortController();
  #leases = 0;
  #refused = 0;

  constructor(parts: SupervisorDeps) {
    this.#deps = parts;
    this.#slots = new PageSlots(parts.slots, Math.max(1, Math.floor(availableParallelism() / 2)));
  }

  /** A browser and a slot, as soon as it is this user's turn. Never rejects. */
  async lease<L extends Driver>(ask: BrowserRequest<L>): Promise<BrowserLease<L> | Failure> {
    const { userId, deadline, prefersSlot, isQuarantined, ...kind } = ask;
    const begun = performance.now();
    const keeper = () => this.#managerFor<L>({ ...kind, quarantined: isQuarantined() });
    const before = keeper();
    // What cannot start is not worth a wait.
    if (before.current === null && before.backoffFailure !== null) return before.backoffFailure;
    const signal = AbortSignal.any([deadline.signal, this.#closing.signal]);
    const browser = before.current?.launched.browser;
    const wanted =
      prefersSlot === undefined || browser === undefined
        ? undefined
        : (at: number) => prefersSlot(at, browser);
    const slot = await this.#slots.acquire(userId, signal, wanted);
    if (slot === 'full') {
      this.#refused++;
      return failure(
        'service.unavailable',
        `${this.#slots.waiting} scrapes are already waiting for a browser.`,
      );
    }
    if (slot === 'ended') return waitFailure(signal.reason, 'a free browser slot');
    // One that is never answered costs no more than that either, nor one whose browser takes long to start.
    const aging = setTimeout(() => this.#slots.pageSettled(slot), NEW_PAGE_MS).unref();
    const running = await orNullOnAbort(keeper().acquire(), signal);
    if (running === null || isFailure(running)) {
      clearTimeout(aging);
      this.#slots.release(slot);
      return running ?? waitFailure(signal.reason, 'the browser to start');
    }
    const { launched } = running;
    running.addPage(userId);
    this.#leases++;
    let released = false;
    return {
      driver: kind.driver,
      get quarantined() {
        return running.owner.quarantined;
      },
      browser: launched.browser,
      found: launched.found,
      slot,
      queuedMs: performance.now() - begun,
      get shared() {
        return !released && running.shared;
      },
      downloadsDir: launched.downloadsDir,
      pageShown: () => {
        if (!released) this.#slots.pageShown(slot);
      },
      isBrowserGone: () => !launched.browser.isConnected(),
      reportDisturbance: () => {
        if (!released) running.owner.reportDisturbance(running);
      },
      release: (suspect) => {
        if (released) return;
        released = true;
        clearTimeout(aging);
        if (suspect) running.owner.replace(running);
        running.owner.pageClosed(running, userId);
        this.#slots.release(slot);
      },
    };
  }

  /** Starts a browser before it is needed; null: it runs. */
  async warmUp(kind: BrowserKind<Driver>): Promise<Failure | null> {
    const running = await this.#manager(kind).acquire();
    return isFailure(running) ? running : null;
  }

  /** Has one apart for the next page of this kind, unless that of all is about to be it. */
  warmUpQuarantined(kind: Omit<BrowserKind<Driver>, 'quarantined'>): void {
    void this.#managerFor({ ...kind, quarantined: true }).acquire();
  }

  /**
   * Why no scrape can have such a browser, whatever it waits; null: it can. Where none was started yet, one is: only then
   * it is known whether the machine lets it. Takes a second or two then.
   */
  async unavailableFailure(type: BrowserType, headless: boolean): Promise<Failure | null> {
    const { binaries } = this.#deps;
    if ((await binaries.matching(type, headless)).length === 0)
      return failure('browser.unavailable', browserUnavailableMessage(type, headless, await binaries.all()));
    const failed = await this.warmUp({ type, headless, driver: defaultDriver(headless), quarantined: false });
    return failed?.code === 'browser.unavailable' ? failed : null;
  }

  /** The program that scrapes of this kind get now; null: none runs. */
  runningPath(type: BrowserType, headless: boolean): string | null {
    for (const kept of this.#managers.values())
      if (kept.type === type && kept.headless === headless && kept.current !== null)
        return kept.current.launched.found.path;
    return null;
  }

  /** Why a program did not start when it was last tried; null: it did, or was not. */
  launchErrorOf(path: string): string | null {
    for (const kept of this.#managers.values()) {
      const trouble = kept.launchFailures.get(path);
      if (trouble !== undefined) return trouble.message;
    }
    return null;
  }

  state(): SupervisorState {
    const { sandbox } = this.#deps;
    return supervisorState({
      slots: this.#slots,
      managers: [...this.#managers.values()],
      sandbox,
      leases: this.#leases,
      refused: this.#refused,
    });
  }

  /** Refuses who waits, and ends all browsers. */
  async close(): Promise<void> {
    this.#closing.abort(SHUTDOWN);
    await Promise.all([...this.#managers.values()].map((kept) => kept.close()));
  }

  /** Nobody waits for the start of a browser apart where that of all runs, which has to do until then. */
  #managerFor<L extends Driver>(kind: BrowserKind<L>): BrowserManager<L> {
    const kept = this.#manager(kind);
    if (!kind.quarantined || kept.current !== null) return kept;
    const ofAll = this.#manager({ ...kind, quarantined: false });
    if (ofAll.quarantining || kept.backoffFailure !== null) return ofAll;
    if (ofAll.current === null && !ofAll.starting) return kept;
    void kept.acquire();
    return ofAll;
  }

  #manager<L extends Driver>(kind: BrowserKind<L>): BrowserManager<L> {
    const { type, headless, driver, quarantined } = kind;
    const key = `${type} ${headless} ${driver} ${quarantined}`;
    const known = this.#managers.get(key);
    if (known !== undefined) return known as BrowserManager<Driver> as BrowserManager<L>;
    const ofApart = kind.quarantined ? null : () => this.#manager({ ...kind, quarantined: true });
    const kept = new BrowserManager(kind, this.#deps, ofApart);
    this.#managers.set(key, kept as BrowserManager<Driver> as BrowserManager);
    return kept;
  }
}

/** null when the signal came first. */
async function orNullOnAbort<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  if (!(work instanceof Promise)) return work;
  let onAbort: () => void = () => {};
  const ended = new Promise<null>((resolve) => {
    onAbort = () => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
