import { availableParallelism } from 'node:os';
import { SHUTDOWN } from '../../../../base/abort-reasons.ts';
import type { Deadline } from '../../../../base/deadline.ts';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { BrowserType, FoundBrowser } from '../binary/found-browser.ts';
import { whyNoBrowser } from '../binary/why-no-browser.ts';
import { firstLane } from '../fast/lane-of.ts';
import type { Drivers, Lane } from '../launch/lane.ts';
import { endedWaiting } from './ended-waiting.ts';
import { type KeeperParts, KeptBrowser, type KeptKind } from './kept-browser.ts';
import { Slots } from './slots.ts';
import { type SupervisorState, stateOf } from './supervisor-state.ts';

/**
 * While others have pages, a user's next one waits for the one before to be shown, and for those pages of theirs to be over
 * that the one before was opened beside; so long at most for each of both.
 */
const NEW_MS = 500;

export interface LeaseAsk<L extends Lane> {
  readonly userId: string;
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly lane: L;
  /**
   * Whether the page is likely to disturb others: it gets a browser that gives way to all others. Asked once more after
   * a wait, in which another page may have told.
   */
  readonly isApart: () => boolean;
  readonly deadline: Deadline;
  /** Of the slots that are free, one of these is taken rather than another. */
  readonly prefers?: (slot: number, browser: Drivers[L]) => boolean;
}

/** The right to open one page in a browser. Whoever has it gives it back, exactly once. */
export interface BrowserLease<L extends Lane = 'full'> {
  readonly lane: L;
  /** Whether its browser gives way to others by now. */
  readonly apart: boolean;
  readonly browser: Drivers[L];
  readonly found: FoundBrowser;
  /** 0 to slots − 1; nobody else has it meanwhile. */
  readonly slot: number;
  /** Milliseconds from the asking to the having: for a slot, and for the browser to start. */
  readonly queuedMs: number;
  /** Where the browser puts downloads. */
  readonly downloadsDir: string;
  /** Whether the browser has ended under the page. */
  lost(): boolean;
  /** Whether other users have pages in its browser, while it lasts. */
  readonly shared: boolean;
  /** A document is shown. */
  opened(): void;
  /** The page disturbs the others of its browser, and may until its end. */
  disturbs(): void;
  /** The page must be closed before. @param suspect the browser may be hung or damaged: nobody else gets it */
  release(suspect: boolean): void;
}

export interface SupervisorParts extends KeeperParts {
  readonly slots: number;
  readonly sandbox: boolean;
}

/** Who has which browser: slots, the queue before them, and one warm browser of each kind that was ever needed. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #slots: Slots;
  readonly #kept = new Map<string, KeptBrowser>();
  readonly #ending = new AbortController();
  #leases = 0;
  #refused = 0;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.slots, Math.max(1, Math.floor(availableParallelism() / 2)));
  }

  /** A browser and a slot, as soon as it is this user's turn. Never rejects. */
  async lease<L extends Lane>(ask: LeaseAsk<L>): Promise<BrowserLease<L> | Failure> {
    const { userId, deadline, prefers, isApart, ...kind } = ask;
    const begun = performance.now();
    const keeper = () => this.#keeperFor<L>({ ...kind, apart: isApart() });
    const before = keeper();
    // What cannot start is not worth a wait.
    if (before.current === null && before.standing !== null) return before.standing;
    const signal = AbortSignal.any([deadline.signal, this.#ending.signal]);
    const browser = before.current?.launched.browser;
    const wanted =
      prefers === undefined || browser === undefined ? undefined : (at: number) => prefers(at, browser);
    const slot = await this.#slots.take(userId, signal, wanted);
    if (slot === 'full') {
      this.#refused++;
      return failure(
        'service.unavailable',
        `${this.#slots.waiting} scrapes are already waiting for a browser.`,
      );
    }
    if (slot === 'ended') return endedWaiting(signal.reason, 'a free browser slot');
    // One that is never answered costs no more than that either, nor one whose browser takes long to start.
    const aging = setTimeout(() => this.#slots.aged(slot), NEW_MS).unref();
    const running = await orEnded(keeper().get(), signal);
    if (running === null || 'code' in running) {
      clearTimeout(aging);
      this.#slots.give(slot);
      return running ?? endedWaiting(signal.reason, 'the browser to start');
    }
    const { launched } = running;
    running.enter(userId);
    this.#leases++;
    let released = false;
    return {
      lane: kind.lane,
      get apart() {
        return running.keeper.apart;
      },
      browser: launched.browser,
      found: launched.found,
      slot,
      queuedMs: performance.now() - begun,
      get shared() {
        return !released && running.shared;
      },
      downloadsDir: launched.downloadsDir,
      opened: () => {
        if (!released) this.#slots.opened(slot);
      },
      lost: () => !launched.browser.isConnected(),
      disturbs: () => {
        if (!released) running.keeper.disturbed(running);
      },
      release: (suspect) => {
        if (released) return;
        released = true;
        clearTimeout(aging);
        if (suspect) running.keeper.replace(running);
        running.keeper.left(running, userId);
        this.#slots.give(slot);
      },
    };
  }

  /** Starts a browser before it is needed; null: it runs. */
  async warm(kind: KeptKind<Lane>): Promise<Failure | null> {
    const running = await this.#keeper(kind).get();
    return 'code' in running ? running : null;
  }

  /** Has one apart for the next page of this kind, unless that of all is about to be it. */
  warmApart(kind: Omit<KeptKind<Lane>, 'apart'>): void {
    void this.#keeperFor({ ...kind, apart: true }).get();
  }

  /**
   * Why no scrape can have such a browser, whatever it waits; null: it can. Where none was started yet, one is: only then
   * it is known whether the machine lets it. Takes a second or two then.
   */
  async whyUnavailable(type: BrowserType, headless: boolean): Promise<Failure | null> {
    const { binaries } = this.#parts;
    if ((await binaries.fitting(type, headless)).length === 0)
      return failure('browser.unavailable', whyNoBrowser(type, headless, await binaries.all()));
    const failed = await this.warm({ type, headless, lane: firstLane(headless), apart: false });
    return failed?.code === 'browser.unavailable' ? failed : null;
  }

  /** The program that scrapes of this kind get now; null: none runs. */
  runningPath(type: BrowserType, headless: boolean): string | null {
    for (const kept of this.#kept.values())
      if (kept.type === type && kept.headless === headless && kept.current !== null)
        return kept.current.launched.found.path;
    return null;
  }

  /** Why a program did not start when it was last tried; null: it did, or was not. */
  troubleOf(path: string): string | null {
    for (const kept of this.#kept.values()) {
      const trouble = kept.troubles.get(path);
      if (trouble !== undefined) return trouble.message;
    }
    return null;
  }

  state(): SupervisorState {
    const { sandbox } = this.#parts;
    return stateOf({
      slots: this.#slots,
      kept: [...this.#kept.values()],
      sandbox,
      leases: this.#leases,
      refused: this.#refused,
    });
  }

  /** Refuses who waits, and ends all browsers. */
  async close(): Promise<void> {
    this.#ending.abort(SHUTDOWN);
    await Promise.all([...this.#kept.values()].map((kept) => kept.close()));
  }

  /** Nobody waits for the start of a browser apart where that of all runs, which has to do until then. */
  #keeperFor<L extends Lane>(kind: KeptKind<L>): KeptBrowser<L> {
    const kept = this.#keeper(kind);
    if (!kind.apart || kept.current !== null) return kept;
    const ofAll = this.#keeper({ ...kind, apart: false });
    if (ofAll.leaving || kept.standing !== null) return ofAll;
    if (ofAll.current === null && !ofAll.starting) return kept;
    void kept.get();
    return ofAll;
  }

  #keeper<L extends Lane>(kind: KeptKind<L>): KeptBrowser<L> {
    const { type, headless, lane, apart } = kind;
    const key = `${type} ${headless} ${lane} ${apart}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known as KeptBrowser<Lane> as KeptBrowser<L>;
    const ofApart = kind.apart ? null : () => this.#keeper({ ...kind, apart: true });
    const kept = new KeptBrowser(kind, this.#parts, ofApart);
    this.#kept.set(key, kept as KeptBrowser<Lane> as KeptBrowser);
    return kept;
  }
}

/** null when the signal came first. */
async function orEnded<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | null> {
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
