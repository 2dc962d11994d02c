import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseExact } from '../../../dashboard/src/api/exact-json.ts';
import { ExactNumber } from '../../../src/snippets/json.ts';
import { expect } from '../../dashboard/expect.ts';
import { useDashboard } from '../../dashboard/use-dashboard.ts';
import fc from '../../helpers/fast-check.ts';
import { useSite } from '../../helpers/use-site.ts';

const LONG = '12345678901234567890';

describe('numbers that JavaScript cannot represent exactly', () => {
  const dashboard = useDashboard();
  const site = useSite({ log: false });

  test('are kept as they are written; all other numbers become JavaScript numbers', () => {
    const exact = (text: string) => parseExact(text) instanceof ExactNumber;
    for (const text of [LONG, '1e400', '-1e999', '0.1234567890123456789', '9007199254740993'])
      assert.ok(exact(text), text);
    for (const text of ['0', '-0', '1.10', '1e2', '1E+2', '0.1', '1e21', '100000000000000000000', '5e-324'])
      assert.ok(!exact(text), text);
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseExact(text), JSON.parse(text))));
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => !exact(`${n}`)));
  });

  test('are shown in a record, and reach the target unchanged when its request is loaded into the form and run', async () => {
    const page = await dashboard.open('/playground');
    const editor = page.getByRole('textbox', { name: 'Request as JSON' });
    await page.getByText('JSON and code', { exact: true }).click();
    const data = `{"id":${LONG},"big":1e400}`;
    await editor.fill(`{"url":"${site.url}/echo","method":"POST","scraper":"http","data":${data}}`);
    // A change in the form rewrites the whole JSON text.
    await page.getByRole('textbox', { name: 'URL' }).fill(`${site.url}/echo?again`);
    await expect(editor).toHaveValue(/"id": 12345678901234567890,\s+"big": 1e400\s/);
    for (const language of ['curl', 'CLI']) {
      await page.getByRole('tab', { name: language }).click();
      const code = page.getByRole('region', { name: language });
      await code.getByText(LONG).waitFor();
      await expect(code, language).toHaveText(/1e400/);
    }
    for (const [language, missing] of [
      ['TypeScript', '/data/id, /data/big.'],
      ['Python', '/data/big.'],
    ] as const) {
      await page.getByRole('tab', { name: language }).click();
      await page.getByRole('note').getByText(`Not in this code: ${missing}`).waitFor();
      await expect(page.getByRole('region', { name: language })).toHaveCount(0);
    }
    await page.getByRole('tab', { name: 'JSON' }).first().click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(/got the page \(status 200/).waitFor();
    const { items } = (await dashboard.service.api<{ items: { id: string }[] }>('GET', '/api/v1/scrape/'))
      .body;
    const record = await dashboard.service.api<{ content: string }>('GET', `/api/v1/scrape/${items[0]!.id}/`);
    const { body } = JSON.parse(record.body.content) as { body: string };
    assert.equal(Buffer.from(body, 'base64').toString(), data);

    await page.goto('/history');
    await page.getByRole('table').getByRole('link', { name: /again/ }).click();
    const shown = page.getByRole('region', { name: 'the request as JSON' });
    await shown.getByText(LONG).waitFor();
    await expect(shown).toHaveText(/1e400/);
    // Not what was being written before.
    await page.evaluate(() => sessionStorage.clear());
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Open in the playground' }).click();
    await page.waitForURL('**/playground?from=*');
    await page.getByText('JSON and code', { exact: true }).click();
    await expect(editor).toHaveValue(/"id": 12345678901234567890,\s+"big": 1e400\s/);
  });
});
