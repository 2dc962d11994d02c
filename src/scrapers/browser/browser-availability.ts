import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER_TYPES, isSupported, unsupportedBrowser } from '../../browser/engine/found-browser.ts';
import type { Supervisor } from '../../browser/engine/supervisor.ts';
import { type BrowserOptions, DEFAULT_BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { BrowserReadiness } from '../../domain/system.ts';

type RequestedBrowser = Pick<BrowserOptions, 'type' | 'headless'>;

/** Of the time of a request, what finding out may take; the rest is for the scrape. */
const MAX_TIME_SHARE = 2;

const kindKey = ({ type, headless }: RequestedBrowser) => `${type} ${headless}`;

/** Which kinds of browsers can be had here, as far as somebody has asked. */
export class BrowserAvailability {
  readonly #supervisor: Supervisor;
  /** Why there is none of a kind; null: there is one. */
  readonly #known = new Map<string, Failure | null>();

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  /** Why no job at all can have a browser; null: some can, or nobody knows. */
  unavailable(): Failure | null {
    if (Array.from(this.#known.values()).includes(null)) return null;
    return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) ?? null;
  }

  refusal({ browser }: Job): Failure | null {
    return unsupportedBrowser(browser.type) ?? this.#known.get(kindKey(browser)) ?? null;
  }

  record(kind: RequestedBrowser, why: Failure | null): void {
    this.#known.set(kindKey(kind), why);
  }

  /** Finds out for `refusal`, or without a job for `unavailable`. null: it is known. */
  check(job: Job | null): Promise<void> | null {
    if (job === null)
      return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) === null ? null : this.#checkAll();
    // No other scraper can be a browser: none is started to say so.
    if (job.scraper !== 'browser' && (job.scraper !== 'auto' || job.browserOnly.length === 0)) return null;
    const { browser, timeoutMs } = job;
    // A failure may be gone; what is there stays.
    if (unsupportedBrowser(browser.type) !== null || this.#known.get(kindKey(browser)) === null) return null;
    // What is not known by then, is told by the scrape itself.
    const found = new AbortController();
    const late = pause(timeoutMs / MAX_TIME_SHARE, undefined, { signal: found.signal }).catch(() => {});
    return Promise.race([this.#probe(browser).finally(() => found.abort()), late]);
  }

  state(): BrowserReadiness {
    const { sandbox, smallShm, outdatedDays, kinds } = this.#supervisor.state();
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
    for (const type of BROWSER_TYPES.filter(isSupported)) {
      await this.#probe({ type, headless: true });
      if (this.#known.get(kindKey({ type, headless: true })) === null) return;
    }
  }

  async #probe({ type, headless }: RequestedBrowser): Promise<void> {
    this.record({ type, headless }, await this.#supervisor.unavailableFailure(type, headless));
  }
}
