import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { eventually, startService, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { jobOf, resultsOf } from './job-calls.ts';
import { useChangingSite } from './monitoring.ts';
import { makeSchedule, runScheduleNow, SCHEDULES, scheduledRuns } from './scheduling.ts';

describe('schedules', () => {
  const site = useSite();
  const slow = useChangingSite();
  const service = useService();
  const scrape = (path = '/text') => ({ kind: 'scrape', url: `${site.url}${path}`, scraper: 'http' });
  const problemOf = async (body: object) => {
    const whole = { name: 's', schedule: { every_s: 3600 }, job: scrape(), ...body };
    const refused = await service.api('POST', SCHEDULES, { body: whole });
    const { errors = [] } = refused.body as { errors?: { pointer: string; message: string }[] };
    return { status: refused.status, pointer: errors[0]?.pointer, message: errors[0]?.message ?? '' };
  };

  test('each kind of job runs, and the run is a job of the schedule', async () => {
    const jobs = [
      scrape(),
      {
        kind: 'batch',
        requests: [{ url: `${site.url}/text`, ref: 'a' }, { url: `${site.url}/html` }],
        defaults: { scraper: 'http' },
        tags: { team: 'a' },
        metadata: { order: 7 },
      },
      { kind: 'crawl', url: `${site.url}/html`, limit: 1, sitemap: 'ignore', request: { scraper: 'http' } },
    ];
    for (const job of jobs) {
      const id = await makeSchedule(service, { job, overlap: 'queue', jitter_s: 5 });
      const run = await runScheduleNow(service, id);
      assert.partialDeepStrictEqual(run, {
        n: 1,
        state: 'ended',
        reason: null,
        missed: 0,
        job_state: 'done',
        failed: 0,
      });
      const shown = await service.api('GET', `${SCHEDULES}${id}/`);
      assert.partialDeepStrictEqual(shown.body, {
        last_run: { n: 1, state: 'ended', job_id: run.job_id, job_state: 'done', ok: run.ok, failed: 0 },
      });
      const made = (await jobOf(service, run.job_id!)) as unknown as Record<string, unknown>;
      assert.partialDeepStrictEqual(made, {
        kind: job.kind,
        name: 'nightly',
        schedule_id: id,
        monitor_id: null,
        state: 'done',
      });
      if (job.kind === 'batch')
        assert.partialDeepStrictEqual(made, { tags: { team: 'a' }, metadata: { order: 7 } });
      const { items } = await resultsOf(service, run.job_id!);
      assert.ok(
        items.some(({ state }) => state === 'ok'),
        JSON.stringify(items),
      );
      const listed = async (query: string) => {
        const { body } = await service.api('GET', `/api/v1/jobs/?limit=200${query}`);
        return (body as { items: { id: string }[] }).items.some((one) => one.id === run.job_id);
      };
      assert.deepEqual([await listed(''), await listed('&with_runs=true')], [false, true]);
      await service.api('DELETE', `${SCHEDULES}${id}/`);
      assert.equal((await service.api('GET', `${SCHEDULES}${id}/`)).status, 404);
      assert.equal((await service.api('GET', `/api/v1/jobs/${run.job_id}/`)).status, 200, 'the job stays');
    }
  });

  test('is made, listed, changed, paused and resumed', async () => {
    const id = await makeSchedule(service, {
      job: { ...scrape(), headers: { authorization: 'Bearer secret-of-schedule' } },
    });
    const { body } = await service.api('GET', `${SCHEDULES}${id}/`);
    const shown = body as Record<string, unknown>;
    assert.partialDeepStrictEqual(shown, {
      name: 'nightly',
      state: 'active',
      overlap: 'skip',
      jitter_s: 0,
      schedule: { cron: '0 3 29 2 *', timezone: 'UTC' },
    });
    assert.doesNotMatch(JSON.stringify(shown), /secret-of-schedule/);
    assert.match(String(shown.next_run_at), /-02-29T03:00:00/);
    const patch = (change: object) => service.api('PATCH', `${SCHEDULES}${id}/`, { body: change });
    const changed = await patch({ name: 'hourly', schedule: { every_s: 3600 }, overlap: 'queue' });
    assert.partialDeepStrictEqual(changed.body, {
      name: 'hourly',
      schedule: { every_s: 3600 },
      overlap: 'queue',
    });
    assert.equal((await patch({ job: { kind: 'batch', requests: [] } })).status, 400);
    const batch = { kind: 'batch', requests: [{ url: 'https://u:p@a.test/' }] };
    assert.partialDeepStrictEqual((await patch({ job: batch })).body, {
      job: { kind: 'batch', urls: ['https://a.test/'], requests_total: 1 },
    });
    const listed = (await service.api('GET', `${SCHEDULES}?limit=200`)).body as { items: { id: string }[] };
    assert.ok(listed.items.some((one) => one.id === id));
    const steer = async (verb: string) => (await service.api('POST', `${SCHEDULES}${id}/${verb}/`)).status;
    assert.deepEqual([await steer('pause'), await steer('pause')], [200, 409]);
    assert.partialDeepStrictEqual((await service.api('GET', `${SCHEDULES}${id}/`)).body, {
      state: 'paused',
      pause_reason: 'asked',
      next_run_at: null,
    });
    assert.deepEqual([await steer('resume'), await steer('resume')], [200, 409]);
  });

  test('what no run could do is refused', async () => {
    const search = await problemOf({ job: { kind: 'search', query: 'a' } });
    assert.deepEqual([search.status, search.pointer], [400, '/job/kind']);
    assert.match(search.message, /not available yet/);
    const cases: readonly [body: object, status: number, pointer: string | undefined][] = [
      [{ job: { kind: 'map', url: site.url } }, 400, '/job/kind'],
      [{ job: { url: site.url } }, 400, '/job/kind'],
      [{ job: { kind: 'scrape', url: 'nonsense' } }, 400, '/job/url'],
      [{ job: { ...scrape(), unknown: 1 } }, 400, '/job/unknown'],
      [{ job: { ...scrape(), router: { compare_to: { record: 'last' } } } }, 400, '/job/router/compare_to'],
      [{ job: { ...scrape(), router: { retain: 'none' } } }, 400, '/job/router/retain'],
      [{ job: { kind: 'batch', requests: [{ url: 'x:' }] } }, 400, '/job/requests/0/url'],
      [{ job: { kind: 'crawl', url: site.url, limit: 0 } }, 400, '/job/limit'],
      [
        { job: { kind: 'crawl', url: site.url, webhook: { url: 'http://10.0.0.1/' } } },
        400,
        '/job/webhook/url',
      ],
      [{ schedule: { cron: '0 0 30 2 *' } }, 400, '/schedule/cron'],
      [{ schedule: { cron: '0 0 31 2,4,6,9,11 *' } }, 400, '/schedule/cron'],
      [{ schedule: { cron: '0 0 * * *', timezone: 'Europe/Nowhere' } }, 400, '/schedule/timezone'],
      [{ schedule: { every_s: 59 } }, 400, '/schedule/every_s'],
      [{ schedule: {} }, 400, '/schedule'],
      [{ overlap: 'both' }, 400, '/overlap'],
      [{ unknown: 1 }, 400, '/unknown'],
      [{ job: { ...scrape(), scraper: 'browser_stealth' } }, 422, undefined],
    ];
    for (const [body, status, pointer] of cases) {
      const found = await problemOf(body);
      assert.equal(found.status, status, JSON.stringify({ body, found }));
      if (pointer !== undefined) assert.equal(found.pointer, pointer, JSON.stringify(body));
    }
  });

  test('a run that is asked for while one is under way waits, or is refused', async () => {
    const held: ServerResponse[] = [];
    slow.answer('/slow', (response) => void held.push(response));
    const job = { kind: 'scrape', url: `${slow.url}/slow`, scraper: 'http' };
    const skips = await makeSchedule(service, { job });
    const queues = await makeSchedule(service, { job, overlap: 'queue' });
    const run = async (id: string) => (await service.api('POST', `${SCHEDULES}${id}/run/`)).status;
    assert.deepEqual([await run(skips), await run(skips)], [202, 409]);
    assert.deepEqual([await run(queues), await run(queues), await run(queues)], [202, 202, 409]);
    slow.set('/slow', '<p>ready</p>');
    await eventually(() => held.length === 2);
    for (const response of held) response.end('ready');
    await eventually(async () =>
      (await scheduledRuns(service, queues)).every(({ state }) => state === 'ended'),
    );
    assert.equal((await scheduledRuns(service, queues)).length, 2);
  });

  test('a schedule that is deleted while it runs leaves its job, which goes on', async () => {
    const held: ServerResponse[] = [];
    slow.answer('/held', (response) => void held.push(response));
    const job = { kind: 'scrape', url: `${slow.url}/held`, scraper: 'http' };
    const id = await makeSchedule(service, { job, overlap: 'queue' });
    for (const _ of ['runs', 'waits'])
      assert.equal((await service.api('POST', `${SCHEDULES}${id}/run/`)).status, 202);
    await eventually(() => held.length === 1);
    const jobId = (await scheduledRuns(service, id)).find(({ state }) => state === 'running')!.job_id!;
    assert.equal((await service.api('DELETE', `${SCHEDULES}${id}/`)).status, 204);
    for (const response of held) response.end('ready');
    await eventually(async () => (await jobOf(service, jobId)).state === 'done');
    assert.equal((await service.api('GET', `${SCHEDULES}${id}/runs/`)).status, 404);
    assert.equal((await service.api('POST', `${SCHEDULES}${id}/run/`)).status, 404);
    const { body } = await service.api('GET', '/api/v1/jobs/?with_runs=true&limit=200');
    const jobs = (body as { items: { schedule_id: string | null }[] }).items;
    assert.equal(jobs.filter((one) => one.schedule_id === id).length, 1, 'what waited does not begin');
  });

  test('the rights of the key hold; a revoked key pauses, rotation goes on', async () => {
    const makeKey = async (settings: object) => {
      const made = await service.api('POST', '/api/v1/keys/', { body: { name: 'k', ...settings } });
      return made.body as { id: string; key: string };
    };
    const limited = await makeKey({ domains: ['other.test'] });
    const refused = await service.api('POST', SCHEDULES, {
      body: { name: 's', job: scrape(), schedule: { every_s: 3600 } },
      key: limited.key,
    });
    assert.deepEqual([refused.status, (refused.body as { code: string }).code], [403, 'policy.domain']);
    const reader = await makeKey({ scopes: ['read', 'scrape'] });
    const own = await makeKey({});
    const id = await makeSchedule(service, { job: scrape() }, own.key);
    for (const key of [reader.key, limited.key])
      assert.equal((await service.api('POST', `${SCHEDULES}${id}/run/`, { key })).status, 403);
    assert.equal((await service.api('GET', `${SCHEDULES}${id}/`, { key: reader.key })).status, 200);

    const rotated = await service.api('POST', `/api/v1/keys/${own.id}/rotate/`, {
      body: { overlap_hours: 0 },
    });
    assert.equal((await runScheduleNow(service, id)).job_state, 'done');
    await service.api('DELETE', `/api/v1/keys/${(rotated.body as { id: string }).id}/`);
    const missed = await runScheduleNow(service, id);
    assert.deepEqual(
      [missed.state, missed.reason, missed.job_id === null],
      ['missed', 'auth.invalid', false],
    );
  });

  test('a template that is gone is the reason of a missed run', async () => {
    await service.api('POST', '/api/v1/templates/', { body: { name: 'short-lived', rules: { h: 'h1' } } });
    const job = { ...scrape('/html'), scraper_options: { extract: 'template:short-lived' } };
    const id = await makeSchedule(service, { job });
    assert.equal((await service.api('DELETE', '/api/v1/templates/short-lived/')).status, 204);
    assert.partialDeepStrictEqual(await runScheduleNow(service, id), {
      state: 'missed',
      reason: 'template.unknown',
      missed: 1,
      job_state: null,
    });
  });
});

test('a run that was under way when the service died is neither lost nor begun twice', async (t) => {
  const dataDir = tempFolder(t);
  const first = await startService({}, { dataDir });
  const job = { kind: 'batch', requests: [{ url: 'http://127.0.0.1:1/' }], retries: 0 };
  const ids = await Promise.all(Array.from({ length: 5 }, () => makeSchedule(first, { job })));
  await Promise.all(ids.map((id) => first.api('POST', `${SCHEDULES}${id}/run/`)));
  await first.kill9();
  const second = await startService({}, { dataDir });
  afterwards(t, () => second.end());
  for (const id of ids) {
    await eventually(async () => (await scheduledRuns(second, id))[0]?.state === 'ended');
    const runs = await scheduledRuns(second, id);
    assert.equal(runs.length, 1);
    const { body } = await second.api('GET', `/api/v1/jobs/?with_runs=true&limit=200`);
    const jobs = (body as { items: { schedule_id: string }[] }).items;
    assert.equal(jobs.filter((one) => one.schedule_id === id).length, 1);
  }
});
