import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseTask } from '../../../src/wire/request/parse-task.ts';
import fc from '../../helpers/fast-check.ts';
import { openApi } from '../../helpers/openapi.ts';
import { type JsonSchema, valuesOf, withOneChange } from '../../helpers/schema-arbitrary.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import type { Problem } from '../../helpers/wire-types.ts';
import { startDnsServer } from '../../site/dns-server.ts';
import { startSite } from '../../site/site.ts';

const RUNS = process.env.LONG === '1' ? 100_000 : 1_000;
const AT_ONCE = 32;
/** Of those that need a browser, one in so many gets it: a page takes a thousand times as long. The others are planned. */
const BROWSED = 100;
/** Seed: the same requests in each run. */
const SEED = Number(process.env.FUZZ_SEED ?? 20261120);
/** Above what it was, once the work is done. */
const MOST_GROWTH_MB = 200;

const PATHS = [
  'text',
  'json',
  'xml',
  'html/5000',
  'image',
  'status/404',
  'status/503',
  'gzip',
  'gzip-broken',
  'br',
];
const MORE = [
  'redirect/2',
  'redirect/30',
  'cookies',
  'charset/shift_jis',
  'close-at-once',
  'headers',
  'echo',
  '',
];

function requests(site: string): fc.Arbitrary<unknown> {
  const { schemas } = openApi().components as Record<string, Record<string, JsonSchema>>;
  const find = (reference: string) => schemas![reference.slice(reference.lastIndexOf('/') + 1)]!;
  const { url: _url, timeout_ms: _timeout, ...properties } = schemas!.ScrapeRequest!.properties!;
  const local = fc.constantFrom(
    ...[...PATHS, ...MORE].map((path) => `${site}/${path}`),
    'http://127.0.0.1:1/',
  );
  const url = fc.oneof(
    { weight: 12, arbitrary: local },
    { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
  const rest = valuesOf({ type: 'object', properties }, find) as fc.Arbitrary<object>;
  const valid = fc
    .record({ url, timeout_ms: fc.constantFrom(1000, 1500.5, 2000), rest, dry: fc.nat(3) })
    .map(({ url, timeout_ms, rest, dry }) => {
      const { router } = rest as { router?: unknown };
      const planned =
        typeof router === 'object' || router === undefined ? { router: { ...router, dry_run: true } } : {};
      return { url, timeout_ms, ...rest, ...(dry === 0 ? planned : {}) };
    });
  return fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 4, arbitrary: withOneChange(valid) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** MB of resident memory. */
function memory(service: Service): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

describe('fuzz', () => {
  test(`${RUNS} requests made after the OpenAPI file: every answer is one of its answers`, async (t) => {
    await using site = await startSite({ log: false });
    await using dns = await startDnsServer();
    await using service = await startService({ SLUICE_DNS_SERVERS: dns.address, SLUICE_LOG_LEVEL: 'warn' });
    const arbitrary = requests(site.url);
    const statuses = new Map<string, number>();
    let before = 0;
    let done = 0;

    let browsing = 0;
    const send = async (made: unknown) => {
      const { task } = parseTask(made);
      const browsed = task !== null && (task.scraper === 'browser' || task.requested.length > 0);
      const request =
        browsed && ++browsing % BROWSED !== 0
          ? { ...(made as object), router: { ...(made as { router?: object }).router, dry_run: true } }
          : made;
      const raw = JSON.stringify(request);
      const { status, body } = await service.api<Problem>('POST', '/api/v1/scrape/', {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      const told = `${status} ${body.code} for ${raw.slice(0, 3000)}`;
      assert.notEqual(status, 500, told);
      assert.ok(status === 200 || typeof body.code === 'string', told);
      // Loopback never lacks room, and nothing is shutting down; only browsers are few, and a second is short.
      const waited = body.code === 'service.unavailable' && /browser/.test(body.detail);
      assert.ok(waited || (body.code !== 'service.storage' && body.code !== 'service.unavailable'), told);
      const name = status === 200 ? '200' : `${status} ${body.code}`;
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
    };
    const begun = performance.now();
    for (let batch = 0; done < RUNS; batch++) {
      const asks = fc.sample(arbitrary, {
        numRuns: Math.min(1000, RUNS / 2, RUNS - done),
        seed: SEED + batch,
      });
      done += asks.length;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let ask = asks.pop(); ask !== undefined; ask = asks.pop()) await send(ask);
        }),
      );
      if (before === 0 && done >= RUNS / 10) before = memory(service);
    }
    const seconds = (performance.now() - begun) / 1000;

    await eventually(async () =>
      (await service.api('GET', '/api/v1/scrapers/')).headers.get('ratelimit')?.endsWith('=49'),
    );
    await eventually(() => memory(service) < before + MOST_GROWTH_MB, 10_000);
    const last = await service.scrape({ url: `${site.url}/text` });
    assert.equal(last.status, 200);
    assert.deepEqual(
      (await service.log()).filter(({ level }) => level === 'error' || level === 'fatal'),
      [],
    );
    const shown = [...statuses].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name}: ${count}`);
    t.diagnostic(
      `${done} in ${seconds.toFixed(0)} s, ${before.toFixed(0)} → ${memory(service).toFixed(0)} MB; ${shown.join(', ')}`,
    );
    assert.ok((statuses.get('200') ?? 0) > RUNS / 20, 'enough of them are scrapes');
  });
});
