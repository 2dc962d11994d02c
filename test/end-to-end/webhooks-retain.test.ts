import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { startMadeSite } from '../helpers/made-site.ts';
import { type ReceivedMessage, startReceiver } from '../helpers/receiver.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { crawlJob, startCrawl } from './crawling.ts';
import { endOf, resultsOf, startBatch } from './job-calls.ts';

const ALLOW = { SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' };
/** Longer than what is compressed, and than a page of the database. */
const SECRET = 'only-for-the-webhook ';
const PAGE = `<!doctype html><title>t</title><p>${SECRET.repeat(500)}</p><a href="/two">two</a>`;

async function start(t: TestContext) {
  const site = await startMadeSite((path) => (['/', '/two'].includes(path) ? PAGE : null));
  const receiver = await startReceiver();
  const dataDir = tempFolder(t);
  let service = await startService(ALLOW, { dataDir });
  afterwards(t, async () => {
    await service.end();
    await receiver[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  return {
    site,
    receiver,
    dataDir,
    service: () => service,
    async killAndStart() {
      await service.kill9();
      service = await startService(ALLOW, { dataDir });
    },
  };
}

const scrapeOf = ({ body }: ReceivedMessage) => body.data.scrape as Readonly<Record<string, unknown>>;

/** Names of the files of the data folder that contain the text of the page. */
const filesWithText = (dataDir: string): readonly string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(SECRET));

function countsOf(dataDir: string) {
  const db = new Database(join(dataDir, 'sluice.db'), { readonly: true });
  try {
    const count = (sql: string) => (db.prepare(sql).get() as { n: number }).n;
    return {
      waiting: count('SELECT count(*) AS n FROM webhook_contents'),
      kept: count('SELECT count(*) AS n FROM record_bodies WHERE content IS NOT NULL'),
    };
  } finally {
    db.close();
  }
}

const noneShown = async (service: Service, id: string) => {
  const { items } = await resultsOf(service, id, '?include=full');
  assert.ok(items.length > 0);
  for (const item of items) {
    assert.partialDeepStrictEqual(item, { gone: 'retain', scrape: { content: null } });
    const scrape = await service.api('GET', `/api/v1/scrape/${(item.scrape as { id: string }).id}/content/`);
    assert.equal(scrape.status, 404);
  }
  const lines = await service.api('GET', `/api/v1/jobs/${id}/export/?format=jsonl`);
  assert.equal(lines.text.includes(SECRET), false);
};

describe('scrapes that only the webhook gets', () => {
  test('are kept encrypted until they are delivered, over kill -9, and then nowhere', async (t) => {
    const { site, receiver, dataDir, service, killAndStart } = await start(t);
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const id = await startBatch(service(), {
      requests: ['metadata', 'none'].map((retain) => ({
        url: `${site.url}/`,
        ref: retain,
        scraper: 'http',
        router: { retain },
      })),
      webhook: { url: receiver.url, events: ['page', 'item_failed'], include: 'full' },
    });
    await endOf(service(), id);
    await noneShown(service(), id);
    await eventually(() => receiver.messages.length >= 2);
    assert.deepEqual(countsOf(dataDir), { waiting: 2, kept: 0 });
    assert.deepEqual(filesWithText(dataDir), []);
    await killAndStart();
    assert.deepEqual(countsOf(dataDir), { waiting: 2, kept: 0 });
    receiver.messages.length = 0;
    receiver.answer = (_, response) => void response.writeHead(204).end();
    await eventually(() => receiver.messages.length === 2);
    for (const message of receiver.messages) {
      assert.equal(scrapeOf(message).content, PAGE);
      assert.partialDeepStrictEqual(scrapeOf(message), { status_code: 200, final_url: `${site.url}/` });
    }
    await eventually(() => countsOf(dataDir).waiting === 0);
    assert.deepEqual(filesWithText(dataDir), []);
    await noneShown(service(), id);
  });

  test('an asynchronous scrape and a crawl; content that is given up is deleted, too', async (t) => {
    const { site, receiver, dataDir, service } = await start(t);
    const asked = await service().api<{ id: string }>('POST', '/api/v1/scrape/', {
      headers: { prefer: 'respond-async' },
      body: {
        url: `${site.url}/two`,
        scraper: 'http',
        scraper_options: { formats: ['text'] },
        router: { retain: 'none', webhook: { url: receiver.url, include: 'full' } },
      },
    });
    assert.equal(asked.status, 202, asked.text);
    await eventually(() => receiver.messages.length === 1);
    assert.partialDeepStrictEqual(scrapeOf(receiver.messages[0]!), { id: asked.body.id, content: PAGE });
    const data = scrapeOf(receiver.messages[0]!).scraper_data as { text: string };
    assert.ok(data.text.includes(SECRET));
    const record = await service().api('GET', `/api/v1/scrape/${asked.body.id}/`);
    assert.partialDeepStrictEqual(record.body, { content: null, scraper_data: {} });

    receiver.messages.length = 0;
    // 410 ends the webhook of the job, so it is sent only when both messages are there.
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => {
      held.push(response);
      if (held.length < 2) return;
      for (const [index, one] of held.entries()) one.writeHead(index === 0 ? 204 : 410).end();
    };
    const crawl = await startCrawl(service(), {
      url: `${site.url}/`,
      request: { scraper: 'http', router: { retain: 'none' } },
      webhook: { url: receiver.url, events: ['page'], include: 'full' },
    });
    await eventually(async () => (await crawlJob(service(), crawl)).counts.ok === 2);
    await eventually(() => receiver.messages.length === 2);
    for (const message of receiver.messages) assert.equal(scrapeOf(message).content, PAGE);
    await eventually(() => countsOf(dataDir).waiting === 0);
    await noneShown(service(), crawl);
    assert.deepEqual(filesWithText(dataDir), []);
  });

  test('what the webhook would not get is refused', async (t) => {
    const { site, receiver, service } = await start(t);
    const pointer = async (webhook: object) => {
      const body = { requests: [{ url: site.url, router: { retain: 'none' } }], webhook };
      const refused = await service().api('POST', '/api/v1/batches/', { body });
      return (refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer;
    };
    const { url } = receiver;
    assert.equal(await pointer({ url, include: 'full' }), '/requests/0/router/retain', 'only `done`');
    assert.equal(await pointer({ url, events: ['page'] }), '/requests/0/router/retain', 'only metadata');
    assert.equal(await pointer({ events: ['page'], include: 'full' }), '/webhook/url');
  });
});
