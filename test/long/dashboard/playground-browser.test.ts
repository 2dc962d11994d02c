import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { sharedFragment } from '../../../dashboard/src/pages/playground/model/share-link.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, type PageOptions, useDashboard } from '../../dashboard/use-dashboard.ts';

const run = promisify(execFile);
const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const SHOP = `<title>A shop</title><body style="margin: 0; height: 3000px">
<button id="more" onclick="list.append('second item')">More</button><p id="list">first item </p>
<script>document.title += ' in ' + innerWidth + ', ' + navigator.language</script>`;

describe('playground with a browser', { skip }, () => {
  const dashboard = useDashboard();
  let target: Target;
  before(async () => {
    target = await startTarget({ '/shop': html(SHOP) });
  });
  after(() => target?.[Symbol.asyncDispose]());

  const open = async (request: object, group: string, options?: PageOptions): Promise<Page> => {
    const fragment = sharedFragment(JSON.stringify(request, null, 2));
    const page = await dashboard.open(`/playground#${fragment}`, options);
    await page.getByRole('tab', { name: group }).click();
    return page;
  };
  const editor = (page: Page) => page.getByLabel('Request as JSON');
  const becomes = async (page: Page, expected: unknown) =>
    expect(async () => {
      const text = await editor(page).inputValue();
      assert.deepEqual(JSON.parse(text), expected);
    }).toPass({ timeout: 20_000 });
  const add = async (page: Page, type: string) => {
    await page.getByRole('combobox', { name: 'Add to Page actions' }).click();
    await page
      .getByRole('option', { name: new RegExp(`^${type}\\b`) })
      .first()
      .click();
  };
  /** Waits until the field has the focus, so that it gets what is typed. */
  const typeInto = async (page: Page, pointer: string, text: string) => {
    await expect(page.locator(`[data-pointer="${pointer}"]`)).toBeFocused();
    await page.keyboard.type(text);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const start = async (page: Page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Result', exact: true }).waitFor({ timeout: 30_000 });
  };

  test('a member that needs a browser is annotated as such until a browser is chosen', async () => {
    const page = await open({ url: 'https://example.com/' }, 'Scraper');
    await page.getByText('Browser only.').first().waitFor();
    await page.getByRole('combobox', { name: 'Scraper', exact: true }).click();
    await page.getByRole('option', { name: 'browser', exact: true }).click();
    await page.getByText('Browser only.').first().waitFor({ state: 'detached' });
  });

  test('steps are added, filled in, moved and removed by keyboard, and the focus stays with them', async () => {
    const page = await open({ url: 'https://example.com/' }, 'Wait');
    await add(page, 'Click');
    await typeInto(page, '/page_actions/0/selector', '#more');
    // Adds all actions by keyboard alone: search, choose, type.
    const adding = page.getByRole('combobox', { name: 'Add to Page actions' });
    await adding.focus();
    await page.keyboard.type('press');
    await expect(page.getByRole('option').first()).toHaveText(/^Press/);
    await page.keyboard.press('ArrowDown');
    await expect(adding).toHaveAttribute('aria-activedescendant', /./);
    await page.keyboard.press('Enter');
    await typeInto(page, '/page_actions/1/key', 'Enter');
    await add(page, 'Fill');
    await typeInto(page, '/page_actions/2/selector', '#name');
    const [click, press, fill] = [
      { type: 'click', selector: '#more' },
      { type: 'press', key: 'Enter' },
      // A text may be empty, so it need not be filled in.
      { type: 'fill', value: '', selector: '#name' },
    ];
    await becomes(page, { url: 'https://example.com/', page_actions: [click, press, fill] });

    await page.getByRole('button', { name: 'Move entry 1 down' }).focus();
    await page.keyboard.press('Enter');
    await becomes(page, { url: 'https://example.com/', page_actions: [press, click, fill] });
    await expect(button(page, 'Move entry 2 down')).toBeFocused();
    await page.getByText('Entry 1 is now entry 2 of 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await becomes(page, { url: 'https://example.com/', page_actions: [press, fill, click] });
    // The last action cannot be moved further down.
    await expect(button(page, 'Move entry 3 up')).toBeFocused();
    await page.keyboard.press('Space');
    await becomes(page, { url: 'https://example.com/', page_actions: [press, click, fill] });
    await expectAccessible(page);

    for (const left of [[press, fill], [press], undefined]) {
      const place = left === undefined ? 1 : left.length === 2 ? 2 : 2;
      await page.getByRole('button', { name: `Remove entry ${place}` }).focus();
      await page.keyboard.press('Enter');
      await becomes(page, { url: 'https://example.com/', ...(left && { page_actions: left }) });
      const now = left === undefined ? adding : button(page, `Remove entry ${Math.min(2, left.length)}`);
      await expect(now).toBeFocused();
    }
  });

  test('members that nearly every action has are in a collapsed group, which opens if one of them is set', async () => {
    const page = await open({ url: 'https://example.com/' }, 'Wait');
    await add(page, 'Reload');
    const step = page.getByRole('listitem').filter({ hasText: '1. Reload' });
    const timeout = step.getByRole('textbox', { name: /^Timeout/ });
    await step.getByText('More', { exact: true }).waitFor();
    await expect(timeout).toHaveCount(0);
    await step.getByText('More', { exact: true }).click();
    await timeout.fill('2000');
    await step.getByRole('combobox', { name: 'On error' }).click();
    await page.getByRole('option', { name: 'fail' }).click();
    await step.getByLabel('Optional').check();
    const action = { type: 'reload', timeout_ms: 2000, on_error: 'fail', optional: true };
    await becomes(page, { url: 'https://example.com/', page_actions: [action] });
    const again = await open({ url: 'https://example.com/', page_actions: [action] }, 'Wait');
    await again.getByText('More (3 set)').waitFor();
    await expect(again.getByLabel('Optional')).toBeChecked();
    await expectAccessible(again);
  });

  test('branches can be nested as deep as the service allows', async () => {
    const page = await open({ url: 'https://example.com/' }, 'Wait');
    await add(page, 'If');
    let selector = '/page_actions/0/selector';
    await typeInto(page, selector, '.banner');
    const within = (name: string, depth: number) => page.getByRole('group', { name, exact: true }).nth(depth);
    for (const depth of [0, 1]) {
      await within('Then', depth).getByRole('combobox', { name: 'Add to Then' }).last().click();
      await page.getByRole('option', { name: /^If\b/ }).click();
      // The new action takes the focus, which would close the next list.
      selector = selector.replace(/selector$/, 'then/0/selector');
      await expect(page.locator(`[data-pointer="${selector}"]`)).toBeFocused();
    }
    await within('Then', 2).getByRole('combobox', { name: 'Add to Then' }).click();
    await page.getByRole('option', { name: /^Click\b/ }).waitFor();
    await expect(page.getByRole('option', { name: /^If\b/ })).toHaveCount(0);
    await page.getByRole('option', { name: /^Click\b/ }).click();
    await typeInto(page, selector.replace(/selector$/, 'then/0/selector'), '.close');
    await becomes(page, {
      url: 'https://example.com/',
      page_actions: [nested('.banner', nested(null, nested(null, { type: 'click', selector: '.close' })))],
    });
    await expectAccessible(page);
  });

  test('short forms are shown member by member, and stay short in the JSON until they are changed', async () => {
    const request = {
      url: 'https://example.com/',
      page_actions: [{ click: '#a' }, { action: 'wait', ms: 5 }],
    };
    const page = await open(request, 'Wait');
    const selector = page.getByRole('textbox', { name: 'Selector', exact: true });
    await expect(selector).toHaveValue('#a');
    await expect(page.getByLabel('Duration')).toHaveValue('5');
    await becomes(page, request);
    await selector.fill('#b');
    await becomes(page, {
      url: 'https://example.com/',
      page_actions: [
        { type: 'click', selector: '#b' },
        { type: 'wait', ms: 5 },
      ],
    });
    // Values that are not a known action are shown as JSON, with an error.
    await page.getByText('JSON and code', { exact: true }).click();
    await editor(page).fill(
      '{"url": "https://example.com/", "page_actions": [{"clik": "#a"}, {"type": "click", "slector": "#a"}]}',
    );
    await page.getByText('Form', { exact: true }).first().click();
    await page.getByText('1. Unknown').waitFor();
    await page.getByRole('button', { name: '/page_actions/1/slector' }).waitFor();
    await expectAccessible(page);
  });

  test('errors of the service are shown at the action that they concern', async () => {
    const page = await open(
      { url: `${target.url}/shop`, page_actions: [{ type: 'click' }, { type: 'fill' }] },
      'Wait',
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').waitFor();
    const second = page.getByRole('listitem').filter({ hasText: '2. Fill' });
    await expect(second.getByLabel('Selector')).toHaveAttribute('aria-invalid', 'true');
    const first = page.getByRole('listitem').filter({ hasText: '1. Click' }).first();
    await first
      .getByText(/selector/)
      .filter({ hasText: /exactly one|either|or/ })
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  test('a run shows the screenshot and each action; the generated code contains the whole request', async () => {
    const page = await open({ url: `${target.url}/shop` }, 'Scraper');
    await page.getByRole('combobox', { name: 'Scraper' }).click();
    await page.getByRole('option', { name: 'browser', exact: true }).click();
    await page.getByRole('combobox', { name: 'Locale' }).fill('de-CH');
    await page.getByLabel('Width').fill('640');
    await page.getByLabel('Height').fill('480');
    await page.getByRole('combobox', { name: 'Timezone' }).fill('Tok');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('tab', { name: 'Wait' }).click();
    await add(page, 'Click');
    await typeInto(page, '/page_actions/0/selector', '#more');
    await add(page, 'Evaluate');
    await typeInto(page, '/page_actions/1/script', 'document.title');
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByRole('switch', { name: /^Screenshot/ }).check();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'jpeg' }).click();
    const request = {
      url: `${target.url}/shop`,
      page_actions: [
        { type: 'click', selector: '#more' },
        { type: 'evaluate', script: 'document.title' },
      ],
      screenshot: true,
      scraper: 'browser',
      scraper_options: {
        locale: 'de-CH',
        timezone: 'Asia/Tokyo',
        viewport: { width: 640, height: 480 },
        screenshot: { type: 'jpeg' },
      },
    };
    await becomes(page, request);
    await start(page);
    await page.getByText('640 × 480 px').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Actions', exact: true }).click();
    const steps = page.getByRole('region', { name: 'Actions' });
    await steps.getByText('2 of 2 done').waitFor();
    await steps.getByText('“A shop in 640, de-CH”').waitFor();
    await page.getByRole('tab', { name: 'Source', exact: true }).click();
    await page.getByRole('region', { name: 'Source' }).getByText('second item').waitFor();
    await expectAccessible(page);

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('JSON and code', { exact: true }).click();
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy curl' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/^curl /);
    const command = await copied();
    const { stdout } = await run('sh', ['-c', command], {
      env: { PATH: process.env.PATH, SLUICE_KEY: dashboard.service.key },
    });
    const answer = JSON.parse(stdout) as { scraper_data: { actions: { result?: unknown }[] } };
    assert.equal(answer.scraper_data.actions[1]!.result, 'A shop in 640, de-CH');
  });

  test('a storage state is read from the file that Playwright wrote', async () => {
    const page = await open({ url: 'https://example.com/', scraper: 'browser' }, 'Scraper');
    const state = { cookies: [], origins: [{ origin: 'https://example.com', localStorage: [] }] };
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Read from a file' }).click();
    const buffer = Buffer.from(JSON.stringify(state));
    await (await chosen).setFiles({ name: 'state.json', mimeType: 'application/json', buffer });
    const scraper_options = { storage_state: state };
    await becomes(page, { url: 'https://example.com/', scraper: 'browser', scraper_options });
    await page.getByRole('textbox', { name: /^Storage state/ }).fill('{"cookies": [');
    await page.getByText(/^Line 1, column \d+: /).waitFor();
    await becomes(page, { url: 'https://example.com/', scraper: 'browser', scraper_options });
  });

  test('a screenshot that is not stored is shown from the response', async () => {
    const page = await open(
      { url: `${target.url}/shop`, screenshot: true, router: { retain: 'metadata' } },
      'Output',
      { size: NARROW, scheme: 'dark' },
    );
    await start(page);
    await page.getByText('1280 × 720 px').waitFor();
    const picture = page.getByRole('img', { name: `Screenshot of ${target.url}/shop` });
    await expect(picture).toHaveAttribute('src', /^data:image\/png;base64,/);
    const download = page.waitForEvent('download');
    await page
      .getByRole('region', { name: 'Screenshot', exact: true })
      .getByRole('link', { name: 'Download' })
      .click();
    assert.match((await download).suggestedFilename(), /^screenshot-.*\.png$/);
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the record' }).click();
    await page.getByText('It was not stored: only the response contained it.').waitFor();
  });

  test('every group of fields is accessible, in both colour schemes', async () => {
    const request = {
      url: `${target.url}/shop`,
      scraper: 'browser',
      screenshot: true,
      page_actions: [{ click: '#more' }, nested('.a', { type: 'reload', id: 'x' }), { screenshot: 'after' }],
      scraper_options: {
        capture: [{ url: '**/api/**', body: true }],
        storage_state: { cookies: [], origins: [] },
        geolocation: { latitude: 47, longitude: 8 },
        block: { resource_types: ['image'] },
      },
    };
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await open(request, 'Wait', options);
      await expectAccessible(page);
      for (const name of ['Scraper', 'Output']) {
        await page.getByRole('tab', { name }).click();
        await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true');
        await expectAccessible(page);
      }
      await expectToFit(page);
    }
  });
});

/** An `if` with one action in its branch. */
function nested(selector: string | null, action: object): object {
  const branch = Object.fromEntries([['then', [action]]]);
  return { type: 'if', ...(selector !== null && { selector }), ...branch };
}
