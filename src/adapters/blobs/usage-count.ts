/**
 * The size of all blobs of a store that other processes change, too. All are counted at the first call of `read`, and again
 * when the count is older than `freshMs`; in between, only the changes of this process are added.
 */
export class UsageCount {
  readonly #countAll: () => Promise<number>;
  readonly #freshMs: number;
  #bytes: number | null = null;
  #countedAt = 0;
  #counting: Promise<void> | null = null;

  constructor(countAll: () => Promise<number>, freshMs: number) {
    this.#countAll = countAll;
    this.#freshMs = freshMs;
  }

  /** Whether changes matter: something has been counted. */
  get isCounted(): boolean {
    return this.#bytes !== null;
  }

  add(bytes: number): void {
    if (this.#bytes !== null) this.#bytes = Math.max(0, this.#bytes + bytes);
  }

  /** Rejects if the blobs cannot be counted and never were. */
  async read(): Promise<number> {
    if (this.#bytes === null || performance.now() - this.#countedAt > this.#freshMs) {
      this.#counting ??= this.#count().finally(() => {
        this.#counting = null;
      });
      // The earlier count serves while the next one runs.
      if (this.#bytes === null) await this.#counting;
      else this.#counting.catch(() => {});
    }
    return this.#bytes!;
  }

  /** What changes during the count may be counted wrongly, which does not matter for the quota. */
  async #count(): Promise<void> {
    this.#bytes = await this.#countAll();
    this.#countedAt = performance.now();
  }
}
