import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, settled } from '../../dashboard/use-dashboard.ts';
import { usePlayground } from '../../dashboard/use-playground.ts';
import { ROOT } from '../../helpers/repository.ts';
import { eventually } from '../../helpers/service.ts';

const execute = promisify(execFile);

describe('playground', () => {
  const { dashboard, site, open, becomes, view, start, result, answerTo, run, expectFocus, expectStored } =
    usePlayground();

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
