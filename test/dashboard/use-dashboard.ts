import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Service, type ServiceOptions, startService } from '../helpers/service.ts';
import { buildDashboard } from './build-dashboard.ts';
import { findChromium } from './chromium.ts';
import { createUser } from './seed.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** The administrator of every dashboard under test. */
export const ADMIN: Account = { email: 'admin@localhost', password: 'a long test password' };

/** The two widths that everything must look good at. */
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

export interface PageOptions {
  /** Who is signed in; null: nobody. Default: the administrator. */
  readonly as?: Account | null;
  readonly scheme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
}

export interface TestDashboard {
  readonly service: Service;
  /** A page of a browser that knows nothing of the others, on no address yet; closed after the test. */
  page(options?: PageOptions): Promise<Page>;
  /** The same, opened at a path and loaded. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** What the pages of this test may complain of. */
  allow(complaint: RegExp): void;
  /** A further user who has set a password. */
  user(email: string, role?: 'admin' | 'user'): Promise<Account>;
}

/**
 * A service with its dashboard, and a browser, for all tests of the `describe` that calls it. A test also fails by what
 * the pages complain of: errors in the console, uncaught exceptions, breaches of the Content-Security-Policy.
 */
export function useDashboard(env: NodeJS.ProcessEnv = {}, options: ServiceOptions = {}): TestDashboard {
  let service: Service | undefined;
  let browser: Browser | undefined;
  let complaints: string[] = [];
  let allowed: RegExp[] = [];
  before(async () => {
    await buildDashboard();
    const settings = { SLUICE_ADMIN_EMAIL: ADMIN.email, SLUICE_ADMIN_PASSWORD: ADMIN.password };
    service = await startService({ SLUICE_DASHBOARD: 'true', ...settings, ...env }, options);
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    const found = complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)));
    complaints = [];
    allowed = [];
    assert.deepEqual(found, [], 'what the pages complained of');
  });
  after(async () => {
    await browser?.close();
    await service?.end();
  });
  const page = async (options: PageOptions = {}) =>
    newPage(browser!, service!.base, options, (text) => complaints.push(text));
  return {
    get service() {
      return service!;
    },
    page,
    async open(path, options) {
      const opened = await page(options);
      await opened.goto(path);
      await settled(opened);
      return opened;
    },
    allow: (complaint) => void allowed.push(complaint),
    user: (email, role = 'user') => createUser(service!, email, role),
  };
}

/** The page has a heading, and nothing on it is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null,
  );
}

export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    // Letters where they belong, not on whole pixels.
    args: ['--font-render-hinting=none'],
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
  });
}

/** @param complain told of every error in the console and every uncaught exception */
export async function newPage(
  browser: Browser,
  base: string,
  { as = ADMIN, scheme = 'light', size = WIDE }: PageOptions,
  complain: (text: string) => void,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: size,
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
    reducedMotion: 'reduce',
  });
  if (as !== null) await signIn(browser, context, base, as);
  const page = await context.newPage();
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // A refusal of the API, or a scrape that failed, is part of its work; the page shows it.
    const refused = /^Failed to load resource: the server responded with a status of (4\d\d|50[234])/.test(
      message.text(),
    );
    if (message.type() === 'error' && !refused) complain(`console: ${message.text()}`);
  });
  return page;
}

/** The administrator's session in each browser: each further one would cost a hash of the password. */
const sessions = new WeakMap<Browser, Cookies>();
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function signIn(browser: Browser, context: BrowserContext, base: string, as: Account): Promise<void> {
  const known = as === ADMIN ? sessions.get(browser) : undefined;
  if (known !== undefined) {
    await context.addCookies(known);
    // A test may have ended it.
    if ((await context.request.get('/api/v1/session/')).status() === 200) return;
    await context.clearCookies();
  }
  const answer = await context.request.post('/api/v1/session/', { data: as, headers: { origin: base } });
  assert.equal(answer.status(), 201, await answer.text());
  if (as === ADMIN) sessions.set(browser, await context.cookies());
}
