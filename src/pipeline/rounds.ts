export interface Rounds {
  /** Settles when the round that runs has ended. */
  stop(): Promise<void>;
}

export interface RoundsOrder {
  /** Pause between the end of a round and the next. */
  readonly everyMs: number;
  /** Told of what a round threw; the next one comes all the same. */
  readonly onTrouble: (error: unknown) => void;
}

/** Work in the background, one round after the other, the first at once. */
export function startRounds(
  { everyMs, onTrouble }: RoundsOrder,
  round: (isStopped: () => boolean) => Promise<void>,
): Rounds {
  let stopped = false;
  let wake = () => {};
  const nap = () =>
    new Promise<void>((resolve) => {
      if (stopped) return resolve();
      const timer = setTimeout(resolve, everyMs).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async () => {
    while (!stopped) {
      await round(() => stopped).catch(onTrouble);
      await nap();
    }
  };
  const running = loop();
  return {
    stop() {
      stopped = true;
      wake();
      return running;
    },
  };
}
