import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import { sharedFragment } from '../../dashboard/src/pages/playground/model/share-link.ts';
import { useSite } from '../helpers/use-site.ts';
import { expect } from './expect.ts';
import { type PageOptions, useDashboard } from './use-dashboard.ts';

/** A dashboard with a site to scrape, and what tests do with its playground. For all tests of the `describe` that calls it. */
export function usePlayground() {
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
  return {
    dashboard,
    site,
    open,
    editor,
    json,
    becomes,
    group,
    view,
    start,
    result,
    answerTo,
    run,
    add,
    expectFocus,
    expectStored,
  };
}
