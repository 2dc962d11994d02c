import { expect as playwrightExpect } from 'playwright/test';

/**
 * Asserts what a page shows, and waits until it is so: a page shows the result of an action some time after the action, and later
 * on a busy machine. The timeout is that of `eventually`.
 */
export const expect = playwrightExpect.configure({ timeout: 20_000 });
