/**
 * Waits that end early: with the time, or with a signal. Each removes its timer and its listener however it ends, so that
 * nothing piles up on a signal that outlives it. None of them ends the work that is waited for.
 */

/** Settles with true after `ms`, or with false as soon as the signal aborts. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal === undefined) return new Promise((resolve) => setTimeout(resolve, ms, true));
  return waitForCallback<boolean>(
    signal,
    (settle) => {
      const timer = setTimeout(settle, ms, true);
      return () => clearTimeout(timer);
    },
    () => false,
  );
}

/** Settles as `work` does, or with `late` when that takes longer than `ms`. */
export function orTimeout<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Settles as `work` does; when the signal aborts first, with `aborted()`, or without that rejects with the reason. */
export function orAborted<T, A = never>(
  work: Promise<T>,
  signal: AbortSignal,
  aborted?: () => A,
): Promise<T | A> {
  return new Promise((resolve, reject) => {
    const onAbort = () => (aborted === undefined ? reject(signal.reason) : resolve(aborted()));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Settles with what `settle` is called with, or with `aborted()` when the signal aborts first. For places in a queue: who
 * stands there is called at most once, and is out of the queue in the same moment in which the wait ends.
 * @param begin takes the place; it must not call `settle` itself. Returns what gives the place up, in either ending
 */
export function waitForCallback<T>(
  signal: AbortSignal,
  begin: (settle: (value: T) => void) => () => void,
  aborted: () => T,
): Promise<T> {
  if (signal.aborted) return Promise.resolve(aborted());
  return new Promise((resolve) => {
    const leave = () => {
      signal.removeEventListener('abort', onAbort);
      giveUp();
    };
    const onAbort = () => {
      leave();
      resolve(aborted());
    };
    const giveUp = begin((value) => {
      leave();
      resolve(value);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
