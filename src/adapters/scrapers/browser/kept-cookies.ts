import type { Cookie } from 'playwright-core';
import type { CdpSession } from './cdp/cdp-session.ts';

/** A cookie as the browser keeps it: without `sameSite` where nobody said anything of it (Playwright says `Lax` then). */
export type KeptCookie = Omit<Cookie, 'sameSite' | 'partitionKey'> & Partial<Pick<Cookie, 'sameSite'>>;

/** All of a context, from the session of the browser. */
export const cookiesIn = async (
  browser: Pick<CdpSession, 'send'>,
  contextId: string,
): Promise<KeptCookie[]> =>
  keptCookies(await browser.send('Storage.getCookies', { browserContextId: contextId }));

/** All of the context that the session's page is in. */
export const cookiesAround = async (page: Pick<CdpSession, 'send'>): Promise<KeptCookie[]> =>
  keptCookies(await page.send('Network.getAllCookies'));

const keptCookies = ({ cookies }: { readonly cookies: readonly KeptCookie[] }): KeptCookie[] =>
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
