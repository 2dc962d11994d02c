import { orTimeout } from '../../base/wait.ts';
import type { BrowserEngine } from '../../browser/engine/browser-engine.ts';
import { isSupported, unsupportedBrowser } from '../../browser/engine/found-browser.ts';
import { BROWSER_TYPES, type BrowserOptions, DEFAULT_BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import { needsBrowser } from '../../domain/scraper-options.ts';
import type { BrowserReadiness } from '../../domain/system.ts';
import type { Task } from '../../domain/task.ts';

type RequestedBrowser = Pick<BrowserOptions, 'browserType' | 'headless'>;

/** A check may take this share of a task's time limit; the rest is for the scrape. */
const CHECK_SHARE = 1 / 2;

const kindKey = ({ browserType, headless }: RequestedBrowser) => `${browserType} ${headless}`;

/** Which kinds of browsers (type, headless or not) can be used, here or remotely, as far as that was checked. */
export class BrowserAvailability {
  readonly #engine: Pick<BrowserEngine, 'unavailableFailure' | 'state'>;
  /** By kind of browser: why it cannot be used; null: it can be used. No entry: it was not checked yet. */
  readonly #known = new Map<string, Failure | null>();

  constructor(engine: Pick<BrowserEngine, 'unavailableFailure' | 'state'>) {
    this.#engine = engine;
  }

  /** Why no kind of browser can be used; null: some kind can be, or none was checked yet. */
  unavailable(): Failure | null {
    if (Array.from(this.#known.values()).includes(null)) return null;
    return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) ?? null;
  }

  /** Why the browser of this task cannot be used; null: it can be, or was not checked yet. */
  refusal({ browser }: Task): Failure | null {
    return unsupportedBrowser(browser.browserType) ?? this.#known.get(kindKey(browser)) ?? null;
  }

  /**
   * Learns from the result of a task that no browser can be used: further tasks are refused with `browser.unavailable`. This task
   * was accepted before, so its own failure becomes `browser.down`.
   */
  learnFrom({ browser }: Task, result: FetchResult): FetchResult {
    if (result.page !== null || result.failure.code !== 'browser.unavailable') return result;
    this.#known.set(kindKey(browser), result.failure);
    return { ...result, failure: failure('browser.down', result.failure.message) };
  }

  /** Runs the check on which `refusal` depends for this task, or `unavailable` if there is no task. null: it is not needed. */
  check(task: Task | null): Promise<void> | null {
    if (task === null)
      return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) === null ? null : this.#checkAll();
    // Another scraper does the task: no browser is started for it.
    if (task.scraper !== 'browser' && (task.scraper !== 'auto' || !needsBrowser(task.requested))) return null;
    const { browser, timeoutMs } = task;
    // A failure is checked again, because its cause may be gone.
    if (unsupportedBrowser(browser.browserType) !== null || this.#known.get(kindKey(browser)) === null)
      return null;
    // If the check takes longer, the scrape starts without its result, and may fail.
    return orTimeout(this.#checkKind(browser), timeoutMs * CHECK_SHARE, undefined);
  }

  state(): BrowserReadiness {
    const { sandbox, smallShm, outdatedDays, kinds } = this.#engine.state();
    const down = kinds.some(({ trouble, browsers }) => trouble !== null && browsers.length === 0);
    const none = this.unavailable() !== null;
    const ready = Array.from(this.#known.values()).includes(null);
    return {
      state: none ? 'unavailable' : down ? 'down' : ready ? 'ready' : 'unknown',
      sandbox: sandbox ? 'on' : 'off',
      smallShm,
      outdatedDays,
    };
  }

  async #checkAll(): Promise<void> {
    for (const browserType of BROWSER_TYPES.filter(isSupported)) {
      const kind = { browserType, headless: true };
      await this.#checkKind(kind);
      if (this.#known.get(kindKey(kind)) === null) return;
    }
  }

  async #checkKind(kind: RequestedBrowser): Promise<void> {
    const refusal = await this.#engine.unavailableFailure(kind.browserType, kind.headless);
    this.#known.set(kindKey(kind), refusal);
  }
}
