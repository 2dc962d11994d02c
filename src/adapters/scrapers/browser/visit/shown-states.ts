/** How far the document that is shown has come. */
export class ShownStates {
  readonly #states = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Another document is shown. */
  begin(): void {
    this.#states.clear();
    this.reach('commit');
  }

  reach(state: string): void {
    this.#states.add(state);
    for (const go of this.#waiting.get(state) ?? []) go();
    this.#waiting.delete(state);
  }

  /** Settles when the document has reached the state: `commit`, `DOMContentLoaded`, `load`. */
  reached(state: string): Promise<void> {
    if (this.#states.has(state)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(state);
      if (waiting === undefined) this.#waiting.set(state, [resolve]);
      else waiting.push(resolve);
    });
  }
}
