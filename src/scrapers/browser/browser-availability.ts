import { orTimeout } from '../../base/wait.ts';
import { isSupported, unsupportedBrowser } from '../../browser/engine/found-browser.ts';
import type { Supervisor } from '../../browser/engine/supervisor.ts';
import { BROWSER_TYPES, type BrowserOptions, DEFAULT_BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import type { Job } from '../../domain/job.ts';
import { needsBrowser } from '../../domain/scraper-options.ts';
import type { BrowserReadiness } from '../../domain/system.ts';

type RequestedBrowser = Pick<BrowserOptions, 'browserType' | 'headless'>;

/** The check may take this part of the time limit of a job; the rest is for the scrape. */
const CHECK_SHARE = 1 / 2;

const kindKey = ({ browserType, headless }: RequestedBrowser) => `${browserType} ${headless}`;

/** Which kinds of browsers this machine has, as far as it was checked. */
export class BrowserAvailability {
  readonly #supervisor: Supervisor;
  /** By kind: why it cannot be used; null: it can. */
  readonly #known = new Map<string, Failure | null>();

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  /** Why no job can have a browser; null: some can, or it was not checked yet. */
  unavailable(): Failure | null {
    if (Array.from(this.#known.values()).includes(null)) return null;
    return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) ?? null;
  }

  refusal({ browser }: Job): Failure | null {
    return unsupportedBrowser(browser.browserType) ?? this.#known.get(kindKey(browser)) ?? null;
  }

  /** Learns from the result of a job. Further jobs are refused with `browser.unavailable`; this one was accepted. */
  observed({ browser }: Job, result: FetchResult): FetchResult {
    if (result.page !== null || result.failure.code !== 'browser.unavailable') return result;
    this.#known.set(kindKey(browser), result.failure);
    return { ...result, failure: failure('browser.down', result.failure.message) };
  }

  /** Checks what `refusal` needs for this job, or without a job what `unavailable` needs. null: it is known already. */
  check(job: Job | null): Promise<void> | null {
    if (job === null)
      return this.#known.get(kindKey(DEFAULT_BROWSER_OPTIONS)) === null ? null : this.#checkAll();
    // Another scraper does the job: no browser is started for it.
    if (job.scraper !== 'browser' && (job.scraper !== 'auto' || !needsBrowser(job.requested))) return null;
    const { browser, timeoutMs } = job;
    // A failure is checked again, because its cause may be gone.
    if (unsupportedBrowser(browser.browserType) !== null || this.#known.get(kindKey(browser)) === null)
      return null;
    // If the check takes longer, the scrape finds out by itself.
    return orTimeout(this.#probe(browser), timeoutMs * CHECK_SHARE, undefined);
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
    for (const browserType of BROWSER_TYPES.filter(isSupported)) {
      const kind = { browserType, headless: true };
      await this.#probe(kind);
      if (this.#known.get(kindKey(kind)) === null) return;
    }
  }

  async #probe(kind: RequestedBrowser): Promise<void> {
    const why = await this.#supervisor.unavailableFailure(kind.browserType, kind.headless);
    this.#known.set(kindKey(kind), why);
  }
}
