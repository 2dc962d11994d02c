import type { Browser } from 'playwright-core';
import type { FastBrowser } from '../fast/fast-browser.ts';

/** What drives a browser in each lane. A connection has one owner: a browser is of one lane. */
export interface Drivers {
  /** Everything, by playwright-core. */
  readonly full: Browser;
  /** Plain pages. */
  readonly fast: FastBrowser;
}

export type Lane = keyof Drivers;
