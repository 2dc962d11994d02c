import type { BrowserContextOptions, Cookie } from 'playwright-core';
import type { CookiePartition, StorageState } from '../../../domain/browser-options.ts';
import type { Job } from '../../../domain/job.ts';
import { siteOf } from '../http/cookies/cookie-match.ts';
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
    ...(storage === null ? {} : { storageState: storageOption(storage) }),
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

function storageOption({ cookies, origins }: StorageState): StorageOption {
  return {
    cookies: cookies.map(({ partition, ...cookie }) =>
      playwrightCookie({ ...cookie, ...partitionOf(partition, cookie.domain) }),
    ),
    // A copy: Playwright writes into what it is given.
    origins: structuredClone(origins) as StorageOption['origins'],
  };
}

/** As Playwright takes it. */
export function playwrightCookie<T extends GivenCookie>({ partition, ...cookie }: T) {
  if (partition === undefined) return cookie;
  return { ...cookie, partitionKey: partition.site, _crHasCrossSiteAncestor: partition.crossSite };
}

/** @param domain of the cookie, by which it is told whether it is for frames where nobody said so */
function partitionOf(partition: CookiePartition | undefined, domain: string): Pick<GivenCookie, 'partition'> {
  if (partition === undefined) return {};
  const page = new URL(partition.site);
  const own = new URL(`${page.protocol}//${domain.replace(/^\./, '')}`);
  return {
    partition: { site: siteOf(page), crossSite: partition.crossSite ?? siteOf(page) !== siteOf(own) },
  };
}

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
  Partial<Pick<Cookie, 'expires' | 'sameSite'>> & {
    readonly partition?: { readonly site: string; readonly crossSite: boolean };
  };

/** The caller's cookies: host-only unless they name a domain, and after https never sent to http (contract §1). */
export function callersCookies({ cookies, host, url }: Job): GivenCookie[] {
  return cookies.map(({ name, value, domain, hostOnly, partition, path, secure, ...rest }) => ({
    name,
    value,
    domain: domain === null ? host : `${hostOnly === true ? '' : '.'}${domain.replace(/^\./, '')}`,
    path: path?.startsWith('/') ? path : '/',
    secure: secure || url.startsWith('https:'),
    httpOnly: rest.httpOnly,
    ...(rest.expires === null ? {} : { expires: Math.min(Math.max(rest.expires, 1), LAST_EXPIRES) }),
    ...(rest.sameSite === null ? {} : { sameSite: SAME_SITE[rest.sameSite] }),
    ...partitionOf(partition, domain ?? host),
  }));
}
