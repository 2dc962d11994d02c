import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page, Response } from 'playwright-core';
import { sharedFragment } from '../../../dashboard/src/pages/playground/model/share-link.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { hostileTexts, watchForScripts } from '../../dashboard/hostile.ts';
import { NARROW, type PageOptions, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { ROOT } from '../../helpers/repository.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const execute = promisify(execFile);

describe('playground', () => {
  const dashboard = useDashboard();
  const site = useSite();

  const open = async (request?: object, options?: PageOptions): Promise<Page> => {
    const text = request === undefined ? null : JSON.stringify(request, null, 2);
    const page = await dashboard.open(
      `/playground${text === null ? '' : `#${sharedFragment(text)}`}`,
      options,
    );
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    // The request of the link comes after the heading.
    if (text !== null) await expect(editor(page)).toHaveValue(text);
    return page;
  };
  const editor = (page: Page) => page.getByLabel('Request as JSON');
  const json = async (page: Page): Promise<unknown> => JSON.parse(await editor(page).inputValue());
  const becomes = (page: Page, expected: unknown) =>
    expect(async () => assert.deepEqual(await json(page), expected)).toPass({ timeout: 20_000 });
  const group = async (page: Page, name: string) => {
    const tab = page.getByRole('tab', { name }).first();
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  };
  const view = (page: Page, name: 'Form' | 'JSON and code') =>
    page.getByRole('radiogroup', { name: 'What to show' }).getByText(name, { exact: true }).click();
  const start = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = (page: Page) => page.getByRole('heading', { name: 'Result', exact: true });
  /** Does what starts a run, and waits for the head of its response. */
  const answerTo = async (page: Page, act: () => Promise<void>): Promise<Response> => {
    const answered = page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && new URL(response.url()).pathname === '/api/v1/scrape/',
    );
    const [answer] = await Promise.all([answered, act()]);
    return answer;
  };
  /** Runs the request, and waits for its result, not that of the run before. @returns the id of its record */
  const run = async (page: Page, act = () => start(page)): Promise<string> => {
    await answerTo(page, act);
    await result(page).waitFor();
    const record = page.getByRole('link', { name: 'Open the record' });
    return (await record.getAttribute('href'))!.split('/').at(-1)!;
  };
  /** Adds a row to a map, with a name. */
  const add = async (page: Page, entry: string, index: number, name: string) => {
    await page.getByRole('button', { name: `Add ${entry}` }).click();
    // By keyboard, because the new row has the focus.
    await expect(page.getByLabel(`Name of ${entry} ${index}`)).toBeFocused();
    await page.keyboard.type(name);
  };
  /** The JSON pointer of the field with the focus. */
  const expectFocus = (page: Page, pointer: string) =>
    expect(page.locator(':focus')).toHaveAttribute('data-pointer', pointer);
  /** Waits until the tab has stored a text of the request, for a reload. */
  const expectStored = (page: Page, text: string) =>
    expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(text);

  test('the form writes the JSON: only values that differ from the defaults, in a fixed order', async () => {
    const page = await open();
    const timeout = page.getByRole('textbox', { name: /^Timeout/ });
    await becomes(page, { url: '' });
    // While a number is typed, it may equal the default for a moment. The member is not removed then.
    await timeout.pressSequentially('600000');
    await page.getByText('From 1,000 to 300,000.').waitFor();
    await becomes(page, { url: '', timeout_ms: 600_000 });
    await timeout.fill('5000');
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.com/');
    await add(page, 'header', 1, 'X-One');
    await page.getByLabel('Value of header 1').fill('1');
    await add(page, 'header', 2, 'X-One');
    await page.getByLabel('Value of header 2').fill('2');
    await add(page, 'parameter', 1, 'q');
    await page.getByLabel('Value of parameter 1').fill('a b');
    await page.getByLabel('Allow redirects').uncheck();
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: 'PUT' }).click();
    await group(page, 'Router');
    await page.getByLabel('Max attempts').fill('2');
    await page.getByLabel('Contains', { exact: true }).fill('fox');
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.fill('200');
    await status.press('Enter');
    await group(page, 'Scraper');
    await page.getByLabel('Verify TLS').uncheck();
    const expected = {
      url: 'https://example.com/',
      method: 'PUT',
      headers: { 'X-One': ['1', '2'] },
      query: { q: 'a b' },
      timeout_ms: 5000,
      allow_redirects: false,
      scraper_options: { verify_tls: false },
      router: { max_attempts: 2, accept: { contains: 'fox', status: [200] } },
    };
    await becomes(page, expected);
    assert.deepEqual(Object.keys((await json(page)) as object), Object.keys(expected));
    // With all values back at their defaults, the members are removed from the JSON.
    await page.getByLabel('Verify TLS').check();
    await group(page, 'Router');
    await page.getByLabel('Max attempts').fill('');
    await page.getByLabel('Contains', { exact: true }).fill('');
    await status.press('Backspace');
    await group(page, 'Request');
    await page.getByLabel('Allow redirects').check();
    await timeout.fill('60000');
    for (const name of ['header 2', 'header 1', 'parameter 1']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click();
    }
    await becomes(page, { url: 'https://example.com/', method: 'PUT' });
  });

  test('every kind of body can be entered, and reaches the target', async () => {
    const page = await open({ url: `${site.url}/echo`, method: 'POST' });
    const kind = (name: string) =>
      page.getByRole('radiogroup', { name: 'Body type' }).getByText(name, { exact: true }).click();
    const body = async (data: unknown, type: string | null) => {
      await becomes(page, { url: `${site.url}/echo`, method: 'POST', ...(data !== undefined && { data }) });
      const id = await run(page);
      const record = await dashboard.service.api<{ router: { body_type: string | null } }>(
        'GET',
        `/api/v1/scrape/${id}/`,
      );
      assert.equal(record.body.router.body_type, type);
    };
    await kind('JSON');
    await page.getByRole('textbox', { name: 'JSON', exact: true }).fill('{"a": [1, null]}');
    await body({ a: [1, null] }, 'json');
    await page.getByRole('textbox', { name: 'JSON', exact: true }).fill('{"$raw": true}');
    await body({ $json: { $raw: true } }, 'json');
    await kind('Form');
    await add(page, 'field', 1, 'name');
    await page.getByLabel('Value of field 1').fill('a&b');
    await body({ $form: { name: 'a&b' } }, 'form');
    await kind('Text');
    await page.getByLabel('Text of the body').fill('a=b');
    await body({ $raw: 'a=b' }, 'raw');
    await kind('Base64');
    await page.getByLabel('Base64 of the body').fill('AAEC');
    await page.getByLabel('Content type').fill('image/x-test');
    await body({ $base64: 'AAEC', content_type: 'image/x-test' }, 'binary');
    await kind('Multipart');
    await page.getByLabel('Name', { exact: true }).fill('file');
    await page.getByLabel('Value', { exact: true }).fill('content');
    await page.getByLabel('Filename').fill('a.txt');
    await body({ $multipart: [{ name: 'file', value: 'content', filename: 'a.txt' }] }, 'multipart');
    await kind('None');
    await body(undefined, null);
  });

  test('a change of the JSON changes the form; values without a field are kept, and unknown members are errors', async () => {
    const page = await open();
    await view(page, 'JSON and code');
    await editor(page).fill(
      JSON.stringify({
        url: 'https://example.com/',
        headers: { a: ['1', '2'] },
        cookies: [{ name: 'c', value: 'd' }],
        tiemout_ms: 1,
        router: { archive: 'har', tags: { x: 'y' } },
      }),
    );
    await view(page, 'Form');
    const url = page.getByRole('textbox', { name: 'URL', exact: true });
    await expect(url).toHaveValue('https://example.com/');
    await expect(page.getByLabel('Value of header 2')).toHaveValue('2');
    const cookies = page.getByRole('textbox', { name: 'Cookies' });
    await expect(async () => {
      const value: unknown = JSON.parse(await cookies.inputValue());
      assert.deepEqual(value, [{ name: 'c', value: 'd' }]);
    }).toPass({ timeout: 20_000 });
    await page.getByText('2 fields will be refused').waitFor();
    await page.getByText('Unknown field.').waitFor();
    await page.getByLabel('Value of header 2').fill('3');
    await becomes(page, {
      url: 'https://example.com/',
      headers: { a: ['1', '3'] },
      cookies: [{ name: 'c', value: 'd' }],
      tiemout_ms: 1,
      router: { archive: 'har', tags: { x: 'y' } },
    });
    // The error of a member without a field links to its line in the JSON.
    await page.getByRole('button', { name: '/tiemout_ms' }).click();
    await expect(editor(page)).toBeFocused();
    const rest = () =>
      editor(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart).trimStart());
    await expect.poll(rest).toMatch(/^"tiemout_ms"/);
    await expectAccessible(page);
  });

  test('invalid JSON is an error with line and column, and the form is disabled until it is corrected', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await open({ url: `${site.url}/` }, options);
      await view(page, 'JSON and code');
      await editor(page).fill(`{\n  "url": "${site.url}/"\n  "method": "GET"\n}`);
      await page.getByText('Line 3, column 3:').waitFor();
      await page.getByText('A comma or } is missing here.').waitFor();
      const url = page.getByRole('textbox', { name: 'URL', exact: true });
      await expect(url).toBeDisabled();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'curl' }).click();
      await start(page);
      await expect(editor(page)).toBeFocused();
      await editor(page).fill(`{"url": "${site.url}/", "method": "HEAD"}`);
      await expect(url).toBeEnabled();
      await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('HEAD');
    }
  });

  test('a request is run by keyboard; the result is shown and links to its record', async () => {
    const page = await open({ url: `${site.url}/html/2000` });
    const first = await run(page, () =>
      page.getByRole('button', { name: 'Add header' }).press('Control+Enter'),
    );
    const id = await run(page, () => page.getByRole('textbox', { name: 'URL', exact: true }).press('Enter'));
    assert.notEqual(id, first);
    await expect.poll(async () => (await latest())[0].id).toBe(id);
    // The result is beside the request.
    await expect(async () => {
      const heading = (await result(page).boundingBox())!;
      const form = (await page.getByRole('group', { name: 'Request', exact: true }).boundingBox())!;
      assert.ok(heading.x > form.x + form.width && heading.y < 400, JSON.stringify({ heading, form }));
    }).toPass({ timeout: 20_000 });
    await page.getByText('API: HTTP 200', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the record' }).click();
    await page.waitForURL(`**/history/${id}`);
  });

  test('a failed scrape shows the reason and links to its record', async () => {
    const page = await open({ url: 'http://127.0.0.1:9/' }, { scheme: 'dark', size: NARROW });
    await run(page);
    await page.getByText('API: HTTP 502', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the record' }).waitFor();
    await expectAccessible(page);
  });

  test('a result that went wrong can be run again with a change, which is then in the form', async () => {
    const page = await open({ url: `${site.url}/status/404`, scraper: 'http' });
    await run(page);
    const wrong = page.getByRole('region', { name: 'What went wrong' });
    await wrong.getByText('The site has no page at this URL (status 404).').waitFor();
    const refused = await open({ url: `${site.url}/status/403`, scraper: 'http' });
    await run(refused);
    await expectAccessible(refused);
    await run(refused, () => refused.getByRole('button', { name: 'Retry with auto' }).click());
    await becomes(refused, { url: `${site.url}/status/403`, scraper: 'auto' });
  });

  test('shows the elapsed time while it runs; cancelling ends the scrape in the service, too', async () => {
    const page = await open({ url: `${site.url}/drip?bytes=100&ms=1000` });
    await start(page);
    await page.getByText('Fetching the page').waitFor();
    await page.getByText(/^\d+\.\d s$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The scrape was stopped.').waitFor();
    await expect.poll(async () => (await latest())[0].error_code).toBe('request.cancelled');
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  });

  test('explains the choice of the method without fetching anything', async () => {
    const page = await open({ url: `${site.url}/html/2000`, router: { max_attempts: 2 } });
    await page.getByRole('button', { name: 'Explain the route' }).click();
    await result(page).waitFor();
    await expect.poll(async () => (await latest())[0].outcome).toBe('planned');
    // The request in the editor is not changed.
    await becomes(page, { url: `${site.url}/html/2000`, router: { max_attempts: 2 } });
  });

  test('the errors of a refused request are shown at their fields, and the first of these gets the focus', async () => {
    const named = await open({ url: `${site.url}/`, headers: { 'x a': '1' } });
    await start(named);
    await expectFocus(named, '/headers/x a');
    await expect(named.getByLabel('Value of header 1')).toHaveAttribute('aria-invalid', 'true');
    const page = await open(
      { url: `${site.url}/`, timeout_ms: 1, router: { max_attempts: 99 } },
      { size: NARROW },
    );
    await group(page, 'Output');
    await start(page);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expectFocus(page, '/timeout_ms');
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Go there' }).last().click();
    await expectFocus(page, '/router/max_attempts');
    // When the field is corrected, its error disappears.
    await page.getByLabel('Max attempts').fill('9');
    await expect(page.getByLabel('Max attempts')).not.toHaveAttribute('aria-invalid');
  });

  test('a URL without a scheme becomes https; an error disappears when its field is corrected', async () => {
    const page = await open({ url: 'nothing.invalid/a?b', router: { max_attempts: 1 } });
    const url = page.getByRole('textbox', { name: 'URL', exact: true });
    await run(page, () => url.press('Enter'));
    await becomes(page, { url: 'https://nothing.invalid/a?b', router: { max_attempts: 1 } });
    await url.fill('mailto:a@example.com');
    await url.press('Enter');
    const refused = page.getByRole('region', { name: 'Outcome' }).getByRole('alert');
    await refused.waitFor();
    await expect(url).toHaveAttribute('aria-invalid', 'true');
    await url.fill(`${site.url}/html/100`);
    await refused.waitFor({ state: 'detached' });
    await expect(url).not.toHaveAttribute('aria-invalid');
  });

  test('if no method is possible, the candidates are listed with the reasons that exclude them', async () => {
    const page = await open({ url: `${site.url}/`, proxy: 'residential' });
    await start(page);
    const alert = page.getByRole('alert');
    await alert.getByText('no method available here').waitFor();
    await alert.getByText(/methods excluded$/).waitFor();
    await alert.getByText('has no pool of this type here').first().waitFor();
  });

  test('a scrape counts towards the limit of the user, and the page says when the limit is reached', async () => {
    const user = await dashboard.user('one-at-once@example.com');
    const { body } = await dashboard.service.api<{ items: { id: string; email: string }[] }>(
      'GET',
      '/api/v1/users/',
    );
    const { id } = body.items.find(({ email }) => email === user.email)!;
    const changed = await dashboard.service.api('PATCH', `/api/v1/users/${id}/`, {
      body: { concurrency: 1 },
    });
    assert.equal(changed.status, 200, changed.text);
    const first = await open({ url: `${site.url}/drip?bytes=100&ms=1000` }, { as: user });
    await start(first);
    await first.getByText('Fetching the page').waitFor();
    const second = await open({ url: `${site.url}/` }, { as: user });
    await start(second);
    await second.getByText('All of your 1 concurrent requests are in use').waitFor();
    await first.getByRole('button', { name: 'Cancel' }).click();
    await first.getByText('The scrape was stopped.').waitFor();
    // The permit of the previous scrape may not be released yet. Then there is no result to wait for.
    const again = () => second.getByRole('button', { name: 'Run again' }).click();
    await eventually(async () => (await answerTo(second, again)).status() === 200, 60_000);
    await result(second).waitFor();
  });

  test('offers the options that this version supports, and shows the others with the reason', async () => {
    const page = await open();
    await group(page, 'Scraper');
    await page.getByRole('combobox', { name: 'Scraper' }).click();
    const stealth = page.getByRole('option', { name: /^browser_stealth/ });
    await expect(stealth).toHaveAttribute('data-combobox-disabled', 'true');
    await expect(stealth).toHaveText(/not available in this version/);
    await page.keyboard.press('Escape');
    await group(page, 'Router');
    await expect(page.getByLabel('Max cost')).toHaveCount(1);
    await expect(page.getByLabel('Archive')).toHaveCount(0);
    await group(page, 'Proxy');
    await expect(page.getByLabel('Country')).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Type' }).click();
    // Proxy types are offered even if no pool is configured: the response says so then.
    const residential = page.getByRole('option', { name: /^residential/ });
    await residential.waitFor();
    await expect(residential).not.toHaveAttribute('data-combobox-disabled', 'true');
    await page.keyboard.press('Escape');
    await expectAccessible(page);
  });

  test('a new scraper and its options appear as the service describes them', async () => {
    const page = await dashboard.page();
    await page.route('**/api/v1/scrapers/', async (route) => {
      const answer = await route.fetch();
      const list = (await answer.json()) as { items: Record<string, unknown>[] };
      const browser = list.items.find(({ name }) => name === 'browser')!;
      const options = browser.options as { properties: object };
      const added = {
        ...browser,
        name: 'browser_new',
        available: true,
        reason: null,
        options: {
          ...options,
          properties: {
            ...options.properties,
            patience: { enum: ['low', 'high'], default: 'low', description: 'How long it waits.' },
          },
        },
      };
      await route.fulfill({ response: answer, json: { ...list, items: [...list.items, added] } });
    });
    await page.goto('/playground');
    await settled(page);
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.com/');
    await group(page, 'Scraper');
    await page.getByRole('combobox', { name: 'Scraper' }).click();
    await page.getByRole('option', { name: 'browser_new' }).click();
    await page.getByRole('combobox', { name: 'Patience' }).click();
    await page.getByRole('option', { name: 'high' }).click();
    await page.getByLabel('Width').fill('800');
    await group(page, 'Wait');
    await page.getByLabel('Wait for selector', { exact: true }).fill('#main');
    await page.getByRole('combobox', { name: 'Add to Page actions' }).click();
    await page.getByRole('option', { name: /^Press/ }).click();
    await page.getByRole('textbox', { name: 'Key', exact: true }).fill('Enter');
    await becomes(page, {
      url: 'https://example.com/',
      wait_for_selector: '#main',
      page_actions: [{ type: 'press', key: 'Enter' }],
      scraper: 'browser_new',
      scraper_options: { patience: 'high', viewport: { width: 800 } },
    });
    await expectAccessible(page);
  });

  test('a stored request is loaded, and asks for its masked secrets', async () => {
    const done = await dashboard.service.scrape({
      url: `${site.url}/headers`,
      headers: { authorization: 'Bearer secret', accept: 'text/html' },
      cookies: { session: 'secret' },
    });
    const page = await dashboard.open(`/playground?from=${done.body.id}`);
    await page.getByText('Fill in the masked secrets').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '/cookies/session' }).click();
    await expectFocus(page, '/cookies/session');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('mine');
    await page.getByLabel('Value of header 1').fill('Bearer mine');
    await page.getByText('Fill in the masked secrets').waitFor({ state: 'detached' });
    // Changes survive a reload of the page, and the stored request can be loaded again.
    await expectStored(page, 'Bearer mine');
    const header = page.getByLabel('Value of header 1');
    // Also before it has come.
    const isAsked = Promise.withResolvers<void>();
    await page.route(`**/api/v1/scrape/${done.body.id}/request/`, async (route) => {
      await isAsked.promise;
      await route.continue();
    });
    await page.reload();
    await settled(page);
    await expect(header).toHaveValue('Bearer mine');
    await page.getByRole('button', { name: 'Load it again' }).click();
    isAsked.resolve();
    await expect(header).toHaveValue('***');
    // Also when the URL does not name it any more.
    await header.fill('Bearer other');
    await page.getByRole('navigation').getByRole('link', { name: 'Playground' }).click();
    await expect(page).toHaveURL('/playground');
    await expect(header).toHaveValue('Bearer other');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await expect(header).toHaveValue('***');
    const other = await dashboard.user('other@example.com');
    const theirs = await dashboard.open(`/playground?from=${done.body.id}`, { as: other });
    await theirs.getByRole('alert').waitFor();
  });

  test('the request is kept while the tab is open, can be shared as a link, and can be reset', async () => {
    const page = await open({ url: `${site.url}/html/100`, headers: { a: 'é "x"' } });
    await expect(page).toHaveURL('/playground');
    await page.getByLabel('Value of header 1').fill('ü');
    await expectStored(page, 'ü');
    await page.reload();
    await settled(page);
    await becomes(page, { url: `${site.url}/html/100`, headers: { a: 'ü' } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await page.getByText(/Link copied/).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await dashboard.open(new URL(link).pathname + new URL(link).hash);
    await becomes(other, { url: `${site.url}/html/100`, headers: { a: 'ü' } });
    await page.getByRole('button', { name: 'Reset' }).click();
    await becomes(page, { url: '' });
  });

  test('the request is deleted at sign-out, because it may contain secrets', async () => {
    const page = await open({ url: `${site.url}/`, headers: { authorization: 'Bearer secret' } });
    await expectStored(page, 'Bearer secret');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('the copied curl command runs unchanged, whatever characters the values contain', async () => {
    const tricky = `it's $(id) \`id\` "$HOME" \\ !! & ; < > é`;
    const page = await open({
      url: `${site.url}/echo?q='`,
      method: 'POST',
      headers: { 'x-test': 'it\'s "fine" $HOME' },
      data: { $raw: tricky },
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await view(page, 'JSON and code');
    await page.getByRole('tab', { name: 'curl' }).click();
    const copy = async (name: string): Promise<string> => {
      // What was copied before must not pass for it.
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await page.getByRole('button', { name }).click();
      return eventually(() => page.evaluate(async () => (await navigator.clipboard.readText()) || null));
    };
    const command = await copy('Copy curl');
    const { stdout } = await execute('sh', ['-c', command], {
      env: { PATH: process.env.PATH, SLUICE_KEY: dashboard.service.key },
    });
    const answer = JSON.parse(stdout) as { status_code: number; content: string };
    assert.equal(answer.status_code, 200);
    const sent = JSON.parse(answer.content) as { body: string; headers: [string, string][] };
    assert.equal(Buffer.from(sent.body, 'base64').toString(), tricky);
    assert.equal(new Map(sent.headers).get('x-test'), 'it\'s "fine" $HOME');
    await page.getByRole('tab', { name: 'CLI' }).click();
    const program = await copy('Copy CLI');
    const cli = await execute('bash', ['-c', program], {
      env: {
        PATH: `${join(ROOT, 'bin')}:${process.env.PATH}`,
        SLUICE_KEY: dashboard.service.key,
        SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
      },
    });
    const printed = JSON.parse(cli.stdout) as { content: string };
    assert.equal(
      Buffer.from((JSON.parse(printed.content) as { body: string }).body, 'base64').toString(),
      tricky,
    );
    await expectAccessible(page);
  });

  test('code that cannot express a part of the request says which part, in all languages', async () => {
    const page = await open({
      url: `${site.url}/html/2000`,
      scraper_options: { formats: ['markdown'], http2: false },
      router: { max_attempts: 2 },
    });
    const note = page.getByRole('note');
    await view(page, 'JSON and code');
    for (const language of ['curl', 'TypeScript', 'Python', 'CLI']) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      await page.getByRole('region', { name: language }).getByText('/html/2000').waitFor();
      await expect(note, language).toHaveCount(0);
    }
    await page.getByRole('tab', { name: 'Firecrawl' }).click();
    await note.getByText('Not in this code: /scraper_options/http2, /router/max_attempts.').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Proxy port' }).click();
    await note.getByText('Not in this code: /scraper_options/formats.').waitFor();
    await page.getByRole('region', { name: 'Proxy port' }).getByText('--proxy-user').waitFor();
  });

  test('cross-site scripting payloads are shown as text, in every field', {
    skip: hostileTexts.skip,
  }, async () => {
    const page = await dashboard.page();
    const ran = await watchForScripts(page);
    const payloads = hostileTexts.list((one) => one.length < 400);
    for (let at = 0; at < payloads.length; at += 60) {
      const some = payloads.slice(at, at + 60);
      const request = {
        url: some[0],
        method: some[1],
        headers: Object.fromEntries(some.map((one) => [one, one])),
        data: some[2],
        [some[3] ?? 'x']: some[3],
        scraper: some[4],
        router: { tags: Object.fromEntries(some.map((one) => [one, one])), only: some, sort: some[5] },
      };
      // A new document for each payload: otherwise only the fragment of the URL would change.
      await page.goto('about:blank');
      await page.goto(`/playground#${sharedFragment(JSON.stringify(request, null, 2))}`);
      await becomes(page, request);
      await start(page);
      await page.getByRole('alert').waitFor();
      await view(page, 'JSON and code');
      await page.getByRole('tab', { name: 'curl' }).click();
      await page.getByRole('region', { name: 'curl' }).waitFor();
      await view(page, 'Form');
      await group(page, 'Router');
      await page.getByLabel('Max cost').waitFor();
      assert.deepEqual(await ran(), []);
    }
  });

  test('every group of fields is accessible, in both colour schemes', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await open(
        {
          url: `${site.url}/html/2000`,
          headers: { a: 'b' },
          data: { $form: { c: 'd' } },
          router: { tags: { e: 'f' }, only: ['http'] },
        },
        options,
      );
      for (const name of ['Request', 'Scraper', 'Wait', 'Output', 'Proxy', 'Router']) {
        await group(page, name);
        await expectAccessible(page);
      }
      await expectToFit(page);
    }
  });

  interface Line {
    readonly id: string;
    readonly outcome: string;
    readonly error_code: string | null;
  }
  async function latest(): Promise<[Line]> {
    const { body } = await dashboard.service.api<{ items: [Line] }>('GET', '/api/v1/scrape/?limit=1');
    return body.items;
  }
});
