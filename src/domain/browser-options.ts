import type { PictureType } from './screenshot.ts';

/** Degrees, and metres. */
export interface Geolocation {
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
