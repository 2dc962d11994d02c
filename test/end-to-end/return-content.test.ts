import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';
import { endOf, resultsOf, startBatch } from './job-calls.ts';

const NOT_RETURNED = { scraper_options: { return_content: false, formats: ['text'] } };

describe('return_content: false', () => {
  const site = useSite();
  // Receivers of webhooks are on loopback.
  const service = useOwnService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  const page = () => ({ url: `${site.url}/html/3000`, scraper: 'http', ...NOT_RETURNED });

  const assertWithout = (answer: unknown) =>
    assert.partialDeepStrictEqual(answer, {
      content: null,
      content_encoding: null,
      status_code: 200,
      errors: [],
      router: { content_returned: false, outcome: 'ok' },
    });

  test('the answer has no content, but what was read from it; the record keeps it', async () => {
    const { body } = await service.scrape(page());
    assertWithout(body);
    assert.equal(typeof body.scraper_data.text, 'string');
    const path = `/api/v1/scrape/${body.id}/`;
    assertWithout((await service.api('GET', path)).body);
    const whole = (await service.api<ScrapeAnswer>('GET', `${path}?return_content=true`)).body;
    assert.equal(whole.content?.length, 3000);
    assert.equal(whole.content_encoding, 'utf-8');
    assert.equal((await service.api('GET', `${path}content/`)).text, whole.content);
    const read = await service.api('POST', `${path}read/`, { body: { formats: ['markdown'] } });
    assert.equal(read.status, 200);
    assert.equal((await service.api('GET', `${path}?return_content=1`)).status, 400);
  });

  test('any record is read without its content by the parameter', async () => {
    const { body } = await service.scrape({ url: `${site.url}/html/3000`, scraper: 'http' });
    assert.equal(body.content?.length, 3000);
    assert.equal('content_returned' in body.router, false);
    const path = `/api/v1/scrape/${body.id}/`;
    assert.equal((await service.api<ScrapeAnswer>('GET', path)).body.content?.length, 3000);
    const without = await service.api<ScrapeAnswer>('GET', `${path}?return_content=false`);
    assert.deepEqual([without.body.content, without.body.content_encoding], [null, null]);
  });

  test('large contents, base64, a repeated Idempotency-Key and a short trace', async () => {
    const large = { ...page(), url: `${site.url}/html/600000`, router: { trace: false } };
    const headers = { 'idempotency-key': 'without-content' };
    const first = await service.scrape(large, { headers });
    assertWithout(first.body);
    const again = await service.scrape(large, { headers });
    assert.equal(again.text, first.text);
    assert.ok((await service.api('GET', `/api/v1/scrape/${first.body.id}/content/`)).text.length >= 600_000);
    const bytes = await service.scrape({
      ...page(),
      scraper_options: { return_content: false, content_encoding: 'base64' },
    });
    assertWithout(bytes.body);
  });

  test('with `retain: none` nobody gets the content, and formats are in the answer alone', async () => {
    const { body } = await service.scrape({ ...page(), router: { retain: 'none' } });
    assertWithout(body);
    assert.equal(typeof body.scraper_data.text, 'string');
    const path = `/api/v1/scrape/${body.id}/`;
    const record = (await service.api<ScrapeAnswer>('GET', `${path}?return_content=true`)).body;
    assert.deepEqual([record.content, record.scraper_data], [null, {}]);
    assert.equal((await service.api('GET', `${path}content/`)).status, 404);
  });

  test('asynchronous scrapes and results of jobs', async () => {
    const accepted = await service.api('POST', '/api/v1/scrape/', {
      body: page(),
      headers: { prefer: 'respond-async' },
    });
    const { id } = accepted.body as { id: string };
    assertWithout((await service.api('GET', `/api/v1/scrape/${id}/?wait_ms=10000`)).body);
    const job = await startBatch(service, {
      requests: [page(), { url: `${site.url}/html/3000`, scraper: 'http' }],
    });
    await endOf(service, job);
    const { items } = await resultsOf(service, job, '?include=full');
    const [without, whole] = [...items].sort((a, b) => sizeOf(a.scrape) - sizeOf(b.scrape));
    assertWithout(without!.scrape);
    assert.equal(sizeOf(whole!.scrape), 3000);
  });

  test('webhooks', async () => {
    await using receiver: Receiver = await startReceiver();
    const job = await startBatch(service, {
      requests: [page(), { ...page(), router: { retain: 'none' } }],
      webhook: { url: receiver.url, events: ['page'], include: 'full' },
    });
    await endOf(service, job);
    await eventually(() => receiver.messages.length === 2);
    for (const { body } of receiver.messages) {
      assertWithout(body.data.scrape);
      assert.equal(typeof (body.data.scrape as unknown as ScrapeAnswer).scraper_data.text, 'string');
    }
  });
});

const sizeOf = (scrape: unknown): number => (scrape as ScrapeAnswer).content?.length ?? 0;
