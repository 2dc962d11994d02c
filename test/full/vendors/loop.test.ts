import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort, listen } from '../../helpers/free-port.ts';
import { type Service, startService, TEST_KEY } from '../../helpers/service.ts';

const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';

describe('two services that name each other as vendors', () => {
  let target: Server;
  let url: string;
  let one: Service;
  let two: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-loop-'));
  before(async () => {
    target = createServer((_, response) =>
      response.writeHead(403, { 'content-type': 'text/html' }).end(WALL),
    );
    await listen(target);
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const ports = [await freePort(), await freePort()] as const;
    const start = async (name: string, port: number, other: number) => {
      const file = join(dir, `${name}.json`);
      const vendor = { name: 'other', kind: 'sluice', key: TEST_KEY, base_url: `http://127.0.0.1:${other}` };
      writeFileSync(file, JSON.stringify({ vendors: [{ ...vendor, auto: true }] }));
      return await startService({ SLUICE_VENDORS: file }, { port });
    };
    one = await start('one', ports[0], ports[1]);
    two = await start('two', ports[1], ports[0]);
  });
  after(async () => {
    await Promise.all([one?.end(), two?.end()]);
    target?.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const scrapesOf = async (service: Service) => {
    const { body } = await service.api<{ items: unknown[] }>('GET', '/api/v1/scrape/?limit=100');
    return body.items.length;
  };

  test('ask each other once', async () => {
    const { body } = await one.scrape({ url, scraper: 'vendor:other', timeout_ms: 60_000 });
    assert.equal(body.router.outcome, 'blocked', JSON.stringify(body));
    assert.deepEqual([await scrapesOf(one), await scrapesOf(two)], [1, 1]);
  });

  test('say so', async () => {
    const via = { headers: { via: '1.1 proxy, 1.1 sluice' } };
    const auto = await one.scrape({ url, router: { only: ['http', 'vendor:other'] } }, via);
    const candidate = auto.body.router.candidates!.find(({ scraper }) => scraper === 'vendor:other');
    assert.equal(candidate!.excluded_by, 'relayed');
    const named = await one.scrape({ url, scraper: 'vendor:other' }, via);
    assert.deepEqual([named.status, named.body.code], [422, 'route.none']);
    assert.match(String(named.body.detail), /a Sluice has sent the request \(`Via`\)/);
    const byProxy = await one.scrape(
      { url, scraper: 'vendor:other' },
      { headers: { via: '1.1 sluice.example' } },
    );
    assert.equal(byProxy.body.router.scraper, 'vendor:other');
  });
});
