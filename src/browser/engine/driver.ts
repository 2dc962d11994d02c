import type { Browser } from 'playwright-core';
import { BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import type { Job } from '../../domain/job.ts';
import { type Driver, driverHonours } from '../../domain/option.ts';
import { SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import type { CdpBrowser } from './cdp-browser.ts';

/** What drives a browser. A connection has one owner, so a browser has one driver. */
export interface DriverBrowsers {
  /** Everything, by playwright-core. */
  readonly playwright: Browser;
  /** Plain pages. */
  readonly cdp: CdpBrowser;
}

/** The driver of most scrapes. On other systems the fonts of pages would differ with `cdp`. */
export const defaultDriver = (headless: boolean, platform: NodeJS.Platform = process.platform): Driver =>
  headless && platform === 'linux' ? 'cdp' : 'playwright';

/** `cdp` where it honours all that the job asks for, with the same result; else `playwright`. */
export function driverFor({ browser, options }: Job, platform = process.platform): Driver {
  const isPlain =
    defaultDriver(browser.headless, platform) === 'cdp' &&
    driverHonours('cdp', BROWSER_OPTIONS, browser) &&
    driverHonours('cdp', SCRAPER_OPTIONS, options);
  return isPlain ? 'cdp' : 'playwright';
}
