import type { PictureType } from './captures.ts';
import type { PageAction } from './page-action.ts';

/** Degrees, and metres. */
interface Geolocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number;
}

/** The pages that a cookie is for (CHIPS, "cookies having independent partitioned state"). */
export interface CookiePartition {
  /** Scheme and registrable domain of the page, as a URL without a path. */
  readonly site: string;
  /** Whether it is for frames in pages of other sites than its own; null: as its domain tells. */
  readonly crossSite: boolean | null;
}

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** With a dot before it also for the hosts below it. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1: until the browser is closed. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
  /** Absent: it is for the pages of all sites. */
  readonly partition?: CookiePartition;
}

/** As Playwright writes it. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly {
    readonly origin: string;
    readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    /** Databases. */
    readonly indexedDB?: readonly object[];
  }[];
}

export interface PictureOptions {
  readonly fullPage: boolean;
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`; null: no element of its own. */
  readonly selector: string | null;
  readonly type: PictureType;
  /** 0–100; null: as the browser does it. */
  readonly quality: number | null;
}

/** Which exchanges of the page are told: all that fit. */
export interface CaptureFilter {
  /** A glob, of the whole URL. */
  readonly url: string;
  /** Upper-case; null: any. */
  readonly method: string | null;
  readonly resourceType: string | null;
  /** With the body. */
  readonly body: boolean;
}

const LOAD_STATES = ['commit', 'domcontentloaded', 'load', 'networkidle'] as const;
export type LoadState = (typeof LOAD_STATES)[number];

/** What a request asks of a browser beyond what every scraper does (contract §1, §5). */
export interface BrowserOptions {
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

export const DEFAULT_BROWSER_OPTIONS: BrowserOptions = Object.freeze({
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

/**
 * The part of the budget in which a browser's page is still read, whatever was waited for before: 10 %, at least 1 s,
 * at most 5 s, never more than a third (contract §1, `timeout_ms`).
 */
export function readReserveMs(timeoutMs: number): number {
  return Math.min(Math.max(timeoutMs / 10, 1000), 5000, timeoutMs / 3);
}
