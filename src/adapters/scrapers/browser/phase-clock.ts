import type { BrowserPhase } from '../../../domain/browser-phase.ts';

/** Tells how long each phase of a scrape took; one begins where the one before ends. */
export class PhaseClock {
  readonly #tell: (phase: BrowserPhase, ms: number) => void;
  #since = performance.now();

  constructor(tell: (phase: BrowserPhase, ms: number) => void) {
    this.#tell = tell;
  }

  end(phase: BrowserPhase): void {
    const now = performance.now();
    this.#tell(phase, now - this.#since);
    this.#since = now;
  }
}
