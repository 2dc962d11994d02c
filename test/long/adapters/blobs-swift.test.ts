import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { openS3BlobStore, type S3BlobOptions } from '../../../src/adapters/blobs/s3-blob-store.ts';
import { S3Client, xmlTexts } from '../../../src/adapters/blobs/s3-client.ts';
import { StorageError } from '../../../src/ports/store.ts';
import { afterwards, noise } from '../../adapters/temp.ts';
import { blobStoreContract } from '../../contracts/blob-store.ts';
import { idAt, T0 } from '../../contracts/samples.ts';
import { noSwift, PAGE_KEYS, SWIFT_CREDENTIALS, startSwift } from '../../helpers/swift.ts';

const bucket = 'contents';
let swift: Awaited<ReturnType<typeof startSwift>>;
let lastPrefix = 0;

if (noSwift) test('Swift', { skip: noSwift }, () => {});
else {
  before(async () => {
    swift = await startSwift(bucket);
  });
  after(() => swift?.close());
  blobStoreContract('S3 of Swift', async (t) => open(t));
  ownTests();
}

const options = (): S3BlobOptions => ({
  endpoint: swift.endpoint,
  bucket,
  region: 'us-east-1',
  pathStyle: true,
  prefix: `test-${++lastPrefix}/`,
  ...SWIFT_CREDENTIALS,
});

function open(t: TestContext, changes: Partial<S3BlobOptions> = {}) {
  const blobs = openS3BlobStore({ ...options(), ...changes });
  afterwards(t, () => blobs.close());
  return blobs;
}

function ownTests(): void {
  test('swift: 60 MB go up in parts, and come back byte for byte', async (t) => {
    const blobs = open(t);
    const bytes = noise(1, 60_000_000);
    await blobs.put('abc', bytes);
    assert.ok(Buffer.from((await blobs.get('abc'))!).equals(bytes));
    await blobs.delete('abc');
    assert.equal(await blobs.get('abc'), null);
  });

  test('swift: keys of more than one page of a list', async (t) => {
    const blobs = open(t);
    const keys = Array.from({ length: PAGE_KEYS + 5 }, (_, i) => idAt(T0, i));
    for (let from = 0; from < keys.length; from += 15)
      await Promise.all(keys.slice(from, from + 15).map((key) => blobs.put(key, Buffer.from('x'))));
    assert.deepEqual((await Array.fromAsync(blobs.keys())).toSorted(), keys.toSorted());
  });

  test('swift: wrong credentials, region, bucket and clock', async (t) => {
    const cases: [Partial<S3BlobOptions>, RegExp][] = [
      [{ secretAccessKey: 'wrong-secret' }, /"contents".*secret access key.*SignatureDoesNotMatch/],
      [{ accessKeyId: 'test:nobody' }, /"contents".*403/],
      [{ region: 'eu-west-1' }, /"contents".*another region/],
      [{ bucket: 'missing' }, /"missing".*does not exist/],
    ];
    for (const [changes, reason] of cases)
      await assert.rejects(open(t, changes).put('abc', new Uint8Array(1)), (error: Error) => {
        assert.ok(error instanceof StorageError);
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /wrong-secret|nobody|testing/);
        return true;
      });
    const early = open(t, { now: () => Date.now() - 3_600_000 });
    await early.put('abc', Buffer.from('x'));
    assert.equal(Buffer.from((await early.get('abc'))!).toString(), 'x');
  });

  test('swift: a failed upload in parts leaves neither object nor parts', async (t) => {
    const settings = options();
    let parts = 0;
    const { fetch } = globalThis;
    t.mock.method(globalThis, 'fetch', (url: string, init: RequestInit) => {
      if (url.includes('partNumber=') && ++parts > 2)
        return Promise.resolve(new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 }));
      return fetch(url, init);
    });
    const blobs = openS3BlobStore(settings);
    afterwards(t, () => blobs.close());
    await assert.rejects(blobs.put('abc', noise(3, 40_000_000)), StorageError);
    assert.equal(await blobs.get('abc'), null);
    const { body } = await new S3Client(settings).send({ method: 'GET', name: '', query: { uploads: '' } });
    assert.deepEqual(xmlTexts(body.toString(), 'UploadId'), []);
  });
}
