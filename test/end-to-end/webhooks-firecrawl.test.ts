import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { linkPage, type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import { type ReceivedMessage, type Receiver, startReceiver } from '../helpers/receiver.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { newUser, signIn } from '../helpers/visitor.ts';

/** A message as Firecrawl documents it. */
interface Message {
  readonly success: boolean;
  readonly type: string;
  readonly id: string;
  readonly webhookId: string;
  readonly data: readonly (Readonly<Record<string, unknown>> & {
    readonly metadata: Readonly<Record<string, unknown>>;
  })[];
  readonly metadata: object;
  readonly error?: string;
}

const bodyOf = ({ text }: ReceivedMessage) => JSON.parse(text) as Message;

describe('webhooks in the form of Firecrawl', () => {
  let service: Service;
  let receiver: Receiver;
  let site: MadeSite;
  let visitor: Awaited<ReturnType<typeof signIn>>;
  before(async () => {
    site = await startMadeSite((path) =>
      path === '/hang' ? undefined : path === '/' || path === '/b' ? linkPage(`page ${path}`, ['/b']) : null,
    );
    service = await startService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
    receiver = await startReceiver();
    visitor = await signIn(service, (await newUser(service)).email);
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await service.end();
    await site[Symbol.asyncDispose]();
  });
  const messagesOf = (id: string) => receiver.messages.filter((message) => bodyOf(message).id === id);
  const accepted = async (path: string, body: object) => {
    const reply = await visitor.call<{ id: string }>('POST', path, { body });
    assert.equal(reply.status, 202, reply.text);
    return reply.body.id;
  };
  const webhook = (events: readonly string[], members: object = {}) => ({
    url: receiver.url,
    format: 'firecrawl',
    events,
    ...members,
  });

  test('a crawl: the events, the documents and both signatures', async () => {
    const { secret } = (await visitor.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/')).body;
    const id = await accepted('/api/v1/crawls/', {
      url: `${site.url}/`,
      robots: 'ignore',
      sitemap: 'ignore',
      request: { scraper: 'http', scraper_options: { formats: ['markdown', 'links', 'metadata'] } },
      webhook: webhook(['started', 'page', 'done'], { metadata: { shop: 7 } }),
    });
    await eventually(() => messagesOf(id).length === 4);
    const messages = messagesOf(id).map(bodyOf);
    assert.deepEqual(messages.map(({ type }) => type).toSorted(), [
      'crawl.completed',
      'crawl.page',
      'crawl.page',
      'crawl.started',
    ]);
    assert.equal(new Set(messages.map(({ webhookId }) => webhookId)).size, 4);
    for (const message of messages) {
      assert.equal(message.success, true);
      assert.deepEqual(message.metadata, { shop: 7 });
      assert.match(
        message.webhookId,
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.equal(Object.hasOwn(message, 'error'), false);
      if (message.type !== 'crawl.page') assert.deepEqual(message.data, []);
    }
    const page = messages.find(({ data }) => data[0]?.metadata.sourceURL === `${site.url}/b`)!.data[0]!;
    assert.partialDeepStrictEqual(page, {
      links: [`${site.url}/b`],
      rawHtml: linkPage('page /b', ['/b']),
      metadata: {
        title: 'page /b',
        url: `${site.url}/b`,
        statusCode: 200,
        contentType: 'text/html; charset=utf-8',
      },
    });
    assert.match(page.markdown as string, /page \/b/);
    const scrape = await visitor.call('GET', `/api/v1/scrape/${page.metadata.scrapeId}/`);
    assert.equal(scrape.status, 200);
    for (const { text, headers } of messagesOf(id)) {
      const hex = createHmac('sha256', secret).update(text).digest('hex');
      assert.equal(headers['x-firecrawl-signature'], `sha256=${hex}`);
      new Webhook(secret).verify(text, headers as Record<string, string>);
    }
  });

  test('a batch: failed pages say why; a retry has the same id; `include` decides how much', async () => {
    let answers = 0;
    receiver.answer = (_, response) => void response.writeHead(answers++ === 0 ? 500 : 204).end();
    const id = await accepted('/api/v1/batches/', {
      requests: [{ url: 'http://127.0.0.1:1/', scraper: 'http' }],
      retries: 0,
      webhook: webhook(['item_failed'], { include: 'metadata' }),
    });
    await eventually(() => messagesOf(id).length === 2);
    const [first, again] = messagesOf(id).map(bodyOf);
    assert.deepEqual(first, again);
    const { success, type, error, data } = first!;
    assert.deepEqual([success, type], [false, 'batch_scrape.page']);
    assert.match(error!, /refused/i);
    assert.partialDeepStrictEqual(data, [{ metadata: { sourceURL: 'http://127.0.0.1:1/', error } }]);

    for (const include of ['none', 'metadata', 'full']) {
      const ids = await accepted('/api/v1/batches/', {
        requests: [
          { url: `${site.url}/`, scraper: 'http', router: include === 'full' ? { retain: 'none' } : {} },
        ],
        webhook: webhook(['page'], { include }),
      });
      await eventually(() => messagesOf(ids).length === 1);
      const [page] = bodyOf(messagesOf(ids)[0]!).data;
      assert.equal(page!.metadata.statusCode, include === 'none' ? undefined : 200);
      assert.equal(page!.rawHtml, include === 'full' ? linkPage('page /', ['/b']) : undefined);
    }
  });

  test('a job that is cancelled has failed; a test event', async () => {
    const id = await accepted('/api/v1/batches/', {
      requests: [{ url: `${site.url}/hang`, scraper: 'http' }],
      webhook: webhook(['cancelled']),
    });
    assert.equal((await visitor.call('DELETE', `/api/v1/jobs/${id}/`)).status, 204);
    await eventually(() => messagesOf(id).length === 1);
    assert.partialDeepStrictEqual(bodyOf(messagesOf(id)[0]!), {
      success: false,
      type: 'batch_scrape.failed',
      data: [],
      error: 'The job was cancelled.',
    });
    const sent = await visitor.call<{ source_id: string }>('POST', '/api/v1/webhooks/test/', {
      body: { url: receiver.url, format: 'firecrawl' },
    });
    await eventually(() => messagesOf(sent.body.source_id).length === 1);
    assert.partialDeepStrictEqual(bodyOf(messagesOf(sent.body.source_id)[0]!), { type: 'webhook.test' });
  });

  test('where Firecrawl has no messages, it is refused', async () => {
    const refused = await visitor.call<{ errors: { pointer: string }[] }>('POST', '/api/v1/monitors/', {
      body: {
        name: 'm',
        request: { url: `${site.url}/` },
        schedule: { every_s: 60 },
        webhook: webhook(['changed']),
      },
    });
    assert.equal(refused.body.errors[0]!.pointer, '/webhook/format');
    const later = await service.api<{ errors: { pointer: string }[] }>('POST', '/api/v1/scrape/', {
      headers: { prefer: 'respond-async' },
      body: { url: `${site.url}/`, router: { webhook: webhook(['done']) } },
    });
    assert.equal(later.body.errors[0]!.pointer, '/router/webhook/format');
    const own = await visitor.call<{ errors: { pointer: string }[] }>('POST', '/api/v1/batches/', {
      body: {
        requests: [{ url: `${site.url}/` }],
        webhook: webhook(['done'], { headers: { 'X-Firecrawl-Signature': 'x' } }),
      },
    });
    assert.equal(own.body.errors[0]!.pointer, '/webhook/headers/X-Firecrawl-Signature');
  });
});
