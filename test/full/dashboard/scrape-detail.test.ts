import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { ADMIN, NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { listen } from '../../helpers/free-port.ts';
import { useSite } from '../../helpers/use-site.ts';

const run = promisify(execFile);
const HTML = `<!doctype html><title>A shop</title><style>h1 { color: rgb(1, 2, 3) }</style>
<h1>Coffee grinders</h1><script>document.title = 'ran'</script>`;
const BIG_LINE = '<p class="item">A line of a large page.</p>\n';
const BYTES = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256));
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/shop': (response) => {
    for (let n = 0; n < 12; n++) response.setHeader(`x-number-${n}`, `value ${n}`);
    response.setHeader('set-cookie', [
      'session=abc; HttpOnly; SameSite=Lax; Path=/',
      'theme=dark; Secure; Max-Age=1000000',
    ]);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML);
  },
  '/data': (response) => {
    response
      .setHeader('content-type', 'application/json')
      .end('{"big":12345678901234567890,"list":[1,{}],"a":"b"}');
  },
  '/big': (response) => {
    response.setHeader('content-type', 'text/html').end(`${BIG_LINE.repeat(240_000)}<p>the end</p>`);
  },
  '/deep': (response) => {
    response.setHeader('content-type', 'application/json').end('['.repeat(200_000));
  },
  '/deep-html': (response) => {
    response.setHeader('content-type', 'text/html').end('<div>'.repeat(100_000));
  },
  '/bytes': (response) => {
    response.setHeader('content-type', 'application/octet-stream').end(BYTES);
  },
  '/report': (response) => {
    response.setHeader('content-type', 'text/csv');
    response.setHeader('content-disposition', 'attachment; filename="a report.csv"').end('a;b');
  },
  '/prices.csv': (response) => {
    const rows = Array.from({ length: 501 }, (_, n) => `"Chair; no. ${n}";${n},50\r\n`);
    response.setHeader('content-type', 'text/csv; charset=utf-8').end(`Article;Price\r\n${rows.join('')}`);
  },
  '/pixel': (response) => {
    response.setHeader('content-type', 'image/png').end(Buffer.from(PIXEL, 'base64'));
  },
};

describe('detail of a scrape', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();
  /** Resolved when the page is requested that never responds. */
  const silent = Promise.withResolvers<void>();
  const target = createServer((request, response) => {
    if (request.url === '/silent') return silent.resolve();
    (PAGES[request.url!.split('?')[0]!] ?? (() => response.writeHead(404).end('no')))(response);
  });
  let base = '';
  before(async () => {
    await listen(target);
    base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  });
  after(() => {
    target.close();
    target.closeAllConnections();
  });

  const scraped = async (url: string, more: object = {}): Promise<string> => {
    const { body, text } = await dashboard.service.scrape({ url, scraper: 'auto', ...more });
    assert.ok(typeof body.id === 'string', text);
    return body.id;
  };
  const open = async (id: string, options: Parameters<typeof dashboard.open>[1] = {}) =>
    dashboard.open(`/history/${id}`, options);
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test('shows the outcome in a sentence, the facts, the timing, the attempts and the redirects', async () => {
    const id = await scraped(`${site.url}/redirect/2`, { scraper: 'http' });
    const page = await open(id);
    await page.getByText(/^http got the page \(status 200, 2 redirects, \d/).waitFor();
    const facts = panel(page, 'Facts');
    for (const text of [
      id,
      '127.0.0.1',
      "none: the server's own address",
      'no price configured',
      'first',
      /^Looks like the real page \(\d+\s%\)/,
    ]) {
      await facts.getByText(text).first().waitFor();
    }
    const hops = panel(page, 'Redirects').getByRole('listitem');
    await expect(hops).toHaveCount(3);
    await expect(hops.nth(0)).toHaveText(/^302http:.*\/redirect\/2$/);
    await expect(hops.nth(2)).toHaveText(/^200http:/);
    const timing = page.getByRole('table', { name: 'Where the time went' });
    await timing.getByRole('rowheader', { name: 'Waiting for the response' }).waitFor();
    await timing.getByRole('rowheader', { name: 'Total' }).waitFor();
    await panel(page, 'Route').getByText('Why: you chose this scraper').waitFor();
    await panel(page, 'Route').getByRole('list', { name: 'Candidates' }).getByText('delivered').waitFor();
    await expectAccessible(page);
  });

  test('shows the formats of the page, and no script of them runs', async () => {
    const scraper_options = {
      formats: ['text', 'metadata', 'html'],
      extract: { heading: 'h1', script: { selector: 'script', type: 'item', output: 'html' } },
    };
    const page = await open(await scraped(`${base}/shop`, { scraper_options }));
    const data = panel(page, 'Data');
    await expect(data.getByRole('tab').first()).toHaveText('extract');
    await data.getByText('Coffee grinders').waitFor();
    await data.getByRole('tab', { name: 'metadata' }).click();
    await data.getByText('"A shop"').first().waitFor();
    await data.getByRole('tab', { name: 'extract' }).click();
    await data.getByText('"Coffee grinders"').waitFor();
    await data.getByRole('tab', { name: 'html' }).click();
    await data.getByText("document.title = 'ran'").waitFor();
    assert.doesNotMatch(await page.title(), /^ran/);
    await expectAccessible(page);
  });

  test('shows request and response headers and cookies; a long list of headers can be searched', async () => {
    const page = await open(
      await scraped(`${base}/shop`, { headers: { 'x-mine': 'sent', authorization: 'Bearer hidden' } }),
    );
    const headers = panel(page, 'Headers');
    await headers.getByRole('textbox', { name: 'Search in “Response headers”' }).fill('number-11');
    await expect(headers.locator('tbody tr')).toHaveText(['x-number-11value 11']);
    await headers.getByRole('textbox').fill('nothing like it');
    await headers.getByText('No header contains “nothing like it”.').waitFor();
    await headers.getByRole('tab', { name: /^Sent/ }).click();
    await headers.getByRole('row', { name: 'x-mine sent' }).waitFor();
    await headers.getByRole('row', { name: 'authorization ***' }).waitFor();
    const cookies = page.getByRole('table', { name: 'Cookies set by the site' });
    await cookies
      .getByRole('row', { name: /session abc 127\.0\.0\.1\/ with the session HttpOnly, SameSite=Lax/ })
      .waitFor();
    await cookies.getByRole('row', { name: /theme dark 127\.0\.0\.1\/ \d{4}-.* UTC Secure/ }).waitFor();
    await page.getByRole('region', { name: 'the request as JSON' }).getByText('"***"').waitFor();
    await expect(page.getByText('hidden')).toHaveCount(0);
  });

  test('shows the request with masked secrets, which can be copied, and its tags', async () => {
    const page = await open(
      await scraped(`${base}/shop`, {
        headers: { authorization: 'Bearer hidden' },
        router: { tags: { project: 'shop' } },
      }),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const request = panel(page, 'Request');
    await request.getByRole('list', { name: 'Tags' }).getByText('project:shop').waitFor();
    await request.getByRole('button', { name: 'Copy the request as JSON' }).click();
    await expect(async () => {
      const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      assert.deepEqual(copied, {
        url: `${base}/shop`,
        scraper: 'auto',
        headers: { authorization: '***' },
        router: { tags: { project: 'shop' } },
      });
    }).toPass({ timeout: 20_000 });
    await page.getByRole('button', { name: 'More actions' }).click();
    const playground = page.getByRole('menuitem', { name: 'Open in the playground' });
    await expect(playground).toHaveAttribute('href', /^\/playground\?from=[0-9a-f-]{36}$/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    // The masked secret has to be filled in first.
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL('**/playground?from=*');
  });

  test('the request can be run again directly, and copied as a command that does the same', async () => {
    const id = await scraped(`${site.url}/html/700?again`);
    const page = await open(id);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByRole('menuitem', { name: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    const { stdout } = await run('sh', ['-c', command], {
      env: { PATH: process.env.PATH, SLUICE_KEY: dashboard.service.key },
    });
    assert.equal((JSON.parse(stdout) as { status_code: number }).status_code, 200);
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/history/') && !url.pathname.endsWith(id));
    await panel(page, 'Facts').getByText('none: run from the dashboard').waitFor();
    await page.getByRole('region', { name: 'the request as JSON' }).getByText('?again').waitFor();
  });

  test('links to the previous and the next record of the list', async () => {
    const ids: string[] = [];
    for (const path of ['/status/418', '/html/300', '/status/418', '/status/418'])
      ids.push(await scraped(`${site.url}${path}?beside`));
    const page = await open(ids[1]!);
    const beside = page.getByRole('navigation', { name: 'Records beside this one' });
    const at = async (n: number) => {
      await page.waitForURL(`**/history/${ids[n]}`);
      // The links are those of this record, no longer of the one before.
      await panel(page, 'Facts').getByText(ids[n]!).first().waitFor();
    };
    await beside.getByRole('link', { name: 'Newer' }).click();
    await at(2);
    await beside.getByRole('link', { name: 'Older' }).click();
    await at(1);
    await page.goto('/history?status=418');
    await page.getByRole('table').getByRole('link', { name: /418/ }).nth(1).click();
    await at(2);
    await beside.getByRole('link', { name: 'Older' }).click();
    await at(0);
    await beside.getByRole('link', { name: 'Newer' }).waitFor();
    await expect(beside.getByRole('link', { name: 'Older' })).toHaveCount(0);
    await page.getByRole('main').getByRole('link', { name: 'History' }).click();
    await page.waitForURL('**/history?status=418');
  });

  test('shows HTML as highlighted source, and renders it only on request', async () => {
    const page = await open(await scraped(`${base}/shop?q=1`));
    const source = page.getByRole('region', { name: 'Source' });
    await source.getByText('Coffee grinders').waitFor();
    await expect.poll(() => source.locator('code').textContent()).toBe(`${HTML}\n`);
    await source
      .locator('[class*="keyword"]', { hasText: /^script$/ })
      .first()
      .waitFor();
    await page.getByRole('switch', { name: 'Wrap' }).press('Space');
    await expect
      .poll(() => source.locator('pre').evaluate((pre) => getComputedStyle(pre).whiteSpace))
      .toBe('pre');
    await expectAccessible(page);
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  test('shows JSON indented, without changing its values', async () => {
    const page = await open(await scraped(`${base}/data`));
    const code = page.getByRole('region', { name: 'Source' }).locator('code');
    await code.getByText('12345678901234567890').waitFor();
    await expect
      .poll(() => code.textContent())
      .toBe('{\n  "big": 12345678901234567890,\n  "list": [\n    1,\n    {}\n  ],\n  "a": "b"\n}\n');
    await page.getByRole('switch', { name: 'Indent' }).press('Space');
    await expect.poll(() => code.textContent()).toBe('{"big":12345678901234567890,"list":[1,{}],"a":"b"}\n');
  });

  test('a page of ten megabytes is shown in parts, and the browser stays responsive', async () => {
    const page = await open(await scraped(`${base}/big`));
    const source = page.getByRole('region', { name: 'Source' });
    await source.getByText('A line of a large page.').first().waitFor();
    await page.getByText('Too long for syntax highlighting').waitFor();
    await page.getByText(/^Part 1 of \d+: from line 1$/).waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 10_000, `${elements} elements`);
    await page.getByRole('button', { name: 'Next part' }).click();
    await page.getByText(/^Part 2 of \d+: from line 1,\d{3}$/).waitFor();
  });

  test('very deeply nested content is shown, too', async () => {
    for (const path of ['/deep', '/deep-html']) {
      const page = await open(await scraped(base + path));
      const source = page.getByRole('region', { name: 'Source' });
      await source
        .getByText(path === '/deep' ? '[' : '<div>')
        .first()
        .waitFor();
      await page.getByText(/^Part 1 of \d+/).waitFor();
      const elements = await page.evaluate(() => document.querySelectorAll('*').length);
      assert.ok(elements < 15_000, `${elements} elements`);
    }
  });

  test('binary content is shown in hexadecimal and in parts, and can be downloaded unchanged', async () => {
    const page = await open(await scraped(`${base}/bytes`));
    await page.getByText('00000000  00 07 0e 15 1c 23 2a 31  38').waitFor();
    await page.getByRole('button', { name: 'Next part' }).click();
    await page.getByText('Part 2 of 3: bytes 8,192 to 16,383').waitFor();
    await page.getByText('00002000  ').waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const bytes = Buffer.concat(await (await (await download).createReadStream()).toArray());
    assert.deepEqual(bytes, BYTES);
  });

  test('CSV is shown as a table', async () => {
    const page = await open(await scraped(`${base}/prices.csv`));
    const table = page.getByRole('table', { name: 'Content as a table' });
    await table.getByRole('columnheader', { name: 'Price' }).waitFor();
    await table.getByRole('row', { name: 'Chair; no. 499 499,50' }).waitFor();
    await expect(table.getByRole('row')).toHaveCount(501);
    await page.getByText('Only the first 500 rows are shown.').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText('Article;Price').waitFor();
  });

  test('files are listed with their size, and can be downloaded', async () => {
    const page = await open(await scraped(`${base}/report`));
    const files = panel(page, 'Files');
    await files.getByText('a report.csv').waitFor();
    await files.getByText(`${base}/report`).waitFor();
    await files.getByText('3 B').waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await files.getByRole('link', { name: 'Download a report.csv' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), 'a report.csv');
    assert.equal(Buffer.concat(await (await file.createReadStream()).toArray()).toString(), 'a;b');
  });

  test('images are shown', async () => {
    const page = await open(await scraped(`${base}/pixel`));
    await page.getByText('1 × 1').waitFor();
    await page.getByRole('tab', { name: 'Hex' }).click();
    await page.getByText('|.PNG').waitFor();
  });

  test('errors say what to do', async () => {
    const refused = await open(await scraped('http://127.0.0.1:9/'));
    await refused.getByText(/^No page after .*refused the connection\.$/).waitFor();
    const wrong = panel(refused, 'What went wrong');
    await wrong.getByText('What to do: Check the port, or retry later').waitFor();
    await wrong.getByText('connect.refused').waitFor();
    await panel(refused, 'Content').getByText('No page was fetched. The reason is shown above.').waitFor();
    await expectAccessible(refused);
    const cut = await open(
      await scraped(`${site.url}/html/5000`, { scraper_options: { max_content_bytes: 100 } }),
    );
    await cut.getByText(/got the page, but not everything requested: .+ \(status 200, .*\)\.$/).waitFor();
    await panel(cut, 'What went wrong').getByText('Increase scraper_options.max_content_bytes').waitFor();
  });

  test('says why there is no content: not stored, a dry run, or a caller who disconnected', async () => {
    const metadata = await open(await scraped(`${base}/shop`, { router: { retain: 'metadata' } }));
    await metadata.getByText('Content was not stored').waitFor();
    await metadata.getByText(/retain metadata:/).waitFor();
    const none = await open(await scraped(`${base}/shop`, { router: { retain: 'none' } }));
    await none.getByText('The page was returned with everything requested. More was not stored.').waitFor();
    await none.getByText('It was not stored: retain none').waitFor();
    await expect(none.getByRole('button', { name: 'Run again' })).toHaveCount(0);
    await expectAccessible(none);
    const planned = await open(await scraped(`${base}/shop`, { router: { dry_run: true } }));
    await planned.getByText(/nothing was fetched\. It would start with \w+ · direct\./).waitFor();
    await planned.getByText('Nothing was fetched', { exact: true }).waitFor();

    const hangUp = new AbortController();
    const { service } = dashboard;
    const call = fetch(`${service.base}/api/v1/scrape/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${base}/silent` }),
      signal: hangUp.signal,
    });
    const failed = assert.rejects(call, { name: 'AbortError' });
    await silent.promise;
    hangUp.abort();
    await failed;
    const page = await dashboard.open('/history?error_code=request.cancelled');
    await page
      .getByRole('link', { name: /silent/ })
      .first()
      .click();
    await page.getByText(/^The client disconnected after .*\. The scrape was stopped/).waitFor();
    await panel(page, 'Facts').getByText('none: the client disconnected').waitFor();
  });

  test('the record is deleted after a confirmation, and its page then says that it does not exist any more', async () => {
    const id = await scraped(`${base}/shop?delete`);
    const page = await open(id);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this scrape?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete the scrape' }).click();
    // First the notice, which disappears after some seconds.
    await page.getByText('The scrape was deleted.').waitFor();
    await page.waitForURL('**/history');
    await page.goto(`/history/${id}`);
    await page.getByRole('heading', { level: 1, name: 'No such scrape' }).waitFor();
    await expectAccessible(page);
  });

  test('an administrator sees the user of a record, if there are several users', async () => {
    const id = await scraped(`${base}/shop?whose`);
    const maria = await dashboard.user('maria@example.com');
    const page = await open(id);
    await page.getByText(`by ${ADMIN.email}`).waitFor();
    const hers = await dashboard.open('/playground', { as: maria });
    const asked = await hers.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch('/api/v1/scrape/', { method: 'POST', headers, body })).json();
      },
      JSON.stringify({ url: `${base}/shop?hers` }),
    );
    await page.goto(`/history/${asked.id}`);
    await page.getByText(`by ${maria.email}`).waitFor();
    await expectAccessible(page);
    await hers.goto(`/history/${asked.id}`);
    await hers.getByRole('heading', { level: 1, name: 'GET 127.0.0.1' }).waitFor();
    await hers.getByRole('link', { name: 'About this site' }).waitFor();
    await settled(hers);
    await expect(hers.getByText(`by ${maria.email}`)).toHaveCount(0);
  });

  test('another user gets the same page as for a record that does not exist', async () => {
    const id = await scraped(`${base}/shop?private`);
    const page = await open(id, { as: await dashboard.user('anna@example.com') });
    await page.getByRole('heading', { level: 1, name: 'No such scrape' }).waitFor();
    await expect(page.getByText('private')).toHaveCount(0);
    const without = await open(id, { as: null });
    await without.waitForURL('**/sign-in?next=*');
  });

  test('the page fits on a phone, also in the dark theme', async () => {
    const page = await open(await scraped(`${base}/shop?${'long'.repeat(300)}`), {
      size: NARROW,
      scheme: 'dark',
    });
    await page.getByRole('region', { name: 'Source' }).getByText('Coffee grinders').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
  });
});
