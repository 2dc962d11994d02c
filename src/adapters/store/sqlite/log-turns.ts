/** Whoever held it up so long is taken to have died; SQLite's own locks are there all the same. */
const LONGEST_MS = 1_000;

const WRITING = 0;
const MOVING = 1;

/** Memory that the threads of a store share for their turns. */
export function turnsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Writing to the log and moving the last of it into the database exclude each other. SQLite lets the one who comes
 * second sleep for 1, 2, 5, 10, 15 and 20 ms, at the end of which it looks again; here it goes on at once.
 */
export class LogTurns {
  readonly #state: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  /** For the writer. */
  write<T>(work: () => T): T {
    this.#enter();
    try {
      return work();
    } finally {
      Atomics.store(this.#state, WRITING, 0);
      if (Atomics.load(this.#state, MOVING) === 1) Atomics.notify(this.#state, WRITING);
    }
  }

  /** For who moves the log, who goes first: there is always something to be written. */
  move(work: () => void): void {
    Atomics.store(this.#state, MOVING, 1);
    try {
      Atomics.wait(this.#state, WRITING, 1, LONGEST_MS);
      work();
    } finally {
      Atomics.store(this.#state, MOVING, 0);
      Atomics.notify(this.#state, MOVING);
    }
  }

  #enter(): void {
    for (;;) {
      Atomics.store(this.#state, WRITING, 1);
      if (Atomics.load(this.#state, MOVING) === 0) return;
      Atomics.store(this.#state, WRITING, 0);
      Atomics.notify(this.#state, WRITING);
      const ended = Atomics.wait(this.#state, MOVING, 1, LONGEST_MS) !== 'timed-out';
      if (!ended) Atomics.store(this.#state, MOVING, 0);
    }
  }
}
