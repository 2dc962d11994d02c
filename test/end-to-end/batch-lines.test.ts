import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { eventually, type Service, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { endOf, jobOf, resultsOf } from './job-calls.ts';

interface BatchReply {
  readonly id: string;
  readonly invalid?: readonly { readonly pointer: string; readonly line: number }[];
  readonly invalid_total?: number;
  readonly code?: string;
  readonly errors?: readonly { readonly code: string; readonly pointer?: string; readonly line?: number }[];
  readonly errors_total?: number;
}

async function send(
  service: Service,
  body: string,
  type = 'application/x-ndjson',
  path = '/api/v1/batches/',
) {
  const response = await fetch(service.base + path, {
    method: 'POST',
    headers: { authorization: `Api-Key ${service.key}`, 'content-type': type },
    body,
  });
  return { status: response.status, body: (await response.json()) as BatchReply };
}

const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const jobsOf = async (service: Service) =>
  ((await service.api('GET', '/api/v1/jobs/?limit=200')).body as { items: { id: string }[] }).items.length;

describe('batches of lines', () => {
  const site = useSite();
  const service = useOwnService();

  test('the first line may have the settings; empty lines count only as lines', async () => {
    const head = { job: { name: 'lines', defaults: { scraper: 'http' } } };
    const body = `${lines(head)}\r\n${JSON.stringify({ url: `${site.url}/text`, ref: 'ü' })}\r\n\n{"url":"${site.url}/html"}`;
    const accepted = await send(service, body);
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    const { id } = accepted.body;
    assert.deepEqual((await endOf(service, id)).counts.ok, 2);
    const refs = (await resultsOf(service, id)).items.map(({ ref }) => ref);
    assert.ok(refs.includes('ü'));
    const job = (await service.api('GET', `/api/v1/jobs/${id}/`)).body;
    assert.partialDeepStrictEqual(job, { name: 'lines', request: { defaults: { scraper: 'http' } } });
  });

  test('without settings, each line is a request', async () => {
    const accepted = await send(service, lines({ url: `${site.url}/text`, scraper: 'http' }));
    assert.equal(accepted.status, 202);
    assert.equal((await endOf(service, accepted.body.id)).counts.ok, 1);
  });

  test('all lines are checked: ten errors with their lines, and the number of all', async () => {
    const before = await jobsOf(service);
    const good = { url: `${site.url}/text` };
    const bad = Array.from({ length: 1_500 }, () => ({ url: '' }));
    const refused = await send(service, `${lines(good)}no json\n${lines(good, ...bad)}`);
    assert.equal(refused.status, 400);
    const { errors, errors_total: total } = refused.body;
    assert.equal(total, 1_501);
    assert.equal(errors!.length, 10);
    assert.deepEqual(errors![0]!, { ...errors![0]!, code: 'request.invalid_json', line: 2 });
    assert.deepEqual(errors![1]!, { ...errors![1]!, pointer: '/requests/3/url', line: 4 });
    assert.equal(await jobsOf(service), before);
  });

  test('with `invalid: skip` the valid lines run', async () => {
    const head = { job: { invalid: 'skip', defaults: { scraper: 'http' } } };
    const body = `${lines(head, { url: `${site.url}/text` }, { url: '' })}{\n`;
    const accepted = await send(service, body);
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    assert.deepEqual(
      accepted.body.invalid!.map(({ line }) => line),
      [3, 4],
    );
    assert.equal(accepted.body.invalid_total, 2);
    assert.equal((await endOf(service, accepted.body.id)).counts.found, 1);
  });

  test('settings that are not valid are refused at their place', async () => {
    const pointersOf = async (head: unknown) =>
      (await send(service, lines(head, { url: site.url }))).body.errors!.map(({ pointer }) => pointer);
    assert.deepEqual(await pointersOf({ job: { priority: 11 } }), ['/job/priority']);
    assert.deepEqual(await pointersOf({ job: { requests: [] } }), ['/job/requests']);
    assert.deepEqual(await pointersOf({ job: { max_cost: 1 } }), ['/job/max_cost']);
    assert.deepEqual(await pointersOf({ job: { webhook: { url: 'http://10.0.0.1/' } } }), [
      '/job/webhook/url',
    ]);
    assert.deepEqual(
      (await send(service, '\n')).body.errors!.map(({ pointer }) => pointer),
      ['/requests'],
    );
  });

  test('too many requests, and lines at other endpoints, are refused', async () => {
    const before = await jobsOf(service);
    // After the first line, which is refused, nothing is stored, so that a slow machine has read all lines in time.
    const many = await send(service, lines({}) + lines({ url: site.url }).repeat(100_000));
    assert.equal(many.status, 413);
    assert.equal(await jobsOf(service), before);
    const other = await send(service, lines({ name: 'x' }), 'application/x-ndjson', '/api/v1/keys/');
    assert.equal(other.body.code, 'request.media_type');
  });

  test('10,000 lines are accepted, and counted', async () => {
    const head = { job: { defaults: { scraper: 'http' }, concurrency: 1 } };
    const requests = Array.from({ length: 10_000 }, (_, n) => ({ url: `${site.url}/hang?n=${n}` }));
    const startedAt = performance.now();
    const accepted = await send(service, lines(head, ...requests));
    assert.equal(accepted.status, 202);
    console.log(`10,000 lines: ${Math.round(performance.now() - startedAt)} ms`);
    assert.equal((await jobOf(service, accepted.body.id)).counts.found, 10_000);
    await service.api('DELETE', `/api/v1/jobs/${accepted.body.id}/?purge=1`);
  });

  test('an upload that breaks off leaves nothing', async () => {
    const before = await jobsOf(service);
    const socket = connect(service.port, '127.0.0.1');
    const part = lines({ url: `${site.url}/text`, scraper: 'http' }).repeat(2_500);
    socket.write(
      `POST /api/v1/batches/ HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${part.length * 2}\r\n\r\n${part}`,
    );
    const stored = () => {
      const db = new Database(join(service.dataDir, 'sluice.db'), { readonly: true });
      const sql = `SELECT count(*) FROM job_items WHERE job_id IN (SELECT id FROM jobs WHERE state <> 'done')`;
      const items = db.prepare(sql).pluck().get() as number;
      const jobs = db
        .prepare(`SELECT count(*) FROM jobs WHERE state IN ('created', 'deleted')`)
        .pluck()
        .get();
      db.close();
      return [jobs, items];
    };
    // The first items are stored while the rest is still expected.
    await eventually(() => stored().join() === '1,2000');
    socket.destroy();
    await eventually(() => stored().join() === '0,0');
    assert.equal(await jobsOf(service), before);
  });
});
