import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreateMonitorRequest, Firecrawl } from 'firecrawl';
import type { MadeSite } from '../../helpers/made-site.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';
import { clientOf, startDocsSite } from './firecrawl-site.ts';

describe('the client of Firecrawl makes monitors', () => {
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl' });
  let site: MadeSite;
  let client: Firecrawl;
  before(async () => {
    site = await startDocsSite();
    client = clientOf(service);
  });
  after(() => site[Symbol.asyncDispose]());

  const SCHEDULE = { cron: '0 8 * * *', timezone: 'Europe/Berlin' };
  const request = (): CreateMonitorRequest => ({
    name: 'pages',
    schedule: SCHEDULE,
    targets: [{ type: 'scrape', urls: [`${site.url}/changing`, `${site.url}/docs/first`] }],
  });

  const runOnce = async (id: string) => {
    const { id: check } = await client.runMonitor(id);
    return eventually(async () => {
      const detail = await client.getMonitorCheck(id, check);
      return detail.status === 'running' ? null : detail;
    });
  };

  test('a monitor of pages: what changed, with its difference', async () => {
    const made = await client.createMonitor(request());
    assert.equal(made.status, 'active');
    assert.deepEqual(made.schedule, SCHEDULE);
    assert.deepEqual(made.targets, [
      { id: '0', type: 'scrape', urls: [`${site.url}/changing`, `${site.url}/docs/first`] },
    ]);
    assert.ok(Date.parse(made.nextRunAt!) > Date.now());
    assert.equal((await runOnce(made.id)).status, 'completed');
    const second = await runOnce(made.id);
    assert.deepEqual(second.summary, { totalPages: 2, new: 0, changed: 1, same: 1, error: 0, removed: 0 });
    assert.equal(second.pages.length, 1);
    const [page] = second.pages;
    assert.equal(page!.url, `${site.url}/changing`);
    assert.equal(page!.status, 'changed');
    assert.match(page!.diff!.text!, /^-# change 1$/m);
    assert.equal((await client.getMonitorCheck(made.id, second.id, { status: 'removed' })).pages.length, 0);
    const checks = await client.listMonitorChecks(made.id);
    assert.deepEqual(
      checks.map(({ id }) => id),
      ['2', '1'],
    );
    assert.equal((await client.listMonitorChecks(made.id, { limit: 1, offset: 1 }))[0]!.id, '1');
    const monitor = await client.getMonitor(made.id);
    assert.deepEqual(monitor.lastCheckSummary, second.summary);
    await assert.rejects(client.getMonitorCheck(made.id, '9'), { status: 404 });
  });

  test('a monitor is changed, paused, and deleted', async () => {
    const made = await client.createMonitor({
      ...request(),
      targets: [
        {
          type: 'crawl',
          url: `${site.url}/docs/`,
          crawlOptions: { limit: 3 },
          scrapeOptions: { formats: ['html'] },
        },
      ],
    });
    assert.deepEqual(made.targets, [{ id: '0', type: 'crawl', url: `${site.url}/docs/` }]);
    const paused = await client.updateMonitor(made.id, { name: 'another', status: 'paused' });
    assert.deepEqual([paused.name, paused.status], ['another', 'paused']);
    assert.equal((await client.updateMonitor(made.id, { status: 'active' })).status, 'active');
    assert.ok((await client.listMonitors()).some(({ id }) => id === made.id));
    assert.equal(await client.deleteMonitor(made.id), true);
    await assert.rejects(client.getMonitor(made.id), { status: 404 });
  });

  test('what monitors cannot do is refused with words', async () => {
    const refusals: readonly (readonly [Partial<CreateMonitorRequest>, RegExp])[] = [
      [{ schedule: { text: 'every day' } }, /write it as cron/],
      [{ schedule: { cron: 'never' } }, /cron/],
      [{ targets: [] }, /one target/],
      [{ targets: [{ type: 'search', queries: ['a'] }] }, /search/],
      [{ webhook: { url: 'https://example.com/' } }, /form of their own/],
      [{ notification: { email: { enabled: true } } }, /e-mails/],
      [{ retentionDays: 3 }, /30 runs/],
      [{ goal: 'prices' }, /no model judges/],
      [{ judgeEnabled: true }, /no model judges/],
    ];
    for (const [members, words] of refusals)
      await assert.rejects(client.createMonitor({ ...request(), ...members }), {
        status: 400,
        message: words,
      });
  });
});
