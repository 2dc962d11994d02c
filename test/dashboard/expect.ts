import { expect as playwrightExpect } from 'playwright/test';
import type { Page } from 'playwright-core';

/**
 * Asserts what a page shows, and waits until it is so: a page shows the result of an action some time after the action, and later
 * on a busy machine. The timeout is that of `eventually`.
 */
export const expect = playwrightExpect.configure({ timeout: 20_000 });

/** Asserts that the page is not wider than its window, so that it does not scroll sideways. */
export const expectToFit = (page: Page) =>
  expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      `${page.url()} is wider than its window by so many pixels`,
    )
    .toBe(0);
