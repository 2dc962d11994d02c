import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

/** Unused clients that are kept (docs/decisions/0016). */
const MOST_IDLE = 32;
const SESSIONS = 50;

/** Listeners on TCP that a process has: one of its own, and one for each client of the library. */
function listenersOf({ pid }: Service): number {
  const inodes = new Set<string>();
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // It was closed meanwhile.
    }
  }
  const LISTEN = '0A';
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && inodes.has(fields[9]!)).length;
}

describe('the clients of http_impersonate, one for each exit and profile', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'));
  let gate: ProxyServer;
  let service: Service;
  let without: number;

  before(async () => {
    gate = await startProxy();
    const file = join(folder, 'proxies.json');
    const template = `http://word-{session}:pw@127.0.0.1:${gate.port}`;
    writeFileSync(file, JSON.stringify({ pools: [{ name: 'gate', type: 'residential', template }] }));
    service = await startService({ SLUICE_PROXIES: file });
    await service.scrape({ url: `${site.url}/text`, scraper: 'http' });
    without = listenersOf(service);
  });
  after(async () => {
    await service?.end();
    await gate?.close();
    rmSync(folder, { recursive: true });
  });

  const clients = () => listenersOf(service) - without;
  const scrape = async (session: string, options: object = {}, path = '/text') => {
    const { body, text } = await service.scrape({
      url: `${site.httpsUrl}${path}`,
      scraper: 'http_impersonate',
      proxy: { type: 'residential', session },
      scraper_options: { verify_tls: false, ...options },
    });
    assert.equal(body.status_code, 200, text);
  };

  test('attempts with the same exit and profile share a client, all others do not', async () => {
    await scrape('a');
    assert.equal(clients(), 1);
    for (let at = 0; at < 5; at++) await scrape('a');
    await Promise.all(Array.from({ length: 5 }, () => scrape('a')));
    assert.equal(clients(), 1);
    const opened = gate.connections();
    await scrape('a');
    assert.equal(gate.connections(), opened, 'what stands is used again');
    await scrape('a', { impersonate: 'firefox' });
    assert.equal(clients(), 2);
    assert.equal(gate.connections(), opened + 1);
    await scrape('b');
    assert.equal(clients(), 3);
    assert.equal(gate.connections(), opened + 2);
  });

  test(`of ${SESSIONS} exits, one after the other, ${MOST_IDLE} keep theirs: those that were used last`, async () => {
    for (let at = 0; at < SESSIONS; at++) {
      await scrape(`row-${at}`);
      assert.ok(clients() <= MOST_IDLE + 1, `${clients()} clients`);
    }
    await eventually(() => clients() === MOST_IDLE, 10_000);
    // With a client go its connections to the proxy.
    await eventually(() => gate.open() <= MOST_IDLE, 10_000);
    const opened = gate.connections();
    await scrape(`row-${SESSIONS - 1}`);
    await scrape(`row-${SESSIONS - MOST_IDLE + 1}`);
    assert.equal(gate.connections(), opened);
    await scrape('row-0');
    assert.equal(gate.connections(), opened + 1);
    await eventually(() => clients() === MOST_IDLE, 10_000);
  });

  test(`${SESSIONS} at once have one each while they are under way, and ${MOST_IDLE} remain`, async () => {
    const before = readdirSync(`/proc/${service.pid}/fd`).length;
    await Promise.all(Array.from({ length: SESSIONS }, (_, at) => scrape(`many-${at}`, {}, '/delay/300')));
    await eventually(() => clients() === MOST_IDLE && gate.open() <= MOST_IDLE, 10_000);
    // Idle connections of the library are closed after 15 s: then there is nothing beside the listeners.
    await eventually(() => gate.open() === 0);
    await eventually(() => readdirSync(`/proc/${service.pid}/fd`).length <= before, 10_000);
  });
});
