export const BROWSER_TYPES = ['chromium', 'firefox', 'webkit', 'chrome', 'msedge'] as const;
export type BrowserType = (typeof BROWSER_TYPES)[number];

/** Where a browser was found. */
export const SOURCES = ['configured', 'installed', 'playwright', 'package'] as const;
export type BrowserSource = (typeof SOURCES)[number];

/** A file that should be a browser; nobody has asked it yet. */
export interface BrowserPlace {
  readonly type: BrowserType;
  /** Absolute. */
  readonly path: string;
  readonly from: BrowserSource;
  /** A build without windows. */
  readonly shell: boolean;
  /** What it needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it is known without asking. */
  readonly version: string | null;
}

export interface FoundBrowser {
  readonly type: BrowserType;
  readonly path: string;
  readonly from: BrowserSource;
  /** A headless shell: a build without windows, which is several times faster than a full browser. */
  readonly shell: boolean;
  /** `153.0.8010.0`; null when it did not tell. */
  readonly version: string | null;
  /** Days since it was built, by the time stamps that its makers gave its files; null when they gave none. */
  readonly ageDays: number | null;
  readonly headless: boolean;
  readonly headed: boolean;
  /** Why it cannot be used, or not with windows; a sentence for the operator. null: nothing is against it. */
  readonly reason: string | null;
  readonly env: Readonly<Record<string, string>>;
}
