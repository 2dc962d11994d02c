import type { BrowserContext, Cookie, Page } from 'playwright-core';
import type { BrowserOptions } from '../../domain/browser-options.ts';
import type { CdpSession } from './cdp-session.ts';
import type { CookieParam } from './emulation.ts';

/** A cookie as the browser keeps it: without `sameSite` where nobody said anything of it (Playwright says `Lax` then). */
export type ContextCookie = Omit<Cookie, 'sameSite' | 'partitionKey'> & Partial<Pick<Cookie, 'sameSite'>>;

/** All of a context, from the session of the browser. */
export const readContextCookies = async (
  browser: Pick<CdpSession, 'send'>,
  contextId: string,
): Promise<ContextCookie[]> =>
  toContextCookies(await browser.send('Storage.getCookies', { browserContextId: contextId }));

/** All of the context that the session's page is in. */
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

/** The cookies of a context. All reject with the browser. */
export interface BrowserCookies {
  /** Rejects, too, when the browser does not take one of them. */
  add(cookies: readonly CookieParam[]): Promise<void>;
  all(): Promise<readonly ContextCookie[]>;
}

/** What only the full lane does, it does with these. */
export interface PlaywrightPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Somebody looks after the windows that the page opens; else they are closed. */
  keepsPopups: boolean;
}

/** A page in a context of its own, ready to go somewhere, in whichever lane. */
export interface BrowserPage {
  readonly session: CdpSession;
  readonly mainFrameId: string;
  readonly cookies: BrowserCookies;
  /** The browser already tells of the page what a `Visit` listens to. */
  readonly domainsEnabled: boolean;
  /** null in the fast lane. */
  readonly playwright: PlaywrightPage | null;
  /** Of frames in processes of their own, as those of other sites have them. Never rejects. */
  frameSessions(): Promise<readonly CdpSession[]>;
  /**
   * Settles when the first element that matches is in that state, or there is none for `hidden` and `detached`. Rejects
   * with the page, and when the browser cannot look.
   */
  waitForSelector(selector: string, state: BrowserOptions['selectorState']): Promise<unknown>;
  /** How high its viewport is, in CSS pixels; null: as high as it was made. Rejects with the page. */
  setViewportHeight(height: number | null): Promise<unknown>;
}

/** A tab that is being opened. */
export interface PendingPage {
  /** Rejects with the browser. */
  readonly page: Promise<BrowserPage>;
  /** Settles when nothing of it is open any more; rejects when that cannot be had. To be called in any case. */
  close(): Promise<void>;
}
