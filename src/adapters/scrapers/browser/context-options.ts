import type { BrowserContextOptions, Cookie } from 'playwright-core';
import type { Job } from '../../../domain/job.ts';

/** A context that knows nothing of any other scrape, and whose traffic goes to the gateway. */
export function contextOptions(job: Job, proxyServer: string): BrowserContextOptions {
  const { browser, options } = job;
  const { viewport, locale, timezone, colorScheme } = browser;
  const agent = job.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? options.userAgent;
  return {
    proxy: { server: proxyServer },
    // Downloads of the main frame are read as bytes; those that a page starts are of no use.
    acceptDownloads: false,
    ignoreHTTPSErrors: !options.verifyTls,
    javaScriptEnabled: browser.javascript,
    viewport: { width: viewport.width, height: viewport.height },
    deviceScaleFactor: viewport.scale,
    isMobile: viewport.mobile,
    hasTouch: viewport.mobile,
    ...(agent === null ? {} : { userAgent: agent }),
    ...(locale === null ? {} : { locale }),
    ...(timezone === null ? {} : { timezoneId: timezone }),
    ...(colorScheme === null ? {} : { colorScheme }),
  };
}

const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

type GivenCookie = Pick<Cookie, 'name' | 'value' | 'domain' | 'path' | 'secure' | 'httpOnly'> &
  Partial<Pick<Cookie, 'expires' | 'sameSite'>>;

/** The caller's cookies: host-only unless they name a domain, and after https never sent to http (contract §1). */
export function callersCookies({ cookies, host, url }: Job): GivenCookie[] {
  return cookies.map(({ name, value, domain, path, secure, httpOnly, sameSite, expires }) => ({
    name,
    value,
    domain: domain === null ? host : `.${domain.replace(/^\./, '')}`,
    path: path?.startsWith('/') ? path : '/',
    secure: secure || url.startsWith('https:'),
    httpOnly,
    ...(expires === null ? {} : { expires }),
    ...(sameSite === null ? {} : { sameSite: SAME_SITE[sameSite] }),
  }));
}
