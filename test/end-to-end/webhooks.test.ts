import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { listen } from '../helpers/free-port.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import { endOf, resultsOf, startBatch } from './job-calls.ts';

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly state: string;
  readonly tries: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

const ALLOW = { SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' };

const deliveriesOf = async (service: Service, source: string) =>
  (
    (await service.api('GET', `/api/v1/webhooks/?source=${source}&limit=200`)).body as {
      items: readonly Delivery[];
    }
  ).items;

const pointersOf = ({ body }: { readonly body: unknown }) =>
  (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);

describe('webhooks', () => {
  const site = useSite();
  let service: Service;
  let receiver: Receiver;
  before(async () => {
    service = await startService(ALLOW);
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await service.end();
  });
  const requests = () => [{ url: `${site.url}/text`, ref: 'a' }, { url: 'http://127.0.0.1:1/' }];
  const messagesOf = (id: string) => receiver.messages.filter(({ body }) => body.data.id === id);

  test('the events of a batch arrive in full, signed, with their numbers', async () => {
    const user = await newUser(service);
    const visitor = await signIn(service, user.email);
    const secret = (await visitor.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/')).body.secret;
    const events = ['started', 'page', 'item_failed', 'done'];
    const webhook = { url: receiver.url, events, headers: { 'X-Team': 'a' }, metadata: { shop: 7 } };
    const accepted = await visitor.call<{ id: string }>('POST', '/api/v1/batches/', {
      body: {
        requests: requests(),
        defaults: { scraper: 'http' },
        retries: 0,
        metadata: { run: 1 },
        webhook,
      },
    });
    assert.equal(accepted.status, 202, accepted.text);
    const { id } = accepted.body;
    await eventually(() => messagesOf(id).length === 4);
    const byType = new Map(messagesOf(id).map((message) => [message.body.type, message]));
    assert.deepEqual([...byType.keys()].toSorted(), [
      'job.done',
      'job.item_failed',
      'job.page',
      'job.started',
    ]);
    const sequences = messagesOf(id).map(({ body }) => body.sequence);
    assert.deepEqual(sequences.toSorted(), [1, 2, 3, 4]);
    assert.equal(byType.get('job.started')!.body.sequence, 1);
    assert.equal(byType.get('job.done')!.body.sequence, 4);
    for (const { headers, text } of messagesOf(id)) {
      new Webhook(secret).verify(text, headers as Record<string, string>);
      assert.equal(headers['x-team'], 'a');
      assert.equal(headers['content-type'], 'application/json');
    }
    const page = byType.get('job.page')!.body.data;
    assert.deepEqual(page.metadata, { shop: 7 });
    assert.partialDeepStrictEqual(page, { item: { ref: 'a', state: 'ok', outcome: 'ok' } });
    const scrape = (page.item as { scrape: string }).scrape;
    assert.equal(page.result_url, `${service.base}/api/v1/scrape/${scrape}/`);
    const done = byType.get('job.done')!.body.data;
    assert.partialDeepStrictEqual(done, {
      job: { state: 'done', metadata: { run: 1 }, counts: { ok: 1, failed: 1 } },
    });
    assert.equal(Object.hasOwn(done.job as object, 'request'), false);
    const job = (await visitor.call<{ request: unknown }>('GET', `/api/v1/jobs/${id}/`)).body;
    assert.partialDeepStrictEqual(job.request, { webhook: { headers: { 'X-Team': '***' } } });
  });

  test('without `events`, only the end is sent; `include` decides how much', async () => {
    for (const include of ['none', 'full']) {
      const id = await startBatch(service, {
        requests: [{ url: `${site.url}/text` }],
        defaults: { scraper: 'http' },
        webhook: { url: receiver.url, include, events: ['page'] },
      });
      await eventually(() => messagesOf(id).length === 1);
      const { data } = messagesOf(id)[0]!.body;
      assert.equal(Object.hasOwn(data, 'job'), include === 'full');
      if (include === 'full')
        assert.partialDeepStrictEqual(data, { scrape: { content: 'plain text\n', status_code: 200 } });
    }
    const id = await startBatch(service, {
      requests: requests(),
      defaults: { scraper: 'http' },
      retries: 0,
      webhook: { url: receiver.url },
    });
    await eventually(() => messagesOf(id).length === 1);
    assert.equal(messagesOf(id)[0]!.body.type, 'job.done');
  });

  test('an asynchronous scrape tells its end', async () => {
    const later = { prefer: 'respond-async' };
    for (const [path, type] of [
      [`${site.url}/text`, 'scrape.done'],
      ['http://127.0.0.1:1/', 'scrape.failed'],
    ]) {
      const body = {
        url: path,
        scraper: 'http',
        router: { webhook: { url: receiver.url, include: 'full' } },
      };
      const accepted = await service.api('POST', '/api/v1/scrape/', { body, headers: later });
      assert.equal(accepted.status, 202, accepted.text);
      const { id } = accepted.body as { id: string };
      await eventually(() => messagesOf(id).length === 1);
      const { body: message } = messagesOf(id)[0]!;
      assert.equal(message.type, type);
      assert.partialDeepStrictEqual(message.data, { scrape: { id } });
    }
    const body = { url: `${site.url}/text`, router: { webhook: { url: receiver.url } } };
    assert.deepEqual(pointersOf(await service.scrape(body)), ['/router/webhook']);
  });

  test('the user has a default webhook, which a job may complete or switch off', async () => {
    const visitor = await signIn(service, (await newUser(service)).email);
    const set = await visitor.call('POST', '/api/v1/webhooks/default/', {
      body: { url: receiver.url, headers: { Authorization: 'secret' } },
    });
    assert.equal(set.status, 204, set.text);
    const read = await visitor.call('GET', '/api/v1/webhooks/default/');
    assert.deepEqual(read.body, { webhook: { url: receiver.url, headers: { Authorization: '***' } } });
    const start = async (webhook?: unknown) => {
      const body = {
        requests: [{ url: `${site.url}/text`, scraper: 'http' }],
        ...(webhook === undefined ? {} : { webhook }),
      };
      return (await visitor.call<{ id: string }>('POST', '/api/v1/batches/', { body })).body.id;
    };
    const silent = await start({ events: [] });
    const plain = await start();
    const more = await start({ metadata: { x: 1 } });
    await eventually(() => messagesOf(plain).length === 1 && messagesOf(more).length === 1);
    assert.equal(messagesOf(plain)[0]!.headers.authorization, 'secret');
    assert.deepEqual(messagesOf(more)[0]!.body.data.metadata, { x: 1 });
    assert.deepEqual(await deliveriesOf(service, silent), []);
    assert.equal((await visitor.call('DELETE', '/api/v1/webhooks/default/')).status, 204);
    assert.deepEqual((await visitor.call('GET', '/api/v1/webhooks/default/')).body, { webhook: null });
  });

  test('the default webhook and the notifications tell once that a profile is logged out', async (t) => {
    const pages = createServer((_, response) =>
      response
        .writeHead(401, { 'content-type': 'text/html' })
        .end('<title>Log in</title><form method="post"><input name="user"><input type="password"></form>'),
    );
    const url = `http://127.0.0.1:${await listen(pages)}/orders`;
    t.after(() => pages.close());
    const visitor = await signIn(service, (await newUser(service)).email);
    const set = async (body: object) =>
      assert.equal((await visitor.call('POST', '/api/v1/webhooks/default/', { body })).status, 204);
    const cookies = [{ name: 'sid', value: 'first-secret-value', domain: '127.0.0.1', path: '/' }];
    const values = { storage_state: { cookies, origins: [] } };
    const made = await visitor.call('POST', '/api/v1/profiles/', { body: { name: 'shop', ...values } });
    assert.equal(made.status, 201, made.text);
    const scrape = async () => {
      const body = { url, scraper: 'http', scraper_options: { profile: 'shop' } };
      return (await visitor.call<{ id: string }>('POST', '/api/v1/scrape/', { body })).body.id;
    };
    const renew = () => visitor.call('PATCH', '/api/v1/profiles/shop/', { body: values });
    const told = async () => {
      type Told = { type: string; name: string; text: string; url: string; source_id: string };
      return (await visitor.call<{ items: Told[] }>('GET', '/api/v1/notifications/')).body.items;
    };
    await set({ url: receiver.url, events: ['done'] });
    await scrape();
    assert.deepEqual(
      (await told()).map(({ type, name, text }) => [type, name, text]),
      [['profile.logged_out', 'shop', 'A page of 127.0.0.1 asked to log in.']],
    );
    await renew();
    await set({ url: receiver.url, metadata: { x: 1 } });
    const id = await scrape();
    await scrape();
    const [latest, ...others] = await told();
    assert.equal(others.length, 1);
    assert.match(latest!.url, /\/profiles$/);
    await eventually(() => messagesOf(latest!.source_id).length === 1);
    const { body, text } = messagesOf(latest!.source_id)[0]!;
    assert.equal(body.type, 'profile.logged_out');
    assert.partialDeepStrictEqual(body.data, {
      ...{ name: 'shop', sites: ['127.0.0.1'], host: '127.0.0.1', scrape_id: id, metadata: { x: 1 } },
    });
    assert.equal(body.data.at, body.timestamp);
    assert.equal(text.includes('first-secret-value'), false);
    // What was logged out already is no news; what is renewed and logged out again is.
    await renew();
    await scrape();
    await eventually(() => messagesOf(latest!.source_id).length === 2);
    assert.equal((await told()).length, 3);
    assert.equal((await visitor.call('DELETE', '/api/v1/profiles/shop/')).status, 204);
  });

  test('after a rotation, messages verify with both secrets', async () => {
    const visitor = await signIn(service, (await newUser(service)).email);
    const { secret: previous } = (await visitor.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/'))
      .body;
    const rotated = await visitor.call<{ secret: string; previous: string; previous_until: string }>(
      'POST',
      '/api/v1/webhooks/secret/rotate/',
    );
    const { secret } = rotated.body;
    assert.notEqual(secret, previous);
    assert.equal(rotated.body.previous, previous);
    assert.ok(Date.parse(rotated.body.previous_until) > Date.now() + 23 * 3_600_000);
    const sent = await visitor.call<Delivery & { source_id: string }>('POST', '/api/v1/webhooks/test/', {
      body: { url: receiver.url },
    });
    assert.equal(sent.status, 201, sent.text);
    await eventually(() => messagesOf(sent.body.source_id).length === 1);
    const { text, headers, body } = messagesOf(sent.body.source_id)[0]!;
    assert.equal(body.type, 'webhook.test');
    assert.equal(headers['webhook-id'], sent.body.id);
    for (const known of [secret, previous])
      new Webhook(known).verify(text, headers as Record<string, string>);
    assert.equal((await service.api('GET', '/api/v1/webhooks/secret/')).status, 401, 'keys cannot read it');
  });

  test('the log shows the tries and, to sessions, the answer; a message can be sent again', async () => {
    await using failing = await startReceiver();
    failing.answer = (_, response) => void response.writeHead(500).end('x'.repeat(5_000));
    const visitor = await signIn(service, (await newUser(service)).email);
    const body = { requests: [{ url: `${site.url}/text`, scraper: 'http' }], webhook: { url: failing.url } };
    const { id } = (await visitor.call<{ id: string }>('POST', '/api/v1/batches/', { body })).body;
    await eventually(
      async () => (await deliveriesOf(service, id)).length === 0 || failing.messages.length > 0,
    );
    const list = async () =>
      (await visitor.call<{ items: Delivery[] }>('GET', `/api/v1/webhooks/?source=${id}`)).body.items;
    await eventually(async () => (await list())[0]?.status === 500);
    const [delivery] = await list();
    assert.partialDeepStrictEqual(delivery, {
      state: 'queued',
      tries: 1,
      error: 'The receiver answered 500.',
    });
    assert.equal(delivery!.answer, 'x'.repeat(2048));
    const path = `/api/v1/webhooks/${delivery!.id}/redeliver/`;
    assert.equal((await visitor.call('POST', path)).status, 409, 'it waits for its next try');
    failing.answer = (_, response) => void response.writeHead(200).end('thanks');
    await eventually(async () => (await list())[0]!.state === 'delivered', 15_000);
    assert.equal((await visitor.call('POST', path)).status, 200);
    await eventually(() => failing.messages.length === 3);
    const ids = new Set(failing.messages.map(({ headers }) => headers['webhook-id']));
    assert.deepEqual([...ids], [delivery!.id]);
  });

  test('a redirect is not followed, and 410 ends the webhook of the job', async () => {
    await using other = await startReceiver();
    const before = receiver.messages.length;
    other.answer = (_, response) => void response.writeHead(307, { location: receiver.url }).end();
    const first = await startBatch(service, {
      requests: requests(),
      webhook: { url: other.url },
      retries: 0,
    });
    await eventually(async () => (await deliveriesOf(service, first))[0]?.status === 307);
    assert.match((await deliveriesOf(service, first))[0]!.error!, /redirects are not followed/);
    assert.equal(receiver.messages.length, before);
    other.answer = (_, response) => void response.writeHead(410).end();
    const second = await startBatch(service, {
      requests: [{ url: `${site.url}/text` }, { url: `${site.url}/hang`, timeout_ms: 60_000 }],
      defaults: { scraper: 'http' },
      webhook: { url: other.url, events: ['page', 'cancelled'] },
    });
    await eventually(async () => (await deliveriesOf(service, second))[0]?.state === 'failed');
    await service.api('DELETE', `/api/v1/jobs/${second}/`);
    const deliveries = await deliveriesOf(service, second);
    assert.deepEqual(
      deliveries.map(({ type, status }) => [type, status]),
      [['job.page', 410]],
      'the later event makes no delivery',
    );
  });

  test('a clone of a job has its items and its webhook', async () => {
    const id = await startBatch(service, {
      requests: [
        { url: `${site.url}/text`, ref: 'a', method: 'POST', data: 'x' },
        { url: `${site.url}/html` },
      ],
      defaults: { scraper: 'http' },
      name: 'original',
      webhook: { url: receiver.url },
    });
    await endOf(service, id);
    const cloned = await service.api<{ id: string; name: string }>('POST', `/api/v1/jobs/${id}/clone/`);
    assert.equal(cloned.status, 201, cloned.text);
    assert.notEqual(cloned.body.id, id);
    assert.equal(cloned.body.name, 'original');
    assert.equal((await endOf(service, cloned.body.id)).counts.found, 2);
    const { items } = await resultsOf(service, cloned.body.id, '?include=full');
    const first = items.find(({ ref }) => ref === 'a')!;
    const history = await service.api('GET', `/api/v1/scrape/?tag=job:${cloned.body.id}`);
    const methods = (history.body as { items: { method: string }[] }).items.map(({ method }) => method);
    assert.deepEqual(methods.toSorted(), ['GET', 'POST']);
    assert.equal(first.state, 'ok');
    await eventually(() => messagesOf(cloned.body.id).length === 1);
    const body = { url: `${site.url}/html`, limit: 1, request: { scraper: 'http' }, robots: 'ignore' };
    const crawl = (await service.api<{ id: string }>('POST', '/api/v1/crawls/', { body })).body.id;
    const { counts } = await endOf(service, crawl);
    const again = await service.api<{ id: string }>('POST', `/api/v1/jobs/${crawl}/clone/`);
    assert.deepEqual((await endOf(service, again.body.id)).counts, counts);
  });

  test('a receiver that hangs holds four messages at most, and no job', async () => {
    await using hanging = await startReceiver();
    hanging.answer = () => {};
    const id = await startBatch(service, {
      requests: Array.from({ length: 12 }, (_, n) => ({ url: `${site.url}/text?n=${n}`, scraper: 'http' })),
      webhook: { url: hanging.url, events: ['page'] },
    });
    assert.equal((await endOf(service, id)).counts.ok, 12);
    await eventually(() => hanging.messages.length === 4);
    const quick = await startBatch(service, {
      requests: requests(),
      webhook: { url: receiver.url },
      retries: 0,
    });
    await eventually(() => messagesOf(quick).length === 1);
    assert.equal(hanging.mostAtOnce, 4);
    await service.api('DELETE', `/api/v1/jobs/${id}/?purge=1`);
  });

  test('webhooks that cannot be are refused', async () => {
    const refusal = async (webhook: unknown) =>
      pointersOf(await service.api('POST', '/api/v1/batches/', { body: { requests: requests(), webhook } }));
    const { url } = receiver;
    for (const address of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      `${service.base}/`,
      'ftp://a.test/',
      'http://u:p@127.0.0.1/',
      'x',
    ])
      assert.deepEqual(await refusal({ url: address }), ['/webhook/url'], address);
    assert.deepEqual(await refusal({ events: ['done'] }), ['/webhook/url'], 'no default');
    assert.deepEqual(await refusal({ url, events: ['ended'] }), ['/webhook/events/0']);
    for (const name of ['webhook-id', 'Host', 'Connection', 'Content-Length', 'a b'])
      assert.deepEqual(await refusal({ url, headers: { [name]: 'x' } }), [`/webhook/headers/${name}`]);
    assert.deepEqual(await refusal({ url, format: 'fire' }), ['/webhook/format']);
    const item = { url: `${site.url}/text`, router: { webhook: { url } } };
    const inItem = await service.api('POST', '/api/v1/batches/', { body: { requests: [item] } });
    assert.deepEqual(pointersOf(inItem), ['/requests/0/router/webhook']);
  });
});

describe('webhooks and the guard', () => {
  const site = useSite();

  test('only receivers that the operator names are reached outside public space', async (t) => {
    await using receiver = await startReceiver();
    const service = await startService({ SLUICE_WEBHOOK_ALLOW: `localhost:${receiver.port}` });
    afterwards(t, () => service.end());
    const start = (url: string) =>
      service.api('POST', '/api/v1/batches/', { body: { requests: [{ url: site.url }], webhook: { url } } });
    // SLUICE_ALLOW_ADDRESSES, which covers loopback here, is for scrapes alone.
    assert.deepEqual(pointersOf(await start(receiver.url)), ['/webhook/url']);
    // A name is judged by its addresses.
    assert.deepEqual(pointersOf(await start('http://localhost:1/hook')), ['/webhook/url']);
    assert.equal((await start(`http://localhost:${receiver.port}/hook`)).status, 202);
    await eventually(() => receiver.messages.length === 1);
  });

  test('the address is judged again at each delivery', async (t) => {
    await using receiver = await startReceiver();
    const dataDir = tempFolder(t);
    const first = await startService(ALLOW, { dataDir });
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const id = await startBatch(first, { requests: [{ url: site.url }], webhook: { url: receiver.url } });
    await eventually(async () => (await deliveriesOf(first, id))[0]?.tries === 1);
    await first.stop();
    const count = receiver.messages.length;
    const second = await startService({}, { dataDir });
    afterwards(t, () => second.end());
    await eventually(async () => (await deliveriesOf(second, id))[0]!.tries === 2, 15_000);
    await eventually(async () => (await deliveriesOf(second, id))[0]!.state === 'queued');
    assert.match((await deliveriesOf(second, id))[0]!.error!, /not allowed/);
    assert.equal(receiver.messages.length, count);
  });
});

describe('webhooks after a crash', () => {
  const site = useSite();

  test('after kill -9 every event arrives at least once, with its number', async (t) => {
    await using receiver = await startReceiver();
    const dataDir = tempFolder(t);
    const first = await startService(ALLOW, { dataDir });
    // Nothing is answered, so the process dies between the events and their deliveries.
    receiver.answer = () => {};
    const id = await startBatch(first, {
      requests: Array.from({ length: 30 }, (_, n) => ({ url: `${site.url}/text?n=${n}`, scraper: 'http' })),
      webhook: { url: receiver.url, events: ['started', 'page', 'item_failed', 'done'] },
    });
    await eventually(() => receiver.messages.length >= 2);
    await first.kill9();
    receiver.answer = (_, response) => void response.writeHead(204).end();
    receiver.messages.length = 0;
    const second = await startService(ALLOW, { dataDir });
    afterwards(t, () => second.end());
    await endOf(second, id);
    await eventually(
      async () => (await deliveriesOf(second, id)).every(({ state }) => state === 'delivered'),
      // In a store that services share, those of a dead one are sent when their leases of 30 s have ended.
      60_000,
    );
    const sequences = new Map(receiver.messages.map(({ body }) => [body.sequence, body.type]));
    assert.deepEqual(
      [...sequences.keys()].toSorted((a, b) => a - b),
      Array.from({ length: 32 }, (_, n) => n + 1),
    );
    assert.equal(sequences.get(1), 'job.started');
    assert.equal(sequences.get(32), 'job.done');
  });
});
