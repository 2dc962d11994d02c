import type { Browser } from 'playwright-core';
import { BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import { type Driver, driverHonours } from '../../domain/option.ts';
import { SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import type { Task } from '../../domain/task.ts';
import type { CdpBrowser } from './cdp-browser.ts';

/** The object that controls a browser, by driver. A CDP pipe has one reader, so each browser has one driver. */
export interface DriverBrowsers {
  /** Can do everything. */
  readonly playwright: Browser;
  /** Our own CDP messages, for plain pages. */
  readonly cdp: CdpBrowser;
}

/** The driver of most scrapes. `cdp` only on Linux: elsewhere its pages would have other fonts than those of Playwright. */
export const defaultDriver = (headless: boolean, platform: NodeJS.Platform = process.platform): Driver =>
  headless && platform === 'linux' ? 'cdp' : 'playwright';

/** `cdp` if it supports all options of the task with the same result; else `playwright`. */
export function driverFor({ browser, options }: Task, platform = process.platform): Driver {
  const isPlain =
    defaultDriver(browser.headless, platform) === 'cdp' &&
    driverHonours('cdp', BROWSER_OPTIONS, browser) &&
    driverHonours('cdp', SCRAPER_OPTIONS, options);
  return isPlain ? 'cdp' : 'playwright';
}
