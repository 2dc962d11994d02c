import type { Browser } from 'playwright-core';
import type { Job } from '../../domain/job.ts';
import type { CdpBrowser } from './cdp-browser.ts';
import { parsePlainSelector } from './wait-for-selector.ts';

/** What drives a browser. A connection has one owner, so a browser has one driver. */
export interface DriverBrowsers {
  /** Everything, by playwright-core. */
  readonly playwright: Browser;
  /** Plain pages. */
  readonly cdp: CdpBrowser;
}

export type Driver = keyof DriverBrowsers;

/** The driver of most scrapes. On other systems the fonts of pages would differ with `cdp`. */
export const defaultDriver = (headless: boolean, platform: NodeJS.Platform = process.platform): Driver =>
  headless && platform === 'linux' ? 'cdp' : 'playwright';

/** `cdp` where it does all that the job needs, with the same result; else `playwright`. */
export function driverFor({ browser, options }: Job, platform = process.platform): Driver {
  const { selector, picture, viewport } = browser;
  const plain =
    defaultDriver(browser.headless, platform) === 'cdp' &&
    browser.javascript &&
    options.verifyTls &&
    browser.actions.length === 0 &&
    browser.capture.length === 0 &&
    [browser.device, browser.locale, browser.timezone, browser.colorScheme].every((one) => one === null) &&
    Object.values(viewport).every((one) => one === null) &&
    browser.geolocation === null &&
    browser.storage === null &&
    (picture === null || picture.selector === null) &&
    (selector === null || parsePlainSelector(selector) !== null);
  return plain ? 'cdp' : 'playwright';
}
