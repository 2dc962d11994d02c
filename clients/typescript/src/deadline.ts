import { SluiceError } from './errors.ts';

/** The longest time of a timer in all engines. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time limit of a call, together with the signal of its caller. Must be closed by the code that makes it. */
export class Deadline {
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #outer: AbortSignal | undefined;
  readonly #end: (reason: unknown) => void;

  /**
   * @param ms Infinity: there is no limit
   * @param end called once, with what the call throws, when the time is up or the signal of the caller aborts
   */
  constructor(ms: number, outer: AbortSignal | undefined, end: (reason: unknown) => void) {
    this.#endsAt = performance.now() + ms;
    this.#outer = outer;
    this.#end = end;
    if (ms <= MAX_TIMER_MS) this.#timer = setTimeout(() => end(timeoutError(ms)), ms);
    if (outer?.aborted === true) this.#follow();
    else outer?.addEventListener('abort', this.#follow);
  }

  readonly #follow = (): void => this.#end(this.#outer?.reason);

  /** Milliseconds until the end. */
  remaining(): number {
    return this.#endsAt - performance.now();
  }

  /** From now on nothing is ended any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#follow);
  }
}

const timeoutError = (ms: number): SluiceError =>
  new SluiceError({
    code: 'client.timeout',
    message: `client.timeout: The call took longer than ${ms} ms.`,
    retryable: true,
  });

/** Does `work` with a signal that aborts when the time is up, and with the signal of the caller. */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const deadline = new Deadline(ms, outer, (reason) => controller.abort(reason));
  try {
    return await work(controller.signal);
  } finally {
    deadline.close();
  }
}

/** Waits; rejects with the reason of the signal as soon as that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
