import type { BrowserContext, Page } from 'playwright-core';

interface PooledPage {
  readonly page: Page;
  /** Whose page it is, and in which language. */
  readonly key: string;
  /** Those of its context before any test. */
  readonly cookies: string;
}

export interface PagePool {
  /** A page for another test; null: there is none. */
  take(key: string): Promise<Page | null>;
  /** Lends a new page, which no other page shares its context with. */
  lend(key: string, page: Page): Promise<Page>;
  /** Takes back what was lent, so that nothing of the test is left. @returns false: the context is not one that was lent, or cannot be kept */
  takeBack(context: BrowserContext): Promise<boolean>;
  close(): Promise<void>;
}

/** What tests listen to. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'response',
  'requestfailed',
];

/** Pages that tests have left. Chromium compiles a program once a process, and gives each context a process of its own. */
export function createPagePool(prepare: (page: Page) => void): PagePool {
  const lent = new Map<BrowserContext, PooledPage>();
  const free = new Map<string, PooledPage>();
  const cookiesOf = async (page: Page) => JSON.stringify(await page.context().cookies());
  const isSignedIn = async (page: Page) =>
    (await page.context().request.get('/api/v1/session/')).status() === 200;

  async function clean({ page, cookies }: PooledPage): Promise<boolean> {
    const context = page.context();
    if (page.isClosed() || (await cookiesOf(page)) !== cookies) return false;
    await Promise.all([
      ...context.pages().map((other) => (other === page ? undefined : other.close())),
      context.setOffline(false),
      context.clearPermissions(),
      context.unrouteAll({ behavior: 'ignoreErrors' }),
    ]);
    // Of the same origin, and without scripts: nothing writes into the storage any more.
    await page.goto('/healthz');
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    for (const event of EVENTS) page.removeAllListeners(event);
    return true;
  }

  return {
    async take(key) {
      const found = free.get(key);
      if (found === undefined) return null;
      free.delete(key);
      const context = found.page.context();
      // A test may have ended the session.
      if (found.cookies !== '[]' && !(await isSignedIn(found.page))) {
        await context.close();
        return null;
      }
      lent.set(context, found);
      prepare(found.page);
      return found.page;
    },
    async lend(key, page) {
      lent.set(page.context(), { page, key, cookies: await cookiesOf(page) });
      return page;
    },
    async takeBack(context) {
      const pooled = lent.get(context);
      lent.delete(context);
      if (pooled === undefined) return [...free.values()].some(({ page }) => page.context() === context);
      if (free.has(pooled.key) || !(await clean(pooled).catch(() => false))) return false;
      free.set(pooled.key, pooled);
      return true;
    },
    async close() {
      await Promise.all([...free.values()].map(({ page }) => page.context().close()));
    },
  };
}
