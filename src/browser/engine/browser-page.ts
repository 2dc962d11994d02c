import type { BrowserContext, Cookie, Page } from 'playwright-core';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { CdpSession } from './cdp-session.ts';
import type { CookieParam } from './emulation.ts';

/** A cookie as the browser stores it: without `sameSite` if it was not set (Playwright returns `Lax` then). */
export type ContextCookie = Omit<Cookie, 'sameSite' | 'partitionKey'> & Partial<Pick<Cookie, 'sameSite'>>;

/** All cookies of a context. @param browser the session of the browser */
export const readContextCookies = async (
  browser: Pick<CdpSession, 'send'>,
  contextId: string,
): Promise<ContextCookie[]> =>
  toContextCookies(await browser.send('Storage.getCookies', { browserContextId: contextId }));

/** All cookies of the page's context. */
export const readPageCookies = async (page: Pick<CdpSession, 'send'>): Promise<ContextCookie[]> =>
  toContextCookies(await page.send('Network.getAllCookies'));

const toContextCookies = ({ cookies }: { readonly cookies: readonly ContextCookie[] }): ContextCookie[] =>
  cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite }) => ({
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite === undefined ? {} : { sameSite }),
  }));

/** The cookies of a context. Both methods reject when the browser ends. */
export interface BrowserCookies {
  /** Also rejects when the browser does not accept one of the cookies. */
  add(cookies: readonly CookieParam[]): Promise<void>;
  all(): Promise<readonly ContextCookie[]>;
}

/** For actions that only the driver `playwright` can perform. */
export interface PlaywrightPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Popups stay open, because actions follow them; otherwise they are closed. */
  keepsPopups: boolean;
}

/** A page in its own context, ready to navigate, with either driver. */
export interface BrowserPage {
  readonly session: CdpSession;
  readonly mainFrameId: string;
  readonly cookies: BrowserCookies;
  /** The CDP domains are enabled: `enableDomains` has been called for the session. */
  readonly cdpDomainsEnabled: boolean;
  /** null: the driver is `cdp`. */
  readonly playwright: PlaywrightPage | null;
  /** Sessions of frames in processes of their own, such as frames of other sites. Never rejects. */
  frameSessions(): Promise<readonly CdpSession[]>;
  /**
   * Settles when the first matching element is in the state; for `hidden` and `detached` also when no element matches. Rejects
   * when the page ends, and when the browser cannot evaluate the selector.
   */
  waitForSelector(selector: string, state: ScraperOptions['waitForSelectorState']): Promise<unknown>;
  /** @param height in CSS pixels; null: the original one. Rejects when the page ends. */
  setViewportHeight(height: number | null): Promise<unknown>;
}

/** A page that is being opened. */
export interface PendingPage {
  /** Rejects when the browser ends. */
  readonly page: Promise<BrowserPage>;
  /** Closes the page and its context; rejects if that fails. Call it even if `page` rejects. */
  close(): Promise<void>;
}
