import type { BrowserContextOptions, Cookie } from 'playwright-core';
import type { Job } from '../../../domain/job.ts';
import type { BrowserIdentity } from './user-agent.ts';

/** Contract §1. */
const VIEWPORT = { width: 1280, height: 720 };

/** A context that knows nothing of any other scrape, and whose traffic goes to the gateway. */
export async function contextOptions(
  job: Job,
  proxyServer: string,
  identity: BrowserIdentity,
): Promise<BrowserContextOptions> {
  const { browser, options } = job;
  const { locale, timezone, colorScheme, geolocation, storage } = browser;
  const { userAgent, ...screen } = await screenOptions(job);
  return {
    proxy: { server: proxyServer },
    // Downloads of the main frame are read as bytes; those that a page starts are of no use.
    acceptDownloads: false,
    ignoreHTTPSErrors: !options.verifyTls,
    javaScriptEnabled: browser.javascript,
    ...screen,
    userAgent: userAgent ?? identity.userAgent,
    ...(locale === null ? {} : { locale }),
    ...(timezone === null ? {} : { timezoneId: timezone }),
    ...(colorScheme === null ? {} : { colorScheme }),
    ...(geolocation === null ? {} : { geolocation, permissions: ['geolocation'] }),
    ...(storage === null ? {} : { storageState: structuredClone(storage) as StorageOption }),
  };
}

/** The device that the page is shown on. `userAgent` null: the browser's own. */
export async function screenOptions({ headers, options, browser }: Job) {
  const { viewport } = browser;
  const device = await deviceOf(browser.device);
  const given = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? options.userAgent;
  const size = {
    width: viewport.width ?? device?.viewport.width ?? VIEWPORT.width,
    height: viewport.height ?? device?.viewport.height ?? VIEWPORT.height,
  };
  return {
    userAgent: given ?? device?.userAgent ?? null,
    viewport: size,
    screen: device?.screen ?? size,
    deviceScaleFactor: viewport.scale ?? device?.deviceScaleFactor ?? 1,
    isMobile: viewport.mobile ?? device?.isMobile ?? false,
    hasTouch: viewport.mobile ?? device?.hasTouch ?? false,
  };
}

type StorageOption = Exclude<BrowserContextOptions['storageState'], string | undefined>;

async function deviceOf(name: string | null) {
  if (name === null) return null;
  // It has been loaded with the browser.
  const { devices } = await import('playwright-core');
  const device: Device | undefined = devices[name];
  return device ?? null;
}

/** Playwright's types leave out the screen. */
type Device = typeof import('playwright-core')['devices'][string] & {
  readonly screen?: BrowserContextOptions['screen'] & object;
};

const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;
/** The last second of the year 9999, beyond which browsers take none. */
const LAST_EXPIRES = 253_402_300_799;

export type GivenCookie = Pick<Cookie, 'name' | 'value' | 'domain' | 'path' | 'secure' | 'httpOnly'> &
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
    ...(expires === null ? {} : { expires: Math.min(Math.max(expires, 1), LAST_EXPIRES) }),
    ...(sameSite === null ? {} : { sameSite: SAME_SITE[sameSite] }),
  }));
}
