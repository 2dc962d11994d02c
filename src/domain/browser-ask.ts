export const LOAD_STATES = ['commit', 'domcontentloaded', 'load', 'networkidle'] as const;
export type LoadState = (typeof LOAD_STATES)[number];

/** What a request asks of a browser beyond what every scraper does (contract §1, §5). */
export interface BrowserAsk {
  readonly type: 'chromium' | 'firefox' | 'webkit' | 'chrome' | 'msedge';
  readonly headless: boolean;
  readonly loadState: LoadState;
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`. */
  readonly selector: string | null;
  readonly selectorState: 'visible' | 'attached' | 'hidden' | 'detached';
  /** A fixed wait. */
  readonly waitMs: number;
  readonly javascript: boolean;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly viewport: {
    readonly width: number;
    readonly height: number;
    readonly scale: number;
    readonly mobile: boolean;
  };
  readonly colorScheme: 'light' | 'dark' | 'no-preference' | null;
  /** Sub-resources that are not loaded: by type, and by glob. */
  readonly block: { readonly types: readonly string[]; readonly urls: readonly string[] };
}

export const PLAIN_BROWSER: BrowserAsk = Object.freeze({
  type: 'chromium',
  headless: true,
  loadState: 'load',
  selector: null,
  selectorState: 'visible',
  waitMs: 0,
  javascript: true,
  locale: null,
  timezone: null,
  viewport: Object.freeze({ width: 1280, height: 720, scale: 1, mobile: false }),
  colorScheme: null,
  block: Object.freeze({ types: Object.freeze([]), urls: Object.freeze([]) }),
});
