import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openS3BlobStore } from '../../src/adapters/blobs/s3-blob-store.ts';
import { faultyS3, S3_BUCKET, S3_KEY, type S3Fault, s3Options } from '../helpers/s3.ts';
import { eventually, startService } from '../helpers/service.ts';
import { startSite } from '../site/site.ts';

const DOWN: S3Fault = { status: 503, code: 'ServiceUnavailable' };

/** Names of the files of contents in a data folder. */
const onDisk = (dataDir: string) =>
  existsSync(join(dataDir, 'blobs'))
    ? readdirSync(join(dataDir, 'blobs'), { recursive: true }).filter((name) => String(name).endsWith('.zst'))
    : [];

test('large contents are in S3; without it, small ones go on', async (t) => {
  let fault: S3Fault = null;
  const port = await faultyS3(t, () => fault);
  const { prefix, endpoint } = await s3Options(port);
  const settings = {
    SLUICE_S3_ENDPOINT: endpoint,
    SLUICE_S3_BUCKET: S3_BUCKET,
    SLUICE_S3_ACCESS_KEY_ID: S3_KEY,
    SLUICE_S3_SECRET_ACCESS_KEY: S3_KEY,
    SLUICE_S3_PREFIX: prefix,
  };
  const site = await startSite({});
  t.after(() => site.close());
  await using service = await startService(settings);
  const bucket = openS3BlobStore(await s3Options().then((options) => ({ ...options, prefix })));
  t.after(() => bucket.close());
  const large = () => service.scrape({ url: `${site.url}/html/600000` });
  const small = () => service.scrape({ url: `${site.url}/html/1000` });
  const readiness = async () => {
    const response = await fetch(`${service.base}/readyz`);
    return {
      status: response.status,
      body: (await response.json()) as { status: string; warnings: string[] },
    };
  };
  const contentOf = async (id: string) => {
    const { body } = await service.api('GET', `/api/v1/scrape/${id}/`);
    return (body as { content: string | null }).content;
  };

  const { status, body } = await large();
  assert.equal(status, 200);
  assert.deepEqual(await Array.fromAsync(bucket.keys()), [body.id]);
  assert.deepEqual(onDisk(service.dataDir), []);
  assert.equal((await contentOf(body.id!))?.length, 600_000);
  assert.equal((await readiness()).body.status, 'ok');

  fault = DOWN;
  const lost = await large();
  assert.equal(lost.status, 503);
  assert.equal(lost.body.code, 'service.storage');
  assert.equal(lost.body.content, null);
  const kept = await small();
  assert.equal(kept.status, 200);
  assert.equal((await contentOf(kept.body.id!))?.length, 1000);
  assert.equal((await large()).body.code, 'service.storage');
  const { status: readyStatus, body: readyBody } = await readiness();
  assert.equal(readyStatus, 200);
  assert.equal(readyBody.status, 'degraded');
  assert.match(readyBody.warnings.join(), /S3 fails/);
  assert.doesNotMatch(readyBody.warnings.join(), new RegExp(S3_BUCKET));
  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  assert.match(metrics, /^sluice_contents_ok 0$/m);
  assert.match(metrics, /^sluice_storage_ok 1$/m);
  const unread = await service.api('GET', `/api/v1/scrape/${body.id}/`);
  assert.equal(unread.status, 503);

  fault = null;
  await eventually(async () => (await readiness()).body.status === 'ok', 60_000);
  assert.equal((await large()).status, 200);
  assert.equal((await contentOf(body.id!))?.length, 600_000);
  assert.equal((await service.api('DELETE', `/api/v1/scrape/${body.id}/`)).status, 204);
  assert.equal((await Array.fromAsync(bucket.keys())).includes(body.id!), false);
  const log = await service.output();
  assert.match(log, /large contents cannot be stored/);
  assert.ok(log.includes(`the S3 bucket \\"${S3_BUCKET}\\"`), log.slice(-2000));
  assert.ok(!log.includes(S3_KEY));
});

test('half of the variables of S3 is refused at the start', async () => {
  await assert.rejects(
    startService({ SLUICE_S3_BUCKET: S3_BUCKET }),
    /SLUICE_S3_BUCKET needs SLUICE_S3_ENDPOINT/,
  );
});
