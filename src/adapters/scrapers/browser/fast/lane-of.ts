import type { Job } from '../../../../domain/job.ts';
import type { Lane } from '../launch/lane.ts';
import { simpleSelector } from './simple-selector.ts';

/** The lane that most scrapes of a kind take. Pages of other systems have other fonts than the fast one gives them. */
export const firstLane = (headless: boolean, platform: NodeJS.Platform = process.platform): Lane =>
  headless && platform === 'linux' ? 'fast' : 'full';

/** The fast lane, where it does all that is asked for just as the full one would. */
export function laneOf({ browser, options }: Job, platform = process.platform): Lane {
  const { selector, picture, viewport } = browser;
  const plain =
    firstLane(browser.headless, platform) === 'fast' &&
    browser.javascript &&
    options.verifyTls &&
    browser.actions.length === 0 &&
    browser.capture.length === 0 &&
    [browser.device, browser.locale, browser.timezone, browser.colorScheme].every((one) => one === null) &&
    Object.values(viewport).every((one) => one === null) &&
    browser.geolocation === null &&
    browser.storage === null &&
    (picture === null || picture.selector === null) &&
    (selector === null || simpleSelector(selector) !== null);
  return plain ? 'fast' : 'full';
}
