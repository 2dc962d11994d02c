import type { BrowserType, FoundBrowser } from './found-browser.ts';

/** Whoever asks in vain makes us look again, but not more often than this. */
const PAUSE_MS = 30_000;

/** The browsers of this machine, looked for when somebody first asks; what is installed later is found, too. */
export class Binaries {
  readonly #find: () => Promise<readonly FoundBrowser[]>;
  #found: Promise<readonly FoundBrowser[]> | null = null;
  #at = 0;

  constructor(find: () => Promise<readonly FoundBrowser[]>) {
    this.#find = find;
  }

  /** The preferred ones first. The first who asks waits a second or two. */
  all(): Promise<readonly FoundBrowser[]> {
    if (this.#found === null) {
      this.#at = performance.now();
      this.#found = this.#find();
    }
    return this.#found;
  }

  /** Those of this type that can do this, the preferred one first. */
  async fitting(type: BrowserType, headless: boolean): Promise<readonly FoundBrowser[]> {
    const fits = (one: FoundBrowser) => one.type === type && (headless ? one.headless : one.headed);
    const found = (await this.all()).filter(fits);
    if (found.length > 0 || performance.now() - this.#at < PAUSE_MS) return found;
    this.forget();
    return (await this.all()).filter(fits);
  }

  /** Something was wrong with one of them: the next who asks has them looked for, and checked, again. */
  forget(): void {
    this.#found = null;
  }
}
