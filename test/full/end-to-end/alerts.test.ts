import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type MailServer, startMailServer } from '../../helpers/mail-server.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { storeOf } from '../../helpers/store-of.ts';
import { useSite } from '../../helpers/use-site.ts';
import { newUser, signIn, type Visitor } from '../../helpers/visitor.ts';

interface Alert {
  readonly id: string;
  readonly state: string;
  readonly silenced_until: string | null;
  readonly channels: readonly { readonly id: string; readonly type: string; readonly url: string | null }[];
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly instances: readonly { readonly subject: string; readonly state: string; readonly value: number }[];
}

interface AlertEvent {
  readonly state: string;
  readonly subject: string;
  readonly summary: string;
  readonly silenced: boolean;
  readonly deliveries: readonly {
    readonly type: string;
    readonly state: string;
    readonly error: string | null;
  }[];
}

interface Refused {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly pointer?: string; readonly message: string }[];
}

const HOUR_MS = 3_600_000;
const AT_ONCE = { for_s: 0, clear_for_s: 0 };
/** A round of the evaluation takes five seconds. */
const ROUNDS_MS = 20_000;
/** With a shared store, a delivery that a killed service was sending is sent again when its lease of 30 s has ended. */
const LEASE_AND_ROUNDS_MS = 60_000;

describe('alerts', () => {
  const site = useSite();
  let service: Service;
  let receiver: Receiver;
  let mail: MailServer;
  let user: { readonly id: string; readonly email: string };
  let ann: Visitor;
  let dataDir: string;
  const env = () => ({
    SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
    SLUICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>',
  });

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-alerts-'));
    mail = await startMailServer({ noTls: true });
    receiver = await startReceiver();
    service = await startService(env(), { dataDir });
    user = await newUser(service);
    ann = await signIn(service, user.email);
  });
  after(async () => {
    await service.end();
    await receiver[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const hook = (path: string) => ({ type: 'webhook', url: new URL(path, receiver.url).href });
  const slack = (path: string) => ({ type: 'slack', url: new URL(path, receiver.url).href });
  const create = async (body: object, as: Pick<Visitor, 'call'> = ann) => {
    const { status, body: alert } = await as.call<Alert>('POST', '/api/v1/alerts/', { body });
    assert.equal(status, 201, JSON.stringify(alert));
    return alert;
  };
  const read = async ({ id }: Alert) => (await ann.call<Alert>('GET', `/api/v1/alerts/${id}/`)).body;
  const eventsOf = async ({ id }: Alert) =>
    (await ann.call<{ items: readonly AlertEvent[] }>('GET', `/api/v1/alerts/events/?alert=${id}`)).body
      .items;
  const refused = async (body: object, as: Pick<Visitor, 'call'> = ann) => {
    const { status, body: problem } = await as.call<Refused>('POST', '/api/v1/alerts/', { body });
    return { status, code: problem.code, pointers: problem.errors.flatMap(({ pointer }) => pointer ?? []) };
  };
  const messagesAt = (path: string) => receiver.messages.filter((message) => message.path === path);
  const scrape = async (url: string, count: number) => {
    for (let n = 0; n < count; n++)
      await ann.call('POST', '/api/v1/scrape/', { body: { url, scraper: 'http' } });
  };
  /** Asserts again until it holds. */
  const soon = async (check: () => Promise<void> | void, withinMs = ROUNDS_MS) => {
    let last: unknown;
    const holds = async () => {
      try {
        await check();
        return true;
      } catch (error) {
        last = error;
        await pause(100);
        return false;
      }
    };
    await eventually(holds, withinMs).catch(() => {
      throw last;
    });
  };

  test('a site that fails is told of by each channel, once, and again when it works', async () => {
    const store = await storeOf(service);
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const counted = { userId: user.id, step: 3600, kind: 'host_ok', name: '127.0.0.1', count: 30 } as const;
    await store.stats.add([3, 30].map((ago) => ({ ...counted, at: hour - ago * HOUR_MS })));
    await store.close();
    const secret = (await ann.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/')).body.secret;
    const alert = await create({
      name: 'Shop <1>',
      kind: 'site_success',
      conditions: { threshold: 0.5, clear_threshold: 0.3, window_s: 300, min_scrapes: 4 },
      ...AT_ONCE,
      channels: [
        hook('/site'),
        slack('/slack-site'),
        { type: 'email', to: ['ops@example.com', 'b@example.com'] },
      ],
    });
    await scrape('http://127.0.0.1:1/', 4);
    await soon(async () => assert.equal((await read(alert)).state, 'firing'));
    const [instance] = (await read(alert)).instances;
    assert.deepEqual([instance?.subject, instance?.value], ['127.0.0.1', 1]);
    // 56 % are between the thresholds, so nothing is sent; 73 % are enough.
    await scrape(`${site.url}/text`, 5);
    await scrape(`${site.url}/text`, 6);
    await soon(async () => assert.equal((await read(alert)).state, 'ok'));
    const expected = ['firing', 'resolved'].map((state) => ({
      type: `alert.${state}`,
      subject: '127.0.0.1',
    }));
    await soon(async () => {
      assert.deepEqual(
        (await eventsOf(alert)).map(({ state, deliveries }) => [
          state,
          deliveries.map((one) => `${one.type} ${one.state}`).sort(),
        ]),
        ['resolved', 'firing'].map((state) => [
          state,
          ['email delivered', 'slack delivered', 'webhook delivered'],
        ]),
      );
    });
    const messages = messagesAt('/site');
    assert.deepEqual(
      messages.map(({ body }) => ({ type: body.type, subject: body.data.subject })),
      expected,
    );
    for (const { text, headers } of messages)
      assert.doesNotThrow(() => new Webhook(secret).verify(text, headers as Record<string, string>));
    const [firing] = messages;
    assert.match(
      String(firing?.body.data.summary),
      /^127\.0\.0\.1: 0 % of 4 scrapes succeeded in the last 5 minutes, 100 % in the 7 days before\.$/,
    );
    assert.equal(firing?.body.data.url, `${service.base}/alerts`);
    const texts = messagesAt('/slack-site').map(({ text }) => (JSON.parse(text) as { text: string }).text);
    assert.match(texts[0]!, /^\*Firing: Shop &lt;1&gt;\*\n127\.0\.0\.1: 0 %/);
    assert.match(texts[1]!, /^\*Resolved: /);
    assert.ok(messagesAt('/slack-site').every(({ headers }) => headers['webhook-signature'] === undefined));
    const [fired, resolved] = mail.mails;
    assert.deepEqual(fired?.to, ['ops@example.com', 'b@example.com']);
    assert.match(fired.text, /^Subject: \[Sluice\] Firing: Shop <1>\r$/m);
    assert.match(resolved!.text, /^Subject: \[Sluice\] Resolved: Shop <1>\r$/m);
    assert.equal(mail.mails.length, 2);
  });

  test('a budget near its end; rules of others are not seen', async () => {
    const key = (
      await ann.call<{ id: string; key: string }>('POST', '/api/v1/keys/', {
        body: { name: 'shop', daily_budget: { amount: 5, unit: 'scrapes' } },
      })
    ).body;
    const alert = await create({
      name: 'Budget',
      kind: 'budget',
      conditions: { subject: key.id },
      channels: [hook('/budget')],
    });
    assert.deepEqual(alert.conditions, { subject: key.id, threshold: 0.8, clear_threshold: 0.7 });
    for (let n = 0; n < 4; n++)
      await service.api('POST', '/api/v1/scrape/', {
        body: { url: `${site.url}/text`, scraper: 'http' },
        key: key.key,
      });
    await soon(() => assert.equal(messagesAt('/budget').length, 1));
    assert.equal(
      messagesAt('/budget')[0]?.body.data.summary,
      'The key “shop” has used 80 % of its budget of today.',
    );
    const { body: attention } = await ann.call<{ items: readonly { kind: string }[] }>(
      'GET',
      '/api/v1/attention/?limit=50',
    );
    assert.partialDeepStrictEqual(
      attention.items.find(({ kind }) => kind === 'budget'),
      {
        ...{ subject: key.id, name: 'shop', user_id: user.id, value: 0.8 },
        alert: { id: alert.id, name: 'Budget' },
      },
    );
    // Administrators read the rules of others; nobody else does, and lists are of one's own.
    assert.equal((await service.api('GET', `/api/v1/alerts/${alert.id}/`)).status, 200);
    const other = await signIn(service, (await newUser(service)).email);
    assert.equal((await other.call('GET', `/api/v1/alerts/${alert.id}/`)).status, 404);
    for (const { body } of [
      await service.api('GET', '/api/v1/alerts/'),
      await other.call('GET', '/api/v1/alerts/'),
    ])
      assert.deepEqual((body as { items: [] }).items, []);
    assert.deepEqual(
      await refused({ name: 'x', kind: 'budget', conditions: { subject: 'none' }, channels: [hook('/x')] }),
      { status: 400, code: 'request.validation', pointers: ['/conditions/subject'] },
    );
    assert.equal((await ann.call('DELETE', `/api/v1/alerts/${alert.id}/`)).status, 204);
    assert.deepEqual(await eventsOf(alert), []);
  });

  test('a test message shows which channels work', async () => {
    receiver.answer = ({ path }, response) => void response.writeHead(path === '/broken' ? 500 : 204).end();
    const alert = await create({
      name: 'Tested',
      kind: 'monitor',
      channels: [hook('/tested'), slack('/broken'), { type: 'email', to: ['test@example.com'] }],
    });
    const { body } = await ann.call<{ channels: readonly Record<string, unknown>[] }>(
      'POST',
      `/api/v1/alerts/${alert.id}/test/`,
    );
    assert.deepEqual(
      body.channels.map(({ type, ok, status, error }) => ({ type, ok, status, error })),
      [
        { type: 'webhook', ok: true, status: 204, error: null },
        { type: 'slack', ok: false, status: 500, error: 'The receiver answered 500.' },
        { type: 'email', ok: true, status: null, error: null },
      ],
    );
    assert.equal(messagesAt('/tested')[0]?.body.type, 'alert.test');
    await mail.received('This is a test message.');
    assert.deepEqual(await eventsOf(alert), []);
    receiver.answer = (_, response) => void response.writeHead(204).end();
  });

  test('channels are changed by their ids; the path of a Slack URL is not shown', async () => {
    const alert = await create({
      name: 'Channels',
      kind: 'monitor',
      channels: [slack('/secret-path'), { ...hook('/h'), headers: { authorization: 'Bearer s3cret' } }],
    });
    assert.deepEqual(alert.channels[0]?.url, `${new URL(receiver.url).origin}/***`);
    assert.doesNotMatch(JSON.stringify(alert), /secret-path|s3cret/);
    const [first] = alert.channels;
    const change = (channels: readonly object[]) =>
      ann.call<Alert & Refused>('PATCH', `/api/v1/alerts/${alert.id}/`, { body: { channels } });
    const { body } = await change([hook('/new'), { id: first?.id }]);
    assert.deepEqual(
      body.channels.map(({ type }) => type),
      ['webhook', 'slack'],
    );
    assert.equal(body.channels[1]?.id, first?.id);
    assert.equal((await change([{ id: alert.channels[1]?.id }])).status, 400);
    await ann.call('POST', `/api/v1/alerts/${alert.id}/test/`);
    assert.deepEqual(
      [messagesAt('/new').length, messagesAt('/secret-path').length, messagesAt('/h').length],
      [1, 1, 0],
    );
  });

  test('what is refused', async () => {
    const rule = (more: object) => ({ name: 'x', kind: 'site_success', channels: [hook('/x')], ...more });
    const validation = (...pointers: string[]) => ({ status: 400, code: 'request.validation', pointers });
    const forbidden = { status: 403, code: 'auth.scope', pointers: [] };
    for (const kind of ['pool', 'vendor', 'disk', 'memory'])
      assert.deepEqual(await refused(rule({ kind })), forbidden);
    assert.deepEqual(await refused(rule({ conditions: { all_users: true } })), forbidden);
    assert.deepEqual(
      await refused(
        rule({ kind: 'budget', conditions: { threshold: 2, clear_threshold: 3, window_s: 300 } }),
      ),
      validation('/conditions/threshold', '/conditions/clear_threshold', '/conditions/window_s'),
    );
    assert.deepEqual(
      await refused(
        rule({ channels: [{ type: 'email', url: receiver.url }, { type: 'slack', url: 'x' }, {}] }),
      ),
      validation('/channels/0/url', '/channels/0/to', '/channels/1/url', '/channels/2/type'),
    );
    assert.deepEqual(
      await refused(rule({ channels: [{ type: 'email', to: ['a@b.c, x@y.z'] }] })),
      validation('/channels/0/to/0'),
    );
    assert.deepEqual(
      await refused(rule({ channels: [{ type: 'slack', url: 'http://10.1.2.3/' }] })),
      validation('/channels/0/url'),
    );
    const key = { call: service.api } as unknown as Pick<Visitor, 'call'>;
    assert.deepEqual(
      await refused(rule({ kind: 'pool', conditions: { subject: 'none' } }), key),
      validation('/conditions/subject'),
    );
  });

  test('a silenced rule stores its events; they are sent when it still fires afterwards, also after `kill -9`', async () => {
    const admin = { call: service.api } as unknown as Pick<Visitor, 'call'>;
    const alert = await create(
      {
        name: 'Disk',
        kind: 'disk',
        conditions: { threshold: 0.000_01, clear_threshold: 0.000_001 },
        ...AT_ONCE,
        enabled: false,
        channels: [hook('/disk')],
      },
      admin,
    );
    const path = `/api/v1/alerts/${alert.id}/`;
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const silenced = (await service.api('POST', `${path}silence/`, { body: { until } })).body as Alert;
    assert.equal(silenced.silenced_until, until);
    await service.api('PATCH', path, { body: { enabled: true } });
    const events = async () =>
      ((await service.api('GET', `/api/v1/alerts/events/?alert=${alert.id}`)).body as { items: AlertEvent[] })
        .items;
    await soon(async () => {
      const [event] = await events();
      assert.deepEqual([event?.state, event?.silenced, event?.deliveries], ['firing', true, []]);
    });
    // The receiver fails at first, so the message waits while the service dies.
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await service.api('POST', `${path}silence/`, { body: { until: null } });
    await soon(() => assert.equal(messagesAt('/disk').length, 1));
    await service.kill9();
    receiver.answer = (_, response) => void response.writeHead(204).end();
    service = await startService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' }, { dataDir });
    await soon(async () => {
      const found = await events();
      assert.equal(found.length, 1, 'it fires as before: nothing new');
      assert.partialDeepStrictEqual(found[0], { silenced: false, deliveries: [{ state: 'delivered' }] });
    }, LEASE_AND_ROUNDS_MS);
    assert.deepEqual(
      new Set(messagesAt('/disk').map(({ headers }) => headers['webhook-id'])).size,
      1,
      'the same message',
    );
    assert.equal(((await service.api('GET', path)).body as Alert).state, 'firing');
    const again = await service.api('POST', '/api/v1/alerts/', {
      body: { name: 'x', kind: 'disk', channels: [{ type: 'email', to: ['a@example.com'] }] },
    });
    assert.equal(again.status, 400);
    assert.match(JSON.stringify(again.body), /this service has no mail server.*SLUICE_SMTP_URL/);
    const list = await service.api<{ channel_types: string[] }>('GET', '/api/v1/alerts/');
    assert.deepEqual(list.body.channel_types, ['webhook', 'slack']);
  });
});
