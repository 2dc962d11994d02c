import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { RecordList, ScrapeAnswer } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';

describe('records: retain, dry_run and trace', () => {
  const site = useSite();
  const service = useService();

  const scrape = async (path: string, more: Record<string, unknown> = {}): Promise<ScrapeAnswer> =>
    (await service.scrape({ url: site.url + path, scraper: 'http', ...more })).body;
  const record = (id: string | null, part = '') => service.api<ScrapeAnswer>('GET', `${SCRAPE}${id}/${part}`);
  const list = async (query = '') => (await service.api<RecordList>('GET', `${SCRAPE}?${query}`)).body;

  describe('retain', () => {
    test('metadata: no content, no headers', async () => {
      const answer = await scrape('/html/3000', { router: { retain: 'metadata' } });
      assert.equal(answer.content?.length, 3000, 'the answer itself is whole');
      const { body } = await record(answer.id);
      assert.equal(body.content, null);
      assert.deepEqual(body.headers, {});
      assert.equal(body.status_code, 200);
      assert.equal(body.final_url, answer.final_url);
      assert.equal((await record(answer.id, 'request/')).status, 200);
      assert.equal((await list(`limit=1`)).items[0]?.url, `${site.url}/html/3000`);
    });

    test('none: id, time, host, outcome, cost, duration', async () => {
      const answer = await scrape('/html/3000?private', {
        router: { retain: 'none', tags: { private: 'tag' } },
      });
      assert.equal(answer.content?.length, 3000);
      const { status, text, body } = await record(answer.id);
      assert.equal(status, 200);
      assert.ok(!text.includes('/html/3000'), text);
      assert.equal(body.content, null);
      assert.equal(body.final_url, null);
      assert.equal(body.router.outcome, 'ok');
      assert.equal((await record(answer.id, 'request/')).status, 404);
      const line = (await list('limit=1')).items[0]!;
      assert.equal(line.id, answer.id);
      assert.equal(line.url, null);
      assert.equal(line.host, '127.0.0.1');
      assert.equal(line.outcome, 'ok');
    });
  });

  test('dry_run: 200, nulls, candidates, a record, no request', async () => {
    site.log.length = 0;
    const answer = await scrape('/text?planned', { scraper: 'auto', router: { dry_run: true } });
    assert.equal(answer.router.outcome, 'planned');
    for (const field of ['status_code', 'final_url', 'content', 'content_encoding'] as const)
      assert.equal(answer[field], null);
    assert.deepEqual(answer.router.attempts, []);
    assert.deepEqual(answer.errors, []);
    const chosen = answer.router.candidates.filter((candidate) => candidate.selected);
    assert.deepEqual(
      chosen.map(({ proxy_type }) => proxy_type),
      ['datacenter'],
    );
    for (const { excluded_by, est_cost, est_success } of answer.router.candidates) {
      if (excluded_by === null) assert.ok(est_cost! > 0 && est_success! > 0 && est_success! <= 1);
      else assert.deepEqual([est_cost, est_success], [null, null]);
    }
    assert.ok(
      answer.router.candidates.some(({ excluded_by }) => excluded_by !== null),
      'and those that are out',
    );
    assert.equal(site.log.length, 0);
    assert.equal((await record(answer.id)).body.router.outcome, 'planned');
  });

  test('trace: false shortens router', async () => {
    const { router } = await scrape('/text', { router: { trace: false } });
    assert.deepEqual(Object.keys(router).sort(), [
      'direct',
      'outcome',
      'proxy_type',
      'request_cost',
      'request_headers',
      'scraper',
      'warnings',
    ]);
    assert.equal(router.scraper, 'http');
    assert.equal(router.proxy_type, 'datacenter');
    assert.equal(router.warnings[0]?.code, 'proxy.direct');
    assert.match(
      router.warnings[0].message,
      /^No proxy is configured, so this request uses the server's own/,
    );
  });
});
