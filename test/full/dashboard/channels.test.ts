import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { seedMonitor } from '../../dashboard/seed-monitor.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';

describe('the page Channels, and the notifications', () => {
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
  const act = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const channels = async () =>
    (
      await dashboard.service.api<{ items: { id: string; name: string; headers: object; url: string }[] }>(
        'GET',
        '/api/v1/channels/',
      )
    ).body.items;

  test('a channel is added, tested, edited and deleted', async () => {
    const page = await dashboard.open('/channels');
    await page.getByText('No channels yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Type').selectOption('webhook');
    await form.getByRole('button', { name: 'Add the channel' }).click();
    await form.getByText('Enter a URL.').waitFor();
    await form.getByLabel('Name').fill('Our program');
    await form.getByLabel('URL').fill('http://10.0.0.1/');
    await form.getByRole('button', { name: 'Add the channel' }).click();
    await form.getByText('has an address that webhooks may not reach', { exact: false }).waitFor();
    await expectAccessible(page);
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByLabel('Headers').fill('X-Token: very-secret');
    await form.getByRole('button', { name: 'Add the channel' }).click();
    await page.getByRole('cell', { name: /^Our program/ }).waitFor();
    assert.deepEqual((await channels())[0]!.headers, { 'X-Token': '***' });

    await act(page, 'Our program', 'Send a test');
    await page.getByText('The test message to “Our program” has arrived.').waitFor();
    assert.equal(receiver.messages[0]!.headers['x-token'], 'very-secret');
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await act(page, 'Our program', 'Send a test');
    await page.getByText('The receiver answered 500.').waitFor();
    receiver.answer = (_, response) => void response.writeHead(204).end();

    await act(page, 'Our program', 'Edit');
    await form.getByLabel('Name').fill('Night shift');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: /^Night shift/ }).waitFor();
    assert.deepEqual((await channels())[0]!.headers, { 'X-Token': '***' }, 'the headers stay');
    await expectAccessible(page);

    const { id } = (await channels())[0]!;
    await dashboard.service.api('POST', '/api/v1/monitors/', {
      body: {
        name: 'Uses the channel',
        request: { url: 'https://example.com/' },
        schedule: { every_s: 86_400 },
        first_run: 'scheduled',
        channels: [id],
      },
    });
    await page.reload();
    await page.getByRole('cell', { name: 'Uses the channel' }).waitFor();
    await act(page, 'Night shift', 'Delete');
    await page.getByRole('dialog').getByText('Uses the channel', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Delete the channel' }).click();
    await page.getByText('No channels yet').waitFor();
    assert.deepEqual(await channels(), []);
  });

  test('a channel is chosen for a new monitor, and a new crawl', async () => {
    await dashboard.service.api('POST', '/api/v1/channels/', {
      body: { name: 'Ops', type: 'webhook', url: receiver.url },
    });
    const page = await dashboard.open('/monitors/new', { size: NARROW, scheme: 'dark' });
    await page.getByRole('checkbox', { name: 'Ops (Webhook)' }).check();
    await page.getByRole('checkbox', { name: 'Runs without a change' }).check();
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:1/');
    await page.getByLabel('Name').fill('With a channel');
    await page.getByLabel('Scraper').selectOption('http');
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'With a channel' }).waitFor();
    await page.getByText('A change, Failures, Runs without a change').waitFor();
    await page.getByText('Ops', { exact: true }).waitFor();
    await page.goto('/jobs/new-crawl');
    await page.getByRole('checkbox', { name: 'Ops (Webhook)' }).waitFor();
    await expect(page.getByRole('checkbox', { name: 'Its end' })).toBeChecked();
    await expectAccessible(page);
  });

  test('a channel is added in the form of a monitor, which tells by it', async () => {
    const page = await dashboard.open('/monitors/new');
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const form = page.getByRole('dialog');
    await expectAccessible(page);
    await form.getByLabel('URL').fill(new URL('/slack', receiver.url).href);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('checkbox', { name: 'Slack (Slack)' })).toBeChecked();
    assert.match(page.url(), /\/monitors\/new/, 'the monitor is not made by the form of the channel');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByText('Slack', { exact: true }).waitFor();
  });

  test('the page of a job shows what was sent of it, and what was not taken', async () => {
    receiver.answer = ({ path }, response) => void response.writeHead(path === '/gone' ? 410 : 204).end();
    const { service } = dashboard;
    const made = await service.api<{ id: string }>('POST', '/api/v1/channels/', {
      body: { name: 'Told', type: 'webhook', url: new URL('/told', receiver.url).href },
    });
    const gone = new URL('/gone', receiver.url).href;
    const job = await service.api<{ id: string }>('POST', '/api/v1/batches/', {
      body: {
        requests: [{ url: 'http://127.0.0.1:1/', scraper: 'http' }],
        retries: 0,
        channels: [made.body.id],
        webhook: { url: gone },
      },
    });
    const page = await dashboard.open(`/jobs/${job.body.id}`, { size: NARROW });
    const sent = page.getByRole('region', { name: 'Deliveries', exact: true });
    await sent.getByRole('row').filter({ hasText: 'told' }).getByText('Delivered', { exact: true }).waitFor();
    const failed = sent.getByRole('row').filter({ hasText: gone });
    await failed.getByText('Given up', { exact: true }).waitFor();
    await failed.getByText('The receiver wants no more (410).').waitFor();
    await expect(sent.getByRole('link', { name: 'Job', exact: true })).toHaveCount(0);
    await expectToFit(page);
    await expectAccessible(page);
  });

  test('the bell counts what is not read, lists it, and leads to it', async () => {
    const id = await seedMonitor(dashboard.service);
    const page = await dashboard.open('/');
    const bell = page.getByRole('button', { name: /^Notifications, \d+ not read$/ });
    await bell.waitFor();
    await bell.click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    const entry = panel.getByRole('link', { name: /Changed: News of the town/ });
    await entry.first().waitFor();
    await expectAccessible(page);
    await entry.first().click();
    await page.waitForURL(`**/monitors/${id}?run=*`);
    await page.getByRole('heading', { level: 1, name: 'News of the town' }).waitFor();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    const phone = await dashboard.open('/', { size: NARROW, scheme: 'dark' });
    await phone.getByRole('button', { name: /^Notifications/ }).click();
    await phone
      .getByRole('dialog')
      .getByRole('link', { name: /Changed: News of the town/ })
      .first()
      .waitFor();
    await expectToFit(phone);
    await expectAccessible(phone);
  });
});
