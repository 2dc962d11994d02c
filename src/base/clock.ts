/** Time as the service sees it. Passed in, so that tests can move it. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump; only for what people read and for record ids. */
  now(): number;
  /** Milliseconds that never go back, from an arbitrary start. For every duration and deadline. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
