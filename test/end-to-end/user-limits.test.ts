import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { newUser, signIn } from '../helpers/visitor.ts';

interface LimitsBody {
  readonly job_concurrency: number;
  readonly limits: Readonly<Record<string, number>>;
}

const DEFAULTS = {
  ...{ open_jobs: 1_000, queued_items: 1_000_000, monitors: 500, schedules: 500, datasets: 100 },
  ...{ templates: 100, profiles: 100, streams: 20 },
};

describe('limits of users', () => {
  const site = useSite();
  const service = useOwnService();
  const hanging = (count: number) => ({
    requests: Array.from({ length: count }, (_, n) => ({ url: `${site.url}/hang?n=${n}`, scraper: 'http' })),
  });

  test('have defaults, and are changed and restored by an administrator', async () => {
    const user = await newUser(service, { job_concurrency: 3 });
    assert.partialDeepStrictEqual(user, { job_concurrency: 3, limits: DEFAULTS });
    const patch = async (body: unknown) =>
      (await service.api('PATCH', `/api/v1/users/${user.id}/`, { body })).body as LimitsBody;
    const changed = await patch({ job_concurrency: null, limits: { streams: 2, monitors: 0 } });
    assert.equal(changed.job_concurrency, 20);
    assert.deepEqual(changed.limits, { ...DEFAULTS, streams: 2, monitors: 0 });
    assert.deepEqual((await patch({ limits: { streams: null } })).limits, { ...DEFAULTS, monitors: 0 });
    const refused = await service.api('PATCH', `/api/v1/users/${user.id}/`, {
      body: { job_concurrency: -1 },
    });
    assert.equal(refused.status, 400);
  });

  test('the command line sets them', async () => {
    const user = await newUser(service);
    const set = await service.cli([
      'users',
      'set',
      '--email',
      user.email,
      '--limits',
      'job_concurrency=7,templates=1',
    ]);
    assert.equal(set.code, 0, set.stderr);
    const read = async () => (await service.api('GET', `/api/v1/users/${user.id}/`)).body as LimitsBody;
    await eventually(async () => (await read()).job_concurrency === 7);
    assert.equal((await read()).limits.templates, 1);
    assert.notEqual((await service.cli(['users', 'set', '--email', user.email, '--limits', 'x=1'])).code, 0);
  });

  test('hold for jobs, templates and streams', async () => {
    const limits = { open_jobs: 2, queued_items: 3, templates: 1, streams: 1, monitors: 0 };
    const user = await newUser(service, { job_concurrency: 2, limits });
    const visitor = await signIn(service, user.email);
    const batch = (count: number) =>
      visitor.call<{ id: string; code?: string }>('POST', '/api/v1/batches/', { body: hanging(count) });
    assert.equal((await batch(4)).body.code, 'limit.items');
    const first = await batch(3);
    assert.equal(first.status, 202);
    const counts = async () =>
      (await visitor.call<{ counts: Record<string, number> }>('GET', `/api/v1/jobs/${first.body.id}/`)).body
        .counts;
    await eventually(async () => (await counts()).running === 2);
    assert.equal((await counts()).queued, 1);
    const second = await batch(1);
    assert.equal(second.status, 202);
    assert.equal((await batch(1)).body.code, 'limit.jobs');
    const template = (name: string) =>
      visitor.call<{ code?: string }>('POST', '/api/v1/templates/', { body: { name, rules: { a: 'h1' } } });
    assert.equal((await template('one')).status, 201);
    assert.equal((await template('two')).body.code, 'limit.templates');
    const streaming = new AbortController();
    const events = `/api/v1/jobs/${first.body.id}/events/`;
    const open = await fetch(service.base + events, {
      headers: { cookie: visitor.cookie, origin: service.base },
      signal: streaming.signal,
    });
    assert.equal(open.status, 200);
    assert.equal((await visitor.call<{ code?: string }>('GET', events)).body.code, 'limit.streams');
    streaming.abort();
    for (const { body } of [first, second]) await visitor.call('DELETE', `/api/v1/jobs/${body.id}/?purge=1`);
  });
});
