import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Visit } from './visit.ts';

/** Of the time that is left when the waits end, what a page may take to be read by itself. */
const SHARE = 3;

/**
 * Brings a page to a stand that cannot be read otherwise, because its scripts never end, or because it leads on and on:
 * when the waits are over and it still has not been read, nothing runs in it any more, and it leads nowhere. To be
 * disposed when it has been read.
 * @param over aborts when the waits are @param leftMs what there will be left for reading then, in milliseconds
 */
export class StandStill implements Disposable {
  /** It was necessary. */
  done = false;
  /** Settles when that did not help in time: the page is still not read. */
  readonly vain: Promise<void>;
  readonly #session: Pick<CdpSession, 'send'>;
  readonly #visit: Pick<Visit, 'stay' | 'leadNowhere' | 'takesBody'>;
  readonly #over: AbortSignal;
  readonly #graceMs: number;
  readonly #onStop: () => void;
  readonly #isVain: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    session: Pick<CdpSession, 'send'>,
    visit: Pick<Visit, 'stay' | 'leadNowhere' | 'takesBody'>,
    { over, leftMs, onStop }: { over: AbortSignal; leftMs: number; onStop: () => void },
  ) {
    this.#session = session;
    this.#visit = visit;
    this.#over = over;
    this.#graceMs = leftMs / SHARE;
    this.#onStop = onStop;
    ({ promise: this.vain, resolve: this.#isVain } = Promise.withResolvers<void>());
    if (over.aborted) this.#onOver();
    else over.addEventListener('abort', this.#onOver, { once: true });
  }

  [Symbol.dispose](): void {
    this.#over.removeEventListener('abort', this.#onOver);
    clearTimeout(this.#timer);
  }

  readonly #onOver = (): void => {
    this.#visit.leadNowhere();
    this.#timer = setTimeout(() => this.#stop(), this.#graceMs);
  };

  #stop(): void {
    // Then those bytes are what is delivered, as far as they come in time; the page is not read.
    if (this.#visit.takesBody) return;
    this.done = true;
    this.#onStop();
    this.#visit.stay();
    // Both reach a page that is busy. The first lets no further script begin, the second ends the one that runs; where
    // none does, that is the one that reads, which is tried again.
    this.#session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    this.#session.send('Runtime.terminateExecution').catch(() => {});
    this.#timer = setTimeout(this.#isVain, this.#graceMs);
  }
}
