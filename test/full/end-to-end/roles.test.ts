import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { streamScrape } from '../../end-to-end/stream-scrape.ts';
import { type Cluster, startCluster } from '../../helpers/cluster.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

interface Ready {
  readonly status: string;
  readonly role: string;
  readonly browser: { readonly state: string };
  readonly warnings: readonly string[];
}

const readyOf = async (base: string) => (await (await fetch(`${base}/readyz`)).json()) as Ready;

test('a role other than `all` needs a database', async () => {
  for (const role of ['api', 'worker'])
    await assert.rejects(
      startService({ SLUICE_ROLE: role }),
      /SLUICE_ROLE needs SLUICE_DATABASE_URL, unless it is `all`/,
    );
});

describe('an api replica and workers', { skip: noPostgres }, () => {
  const site = useSite();
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster(['api']);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const api = () => cluster.replicas[0]!;
  const scrape = (path: string, change: object = {}) =>
    api().scrape({ url: `${site.url}${path}`, scraper: 'browser', ...change });

  test('no worker: /readyz is degraded, browser scrapes get 503, others work', async () => {
    const ready = await readyOf(api().base);
    assert.equal(ready.status, 'degraded');
    assert.equal(ready.role, 'api');
    assert.ok(ready.warnings.some((text) => text.startsWith('No worker')));
    const refused = await scrape('/html/100');
    assert.equal(refused.status, 503);
    assert.equal(refused.body.code, 'service.unavailable');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]/);
    assert.equal((await api().scrape({ url: `${site.url}/text` })).status, 200);
    const list = await api().api<{ items: { name: string }[]; browsers: { items: unknown[] } }>(
      'GET',
      '/api/v1/scrapers/',
    );
    assert.deepEqual(list.body.browsers.items, []);
  });

  test('with a worker: browser scrapes and screenshots come from it, and jobs run on it', async () => {
    const worker = await cluster.start('worker');
    const listed = await eventually(async () => {
      const { body } = await api().api<{ browsers: { items: { browser_type: string }[] } }>(
        'GET',
        '/api/v1/scrapers/',
      );
      return body.browsers.items.length > 0 && body.browsers.items;
    });
    assert.ok(listed.some(({ browser_type: type }) => type === 'chromium'));
    assert.equal((await readyOf(api().base)).status, 'ok');
    const page = await scrape('/html/100', { screenshot: true });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    assert.equal(page.body.router.scraper, 'browser');
    const picture = await fetch(page.body.screenshot_url!);
    assert.equal(picture.status, 200);
    assert.match(picture.headers.get('content-type') ?? '', /^image\//);
    await picture.arrayBuffer();
    const job = await api().api<{ id: string }>('POST', '/api/v1/batches/', {
      body: { requests: [{ url: `${site.url}/text?job` }] },
    });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    await eventually(async () => {
      const { body } = await api().api<{ state: string }>('GET', `/api/v1/jobs/${job.body.id}/`);
      return body.state === 'done';
    });
    for (const path of ['/', '/api/v1/version/', '/api/v1/scrape/', '/docs', '/mcp']) {
      const response = await fetch(`${worker.base}${path}`, { method: path === '/mcp' ? 'POST' : 'GET' });
      await response.arrayBuffer();
      assert.equal(response.status, 404, path);
    }
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const response = await fetch(`${worker.base}${path}`);
      await response.arrayBuffer();
      assert.equal(response.status, 200, path);
    }
    assert.equal((await readyOf(worker.base)).role, 'worker');
  });

  test('progress: the wait for a worker, and no steps that are not known here', async () => {
    const stream = await streamScrape(api(), {
      url: `${site.url}/html/100`,
      scraper: 'browser',
      page_actions: [{ type: 'wait', ms: 1_500 }],
      router: { max_attempts: 1 },
    });
    await stream.ended;
    assert.deepEqual(
      stream.events
        // Replicas agree on exits and slots in the database, which is a short wait.
        .filter(({ data }) => data.waiting_for !== 'proxy' && data.waiting_for !== 'site')
        .map(({ type, data }) => [type, data.phase, data.waiting_for]),
      [
        ['progress', 'waiting', 'worker'],
        ['progress', 'fetching', null],
        ['progress', 'reading', null],
        ['result', undefined, undefined],
      ],
    );
  });

  test('a caller that goes away: the browser of the worker leaves the page within a second', async () => {
    const cancel = new AbortController();
    const running = fetch(`${api().base}/api/v1/scrape/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${api().key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/hang?cancelled`, scraper: 'browser' }),
      signal: cancel.signal,
    }).catch(() => null);
    await eventually(() => site.log.some(({ url }) => url === '/hang?cancelled'));
    cancel.abort();
    await running;
    await eventually(async () => {
      const { body } = await api().api<{ browsers: { slots: { used: number } } }>('GET', '/api/v1/system/');
      return body.browsers.slots.used === 0;
    }, 5_000);
  });

  test('settings that differ: a warning, or no start', async () => {
    const differing = await cluster.start('worker', { SLUICE_RETENTION_DAYS: '3' });
    const warning = (base: string) =>
      eventually(async () =>
        (await readyOf(base)).warnings.find((text) => text.startsWith('Settings differ')),
      );
    for (const base of [differing.base, api().base])
      assert.equal(await warning(base), 'Settings differ between replicas: SLUICE_RETENTION_DAYS.');
    await cluster.stop(differing);
    await eventually(async () => (await readyOf(api().base)).warnings.length === 0);
    for (const [name, value] of [
      ['SLUICE_SECRET', 'another secret of the cluster'],
      ['SLUICE_ENCRYPTION_KEY', 'a'.repeat(64)],
    ] as const)
      await assert.rejects(
        cluster.start('worker', { [name]: value }),
        new RegExp(`${name}(: must be the same| lacks the encryption key)`),
      );
  });

  test('a worker is killed: another one does its scrape within the time of the request', async () => {
    const [first] = cluster.replicas.filter(({ role }) => role === 'worker');
    const url = '/hang?killed';
    const running = scrape(url, { timeout_ms: 40_000 });
    await eventually(() => site.log.some((seen) => seen.url === url));
    await cluster.start('worker');
    const seenBefore = site.log.filter((seen) => seen.url === url).length;
    await cluster.kill(first!);
    await eventually(() => site.log.filter((seen) => seen.url === url).length > seenBefore);
    const { body } = await running;
    assert.equal(body.router.attempts.length, 1);
  });
});
