import type { CDPSession } from 'playwright-core';

/**
 * One session of the Chrome DevTools Protocol: what Playwright's sessions and those of our own connection have in common.
 * `send` rejects when the browser refuses, and when the session has ended.
 */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;
