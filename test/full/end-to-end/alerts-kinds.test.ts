import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeMonitor, runNow, useChangingSite } from '../../end-to-end/monitoring.ts';
import { listen } from '../../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { storeOf } from '../../helpers/store-of.ts';
import { useSite } from '../../helpers/use-site.ts';
import { newUser, signIn, type Visitor } from '../../helpers/visitor.ts';

interface AttentionEntry {
  readonly kind: string;
  readonly subject: string;
  readonly since: string | null;
  readonly site: unknown;
}

const AT_ONCE = { for_s: 0, clear_for_s: 0 };
/** A round of the evaluation takes five seconds, and a message is sent about a second later. */
const ROUNDS_MS = 60_000;

describe('alerts of kinds that watch the service and monitors', () => {
  const site = useSite();
  const changing = useChangingSite();
  /** What the vendor answers. */
  let answer = { status: 200, body: '{"html": "<p>a page with a few words"}' };
  const vendor = createServer((_, response) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  );
  let service: Service;
  let receiver: Receiver;
  /** Also used by the tests after that of the pool. */
  let proxy: ProxyServer | undefined;
  before(async () => {
    await listen(vendor);
    receiver = await startReceiver();
    service = await startService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  });
  after(async () => {
    await service.end();
    await receiver[Symbol.asyncDispose]();
    vendor.close();
    await proxy?.close();
  });

  const made = async (path: string, body: object) => {
    const reply = await service.api<{ id: string }>('POST', path, { body });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body.id;
  };
  const createAlert = (kind: string, conditions: object) =>
    made('/api/v1/alerts/', {
      name: `The ${kind}`,
      kind,
      conditions,
      ...AT_ONCE,
      channels: [{ type: 'webhook', url: new URL(`/${kind}`, receiver.url).href }],
    });
  /** The messages of a kind, when there are so many. */
  const messages = async (kind: string, count: number) => {
    const found = () => receiver.messages.filter(({ path }) => path === `/${kind}`);
    await eventually(() => found().length >= count, ROUNDS_MS);
    return found().map(({ body: { type, data } }) => {
      const { subject, value, threshold, summary } = data as Record<string, unknown>;
      return { type, subject, value, threshold, summary };
    });
  };

  /** What needs attention, when it is about this subject, or is not any more. It is up to five seconds old. */
  const attentionTo = async (
    subject: string,
    { listed = true, as = service.api }: { listed?: boolean; as?: Visitor['call'] } = {},
  ) => {
    let found: AttentionEntry | undefined;
    await eventually(async () => {
      const { body } = await as<{ items: readonly AttentionEntry[] }>('GET', '/api/v1/attention/');
      found = body.items.find((one) => one.subject === subject);
      return (found !== undefined) === listed;
    }, ROUNDS_MS);
    return found;
  };
  const isRecent = (at: string | null | undefined) => Date.now() - Date.parse(at ?? '') < 600_000;

  test('a proxy pool is dead, and works again', async () => {
    const working = await startProxy();
    const { port } = working;
    const pool = { name: 'own', type: 'datacenter', proxies: [`http://127.0.0.1:${port}`] };
    await made('/api/v1/proxies/pools/', pool);
    const poolAlert = await createAlert('pool', { subject: 'own' });
    const scrape = async () => {
      const reply = await service.scrape({
        url: `${site.url}/text`,
        scraper: 'http',
        proxy: { pool: 'own' },
        router: { max_attempts: 1 },
      });
      return reply.body.status_code;
    };
    assert.equal(await scrape(), 200);
    await working.close();
    await scrape();
    const fired = {
      type: 'alert.firing',
      subject: 'own',
      value: 1,
      threshold: 1,
      summary: '0 of 1 exits of the pool “own” work.',
    };
    assert.deepEqual(await messages('pool', 1), [fired]);
    const { since, ...entry } = (await attentionTo('own'))!;
    assert.ok(isRecent(since), String(since));
    assert.deepEqual(entry, {
      ...{ kind: 'pool', subject: 'own', name: 'own', user_id: null, value: 1, summary: fired.summary },
      ...{ reason: null, site: null },
      alert: { id: poolAlert, name: 'The pool' },
    });
    proxy = await startProxy({ port });
    // The pause of the exit ends after some seconds.
    await eventually(async () => (await scrape()) === 200, ROUNDS_MS);
    const resolved = { type: 'alert.resolved', value: 0, summary: '1 of 1 exits of the pool “own” work.' };
    assert.deepEqual(await messages('pool', 2), [fired, { ...fired, ...resolved }]);
    await attentionTo('own', { listed: false });
  });

  test('a vendor has no credit left, and works again', async () => {
    await made('/api/v1/vendors/', {
      name: 'paid',
      kind: 'http',
      key: 'vendor-key-0123456789',
      base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
      options: { path: '/?u={url}', answer: { body: '$.html' }, failures: { 402: 'credits' } },
    });
    await createAlert('vendor', {});
    const scrape = () => service.scrape({ url: `${site.url}/text`, scraper: 'vendor:paid' });
    answer = { ...answer, status: 402 };
    await scrape();
    const fired = {
      type: 'alert.firing',
      subject: 'paid',
      value: 1,
      threshold: 1,
      summary: 'The vendor “paid” is not used at the moment: credits.',
    };
    assert.deepEqual(await messages('vendor', 1), [fired]);
    const entry = await attentionTo('paid');
    assert.partialDeepStrictEqual(entry, { kind: 'vendor', reason: 'credits', value: 1 });
    assert.ok(isRecent(entry?.since), String(entry?.since));
    answer = { ...answer, status: 200 };
    // A caller that names the vendor finds out whether it works again.
    assert.equal((await scrape()).status, 200);
    const resolved = { type: 'alert.resolved', value: 0, summary: 'The vendor “paid” is used again.' };
    assert.deepEqual(await messages('vendor', 2), [fired, { ...fired, ...resolved }]);
    await attentionTo('paid', { listed: false });
  });

  test('a monitor fails twice in a row, and its next run succeeds', async () => {
    await createAlert('monitor', { threshold: 2 });
    const id = await makeMonitor(service, {
      request: { url: `${changing.url}/page`, scraper: 'http', router: { max_attempts: 1 } },
    });
    // Without the repetitions that other statuses have.
    changing.set('/page', '<p>Please pay', 402);
    for (let n = 0; n < 2; n++) assert.equal((await runNow(service, id)).reason, 'status_402');
    const fired = {
      type: 'alert.firing',
      subject: id,
      value: 2,
      threshold: 2,
      summary: 'The last 2 runs of the monitor “town” failed.',
    };
    assert.deepEqual(await messages('monitor', 1), [fired]);
    // Two failures are fewer than usual: it is listed because the rule fires.
    const entry = await attentionTo(id);
    const { user_id: owner } = (await service.api<{ user_id: string }>('GET', `/api/v1/monitors/${id}/`))
      .body;
    assert.partialDeepStrictEqual(entry, {
      ...{ kind: 'monitor', name: 'town', user_id: owner, value: 2 },
      alert: { name: 'The monitor' },
    });
    assert.ok(isRecent(entry?.since), String(entry?.since));
    changing.set('/page', '<main><p>A page with a few words.</p></main>');
    await runNow(service, id);
    const resolved = {
      type: 'alert.resolved',
      value: 0,
      summary: 'The last run of the monitor “town” succeeded.',
    };
    assert.deepEqual(await messages('monitor', 2), [fired, { ...fired, ...resolved }]);
  });

  test('sites that stopped working need attention, since the hour in which they stopped', async () => {
    const HOUR_MS = 3_600_000;
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const store = await storeOf(service);
    const host = { userId: null, name: 'shop.example' } as const;
    const counted = (hoursAgo: number, kind: 'host_ok' | 'host_blocked', count: number) =>
      [900, 3600].map((step) => ({ ...host, kind, step, at: hour - hoursAgo * HOUR_MS, count }));
    // Every six hours; two of eight scrapes are still OK in the last day.
    const good = [30, 36, 42, 48].flatMap((ago) => counted(ago, 'host_ok', 10));
    const bad = [2, 8, 14, 20].flatMap((ago) => [
      ...counted(ago, 'host_blocked', 6),
      ...counted(ago, 'host_ok', 2),
    ]);
    await store.stats.add([...good, ...bad]);
    await store.close();
    const viewer = await signIn(service, (await newUser(service, { role: 'viewer' })).email);
    const entry = await attentionTo('shop.example', { as: viewer.call });
    assert.partialDeepStrictEqual(entry, {
      ...{ kind: 'site_success', name: 'shop.example', value: 0.75, alert: null },
      since: new Date(hour - 20 * HOUR_MS).toISOString(),
      site: { window_s: 86_400, scrapes: 32, ok_share: 0.25, usual_ok_share: 1 },
      summary: 'shop.example: 25 % of 32 scrapes succeeded in the last 24 hours, 100 % in the 7 days before.',
    });
    assert.equal((await service.api('GET', '/api/v1/attention/?limit=51')).status, 400);
    const user = await signIn(service, (await newUser(service)).email);
    assert.deepEqual((await user.call('GET', '/api/v1/attention/')).body, { items: [], total: 0 });
  });

  test('the memory of the machine is used beyond a threshold, and is below a raised one', async () => {
    const id = await createAlert('memory', { threshold: 0.000_01, clear_threshold: 0.000_001 });
    const [fired] = await messages('memory', 1);
    const { value, summary, ...rest } = fired!;
    assert.deepEqual(rest, { type: 'alert.firing', subject: 'machine', threshold: 0.000_01 });
    assert.ok(Number(value) > 0 && Number(value) <= 1, String(value));
    assert.equal(summary, `${Math.round(Number(value) * 100)} % of the memory of the machine is in use.`);
    const conditions = { threshold: 1, clear_threshold: 0.999_999 };
    assert.equal((await service.api('PATCH', `/api/v1/alerts/${id}/`, { body: { conditions } })).status, 200);
    const [, resolved] = await messages('memory', 2);
    assert.partialDeepStrictEqual(resolved, { type: 'alert.resolved', subject: 'machine', threshold: 1 });
  });
});
