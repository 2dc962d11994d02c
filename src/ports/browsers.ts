import type { BrowsersAtWork } from '../domain/browsers-at-work.ts';
import type { BrowserHere, BrowsersState } from '../domain/browsers-here.ts';

/** What this machine has of browsers. */
export interface Browsers {
  /** All that were found, the preferred ones first. May take seconds; never rejects. */
  list(): Promise<readonly BrowserHere[]>;
  state(): BrowsersState;
  /** What runs, and what has become of those that ran. */
  atWork(): BrowsersAtWork;
}
