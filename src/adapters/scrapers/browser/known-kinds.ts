import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserAsk, PLAIN_BROWSER } from '../../../domain/browser-ask.ts';
import type { BrowsersState } from '../../../domain/browsers-here.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { Job } from '../../../domain/job.ts';
import { BROWSER_TYPES } from './binary/found-browser.ts';
import { isDriven, notDriven } from './driven.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

type Kind = Pick<BrowserAsk, 'type' | 'headless'>;

/** Of the time of a request, what finding out may take; the rest is for the scrape. */
const SHARE = 2;

const keyOf = ({ type, headless }: Kind) => `${type} ${headless}`;

/** Which kinds of browsers can be had here, as far as somebody has asked. */
export class KnownKinds {
  readonly #supervisor: Supervisor;
  /** Why there is none of a kind; null: there is one. */
  readonly #known = new Map<string, Failure | null>();

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  /** Why no job at all can have a browser; null: some can, or nobody knows. */
  unavailable(): Failure | null {
    if (Array.from(this.#known.values()).includes(null)) return null;
    return this.#known.get(keyOf(PLAIN_BROWSER)) ?? null;
  }

  refusal({ browser }: Job): Failure | null {
    return notDriven(browser.type) ?? this.#known.get(keyOf(browser)) ?? null;
  }

  note(kind: Kind, why: Failure | null): void {
    this.#known.set(keyOf(kind), why);
  }

  /** Finds out for `refusal`, or without a job for `unavailable`. null: it is known. */
  look(job: Job | null): Promise<void> | null {
    if (job === null) return this.#known.get(keyOf(PLAIN_BROWSER)) === null ? null : this.#lookForAny();
    // No other scraper can be a browser: none is started to say so.
    if (job.scraper !== 'browser' && (job.scraper !== 'auto' || job.browserOnly.length === 0)) return null;
    const { browser, timeoutMs } = job;
    // A failure may be gone; what is there stays.
    if (notDriven(browser.type) !== null || this.#known.get(keyOf(browser)) === null) return null;
    // What is not known by then, is told by the scrape itself.
    const found = new AbortController();
    const late = pause(timeoutMs / SHARE, undefined, { signal: found.signal }).catch(() => {});
    return Promise.race([this.#find(browser).finally(() => found.abort()), late]);
  }

  state(): BrowsersState {
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

  async #lookForAny(): Promise<void> {
    for (const type of BROWSER_TYPES.filter(isDriven)) {
      await this.#find({ type, headless: true });
      if (this.#known.get(keyOf({ type, headless: true })) === null) return;
    }
  }

  async #find({ type, headless }: Kind): Promise<void> {
    this.note({ type, headless }, await this.#supervisor.whyUnavailable(type, headless));
  }
}
