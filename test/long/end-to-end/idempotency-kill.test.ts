import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeFaults } from '../../helpers/faults.ts';
import { listen } from '../../helpers/free-port.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

interface Body {
  readonly code?: string;
  readonly id: string | null;
  readonly errors: readonly { readonly details?: { readonly id?: string } }[];
}

describe('Idempotency-Key and kill -9', () => {
  let dataDir: string;
  const held: (() => void)[] = [];
  let hold = true;
  const seen: string[] = [];
  const target = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    const end = () => response.end('<p>a response-that-is-secret</p>');
    if (hold) held.push(end);
    else end();
  });
  let url: string;
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-idempotency-'));
    await listen(target);
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  });
  after(() => {
    target.closeAllConnections();
    target.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const send = (service: Service, key: string, method: string) =>
    service.api<Body>('POST', '/api/v1/scrape/', {
      body: {
        url: `${url}/${key}`,
        scraper: 'http',
        method,
        router: { max_attempts: 1, retain: 'none' },
      },
      headers: { 'Idempotency-Key': key },
    });

  test('in the middle: a GET runs again, the result of a POST is unknown; what was answered stays', async () => {
    {
      await using service = await startService({}, { dataDir });
      hold = false;
      assert.equal((await send(service, 'done', 'POST')).status, 200);
      hold = true;
      const open = [send(service, 'get', 'GET'), send(service, 'post', 'POST')];
      const ended = Promise.allSettled(open);
      await eventually(() => held.length === 2);
      await service.kill9();
      await ended;
    }
    hold = false;
    await using service = await startService({}, { dataDir });
    const done = await send(service, 'done', 'POST');
    assert.deepEqual([done.status, done.headers.get('idempotent-replayed')], [200, 'true']);
    const got = await send(service, 'get', 'GET');
    assert.deepEqual([got.status, got.headers.get('idempotent-replayed')], [200, null]);
    assert.equal((await send(service, 'get', 'GET')).headers.get('idempotent-replayed'), 'true');
    const posted = await send(service, 'post', 'POST');
    assert.deepEqual([posted.status, posted.body.code], [409, 'idempotency.unknown']);
    assert.match(posted.body.errors[0]!.details!.id!, /^[0-9a-f-]{36}$/);
    assert.equal((await send(service, 'post', 'POST')).body.code, 'idempotency.unknown');
    assert.deepEqual(seen.toSorted(), ['GET /get', 'GET /get', 'POST /done', 'POST /post']);
    for (const name of ['sluice.db', 'sluice.db-wal'])
      assert.equal(readFileSync(join(dataDir, name)).includes('response-that-is-secret'), false, name);
  });

  test('after a day the key is free again', async (t) => {
    const faults = makeFaults();
    if (typeof faults === 'string') return t.skip(faults);
    using _ = faults;
    faults.clock(23.9 * 3_600);
    {
      await using service = await startService(faults.env, { dataDir });
      assert.equal((await send(service, 'done', 'POST')).headers.get('idempotent-replayed'), 'true');
    }
    faults.clock(24.1 * 3_600);
    await using service = await startService(faults.env, { dataDir });
    assert.equal((await send(service, 'done', 'POST')).headers.get('idempotent-replayed'), null);
    assert.equal((await send(service, 'post', 'POST')).status, 200);
  });
});
