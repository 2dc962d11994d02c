/**
 * Waits that a timeout or an AbortSignal can end. Each removes its timer and its listener, so that listeners do not pile up
 * on a long-lived signal. Only the wait ends: the work itself goes on.
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

/** Settles as `work` does, or resolves to `late` if that takes longer than `ms`. */
export function orTimeout<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Settles as `work` does. If the signal aborts first, resolves to `aborted()`; without `aborted`, rejects with the reason. */
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
 * Resolves to the value that `settle` is called with, or to `aborted()` if the signal aborts first. For queues: the entry
 * has left the queue when the wait ends.
 * @param begin enters the queue, and returns a function that leaves it. Must not call `settle` before it returns.
 */
export function waitForCallback<T>(
  signal: AbortSignal,
  begin: (settle: (value: T) => void) => () => void,
  aborted: () => T,
): Promise<T> {
  if (signal.aborted) return Promise.resolve(aborted());
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', onAbort);
      leaveQueue();
    };
    const onAbort = () => {
      end();
      resolve(aborted());
    };
    const leaveQueue = begin((value) => {
      end();
      resolve(value);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
