import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

describe('health and metrics', () => {
  const TOKEN = 'metrics-token-0123456789';
  const site = useSite();
  const service = useOwnService({ SLUICE_METRICS_TOKEN: TOKEN, SLUICE_TRUSTED_PROXIES: '127.0.0.1' });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(service.base + path, { headers });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' };

  test('/healthz and /readyz need no key', async () => {
    assert.equal((await get('/healthz')).status, 200);
    assert.equal((await get('/readyz')).status, 200);
  });

  test('/api/v1/version/ needs no key and says what runs since when', async () => {
    const { status, text } = await get('/api/v1/version/', elsewhere);
    assert.equal(status, 200);
    const { version, api, node, started_at: startedAt, ...more } = JSON.parse(text);
    const packageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(
      { version, api, node, more },
      { version: packageJson.version, api: 'v1', node: process.versions.node, more: {} },
    );
    const age = Date.now() - Date.parse(startedAt);
    assert.ok(age >= 0 && age < 600_000, startedAt);
    assert.equal((await get('/api/v1/version/')).text, text);
  });

  test('/metrics: from loopback, or with the token', async () => {
    assert.equal((await get('/metrics')).status, 200);
    const refused = await get('/metrics', elsewhere);
    assert.ok([401, 403, 404].includes(refused.status), String(refused.status));
    assert.doesNotMatch(refused.text, /# TYPE/);
    assert.notEqual(
      (await get('/metrics', { ...elsewhere, authorization: 'Bearer wrong-token-0123456789' })).status,
      200,
    );
    assert.notEqual(
      (await get('/metrics', { ...elsewhere, authorization: `Api-Key ${service.key}` })).status,
      200,
    );
    assert.equal((await get('/metrics', { ...elsewhere, authorization: `Bearer ${TOKEN}` })).status, 200);
  });

  test('/metrics counts scrapes, and names no host, URL, user or key', async () => {
    const { body } = await service.scrape({ url: `${site.url}/text?findme` });
    await service.scrape({ url: 'http://127.0.0.1:1/' });
    const { text, headers } = await get('/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain|^application\/openmetrics/);
    assert.match(text, /^sluice_\w+(?:\{[^}]*\})? [1-9]/m);
    const port = new URL(site.url).port;
    for (const secret of ['findme', port, '127.0.0.1', 'admin@localhost', service.key, body.id!])
      assert.ok(!text.includes(`"${secret}`) && !text.includes(`${secret}"`), `a label tells ${secret}`);
    for (const [, label] of text.matchAll(/[{,](\w+)="/g))
      assert.ok(
        !/^(?:host|hostname|domain|url|path|user|user_id|key|key_id|ip|tag)$/.test(label!),
        `label ${label}`,
      );
  });

  test('the first reading of /metrics has the CPU time since the start, and no meaningless values', async () => {
    await using fresh = await startService();
    const read = async () => {
      const text = await (await fetch(`${fresh.base}/metrics`)).text();
      const figures = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
      return { text, cpu: (kind: string) => Number(figures.get(`process_cpu${kind}_seconds_total`)) };
    };
    const first = await read();
    // The CPU time of the start is far above that of one reading.
    assert.ok(first.cpu('') > 0.1, `${first.cpu('')} s`);
    assert.ok(Math.abs(first.cpu('') - first.cpu('_user') - first.cpu('_system')) < 1e-6);
    const { text, cpu } = await read();
    assert.ok(cpu('') >= first.cpu(''));
    for (const read of [first.text, text])
      for (const line of read.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
        assert.match(line, / (?!922337\d)-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/);
    const lag = await eventually(async () => {
      await pause(30);
      return /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec((await read()).text);
    });
    assert.ok(Number(lag[1]) > 0 && Number(lag[1]) < 10, lag[0]);
    await fresh.stop();
  });

  test('one log line for each scrape, without query, headers or key', async () => {
    const { body } = await service.scrape({
      url: `${site.url}/text?hidden-query=1`,
      headers: { authorization: 'Bearer hidden-token' },
    });
    const lines = await eventually(async () => {
      const found = (await service.log()).filter((line) => JSON.stringify(line).includes(body.id!));
      return found.length > 0 && found;
    });
    assert.equal(lines.length, 1, JSON.stringify(lines));
    const text = JSON.stringify(lines[0]);
    assert.match(text, /\/text/);
    assert.doesNotMatch(await service.output(), /hidden-query|hidden-token/);
    assert.ok(!(await service.output()).includes(service.key));
  });

  test('X-Request-Id is new for each answer', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await service.api('GET', '/api/v1/scrape/')).headers.get('x-request-id'),
      ),
    );
    assert.equal(new Set(ids).size, 20);
  });

  test('CORS is off', async () => {
    const { headers } = await get('/api/v1/errors/', { origin: 'https://evil.example' });
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});
