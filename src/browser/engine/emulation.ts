import type { BrowserContext, BrowserContextOptions, CDPSession, Cookie } from 'playwright-core';
import type { CookiePartition, StorageState } from '../../domain/storage-state.ts';
import type { Task } from '../../domain/task.ts';
import { siteOf } from '../../http-client/cookie-jar.ts';
import type { BrowserProxy } from './browser-network.ts';
import { type BrowserIdentity, createUserAgentOverride, preferredLanguages } from './user-agent.ts';
import { SCREEN_SIZE } from './virtual-display.ts';

/** Contract §1. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };
/** In CSS pixels: more than a window of Chromium has besides its viewport, with its place on the screen. */
const WINDOW_FRAME = { width: 100, height: 200 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Options of Playwright for a new context. @param proxy null: the context uses the network of its browser */
export async function contextOptions(
  task: Task,
  proxy: BrowserProxy | null,
  identity: BrowserIdentity,
): Promise<BrowserContextOptions> {
  const { verifyTls, javascript, locale, timezone, colorScheme, reducedMotion, geolocation, storageState } =
    task.options;
  const { userAgent, ...screen } = await deviceOptions(task);
  const languages = taskLanguages(task);
  return {
    // Without a proxy, requests of service workers could not be judged.
    ...(proxy === null ? { serviceWorkers: 'block' as const } : { proxy }),
    // Scrapes have no use for downloads that a page starts. A URL that is a download is read from the response instead.
    acceptDownloads: false,
    ignoreHTTPSErrors: !verifyTls,
    javaScriptEnabled: javascript,
    ...screen,
    userAgent: userAgent ?? identity.userAgent,
    ...(locale !== null
      ? { locale }
      : proxy !== null && languages !== null
        ? { locale: listForPlaywright(languages) }
        : {}),
    ...(timezone === null ? {} : { timezoneId: timezone }),
    ...(colorScheme === null ? {} : { colorScheme }),
    ...(reducedMotion === null ? {} : { reducedMotion }),
    ...(geolocation === null ? {} : { geolocation, permissions: ['geolocation'] }),
    ...(storageState === null ? {} : { storageState: storageStateOption(storageState) }),
  };
}

/** A browser with windows has a frame around its viewport, and the frame is on the screen. */
const screenAround = ({ width, height }: Size): Size => ({
  width: Math.max(SCREEN_SIZE.width, width + WINDOW_FRAME.width),
  height: Math.max(SCREEN_SIZE.height, height + WINDOW_FRAME.height),
});

const headerOf = ({ headers }: Task, name: string): string | null =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null;

/** `locale` of the caller, else the `Accept-Language` of the caller. */
export const taskLanguages = (task: Task): string | null =>
  preferredLanguages(task.options.locale, headerOf(task, 'accept-language'));

/**
 * Playwright has one option for `Accept-Language` and for the language of numbers. `withIdentity` takes what has a comma for the
 * former alone.
 */
const listForPlaywright = (languages: string): string => `${languages},`;

/** The device to emulate. `userAgent` null: the browser's own. */
export async function deviceOptions(task: Task) {
  const { browser, options } = task;
  const { viewport } = options;
  const device = await findDevice(options.device);
  const requestedUserAgent = headerOf(task, 'user-agent') ?? options.userAgent;
  const size = {
    width: viewport.width ?? device?.viewport.width ?? DEFAULT_VIEWPORT.width,
    height: viewport.height ?? device?.viewport.height ?? DEFAULT_VIEWPORT.height,
  };
  const isMobile = viewport.mobile ?? device?.isMobile ?? false;
  return {
    userAgent: requestedUserAgent ?? device?.userAgent ?? null,
    viewport: size,
    screen: device?.screen ?? (browser.headless || isMobile ? size : screenAround(size)),
    deviceScaleFactor: viewport.scale ?? device?.deviceScaleFactor ?? 1,
    isMobile,
    hasTouch: viewport.mobile ?? device?.hasTouch ?? false,
  };
}

type StorageOption = Exclude<BrowserContextOptions['storageState'], string | undefined>;

function storageStateOption({ cookies, origins }: StorageState): StorageOption {
  return {
    cookies: cookies.map(({ partition, ...cookie }) =>
      toPlaywrightCookie({ ...cookie, ...cookiePartition(partition, cookie.domain) }),
    ),
    // A copy, because Playwright changes it.
    origins: structuredClone(origins) as StorageOption['origins'],
  };
}

/** The reverse: a state as Playwright gives it. */
export const storageStateOf = ({
  cookies,
  origins,
}: Awaited<ReturnType<BrowserContext['storageState']>>): StorageState => ({
  cookies: cookies.map((cookie) => {
    const { partitionKey, _crHasCrossSiteAncestor, ...rest } = cookie as typeof cookie & {
      readonly partitionKey?: string;
      readonly _crHasCrossSiteAncestor?: boolean;
    };
    return partitionKey === undefined
      ? rest
      : { ...rest, partition: { site: partitionKey, crossSite: _crHasCrossSiteAncestor ?? null } };
  }),
  origins,
});

/** A cookie as Playwright accepts it. */
export function toPlaywrightCookie<T extends CookieParam>({ partition, ...cookie }: T) {
  if (partition === undefined) return cookie;
  return { ...cookie, partitionKey: partition.site, _crHasCrossSiteAncestor: partition.crossSite };
}

/**
 * @param domain of the cookie. If the caller did not set `crossSite`, it is true if the domain is not of the partition's site.
 */
function cookiePartition(
  partition: CookiePartition | undefined,
  domain: string,
): Pick<CookieParam, 'partition'> {
  if (partition === undefined) return {};
  const partitionUrl = new URL(partition.site);
  const cookieUrl = new URL(`${partitionUrl.protocol}//${domain.replace(/^\./, '')}`);
  return {
    partition: {
      site: siteOf(partitionUrl),
      crossSite: partition.crossSite ?? siteOf(partitionUrl) !== siteOf(cookieUrl),
    },
  };
}

async function findDevice(name: string | null) {
  if (name === null) return null;
  // Imported here, because loading Playwright is slow. Its driver has loaded it already.
  const { devices } = await import('playwright-core');
  const device: Device | undefined = devices[name];
  return device ?? null;
}

/** Playwright's type lacks `screen`. */
type Device = typeof import('playwright-core')['devices'][string] & {
  readonly screen?: BrowserContextOptions['screen'] & object;
};

const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;
/** The last second of the year 9999; browsers reject later dates. */
const MAX_EXPIRES = 253_402_300_799;

export type CookieParam = Pick<Cookie, 'name' | 'value' | 'domain' | 'path' | 'secure' | 'httpOnly'> &
  Partial<Pick<Cookie, 'expires' | 'sameSite'>> & {
    readonly partition?: { readonly site: string; readonly crossSite: boolean };
  };

/** The caller's cookies: host-only unless they have a domain, and secure if the URL is https (contract §1). */
export function callerCookies({ cookies, host, url }: Task): CookieParam[] {
  return cookies.map(({ name, value, domain, hostOnly, partition, path, secure, ...rest }) => ({
    name,
    value,
    domain: domain === null ? host : `${hostOnly === true ? '' : '.'}${domain.replace(/^\./, '')}`,
    path: path?.startsWith('/') ? path : '/',
    secure: secure || url.startsWith('https:'),
    httpOnly: rest.httpOnly,
    ...(rest.expires === null ? {} : { expires: Math.min(Math.max(rest.expires, 1), MAX_EXPIRES) }),
    ...(rest.sameSite === null ? {} : { sameSite: SAME_SITE[rest.sameSite] }),
    ...cookiePartition(partition, domain ?? host),
  }));
}

/**
 * The driver `cdp` sets these values, which playwright-core sets in a headless browser on Linux: with both drivers a page is
 * the same. The size of the viewport is from contract §1.
 */
export const DEFAULT_METRICS = {
  mobile: false,
  width: 1280,
  height: 720,
  screenWidth: 1280,
  screenHeight: 720,
  deviceScaleFactor: 1,
  screenOrientation: { angle: 0, type: 'landscapePrimary' },
} as const;

export const DEFAULT_MEDIA = {
  media: '',
  features: [
    { name: 'prefers-color-scheme', value: 'light' },
    { name: 'prefers-reduced-motion', value: 'no-preference' },
    { name: 'forced-colors', value: 'none' },
    { name: 'prefers-contrast', value: 'no-preference' },
  ],
};

export const DEFAULT_FONTS = {
  fontFamilies: {
    standard: 'Times New Roman',
    fixed: 'Monospace',
    serif: 'Times New Roman',
    sansSerif: 'Arial',
    cursive: 'Comic Sans MS',
    fantasy: 'Impact',
  },
};

/**
 * Repeats the emulation of Playwright's own session in this session: screenshots have the metrics of the session that takes
 * them, and a session without a user agent override resets `navigator.platform`.
 * @param by how the browser is controlled. In a session of a remote one, client hints would else be those of a headless browser.
 */
export async function applyEmulation(
  session: Pick<CDPSession, 'send'>,
  task: Task,
  identity: BrowserIdentity,
  by: 'cdp' | 'playwright' | 'remote',
): Promise<void> {
  const { userAgent: requested, viewport, screen, deviceScaleFactor, isMobile } = await deviceOptions(task);
  const languages = taskLanguages(task);
  if (requested !== null || languages !== null || by === 'remote')
    await session.send(
      'Emulation.setUserAgentOverride',
      createUserAgentOverride(requested ?? identity.userAgent, {
        // These messages go through `withIdentity`, too.
        languages: languages !== null && by === 'playwright' ? listForPlaywright(languages) : languages,
        identity,
      }),
    );
  if (!task.browser.screenshot && task.browser.pageActions.length === 0) return;
  const isUpright = isMobile && screen.width <= screen.height;
  await session.send('Emulation.setDeviceMetricsOverride', {
    mobile: isMobile,
    ...viewport,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    screenOrientation: isUpright
      ? { angle: 0, type: 'portraitPrimary' }
      : { angle: isMobile ? 90 : 0, type: 'landscapePrimary' },
  });
}
