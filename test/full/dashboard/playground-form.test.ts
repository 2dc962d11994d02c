import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedFragment } from '../../../dashboard/src/pages/playground/model/share-link.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { hostileTexts, watchForScripts } from '../../dashboard/hostile.ts';
import { NARROW, settled } from '../../dashboard/use-dashboard.ts';
import { usePlayground } from '../../dashboard/use-playground.ts';

describe('the form of the playground', () => {
  const { dashboard, site, open, editor, json, becomes, group, view, start, run, add, expectFocus } =
    usePlayground();

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
});
