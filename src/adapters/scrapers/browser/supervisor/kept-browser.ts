import { type Failure, failure } from '../../../../domain/failure.ts';
import type { Binaries } from '../binary/binaries.ts';
import type { BrowserType, FoundBrowser } from '../binary/found-browser.ts';
import { whyNoBrowser } from '../binary/why-no-browser.ts';
import type { Lane } from '../launch/lane.ts';
import type { LaunchedBrowser } from '../launch/launched-browser.ts';
import { RunningBrowser } from './running-browser.ts';

export interface KeeperParts {
  readonly binaries: Binaries;
  readonly launch: <L extends Lane>(
    found: FoundBrowser,
    headless: boolean,
    lane: L,
  ) => Promise<LaunchedBrowser<L> | Failure>;
  /** For the log: a line of what happened, with its facts. */
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** One that ends sooner is not started again before somebody needs it. */
const LASTING_MS = 5_000;
/** After a start that failed, the next try has to wait: this long, doubled each time up to a minute. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Keeps one browser of a kind running, from the first need on. */
export class KeptBrowser<L extends Lane = Lane> {
  readonly type: BrowserType;
  readonly headless: boolean;
  readonly lane: L;
  launches = 0;
  crashes = 0;
  /** Programs that did not start when they were last tried, by path. */
  readonly troubles = new Map<string, Failure>();
  readonly #parts: KeeperParts;
  /** All that are not closed yet: the current one, and retired ones with pages still open. */
  readonly #running = new Set<RunningBrowser<L>>();
  #current: RunningBrowser<L> | null = null;
  #starting: Promise<RunningBrowser<L> | Failure> | null = null;
  #trouble: { readonly failure: Failure; readonly until: number; readonly times: number } | null = null;
  #closed = false;

  constructor(type: BrowserType, headless: boolean, lane: L, parts: KeeperParts) {
    this.type = type;
    this.headless = headless;
    this.lane = lane;
    this.#parts = parts;
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
    return this.#current ?? this.standing ?? this.#start();
  }

  /** It may be damaged: its pages may end in it, everybody else gets another one, which is started at once. */
  replace(suspect: RunningBrowser<L>): void {
    if (suspect.retired) return;
    suspect.retire();
    if (this.#current === suspect) this.#current = null;
    this.#parts.log('a browser is replaced', factsOf(suspect.launched));
    if (!this.#closed) void this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
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
        log('a browser is running', { ...factsOf(launched), ms: Math.round(performance.now() - begun) });
        return this.#keep(launched);
      }
      this.troubles.set(found.path, launched);
      log('a browser does not start', {
        type: this.type,
        path: found.path,
        headless: this.headless,
        lane: this.lane,
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
    const running = new RunningBrowser(launched);
    this.#running.add(running);
    this.#current = running;
    void launched.gone.then((why) => this.#gone(running, why));
    return running;
  }

  #gone(running: RunningBrowser<L>, why: string): void {
    this.#running.delete(running);
    void running.launched.close();
    if (this.#closed || running.retired) return;
    this.crashes++;
    running.retire();
    if (this.#current === running) this.#current = null;
    this.#parts.log('a browser was lost', { ...factsOf(running.launched), why });
    if (performance.now() - running.startedAt > LASTING_MS) void this.#start();
  }
}

const factsOf = ({ found, headless, lane, pid }: LaunchedBrowser<Lane>) => ({
  type: found.type,
  path: found.path,
  version: found.version,
  headless,
  lane,
  pid,
});
