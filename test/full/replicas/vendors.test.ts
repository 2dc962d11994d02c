import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { afterwards } from '../../adapters/temp.ts';
import { sharedSettings } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { startTarget } from './replicas.ts';

const TARGET = 'http://127.0.0.1:1/';

describe('vendors of several services', { skip: noPostgres }, () => {
  test('what one service learns of a vendor, the other one knows', async (t) => {
    let code = 401;
    const vendor = await startTarget(t, (_, response) =>
      response.writeHead(code).end('a page with a few words'),
    );
    const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-'));
    afterwards(t, () => rmSync(dir, { recursive: true, force: true }));
    const write = (key: string, file = 'vendors.json') =>
      writeFileSync(
        join(dir, file),
        JSON.stringify({
          vendors: [
            {
              name: 'own',
              kind: 'http',
              key,
              base_url: vendor.url,
              auto: true,
              options: { path: '/{key}?u={url}', answer: { body: 'raw' } },
            },
          ],
        }),
      );
    write('key-of-all');
    write('another-key', 'others.json');
    const shared = sharedSettings(await testDatabase());
    const start = async (file: string) => {
      const service = await startService({ ...shared, SLUICE_VENDORS: join(dir, file) });
      afterwards(t, () => service[Symbol.asyncDispose]());
      return service;
    };
    const one = await start('vendors.json');
    const two = await start('vendors.json');
    const other = await start('others.json');
    const reasonOf = async (service: Service) => {
      const { body } = await service.api<{ items: { name: string; reason: string | null }[] }>(
        'GET',
        '/api/v1/scrapers/',
      );
      return body.items.find(({ name }) => name === 'vendor:own')!.reason;
    };
    const excluded = async (service: Service) => {
      const { body } = await service.scrape({ url: TARGET, router: { only: ['vendor:own'] } });
      return body.candidates?.find(({ scraper }) => scraper === 'vendor:own')?.excluded_by;
    };

    const failed = await one.scrape({ url: TARGET, scraper: 'vendor:own' });
    assert.equal(failed.body.errors[0]!.details?.reason, 'auth');
    await eventually(async () => (await reasonOf(two)) !== null);
    assert.deepEqual([await excluded(one), await excluded(two)], ['vendor_auth', 'vendor_auth']);
    assert.equal(vendor.requests.size, 1, 'the other service has not asked the vendor');
    // Another key may work.
    assert.equal(await reasonOf(other), null);

    code = 200;
    assert.equal((await two.scrape({ url: TARGET, scraper: 'vendor:own' })).status, 200);
    await eventually(async () => (await reasonOf(one)) === null);
  });
});
