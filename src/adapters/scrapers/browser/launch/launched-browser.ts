import type { FoundBrowser } from '../binary/found-browser.ts';
import type { Drivers, Lane } from './lane.ts';

/** A browser that runs. Whoever launched it closes it. */
export interface LaunchedBrowser<L extends Lane = 'full'> {
  readonly lane: L;
  readonly browser: Drivers[L];
  readonly found: FoundBrowser;
  readonly headless: boolean;
  /** Leader of its process group. */
  readonly pid: number;
  /** It draws in files of its temp folder, because there was too little shared memory when it was started. */
  readonly smallShm: boolean;
  /** Where it puts downloads; gone when it is closed. */
  readonly downloadsDir: string;
  /** Settles when it has ended, for whatever reason, with that reason in words. Never rejects. */
  readonly gone: Promise<string>;
  /** Ends it, hung or not, with all its processes, and removes what it wrote. Never rejects; again: the same. */
  close(): Promise<void>;
}
