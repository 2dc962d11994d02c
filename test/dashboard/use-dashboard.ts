import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { eventually, type Service, type ServiceOptions, startService } from '../helpers/service.ts';
import { newUser, PASSWORD, signIn as signInByApi } from '../helpers/visitor.ts';
import { shared } from '../helpers/world.ts';
import { buildDashboard } from './build-dashboard.ts';
import { findChromium } from './chromium.ts';
import { createPagePool } from './page-pool.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** The administrator of every dashboard under test. */
export const ADMIN: Account = { email: 'admin@localhost', password: 'a long test password' };

/** The window sizes of the tests: a desktop and a phone. */
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

export interface PageOptions {
  /** Who is signed in; null: nobody. Default: the administrator. */
  readonly as?: Account | null;
  readonly scheme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** The language of the browser. Default: British English. */
  readonly locale?: string;
}

export interface TestDashboard {
  readonly service: Service;
  /**
   * A blank page in a browser context of its own. It is closed after the test. For tests that leave what cannot be undone: clocks, init
   * scripts, exposed functions.
   */
  page(options?: PageOptions): Promise<Page>;
  /** A page that has been opened at a path, and has loaded. An earlier test may have had it, see page-pool.ts. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Errors in the console that do not fail this test. */
  allow(error: RegExp): void;
  /** A further user with a password and a session. */
  user(email: string, role?: 'admin' | 'user'): Promise<Account>;
}

/**
 * A service with its dashboard, and a browser, for all tests of the `describe` that calls it. Errors of the pages also fail a
 * test: errors in the console, uncaught exceptions, violations of the Content-Security-Policy.
 */
export function useDashboard(env: NodeJS.ProcessEnv = {}, options: ServiceOptions = {}): TestDashboard {
  let service: Service | undefined;
  let browser: Browser | undefined;
  let errors: string[] = [];
  let allowed: RegExp[] = [];
  const onError = (text: string) => void errors.push(text);
  const pool = createPagePool((page) => reportErrors(page, onError));
  before(async () => {
    await buildDashboard();
    const settings = { SLUICE_ADMIN_EMAIL: ADMIN.email, SLUICE_ADMIN_PASSWORD: ADMIN.password };
    service = await startService({ SLUICE_DASHBOARD: 'true', ...settings, ...env }, options);
    const { base } = service;
    // Until it has looked whether the dashboard is built, another page is there.
    await eventually(async () => (await fetch(base)).status === 200);
    browser = await sharedChromium();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) {
      // A page may ask again for something that is routed, and its handler may be waiting for the answer.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (!(await pool.takeBack(context))) await context.close();
    }
    const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
    errors = [];
    allowed = [];
    assert.deepEqual(unexpected, [], 'errors of the pages');
  });
  after(async () => {
    await pool.close();
    await service?.end();
  });
  const page = (options: PageOptions = {}) => newPage(browser!, service!.base, options, onError);
  return {
    get service() {
      return service!;
    },
    page,
    async open(path, options = {}) {
      const key = `${(options.as === undefined ? ADMIN : options.as)?.email} ${options.locale}`;
      const opened = (await pool.take(key)) ?? (await pool.lend(key, await page(options)));
      await opened.setViewportSize(options.size ?? WIDE);
      await opened.emulateMedia({ colorScheme: options.scheme ?? 'light' });
      await opened.goto(path);
      await settled(opened);
      return opened;
    },
    allow: (error) => void allowed.push(error),
    async user(email, role = 'user') {
      await newUser(service!, { email, role });
      await signInByApi(service!, email);
      return { email, password: PASSWORD };
    },
  };
}

/** Waits until the page has a heading, and nothing on it is being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null,
    undefined,
    // Otherwise it asks in each frame, and so makes the browser paint.
    { polling: 50 },
  );
}

const DAY_MS = 86_400_000;
const MIDNIGHT_MARGIN_MS = 120_000;

/** For tests of what is counted by day, in UTC: if midnight is near, waits until it is over. */
export async function awayFromMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < MIDNIGHT_MARGIN_MS) await pause(left + 1_000);
}

export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    // Without hinting, letters are not moved to whole pixels, so screenshots are the same on all machines.
    args: ['--font-render-hinting=none'],
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
  });
}

const sharedChromium = shared(launchChromium, (browser) => browser.close());

/** @param onError called for every error in the console and every uncaught exception */
export async function newPage(
  browser: Browser,
  base: string,
  { as = ADMIN, scheme = 'light', size = WIDE, locale = 'en-GB' }: PageOptions,
  onError: (text: string) => void,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: size,
    colorScheme: scheme,
    locale,
    timezoneId: 'Europe/Zurich',
    reducedMotion: 'reduce',
  });
  if (as !== null) await signIn(context, base, as);
  const page = await context.newPage();
  reportErrors(page, onError);
  return page;
}

function reportErrors(page: Page, onError: (text: string) => void): void {
  page.on('pageerror', (error) => onError(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Regular responses of the API, which the page shows: refusals and failed scrapes.
    const isApiResponse =
      /^Failed to load resource: the server responded with a status of (4\d\d|50[234])/.test(message.text());
    if (message.type() === 'error' && !isApiResponse) onError(`console: ${message.text()}`);
  });
}

/** By service: cookies of the administrator's session. They are reused, because every sign-in computes a slow password hash. */
const sessions = new Map<string, Cookies>();
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function signIn(context: BrowserContext, base: string, as: Account): Promise<void> {
  const cookies = as === ADMIN ? sessions.get(base) : undefined;
  if (cookies !== undefined) {
    await context.addCookies(cookies);
    // A test may have ended the session.
    if ((await context.request.get('/api/v1/session/')).status() === 200) return;
    await context.clearCookies();
  }
  const answer = await context.request.post('/api/v1/session/', { data: as, headers: { origin: base } });
  assert.equal(answer.status(), 201, await answer.text());
  if (as === ADMIN) sessions.set(base, await context.cookies());
}
