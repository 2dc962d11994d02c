import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { eventually, startService, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { endOf, type JobBody, jobOf, resultsOf, startBatch } from './job-calls.ts';

describe('batches', () => {
  const site = useSite();
  const service = useService();

  test('each request becomes a scrape with a record; results come in the order of their ends', async () => {
    const requests = [
      { url: `${site.url}/text`, ref: 'first' },
      { url: 'http://127.0.0.1:1/', ref: 'closed' },
      { url: `${site.url}/status/404` },
    ];
    const id = await startBatch(service, {
      requests,
      defaults: { scraper: 'http' },
      retries: 0,
      name: 'three',
    });
    const job = await endOf(service, id);
    assert.equal(job.state, 'done');
    assert.deepEqual(job.counts, { found: 3, queued: 0, running: 0, ok: 2, failed: 1, skipped: 0 });
    const { items, next_cursor } = await resultsOf(service, id);
    assert.equal(next_cursor, null);
    assert.deepEqual(
      items.map(({ n }) => n),
      [1, 2, 3],
    );
    const byRef = new Map(items.map((item) => [item.ref, item]));
    assert.equal(byRef.get('first')!.state, 'ok');
    assert.equal(byRef.get('closed')!.error!.code, 'connect.refused');
    const record = await service.api('GET', `/api/v1/scrape/${byRef.get('first')!.scrape}/`);
    assert.equal(record.status, 200);
    const history = await service.api('GET', `/api/v1/scrape/?tag=job:${id}`);
    assert.equal((history.body as { items: unknown[] }).items.length, 3);
    const full = await resultsOf(service, id, '?include=full&limit=1');
    assert.equal(full.items.length, 1);
    assert.equal(typeof full.items[0]!.scrape, 'object');
    assert.notEqual(full.next_cursor, null);
  });

  test('formats of the requests are in the results', async () => {
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}/html` }],
      defaults: { scraper: 'http', scraper_options: { formats: ['text'] } },
    });
    await endOf(service, id);
    const { items } = await resultsOf(service, id);
    assert.equal(typeof items[0]!.scraper_data!.text, 'string');
  });

  test('nothing runs if a request is not valid; with `invalid: skip` the others run', async () => {
    const requests = [{ url: `${site.url}/text` }, { url: '' }, { url: site.url, scraper: 'none' }];
    const refused = await service.api('POST', '/api/v1/batches/', { body: { requests } });
    assert.equal(refused.status, 400);
    const pointers = (refused.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    assert.deepEqual(pointers, ['/requests/1/url', '/requests/2/scraper']);
    const accepted = await service.api('POST', '/api/v1/batches/', { body: { requests, invalid: 'skip' } });
    assert.equal(accepted.status, 202);
    const { id, invalid_total: invalid } = accepted.body as { id: string; invalid_total: number };
    assert.equal(invalid, 2);
    assert.equal((await endOf(service, id)).counts.found, 1);
  });

  test('what is wrong with the defaults is one error, at the defaults', async () => {
    const requests = Array.from({ length: 20 }, () => ({ url: `${site.url}/text` }));
    const cases: readonly [defaults: object, pointers: readonly string[], own?: object][] = [
      [{ scraper: 'nobody' }, ['/defaults/scraper']],
      [{ timeout_ms: -1, scraper: 'nobody' }, ['/defaults/scraper', '/defaults/timeout_ms']],
      [{ headers: { 'a b': 'c' } }, ['/defaults/headers/a b']],
      [{ scraper_options: { formats: ['nothing'] } }, ['/defaults/scraper_options/formats/0']],
      [{ scraper_options: { extract: 'template:none' } }, ['/defaults/scraper_options/extract']],
      [{ wait_for_selector: 'p[' }, ['/defaults/wait_for_selector']],
      [{ unknown_member: 1 }, ['/defaults/unknown_member']],
      [{ router: { retain: 'none' } }, ['/defaults/router/retain']],
      // The request's own member, and one that only the two together make wrong, are at the request.
      [{ timeout_ms: 5_000 }, ['/requests/0/timeout_ms'], { timeout_ms: -1 }],
      [{ method: 'POST' }, ['/requests/0/url'], { url: 'ftp://x/' }],
    ];
    for (const [defaults, pointers, own] of cases) {
      const body = { requests: own === undefined ? requests : [{ ...requests[0], ...own }], defaults };
      const refused = await service.api('POST', '/api/v1/batches/', { body });
      const told = refused.body as { errors: { pointer: string }[]; errors_total: number };
      assert.ok([400, 422].includes(refused.status), `${JSON.stringify(defaults)}: ${JSON.stringify(told)}`);
      assert.deepEqual(told.errors.map(({ pointer }) => pointer).sort(), pointers, JSON.stringify(told));
      assert.equal(told.errors_total, pointers.length);
    }
    const lines = [{ job: { defaults: { scraper: 'nobody' } } }, ...requests]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const refused = await service.api('POST', '/api/v1/batches/', {
      raw: lines,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const { errors } = refused.body as { errors: { pointer: string; line?: number }[] };
    assert.deepEqual(
      errors.map(({ pointer, line }) => [pointer, line]),
      [['/job/defaults/scraper', undefined]],
    );
    const monitor = {
      name: 'm',
      schedule: { every_s: 60 },
      batch: { requests, defaults: { scraper: 'nobody' } },
    };
    const watched = await service.api('POST', '/api/v1/monitors/', { body: monitor });
    const told = (watched.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    assert.deepEqual(told, ['/batch/defaults/scraper']);
  });

  test('with `invalid: skip`, requests that have members of their own run; none at all is refused', async () => {
    const requests = [
      { url: `${site.url}/text` },
      { url: `${site.url}/text`, scraper: 'http' },
      { url: '', scraper: 'http' },
    ];
    const body = { requests, defaults: { scraper: 'nobody' }, invalid: 'skip' };
    const accepted = await service.api('POST', '/api/v1/batches/', { body });
    assert.equal(accepted.status, 202);
    const { id, ...rest } = accepted.body as {
      id: string;
      invalid: { pointer: string }[];
      invalid_total: number;
    };
    assert.equal(rest.invalid_total, 2);
    assert.deepEqual(
      rest.invalid.map(({ pointer }) => pointer),
      ['/defaults/scraper', '/requests/2/url'],
    );
    assert.equal((await endOf(service, id)).counts.ok, 1);
    const none = { requests: [requests[0], requests[2]], defaults: body.defaults, invalid: 'skip' };
    assert.equal((await service.api('POST', '/api/v1/batches/', { body: none })).status, 400);
  });

  test('a mistake in a crawl is told where it stands', async () => {
    const cases: readonly [body: object, pointers: readonly string[]][] = [
      [{ request: { wait_for_selector: 'p[' } }, ['/request/wait_for_selector']],
      [
        { rules: [{ match: '/a', request: { wait_for_selector: 'p[' } }] },
        ['/rules/0/request/wait_for_selector'],
      ],
    ];
    for (const [members, pointers] of cases) {
      const body = { url: site.url, ...members };
      const refused = await service.api('POST', '/api/v1/crawls/', { body });
      assert.equal(refused.status, 400);
      const { errors } = refused.body as { errors: { pointer: string }[] };
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        pointers,
      );
    }
    const map = { url: site.url, request: { scraper: 'vendor:nobody' } };
    const refused = await service.api('POST', '/api/v1/maps/', { body: map });
    assert.equal(refused.status, 422);
    assert.equal((refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer, '/request/scraper');
  });

  test('items take none of the places for requests', async () => {
    const id = await startBatch(service, {
      requests: Array.from({ length: 4 }, () => ({ url: `${site.url}/hang` })),
      defaults: { scraper: 'http', timeout_ms: 60_000 },
    });
    await eventually(async () => (await jobOf(service, id)).counts.running === 4);
    const { headers } = await service.api('GET', '/api/v1/scrapers/');
    assert.equal(headers.get('ratelimit'), '"concurrency";r=49');
    await service.api('DELETE', `/api/v1/jobs/${id}/`);
    await eventually(async () => (await jobOf(service, id)).counts.running === 0);
  });

  test('items run beside requests that are under way, too', async () => {
    const away = new AbortController();
    const body = { url: `${site.url}/hang`, scraper: 'http', timeout_ms: 60_000 };
    const waiting = service.scrape(body, { signal: away.signal }).then(
      () => 'answered',
      () => 'aborted',
    );
    const id = await startBatch(service, {
      requests: Array.from({ length: 40 }, () => ({ url: `${site.url}/text` })),
      defaults: { scraper: 'http' },
    });
    assert.equal((await endOf(service, id)).counts.ok, 40);
    away.abort();
    assert.equal(await waiting, 'aborted');
  });

  test('an item whose time is up has failed, and does not begin again', async () => {
    const requests = [{ url: `${site.url}/hang`, scraper: 'http', timeout_ms: 1_000 }];
    const id = await startBatch(service, { requests, retries: 0 });
    assert.equal((await endOf(service, id)).counts.failed, 1);
    assert.equal((await resultsOf(service, id)).items[0]!.error!.code, 'timeout.total');
  });

  test('a paused job starts nothing, and goes on when it is resumed', async () => {
    const id = await startBatch(service, {
      requests: Array.from({ length: 30 }, (_, n) => ({ url: `${site.url}/slow?n=${n}` })),
      defaults: { scraper: 'http' },
      concurrency: 1,
    });
    const paused = await service.api('POST', `/api/v1/jobs/${id}/pause/`);
    assert.equal((paused.body as JobBody).pause!.reason, 'asked');
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/pause/`)).status, 409);
    await eventually(async () => (await jobOf(service, id)).counts.running === 0);
    const before = (await jobOf(service, id)).counts.queued;
    await pause(600);
    assert.equal((await jobOf(service, id)).counts.queued, before);
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/resume/`)).status, 200);
    await service.api('PATCH', `/api/v1/jobs/${id}/`, { body: { concurrency: null } });
    assert.equal((await endOf(service, id)).counts.ok, 30);
  });

  test('a cancelled job aborts its items; with `purge` it leaves nothing', async () => {
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}/text` }, { url: `${site.url}/hang` }],
      defaults: { scraper: 'http', timeout_ms: 60_000 },
    });
    await eventually(async () => (await jobOf(service, id)).counts.ok === 1);
    const { items } = await resultsOf(service, id);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`)).status, 204);
    assert.equal((await jobOf(service, id)).state, 'cancelled');
    const again = await service.api('DELETE', `/api/v1/jobs/${id}/`);
    assert.deepEqual([again.status, (again.body as { code: string }).code], [409, 'job.state']);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/?purge=1`)).status, 204);
    assert.equal((await service.api('GET', `/api/v1/jobs/${id}/`)).status, 404);
    assert.equal((await service.api('GET', `/api/v1/scrape/${items[0]!.scrape}/`)).status, 404);
  });
});

describe('asynchronous scrapes', () => {
  const site = useSite();
  const service = useService();
  const later = { prefer: 'respond-async' };

  test('the request is accepted at once, and the result is at `Location`', async () => {
    const body = { url: `${site.url}/text`, scraper: 'http' };
    const accepted = await service.api('POST', '/api/v1/scrape/', { body, headers: later });
    assert.equal(accepted.status, 202);
    assert.equal(accepted.headers.get('preference-applied'), 'respond-async');
    const { id, state } = accepted.body as { id: string; state: string };
    assert.equal(state, 'queued');
    assert.equal(accepted.headers.get('location'), `${service.base}/api/v1/scrape/${id}/`);
    const ended = await service.api('GET', `/api/v1/scrape/${id}/?wait_ms=10000`);
    assert.equal(ended.status, 200);
    const { content, router } = ended.body as { content: string; router: Record<string, string> };
    assert.equal(content, 'plain text\n');
    assert.ok(Date.parse(router.started_at!) >= Date.parse(router.created_at!));
  });

  test('one whose time is up has ended', async () => {
    const body = { url: `${site.url}/hang`, scraper: 'http', timeout_ms: 1_000 };
    const accepted = await service.api('POST', '/api/v1/scrape/', { body, headers: later });
    const { id } = accepted.body as { id: string };
    const ended = await service.api('GET', `/api/v1/scrape/${id}/?wait_ms=10000`);
    assert.equal(ended.status, 200);
    assert.equal((ended.body as { errors: { code: string }[] }).errors[0]!.code, 'timeout.total');
  });

  test('until the end, GET says 202; DELETE cancels', async () => {
    const body = { url: `${site.url}/hang`, scraper: 'http' };
    const accepted = await service.api('POST', '/api/v1/scrape/', { body, headers: later });
    const { id } = accepted.body as { id: string };
    const waiting = await service.api('GET', `/api/v1/scrape/${id}/?wait_ms=300`);
    assert.equal(waiting.status, 202);
    assert.equal(waiting.headers.get('retry-after'), '1');
    assert.deepEqual(waiting.body, { id, state: 'running' });
    assert.equal((await service.api('DELETE', `/api/v1/scrape/${id}/`)).status, 204);
    assert.equal((await service.api('GET', `/api/v1/scrape/${id}/`)).status, 404);
  });

  test('a request that cannot be kept is refused', async () => {
    const body = { url: `${site.url}/text`, router: { retain: 'none' } };
    const refused = await service.api('POST', '/api/v1/scrape/', { body, headers: later });
    assert.equal(refused.status, 400);
    assert.equal((refused.body as { errors: { pointer: string }[] }).errors[0]!.pointer, '/router/retain');
  });
});

describe('jobs after a crash', () => {
  const site = useSite();

  test('a job goes on after kill -9: nothing is lost, nothing is twice', async (t) => {
    const dataDir = tempFolder(t);
    const first = await startService({}, { dataDir });
    const requests = Array.from({ length: 60 }, (_, n) => ({
      url: `${site.url}/text?n=${n}`,
      ref: String(n),
    }));
    const id = await startBatch(first, { requests, defaults: { scraper: 'http' }, concurrency: 2 });
    const once = { url: `${site.url}/hang`, method: 'POST', data: { a: 1 }, scraper: 'http' };
    const { body: promised } = await first.api<{ id: string }>('POST', '/api/v1/scrape/', {
      body: once,
      headers: { prefer: 'respond-async' },
    });
    await eventually(async () => {
      const { body } = await first.api<{ state: string }>('GET', `/api/v1/scrape/${promised.id}/`);
      return body.state === 'running';
    });
    await eventually(async () => (await jobOf(first, id)).counts.ok! >= 10);
    await first.kill9();
    const second = await startService({}, { dataDir });
    afterwards(t, () => second.end());
    // What may be sent once alone is not sent again, and its id still says what became of it.
    const ended = await second.api<{ code: string }>('GET', `/api/v1/scrape/${promised.id}/?wait_ms=60000`);
    assert.deepEqual([ended.status, ended.body.code], [500, 'job.interrupted']);
    const job = await endOf(second, id);
    assert.deepEqual(job.counts, { found: 60, queued: 0, running: 0, ok: 60, failed: 0, skipped: 0 });
    const { items } = await resultsOf(second, id, '?limit=200&include=none');
    assert.equal(new Set(items.map(({ ref }) => ref)).size, 60);
    assert.equal(new Set(items.map(({ scrape }) => scrape)).size, 60);
    const history = await second.api('GET', `/api/v1/scrape/?tag=job:${id}&limit=200`);
    assert.equal((history.body as { items: unknown[] }).items.length, 60);
  });
});
