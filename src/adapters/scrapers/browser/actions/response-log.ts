import type { Page, Response } from 'playwright-core';

/** So many answers are remembered until somebody waits for one of them. */
const MOST = 2_000;

/** The answers that a page gets, from when it was opened. */
export class ResponseLog {
  #answers: { readonly response: Response; readonly at: number }[] = [];
  #onAnswer: (() => void) | null = null;

  /** @param page before it loads anything; null: nobody will ask */
  constructor(page: Page | null) {
    page?.on('response', (response) => {
      if (this.#answers.length === MOST) this.#answers = this.#answers.slice(MOST / 2);
      this.#answers.push({ response, at: performance.now() });
      this.#onAnswer?.();
    });
  }

  /** The first that is wanted of those that came since `from` (`performance.now()`). Rejects with the signal. */
  next(wanted: (response: Response) => boolean, from: number, signal: AbortSignal): Promise<Response> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#onAnswer = null;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        end();
        reject(signal.reason);
      };
      let looked = from;
      const look = () => {
        const found = this.#answers.find(({ response, at }) => at >= looked && wanted(response));
        looked = performance.now();
        if (found === undefined) return;
        end();
        resolve(found.response);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#onAnswer = look;
      look();
    });
  }
}
