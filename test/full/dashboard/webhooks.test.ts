import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';

describe('the page Webhooks', () => {
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
  const row = (page: Page, state: string) =>
    page.getByRole('table', { name: 'Deliveries, newest first' }).getByRole('row').filter({ hasText: state });

  test('a test is sent, delivered, and sent again; a receiver that does not answer is told', async () => {
    const page = await dashboard.open('/webhooks');
    await page.getByText('No deliveries yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Enter a URL.').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await row(page, 'Delivered').getByText('webhook.test').waitFor();
    assert.equal(receiver.messages.length, 1);
    await row(page, 'Delivered').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('The message is sent again.').waitFor();
    await expect.poll(() => receiver.messages.length).toBe(2);
    assert.equal(receiver.messages[0]!.headers['webhook-id'], receiver.messages[1]!.headers['webhook-id']);
    await row(page, 'Delivered').waitFor();
    await page.getByLabel('URL').fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await row(page, 'Given up').getByText('http://127.0.0.1:1/').waitFor();
    await expectAccessible(page);
    await page.getByText('Given up', { exact: true }).first().click();
    await page.waitForURL('**?state=failed');
    await row(page, 'Delivered').waitFor({ state: 'detached' });
    await row(page, 'Given up').waitFor();
  });

  test('the default webhook is saved and removed; the secret is shown and rotated', async () => {
    const page = await dashboard.open('/webhooks', { size: NARROW, scheme: 'dark' });
    await expectToFit(page);
    await page.getByLabel('URL').fill('http://10.0.0.1/hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('URL').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('checkbox', { name: 'Each page' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The default webhook is saved.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    await expect(page.getByLabel('URL')).toHaveValue(receiver.url);
    await expect(page.getByRole('checkbox', { name: 'Each page' })).toBeChecked();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The default webhook is removed.').waitFor();

    const secret = page.getByLabel('Signing secret');
    await expect(secret).toHaveValue(/^whsec_/);
    const before = await secret.inputValue();
    await expect(secret).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await expect(secret).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog', { name: 'Rotate the secret?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate it' }).click();
    await page.getByText('The previous secret also signs until').waitFor();
    await expect(secret).not.toHaveValue(before);
    await expect(secret).toHaveValue(/^whsec_/);
    await expectAccessible(page);
  });
});
