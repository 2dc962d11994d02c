import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';

describe('the frame around every page: menu, account, search', () => {
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });

  test('the content, the pages and the account menu can be reached by keyboard alone', async () => {
    const page = await dashboard.open('/');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('#main')).toBeFocused();
    await page.getByRole('link', { name: 'History' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await expect(page).toHaveTitle('History · Sluice');
    await expect(page.getByRole('link', { name: 'History' })).toHaveAttribute('aria-current', 'page');
    await page.getByRole('button', { name: /^Account of/ }).press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Account and sessions' })).toBeFocused();
    await expectAccessible(page);
    await expect(page.getByRole('menuitem', { name: 'Account and sessions' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('the theme follows the system until one is chosen, which is remembered', async () => {
    const page = await dashboard.open('/');
    const body = page.locator('body');
    const light = await body.evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(body).not.toHaveCSS('background-color', light);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect(body).toHaveCSS('background-color', light);
    await page.reload();
    await settled(page);
    await expect(body).toHaveCSS('background-color', light);
  });

  test('on a phone the menu is a drawer that closes when a page was chosen', async () => {
    const page = await dashboard.open('/', { size: NARROW, scheme: 'dark' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(/\d+ of 50/).waitFor();
    await expectAccessible(page);
    await drawer.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await drawer.waitFor({ state: 'hidden' });
    await settled(page);
    await expectToFit(page);
  });

  test('users who are not administrators see no administration pages', async () => {
    const as = await dashboard.user('plain@example.com');
    const page = await dashboard.open('/users', { as });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect(page.getByRole('link', { name: 'API keys' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  });

  test('if the service does not respond, the page says so and offers to try again', async () => {
    dashboard.allow(/ERR_CONNECTION_REFUSED/);
    const page = await dashboard.page();
    await page.route('**/api/v1/session/', (route) => route.abort('connectionrefused'));
    await page.goto('/keys');
    await page.getByRole('alert').getByText('No response from the service').waitFor();
    await page.unroute('**/api/v1/session/');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  });

  test('a page that is opened offline loads when the network is back; after an update, the dashboard asks to reload', async () => {
    dashboard.allow(/ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)/);
    const page = await dashboard.open('/keys');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Proxies' }).click();
    await page.getByRole('heading', { level: 1, name: 'The service could not be reached' }).waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Proxies' }).waitFor();
    await page.route('**/assets/*system-page*', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('heading', { level: 1, name: 'A new version of the dashboard' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/assets/*system-page*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
  });

  test('Ctrl+K opens a search that leads to pages, hosts and records by keyboard', async () => {
    const { body } = await dashboard.service.scrape({ url: 'http://127.0.0.1:9/', scraper: 'http' });
    const page = await dashboard.open('/', { scheme: 'dark' });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Name, host or record ID' });
    await field.waitFor();
    await expectAccessible(page);
    await page.keyboard.type('key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await field.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^Go to/ })
      .first()
      .click();
    await field.fill('https://Example.com/some/page');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sites?host=example.com');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await field.fill(body.id!);
    await page.getByRole('option', { name: body.id!, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/history/${body.id}`);
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    for (const [word, found] of [
      ['revoked', 'API keys'],
      ['markdown', 'Playground'],
      ['dead', 'Proxies'],
      ['disk', 'System'],
    ] as const) {
      await field.fill(word);
      await page.getByRole('option', { name: found, selected: true }).waitFor();
    }
    await field.fill('nothing like xyzzy');
    await page.getByText('Nothing found.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  test('the search finds sites, jobs, keys and all else by a part of the name, pages of the docs, actions, and what was open', async () => {
    const { service } = dashboard;
    const request = { url: 'https://found.sluice.test/ok' };
    const schedule = { cron: '0 6 * * 1' };
    await service.scrape({ ...request, scraper: 'http' });
    for (const [path, body] of [
      ['batches', { requests: [request], name: 'Found job' }],
      ['monitors', { name: 'Found monitor', request, schedule, first_run: 'scheduled' }],
      ['schedules', { name: 'Found schedule', job: { kind: 'batch', requests: [request] }, schedule }],
      ['datasets', { name: 'Found dataset' }],
      ['channels', { name: 'Found channel', type: 'webhook', url: 'http://127.0.0.1:9/' }],
      ['keys', { name: 'Found key' }],
      ['users', { email: 'found@example.com' }],
    ] as const) {
      const { status, text } = await service.api('POST', `/api/v1/${path}/`, { body });
      expect(status, text).toBeLessThan(300);
    }
    const page = await dashboard.open('/monitors');
    await page.getByRole('link', { name: 'Found monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'Found monitor' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Found monitor Recent', selected: true }).waitFor();
    const field = page.getByRole('combobox', { name: 'Name, host or record ID' });
    const questions: string[] = [];
    page.on('request', (asked) => {
      if (asked.url().includes('?q=')) questions.push(new URL(asked.url()).pathname);
    });
    await field.pressSequentially('found');
    for (const name of [
      'found.sluice.test Site',
      'Found job Job',
      'Found monitor Monitor',
      'Found schedule Schedule',
      'Found dataset Dataset',
      'Found channel Channel',
      'Found key API key',
      'found@example.com User',
    ])
      await page.getByRole('option', { name, exact: true }).waitFor();
    expect(questions.filter((path) => path.endsWith('/jobs/')).length).toBeLessThan(5);
    await expectAccessible(page);
    await field.fill('webhooks');
    await page
      .getByRole('option', { name: /Documentation$/ })
      .first()
      .waitFor();
    await page.route('**/api/v1/datasets/?q=*', (route) => route.fulfill({ status: 400, json: {} }));
    dashboard.allow(/status of 400/);
    await field.fill('found d');
    await page.getByRole('alert').getByText('Not everything could be searched.').waitFor();
    await page.unroute('**/api/v1/datasets/?q=*');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('option', { name: 'Found dataset Dataset' }).waitFor();
    await field.fill('dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await page.keyboard.press('Control+k');
    // Enter does not wait for the answer.
    await page.keyboard.type('found sch\n');
    await page.getByRole('heading', { level: 1, name: 'Found schedule' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create a key\n');
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
    await page.waitForURL((url) => url.pathname === '/keys' && url.search === '');
  });

  test('the search loses no key that is typed before its code has loaded, or while it opens', async () => {
    const page = await dashboard.open('/keys');
    const field = page.getByRole('combobox', { name: 'Name, host or record ID' });
    const { promise: typed, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/command-palette*.js', async (route) => {
      await typed;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    // As single keys, `g` and `h` would open the history.
    await page.keyboard.type('ghx');
    await page.keyboard.press('Backspace');
    release();
    await page.keyboard.type('ost.example');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('ghost.example');
    await expect(page).toHaveURL(/\/keys$/);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('localhost');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('localhost');
    await expect(page).toHaveURL(/\/keys$/);
  });

  test('on a phone the field of the search has the focus after a tap, and gets what was typed, also Enter', async () => {
    const page = await dashboard.open('/', { size: NARROW });
    await page.getByRole('button', { name: 'Go to a page, host or record' }).click();
    await page.keyboard.type('invite\n');
    await page.getByRole('dialog', { name: 'Invite a user' }).waitFor();
    await expect(page.locator('input[type=email]')).toBeFocused();
    await page.waitForURL((url) => url.pathname === '/users' && url.search === '');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to a page, host or record' }).click();
    await page.keyboard.type('new alert\n');
    await page.getByRole('dialog', { name: 'Create an alert' }).waitFor();
    await page.waitForURL((url) => url.pathname === '/alerts' && url.search === '');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to a page, host or record' }).click();
    await page.keyboard.type('localhost/a?b=1');
    await page.getByRole('option', { name: 'Site localhost' }).waitFor();
    await page.getByRole('option', { name: 'Scrape localhost/a?b=1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('localhost/a?b=1');
  });

  test('single keys open pages, the search and the list of shortcuts, unless they are turned off or typed', async () => {
    const page = await dashboard.open('/');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    // The second key counts within 1.5 s only, so on a slow machine it may come too late.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await expect(page).toHaveURL(/\/sites$/, { timeout: 2_000 });
    }).toPass({ timeout: 20_000 });
    await heading('Sites');
    const search = page.getByRole('searchbox', { name: 'Host or URL' });
    await search.fill('gh');
    await page.keyboard.type('gh?/');
    await expect(search).toHaveValue('ghgh?/');
    await search.blur();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Name, host or record ID' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Playground').waitFor();
    await expectAccessible(page);
    // In a dialog, the page behind it stays.
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The address changes with the key already, the page later.
    await expect(page).toHaveURL(/\/sites$/);
    await heading('Sites');
    for (const key of ['g', 'h', '?', '/']) await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(/\/sites$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new mon');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/monitors/new');
  });
});
