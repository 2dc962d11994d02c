import type { MemoryBudget } from '../../base/memory-budget.ts';
import { CLIENT_DISCONNECTED, type Deadline, deadlineOf, deadlineUnder, SHUTDOWN } from '../../base/time.ts';
import { orTimeout, sleep } from '../../base/wait.ts';
import { failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import type { Sealer } from '../../domain/sealing.ts';
import type { BrowserReport, Replicas } from '../../ports/replicas.ts';
import type { BrowserMonitor, FetchRequest, Scraper } from '../../ports/scraper.ts';
import { browserKeysOf, failedResult, pieceOwner } from './browser-on-workers.ts';
import type { ClaimedHandOver, HandOverStore } from './hand-over-store.ts';
import { HAND_OVER_FORMAT, packResult, unpackRequest } from './handed-over.ts';
import { piecesOf } from './packing.ts';

export interface HandOverWorkerOptions {
  readonly store: HandOverStore;
  readonly replicas: Replicas;
  readonly browser: Scraper & BrowserMonitor;
  readonly memory: MemoryBudget;
  readonly sealer: Sealer;
  readonly onError: (error: unknown) => void;
}

/** Runs the browser scrapes that other replicas hand over. */
export interface HandOverWorker {
  /** Hand-overs that run now. */
  readonly running: number;
  start(): void;
  /** Takes no more; waits at most `ms` for those that run, and gives back what may be repeated. */
  stop(ms: number): Promise<void>;
}

/** How often to look for what a message should have said. */
const POLL_MS = 500;
const SWEEP_MS = 30_000;
const PIECE_BYTES = 2 * 2 ** 20;
/** A worker without a free slot waits so long before it takes a hand-over, so that others take it first. */
const BUSY_DELAY_MS = 50;

/** The browsers of this worker, for its registration. Asks for the list of browsers only once. */
export function browserReporter(browser: BrowserMonitor): {
  report(): BrowserReport | null;
  ready: Promise<void>;
} {
  let installed: BrowserReport['installed'] | null = null;
  const ready = browser.list().then((list) => {
    installed = list;
  });
  return {
    ready,
    report: () =>
      installed === null
        ? null
        : {
            format: HAND_OVER_FORMAT,
            installed,
            readiness: browser.state(),
            activity: browser.activity(),
          },
  };
}

export function createHandOverWorker(options: HandOverWorkerOptions): HandOverWorker {
  return new Worker(options);
}

class Worker implements HandOverWorker {
  readonly #options: HandOverWorkerOptions;
  readonly #running = new Map<string, AbortController>();
  readonly #timers: NodeJS.Timeout[] = [];
  #browsers: readonly string[] | null = null;
  #lastUserId = '';
  #isStopping = false;
  #claiming = false;
  #again = false;
  #onIdle = () => {};
  #unsubscribe = () => {};

  constructor(options: HandOverWorkerOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    const { store, replicas, onError } = this.#options;
    this.#timers.push(
      setInterval(() => void this.#poll(), POLL_MS).unref(),
      setInterval(() => void store.sweep().catch(onError), SWEEP_MS).unref(),
    );
    store.listen(
      (kind, id) => {
        if (kind === 'new') void this.#claim();
        else if (kind === 'cancel') this.#running.get(id)?.abort(CLIENT_DISCONNECTED);
      },
      () => void this.#poll(),
    );
    // Others may have taken over what it runs.
    this.#unsubscribe = replicas.onLost(() => this.#abortAll(CLIENT_DISCONNECTED));
    void this.#claim();
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    if (this.#running.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      await orTimeout(idle, ms, undefined);
      this.#abortAll(SHUTDOWN);
      if (this.#running.size > 0) await idle;
    }
    for (const timer of this.#timers) clearInterval(timer);
    this.#unsubscribe();
  }

  #abortAll(reason: Error): void {
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  async #poll(): Promise<void> {
    const { store, replicas, onError } = this.#options;
    void this.#claim();
    if (this.#running.size === 0) return;
    const ids = [...this.#running.keys()];
    try {
      const wanted = new Set(await store.running(replicas.id));
      for (const id of ids) if (!wanted.has(id)) this.#running.get(id)?.abort(CLIENT_DISCONNECTED);
    } catch (error) {
      // `onLost` ends them if this lasts.
      onError(error);
    }
  }

  /** Takes hand-overs until there is none, or as many run as there are slots. */
  async #claim(): Promise<void> {
    if (this.#claiming) {
      this.#again = true;
      return;
    }
    this.#claiming = true;
    const { store, replicas, browser, onError } = this.#options;
    try {
      this.#browsers ??= browserKeysOf({
        installed: await browser.list(),
        activity: browser.activity(),
      });
      do {
        this.#again = false;
        for (;;) {
          const { slots } = browser.activity();
          if (this.#isStopping || this.#running.size >= slots.total) break;
          if (slots.busy >= slots.total) await sleep(BUSY_DELAY_MS);
          const claimed = await store.claim(replicas.id, {
            formats: [HAND_OVER_FORMAT],
            browsers: this.#browsers,
            lastUserId: this.#lastUserId,
          });
          if (claimed === null) break;
          this.#lastUserId = claimed.userId;
          void this.#run(claimed);
        }
      } while (this.#again && !this.#isStopping);
    } catch (error) {
      onError(error);
    } finally {
      this.#claiming = false;
    }
  }

  async #run(claimed: ClaimedHandOver): Promise<void> {
    const { store, replicas, onError } = this.#options;
    const { id, claim, isRepeatable } = claimed;
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      // It was claimed while the worker began to stop.
      if (this.#isStopping && isRepeatable) return await store.release(replicas.id, id, claim);
      await this.#scrape(claimed, controller);
    } catch (error) {
      onError(error);
      await this.#store(claimed, failedResult(BROKEN, true)).catch(onError);
    } finally {
      this.#running.delete(id);
      if (this.#running.size === 0) this.#onIdle();
      void this.#claim();
    }
  }

  async #scrape(claimed: ClaimedHandOver, controller: AbortController): Promise<void> {
    const { store, replicas, browser, memory, sealer } = this.#options;
    const { id, claim, userId, timeLeftMs, attemptLeftMs, isRepeatable, waitedMs } = claimed;
    const reservation = memory.open();
    using deadline = deadlineOf(Math.max(0, timeLeftMs), controller);
    using attemptDeadline = attemptDeadlineOf(attemptLeftMs, deadline);
    try {
      const opened = sealer.open('handover', id, claimed.request);
      const request: FetchRequest = await unpackRequest(opened, {
        userId,
        deadline,
        attemptDeadline,
        reservation,
      });
      const result = await browser.fetch(request);
      const { reason } = deadline.signal;
      // Nobody waits for it any more.
      if (reason === CLIENT_DISCONNECTED) return;
      if (reason === SHUTDOWN && isRepeatable) return await store.release(replicas.id, id, claim);
      await this.#store(claimed, withQueueTime(result, waitedMs));
    } finally {
      reservation.close();
    }
  }

  async #store({ id, claim }: ClaimedHandOver, result: FetchResult): Promise<void> {
    const { store, replicas, sealer } = this.#options;
    const arrays = packResult(result);
    const bytes = arrays.reduce((total, { length }) => total + length, 0);
    let first: Uint8Array | null = null;
    let number = 0;
    for (const piece of piecesOf(arrays, PIECE_BYTES)) {
      const sealed = sealer.seal('handover', pieceOwner(id, claim, number), piece);
      if (number === 0) first = sealed;
      else await store.addPiece(id, claim, number, sealed);
      number++;
    }
    const bodyBytes = result.page?.body.length ?? 0;
    await store.finish(replicas.id, id, { claim, first: first!, bytes, bodyBytes });
  }
}

const BROKEN = failure('service.internal', 'The worker failed; its log has the details.');

const attemptDeadlineOf = (ms: number | null, deadline: Deadline): Deadline | null =>
  ms === null ? null : deadlineUnder(Math.max(0, ms), deadline.signal);

/** The time until a worker took it counts as waiting for a slot. */
const withQueueTime = (result: FetchResult, waitedMs: number): FetchResult => ({
  ...result,
  queuedMs: (result.queuedMs ?? 0) + waitedMs,
});
