import type { Browser } from 'playwright-core';
import type { FoundBrowser } from '../binary/found-browser.ts';

/** A browser that runs. Whoever launched it closes it. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  readonly found: FoundBrowser;
  readonly headless: boolean;
  /** Leader of its process group. */
  readonly pid: number;
  /** Where it puts downloads; gone when it is closed. */
  readonly downloadsDir: string;
  /** Settles when it has ended, for whatever reason, with that reason in words. Never rejects. */
  readonly gone: Promise<string>;
  /** Ends it, hung or not, with all its processes, and removes what it wrote. Never rejects; again: the same. */
  close(): Promise<void>;
}
