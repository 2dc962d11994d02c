import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import type { RecordList, ScrapeAnswer } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';

describe('records after kill -9', () => {
  let service: Service;
  let server: Server;
  const bodies = new Map([
    ['/small', randomBytes(3_000)],
    ['/large', randomBytes(300 * 1024)],
    ['/huge', randomBytes(5 * 1024 * 1024)],
  ]);

  before(async () => {
    server = createServer((request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(bodies.get(request.url ?? ''));
    });
    await listen(server);
    service = await startService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    server.close();
    server.closeAllConnections();
  });

  test('every scrape that was answered has its record, byte for byte, of every size', async () => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers: [string, ScrapeAnswer][] = [];
    for (const path of bodies.keys()) {
      const { status, body } = await service.scrape({ url: base + path });
      assert.equal(status, 200);
      answers.push([path, body]);
    }
    await service.kill9();
    await using again = await startService({}, { dataDir: service.dataDir });
    for (const [path, answer] of answers) {
      const { status, body } = await again.api<ScrapeAnswer>('GET', `${SCRAPE}${answer.id}/`);
      assert.equal(status, 200, path);
      assert.equal(body.content_encoding, 'base64');
      assert.ok(Buffer.from(body.content!, 'base64').equals(bodies.get(path)!), path);
      assert.deepEqual(
        { ...body.router, created_at: 0, http_status: 0, key_id: null, job_id: null, monitor: null },
        { ...answer.router, created_at: 0, http_status: 0, key_id: null, job_id: null, monitor: null },
      );
    }
    const { body } = await again.api<RecordList>('GET', SCRAPE);
    assert.equal(body.items.length, answers.length);
    await again.stop();
  });
});
