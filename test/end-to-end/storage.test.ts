import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { startService } from '../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../helpers/wire-types.ts';

describe('contract §10: service.storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-storage-'));
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  test('a scrape that cannot be stored is never a success; the service recovers', async (t) => {
    const wrap = [
      'unshare',
      '-rm',
      'sh',
      '-c',
      'mount -t tmpfs -o size=4m tmpfs "$SLUICE_DATA_DIR" && exec "$@"',
      'sh',
    ];
    const data = join(folder, 'small');
    const tried = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']);
    if (tried.status !== 0) return t.skip('needs unshare and mount, for a small disk');
    spawnSync('mkdir', [data]);
    await using small = await startService({}, { wrap, dataDir: data });
    const noise = await noiseUrl();
    let stored = 0;
    let lost: (ScrapeAnswer & Partial<Problem>) | null = null;
    const ids: string[] = [];
    for (let n = 0; n < 60 && lost === null; n++) {
      const { status, headers, body } = await small.scrape({ url: noise });
      if (status === 200) {
        stored++;
        ids.push(body.id!);
        continue;
      }
      assert.equal(status, 503);
      assert.equal(headers.get('x-scrape-id'), null);
      assert.ok(headers.get('retry-after'));
      lost = body;
    }
    assert.ok(lost !== null, `a disk of 4 MB took ${stored} pages of 200 KB`);
    assert.equal(lost.code, 'service.storage');
    assert.equal(lost.id, null);
    assert.equal(lost.content, null);
    assert.equal(lost.router.outcome, 'failed');
    assert.equal(lost.retryable, true);
    for (const id of ids) assert.equal((await small.api('GET', `/api/v1/scrape/${id}/`)).status, 200);
    await small.stop();
  });

  async function noiseUrl(): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 200000\r\nConnection: close\r\n\r\n',
        );
        socket.end(randomBytes(200_000));
      });
    });
    await listen(server);
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
});
