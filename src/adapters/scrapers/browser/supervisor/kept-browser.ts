import { type Failure, failure } from '../../../../domain/failure.ts';
import type { Binaries } from '../binary/binaries.ts';
import type { BrowserType, FoundBrowser } from '../binary/found-browser.ts';
import { whyNoBrowser } from '../binary/why-no-browser.ts';
import type { Lane } from '../launch/lane.ts';
import type { LaunchedBrowser } from '../launch/launched-browser.ts';
import { type Keeper, RunningBrowser } from './running-browser.ts';
import { WEAR_LIMITS, type WearLimits } from './wear.ts';

export interface KeeperParts {
  readonly binaries: Binaries;
  readonly launch: <L extends Lane>(
    found: FoundBrowser,
    headless: boolean,
    lane: L,
  ) => Promise<LaunchedBrowser<L> | Failure>;
  /** For the log: a line of what happened, with its facts. */
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly wear?: WearLimits;
}

export interface KeptKind<L extends Lane> {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly lane: L;
  readonly apart: boolean;
}

/** One that ends sooner is not started again before somebody needs it. */
const LASTING_MS = 5_000;
/** After a start that failed, the next try has to wait: this long, doubled each time up to a minute. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Trouble seldom comes alone: so long after one was lost, another waits beside the one in use. */
const SPARE_MS = 600_000;
/** Pages that disturb the others of their browser drive them out of it so often at most. */
const LEAVING_MS = 30_000;

/** Keeps one browser of a kind running, from the first need on; one apart only while there are such pages. */
export class KeptBrowser<L extends Lane = Lane> implements Keeper<L> {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly lane: L;
  readonly apart: boolean;
  launches = 0;
  crashes = 0;
  /** Browsers that gave way to another one, because they had done enough, or because they were suspect. */
  recycles = 0;
  replaced = 0;
  /** Programs that did not start when they were last tried, by path. */
  readonly troubles = new Map<string, Failure>();
  readonly #parts: KeeperParts;
  readonly #wear: WearLimits;
  readonly #ofApart: (() => KeptBrowser<L>) | null;
  /** All that are not closed yet: the current one, and retired ones with pages still open. */
  readonly #running = new Set<RunningBrowser<L>>();
  #current: RunningBrowser<L> | null = null;
  /** Runs, and waits to become the current one. */
  #spare: RunningBrowser<L> | null = null;
  #spareUntil = 0;
  #starting: Promise<RunningBrowser<L> | Failure> | null = null;
  #trouble: { readonly failure: Failure; readonly until: number; readonly times: number } | null = null;
  /** Nobody is driven out before. */
  #leaveFrom = 0;
  #idle: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param ofApart the keeper of those for pages that disturb others; null: this is one */
  constructor(
    { type, headless, lane, apart }: KeptKind<L>,
    parts: KeeperParts,
    ofApart: (() => KeptBrowser<L>) | null,
  ) {
    this.type = type;
    this.headless = headless;
    this.lane = lane;
    this.apart = apart;
    this.#parts = parts;
    this.#wear = parts.wear ?? WEAR_LIMITS;
    this.#ofApart = ofApart;
  }

  get running(): readonly RunningBrowser<L>[] {
    return [...this.#running];
  }

  get current(): RunningBrowser<L> | null {
    return this.#current;
  }

  get starting(): boolean {
    return this.#starting !== null;
  }

  /** Another one is being started, so that this one can be the one apart. */
  get leaving(): boolean {
    return this.starting && this.#current?.toBeLeft === true;
  }

  /** What kept it from starting, until it starts. */
  get trouble(): Failure | null {
    return this.#trouble?.failure ?? null;
  }

  /** The failure that is too fresh for another try; null: try. */
  get standing(): Failure | null {
    return this.#trouble !== null && performance.now() < this.#trouble.until ? this.#trouble.failure : null;
  }

  /** The running one, or a new one. */
  get(): RunningBrowser<L> | Failure | Promise<RunningBrowser<L> | Failure> {
    // It is about to be needed.
    this.#idle?.refresh();
    return this.#current ?? this.standing ?? this.#start();
  }

  replace(suspect: RunningBrowser<L>): void {
    if (suspect.retired) return;
    suspect.retire();
    this.replaced++;
    this.#parts.log('a browser is replaced', this.#factsOf(suspect.launched));
    this.#lost(suspect);
    if (!this.#closed && (this.#current === null || this.#spare === null)) void this.#start();
  }

  disturbed(running: RunningBrowser<L>): void {
    const now = performance.now();
    if (this.apart || this.#closed || running !== this.#current || now < this.#leaveFrom) return;
    this.#leaveFrom = now + LEAVING_MS;
    running.toBeLeft = true;
    if (this.#spare !== null) this.#takeOver(this.#spare);
    else if (this.standing === null) void this.#start();
  }

  /** Takes one in which pages disturb each other: there it does no more harm. false: there is one already. */
  adopt(running: RunningBrowser<L>): boolean {
    if (this.#closed || this.#current !== null) return false;
    running.keeper = this;
    running.toBeLeft = false;
    this.#running.add(running);
    this.#takeOver(running);
    this.#restLater();
    return true;
  }

  left(running: RunningBrowser<L>, userId: string): void {
    running.leave(userId);
    if (running !== this.#current || this.#closed) return;
    this.#restLater();
    if (this.#spare !== null && performance.now() > this.#spareUntil) {
      this.#spare.retire();
      this.#spare = null;
    }
    if (running.worn(this.#wear) === null) return;
    if (this.#spare !== null) this.#takeOver(this.#spare);
    else if (this.standing === null) void this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    await this.#starting;
    this.#current = null;
    await Promise.all(this.running.map(({ launched }) => launched.close()));
  }

  #start(): Promise<RunningBrowser<L> | Failure> {
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #launch(): Promise<RunningBrowser<L> | Failure> {
    const begun = performance.now();
    const { binaries, launch, log } = this.#parts;
    let first: Failure | null = null;
    for (const found of await binaries.fitting(this.type, this.headless)) {
      if (this.#closed) break;
      const launched = await launch(found, this.headless, this.lane);
      if ('browser' in launched) {
        this.troubles.delete(found.path);
        this.#trouble = null;
        this.launches++;
        log('a browser is running', {
          ...this.#factsOf(launched),
          ms: Math.round(performance.now() - begun),
        });
        return this.#keep(launched);
      }
      this.troubles.set(found.path, launched);
      log('a browser does not start', {
        type: this.type,
        path: found.path,
        headless: this.headless,
        lane: this.lane,
        apart: this.apart,
        why: launched.message,
      });
      first ??= launched;
    }
    if (this.#closed) return failure('service.unavailable', 'The service is shutting down.');
    first ??= failure('browser.unavailable', whyNoBrowser(this.type, this.headless, await binaries.all()));
    const times = (this.#trouble?.times ?? 0) + 1;
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (times - 1));
    this.#trouble = { failure: first, until: performance.now() + pause, times };
    // Perhaps its files are damaged: they are checked before the next try.
    if (first.code === 'browser.down') binaries.forget();
    return first;
  }

  #keep(launched: LaunchedBrowser<L>): RunningBrowser<L> {
    const running = new RunningBrowser(launched, this);
    if (this.apart) running.giveWay();
    this.#running.add(running);
    if (this.#current === null || this.#current.worn(this.#wear) !== null) this.#takeOver(running);
    else this.#spare = running;
    this.#restLater();
    // After this one is known to run: a spare for it.
    if (this.#spare === null && performance.now() < this.#spareUntil)
      setImmediate(() => void (this.#closed || this.#spare !== null || this.#start()));
    return running;
  }

  /** Who has pages in the one before ends them there; whoever comes goes to this one. */
  #takeOver(next: RunningBrowser<L>): void {
    const before = this.#current;
    this.#current = next;
    if (this.#spare === next) this.#spare = null;
    if (before === null) return;
    const why = before.worn(this.#wear);
    if (why === 'disturbed') before.giveWay();
    if (why === 'disturbed' && !this.#closed && this.#ofApart?.().adopt(before)) this.#running.delete(before);
    else before.retire();
    this.recycles++;
    this.#parts.log('a browser is retired', {
      ...this.#factsOf(before.launched),
      served: before.served,
      why,
    });
  }

  #restLater(): void {
    if (this.#idle !== null) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#rest(), this.#wear.idleMs).unref();
  }

  /** Nobody has asked for a page in a while: what would only hold memory ends. */
  #rest(): void {
    const current = this.#current;
    if (this.#closed || (current !== null && current.leases > 0)) return;
    this.#spare?.retire();
    this.#spare = null;
    if (current === null) return;
    if (!this.apart) {
      const { browser } = current.launched;
      if ('rest' in browser) browser.rest();
      return;
    }
    this.#current = null;
    current.retire();
    this.#parts.log('an idle separate browser is closed', this.#factsOf(current.launched));
  }

  gone(running: RunningBrowser<L>, why: string): void {
    this.#running.delete(running);
    void running.launched.close();
    if (this.#closed || running.retired) return;
    this.crashes++;
    running.retire();
    this.#parts.log('a browser ended unexpectedly', { ...this.#factsOf(running.launched), why });
    this.#lost(running);
    if (performance.now() - running.startedAt > LASTING_MS) void this.#start();
  }

  #lost(running: RunningBrowser<L>): void {
    this.#spareUntil = performance.now() + SPARE_MS;
    if (this.#spare === running) this.#spare = null;
    if (this.#current !== running) return;
    this.#current = this.#spare;
    this.#spare = null;
  }

  #factsOf({ found, headless, lane, pid, smallShm }: LaunchedBrowser<Lane>) {
    return {
      type: found.type,
      path: found.path,
      version: found.version,
      headless,
      lane,
      apart: this.apart,
      pid,
      ...(smallShm ? { shared_memory: 'too little space in /dev/shm: the browser uses files' } : {}),
    };
  }
}
