import type { CaptureFilter, Geolocation, PictureOptions, StorageState } from './browser-options.ts';
import type { PageAction } from './page-action.ts';

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
  /** null: as the device has it, or as is usual. */
  readonly viewport: {
    readonly width: number | null;
    readonly height: number | null;
    readonly scale: number | null;
    readonly mobile: boolean | null;
  };
  /** One of DEVICE_NAMES. */
  readonly device: string | null;
  readonly colorScheme: 'light' | 'dark' | 'no-preference' | null;
  /** Sub-resources that are not loaded: by type, and by glob. */
  readonly block: { readonly types: readonly string[]; readonly urls: readonly string[] };
  /** Where the page is told that it is. */
  readonly geolocation: Geolocation | null;
  /** What is there before the page is. */
  readonly storage: StorageState | null;
  /** null: no picture is taken. */
  readonly picture: PictureOptions | null;
  readonly capture: readonly CaptureFilter[];
  readonly actions: readonly PageAction[];
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
  viewport: Object.freeze({ width: null, height: null, scale: null, mobile: null }),
  colorScheme: null,
  block: Object.freeze({ types: Object.freeze([]), urls: Object.freeze([]) }),
  device: null,
  geolocation: null,
  storage: null,
  picture: null,
  capture: Object.freeze([]),
  actions: Object.freeze([]),
});
