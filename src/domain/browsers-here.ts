import type { BrowserAsk } from './browser-ask.ts';

export const BROWSER_TYPES: readonly BrowserAsk['type'][] = [
  'chromium',
  'chrome',
  'msedge',
  'firefox',
  'webkit',
];

/** One browser that was found on this machine. */
export interface BrowserHere {
  readonly type: BrowserAsk['type'];
  /** null when it did not tell. */
  readonly version: string | null;
  /** Since it was built; null when its files do not tell. */
  readonly ageDays: number | null;
  /** `package`: it came along with Sluice. */
  readonly source: 'configured' | 'installed' | 'playwright' | 'package';
  readonly headless: boolean;
  readonly headed: boolean;
  /** What scrapes get that ask for its type with `headless: true`. */
  readonly used: boolean;
  /** Why it is not used, or not with windows. */
  readonly reason: string | null;
}

/** How it stands with browsers at the moment. */
export interface BrowsersState {
  /** `unknown`: nobody has looked yet. `down`: it should start, and does not. */
  readonly state: 'ready' | 'unknown' | 'unavailable' | 'down';
  readonly sandbox: 'on' | 'off';
  /** There was too little shared memory when one that runs was started: it uses files instead. */
  readonly smallShm: boolean;
  /** Days since the headless browser in use was built, when it is older than 90 days; else null. */
  readonly outdatedDays: number | null;
}
