/**
 * What a scrape in a browser goes through, in this order: the wait for a place, a context with its page and our session
 * with it, the navigation until a document is shown, the waits and actions that were asked for, reading what is there now,
 * and closing the context with its connections. One that fails goes from where it is to `read`.
 */
export const BROWSER_PHASES = ['queue', 'context', 'navigate', 'wait', 'read', 'close'] as const;
export type BrowserPhase = (typeof BROWSER_PHASES)[number];
