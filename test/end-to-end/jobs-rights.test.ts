import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards } from '../adapters/temp.ts';
import { makeFaults } from '../helpers/faults.ts';
import { openApi } from '../helpers/openapi.ts';
import { eventually, type Service, startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { endOf, jobOf, resultsOf, startBatch } from './job-calls.ts';

interface Key {
  readonly id: string;
  readonly key: string;
}

async function makeKey(service: Service, settings: object): Promise<Key> {
  const made = await service.api('POST', '/api/v1/keys/', { body: { name: 'jobs', ...settings } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body as Key;
}

describe('the rights of the key hold for the items of its jobs', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl' });
  const slow = (count: number) => ({
    requests: Array.from({ length: count }, (_, n) => ({ url: `${site.url}/slow?n=${n}` })),
    defaults: { scraper: 'http' },
    concurrency: 1,
  });

  test('a revoked key pauses its jobs; `resume` binds them to the key that asks', async () => {
    const { id: keyId, key } = await makeKey(service, {});
    const id = await startBatch(service, slow(8), key);
    await eventually(async () => (await jobOf(service, id)).counts.ok! > 0);
    await service.api('DELETE', `/api/v1/keys/${keyId}/`);
    await eventually(async () => (await jobOf(service, id)).pause?.reason === 'key');
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/resume/`)).status, 200);
    assert.equal((await endOf(service, id)).counts.ok, 8);
  });

  test('a rotated key hands its jobs to the new one', async () => {
    const { id: keyId, key } = await makeKey(service, {});
    const id = await startBatch(service, slow(8), key);
    const rotated = await service.api('POST', `/api/v1/keys/${keyId}/rotate/`, {
      body: { overlap_hours: 0 },
    });
    assert.equal(rotated.status, 201);
    assert.equal((await endOf(service, id)).counts.ok, 8);
  });

  test('a host that the key may not scrape is skipped', async () => {
    const { key } = await makeKey(service, { domains: ['127.0.0.1'] });
    const requests = [{ url: `${site.url}/text` }, { url: 'http://other.test/' }];
    const id = await startBatch(service, { requests, defaults: { scraper: 'http' } }, key);
    const job = await endOf(service, id);
    assert.deepEqual([job.counts.ok, job.counts.skipped], [1, 1]);
    const { items } = await resultsOf(service, id);
    assert.equal(items.find(({ state }) => state === 'skipped')!.error!.code, 'skip.policy');
  });

  test('a key without the scope, or of another user, is refused', async () => {
    const { key } = await makeKey(service, { scopes: ['scrape', 'read'] });
    const refused = await service.api('POST', '/api/v1/batches/', { body: slow(1), key });
    assert.equal(refused.status, 403);
    const id = await startBatch(service, slow(1));
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`, { key })).status, 403);
    const { key: limited } = await makeKey(service, { domains: ['example.com'] });
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`, { key: limited })).status, 403);
    assert.equal((await endOf(service, id)).state, 'done');
  });

  test('of a monitor, too: its domains must include the URLs that it has, and those that it gets', async () => {
    const { key } = await makeKey(service, { domains: ['127.0.0.1'] });
    const make = async (target: object) => {
      const made = await service.api('POST', '/api/v1/monitors/', {
        body: { name: 'm', schedule: { every_s: 3600 }, ...target },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return `/api/v1/monitors/${(made.body as { id: string }).id}/`;
    };
    const other = { request: { url: 'http://other.test/' } };
    for (const target of [other, { crawl: other.request }, { batch: { requests: [other.request] } }]) {
      const body = { name: 'm', schedule: { every_s: 3600 }, ...target };
      const refused = await service.api('POST', '/api/v1/monitors/', { body, key });
      assert.deepEqual([refused.status, (refused.body as { code: string }).code], [403, 'policy.domain']);
    }
    const own = await make({ request: { url: `${site.url}/text` } });
    const steered = [
      ['PATCH', own, { name: 'n' }, 200],
      ['PATCH', own, other, 403],
      ['POST', `${own}pause/`, undefined, 200],
      ['DELETE', own, undefined, 204],
      ['PATCH', await make(other), { name: 'n' }, 403],
      ['DELETE', await make({ crawl: { url: 'http://other.test/' } }), undefined, 403],
      [
        'POST',
        `${await make({ batch: { requests: [{ url: site.url }, other.request] } })}run/`,
        undefined,
        403,
      ],
    ] as const;
    for (const [method, path, body, status] of steered) {
      const answer = await service.api(method, path, body === undefined ? { key } : { body, key });
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    }
  });

  test('whatever steers, by the API or a dialect, is refused to a key that may not scrape the hosts', async () => {
    const { key } = await makeKey(service, { domains: ['example.com'] });
    const job = await startBatch(service, slow(50));
    const made = await service.api('POST', '/api/v1/monitors/', {
      body: { name: 'm', schedule: { every_s: 3600 }, request: { url: `${site.url}/text` } },
    });
    const scheduled = await service.api('POST', '/api/v1/schedules/', {
      body: {
        name: 's',
        schedule: { every_s: 3600 },
        job: { kind: 'scrape', url: `${site.url}/text` },
      },
    });
    const crawl = await service.api('POST', '/api/v1/crawls/', {
      body: { url: `${site.url}/hang`, delay_ms: 60_000 },
    });
    const scrape = await service.api('POST', '/api/v1/scrape/', {
      body: { url: `${site.url}/hang`, scraper: 'http', timeout_ms: 60_000 },
      headers: { prefer: 'respond-async' },
    });
    const idOf = ({ body }: { readonly body: unknown }) => (body as { readonly id: string }).id;
    assert.equal((await service.api('POST', `/api/v1/jobs/${job}/pause/`)).status, 200);
    const steering = Object.entries(openApi().paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter(
          (method) => method !== 'get' && /^\/api\/v1\/(?:jobs|monitors|schedules)\/\{id\}\//.test(path),
        )
        .map((method) => [
          method.toUpperCase(),
          path.replace(
            '{id}',
            path.includes('/jobs/') ? job : idOf(path.includes('/monitors/') ? made : scheduled),
          ),
        ]),
    );
    assert.ok(steering.length >= 11, JSON.stringify(steering));
    steering.push(
      ['DELETE', `/api/v1/scrape/${idOf(scrape)}/`],
      ['DELETE', `/v2/crawl/${idOf(crawl)}`],
      ['DELETE', `/v2/batch/scrape/${job}`],
      ['DELETE', `/v2/monitor/${idOf(made)}`],
    );
    for (const [method, path] of steering) {
      const answer = await fetch(service.base + path, {
        method: method!,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(method === 'PATCH' ? { body: path!.includes('/jobs/') ? '{"priority":1}' : '{"name":"n"}' } : {}),
        ...(path!.endsWith('/export/') ? { body: '{"format":"csv","target":{"kind":"link"}}' } : {}),
      });
      assert.equal(answer.status, 403, `${method} ${path}: ${await answer.text()}`);
    }
    assert.equal((await jobOf(service, job)).state, 'paused');
    for (const path of [
      `jobs/${job}`,
      `jobs/${idOf(crawl)}`,
      `scrape/${idOf(scrape)}`,
      `monitors/${idOf(made)}`,
      `schedules/${idOf(scheduled)}`,
    ])
      assert.equal((await service.api('DELETE', `/api/v1/${path}/`)).status, 204, path);
  });

  test('a key whose domains include all hosts of a job may steer it', async () => {
    const { key } = await makeKey(service, { domains: ['127.0.0.1'] });
    const steer = async (id: string) =>
      (await service.api('PATCH', `/api/v1/jobs/${id}/`, { body: { concurrency: 2 }, key })).status;
    const id = await startBatch(service, slow(400));
    assert.equal(await steer(id), 200);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`, { key })).status, 204);
    const requests = [{ url: `${site.url}/slow` }, { url: 'http://other.test/' }];
    assert.equal(await steer(await startBatch(service, { requests, defaults: { scraper: 'http' } })), 403);
  });
});

const faults = makeFaults();

describe('a job over its daily budget', { skip: typeof faults === 'string' && faults }, () => {
  const site = useSite();

  test('pauses until midnight, and then goes on', async (t) => {
    assert.ok(typeof faults !== 'string');
    const service = await startService(faults.env);
    afterwards(t, () => service.end());
    const { key } = await makeKey(service, { daily_budget: { amount: 2, unit: 'scrapes' } });
    const requests = Array.from({ length: 4 }, (_, n) => ({ url: `${site.url}/text?n=${n}` }));
    const id = await startBatch(service, { requests, defaults: { scraper: 'http' }, concurrency: 1 }, key);
    const job = await endOf(service, id);
    assert.deepEqual([job.state, job.pause!.reason, job.counts.ok], ['paused', 'budget', 2]);
    const resumesAt = Date.parse(job.pause!.resumes_at!);
    assert.equal(resumesAt % 86_400_000, 0);
    const refused = await service.api('POST', '/api/v1/batches/', { body: { requests }, key });
    assert.equal(refused.status, 402, 'nothing is left');
    faults.clock((resumesAt - Date.now()) / 1000 + 5);
    assert.equal((await endOfPause(service, id)).counts.ok, 4);
  });
});

async function endOfPause(service: Service, id: string) {
  await eventually(async () => (await jobOf(service, id)).state === 'done');
  return await jobOf(service, id);
}
