import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserAsk } from '../../../domain/browser-ask.ts';
import type { CdpSession } from './cdp/cdp-session.ts';
import type { GivenCookie } from './context-options.ts';
import type { KeptCookie } from './kept-cookies.ts';

/** The cookies of a context. All reject with the browser. */
export interface CookieJar {
  /** Rejects, too, when the browser does not take one of them. */
  add(cookies: readonly GivenCookie[]): Promise<void>;
  all(): Promise<readonly KeptCookie[]>;
}

/** What only the full lane does, it does with these. */
export interface FullTab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Somebody looks after the windows that the page opens; else they are closed. */
  keepsWindows: boolean;
}

/** A page in a context of its own, ready to go somewhere, in whichever lane. */
export interface Tab {
  readonly session: CdpSession;
  readonly mainFrame: string;
  readonly jar: CookieJar;
  /** The browser already tells of the page what a `Visit` listens to. */
  readonly told: boolean;
  /** null in the fast lane. */
  readonly full: FullTab | null;
  /** Of frames in processes of their own, as those of other sites have them. Never rejects. */
  frameSessions(): Promise<readonly CdpSession[]>;
  /**
   * Settles when the first element that matches is in that state, or there is none for `hidden` and `detached`. Rejects
   * with the page, and when the browser cannot look.
   */
  waitFor(selector: string, state: BrowserAsk['selectorState']): Promise<unknown>;
  /** How high its viewport is, in CSS pixels; null: as high as it was made. Rejects with the page. */
  setHeight(height: number | null): Promise<unknown>;
}

/** A tab that is being opened. */
export interface Opening {
  /** Rejects with the browser. */
  readonly tab: Promise<Tab>;
  /** Settles when nothing of it is open any more; rejects when that cannot be had. To be called in any case. */
  close(): Promise<void>;
}
