import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { layeredBlobStore } from '../../src/adapters/blobs/layered-blob-store.ts';
import { openS3BlobStore, type S3BlobOptions } from '../../src/adapters/blobs/s3-blob-store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { blobStoreContract } from '../contracts/blob-store.ts';
import { idAt, T0 } from '../contracts/samples.ts';
import { freePort } from '../helpers/free-port.ts';
import { faultyS3, S3_BUCKET, type S3Fault, s3Options } from '../helpers/s3.ts';
import { afterwards, noise } from './temp.ts';

async function open(t: TestContext, changes: Partial<S3BlobOptions> = {}, port?: number) {
  const blobs = openS3BlobStore({ ...(await s3Options(port)), ...changes });
  afterwards(t, () => blobs.close());
  return blobs;
}

blobStoreContract('S3', (t) => open(t));

const isPart = ({ method, url }: IncomingMessage) => method === 'PUT' && url!.includes('partNumber=');
/** Of four parts. */
const LARGE = noise(7, 30_000_000);

/** A store whose first requests of a kind meet a fault. */
async function faulty(
  t: TestContext,
  options: { is?: (message: IncomingMessage) => boolean; fault: S3Fault; times: number },
  changes: Partial<S3BlobOptions> = {},
) {
  let left = options.times;
  const port = await faultyS3(t, (message) =>
    (options.is?.(message) ?? true) && left-- > 0 ? options.fault : null,
  );
  return open(t, changes, port);
}

/** That it is one, and names the bucket, but no key of access. */
const storageError = (reason: RegExp) => (error: Error) => {
  assert.ok(error instanceof StorageError, String(error));
  assert.match(error.message, reason);
  assert.ok(error.message.includes(`"${S3_BUCKET}"`) || error.message.includes('"missing-bucket"'));
  assert.doesNotMatch(error.message, /S3RVER|wrong-secret/);
  return true;
};

test('s3 blobs: 60 MB go up in parts, and come back byte for byte', async (t) => {
  const blobs = await open(t);
  const bytes = noise(1, 60_000_000);
  await blobs.put('abc', bytes);
  assert.ok(Buffer.from((await blobs.get('abc'))!).equals(bytes));
  assert.ok((await blobs.usage()) >= 60_000_000);
});

test('s3 blobs: many uploads at once share the memory for parts', async (t) => {
  const blobs = await open(t);
  const keys = Array.from({ length: 12 }, (_, i) => idAt(T0, i));
  const bytes = noise(2, 9_000_000);
  await Promise.all(keys.map((key) => blobs.put(key, bytes)));
  for (const key of keys) assert.equal((await blobs.get(key))!.length, 9_000_000);
});

test('s3 blobs: a prefix has only its own', async (t) => {
  const options = await s3Options();
  const own = await open(t, { prefix: `${options.prefix}a/` });
  const others = await open(t, { prefix: `${options.prefix}a/b/` });
  await own.put('abc', Buffer.from('own'));
  await others.put('abc', Buffer.from('other'));
  assert.deepEqual(await Array.fromAsync(own.keys()), ['abc']);
  await others.delete('abc');
  assert.equal(Buffer.from((await own.get('abc'))!).toString(), 'own');
});

test('s3 blobs: the bucket in the host name', async (t) => {
  const asked: string[] = [];
  const lookup = (name: string, _options: object, done: (...args: unknown[]) => void) => {
    asked.push(name);
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const hosts: string[] = [];
  const front = await faultyS3(t, ({ headers }) => {
    hosts.push(headers.host!);
    return { status: 403, code: 'AccessDenied' };
  });
  t.mock.method(dns, 'lookup', lookup);
  const blobs = await open(t, { endpoint: `http://s3.example.test:${front}`, pathStyle: false });
  await assert.rejects(blobs.put('abc', Buffer.from('x')), storageError(/may not do this/));
  assert.deepEqual(hosts, [`${S3_BUCKET}.s3.example.test:${front}`]);
  assert.deepEqual(asked, [`${S3_BUCKET}.s3.example.test`]);
});

for (const [name, fault] of [
  ['503 SlowDown', { status: 503, code: 'SlowDown' }],
  ['429', { status: 429, code: 'TooManyRequests' }],
  ['400 RequestTimeout', { status: 400, code: 'RequestTimeout' }],
  ['500', { status: 500, code: 'InternalError' }],
  ['an upload that is cut', 'cut'],
  ['an answer that is cut', 'cut answer'],
] as const)
  test(`s3 blobs: ${name} passes`, async (t) => {
    const blobs = await faulty(t, { fault, times: 3 });
    await blobs.put('abc', noise(3, 400_000));
    assert.equal((await blobs.get('abc'))!.length, 400_000);
  });

test('s3 blobs: parts that are cut or refused for a while are sent again', async (t) => {
  const blobs = await faulty(t, { is: isPart, fault: 'cut', times: 3 });
  await blobs.put('abc', LARGE);
  assert.ok(Buffer.from((await blobs.get('abc'))!).equals(LARGE));
});

test('s3 blobs: after a lost answer to the completion, the upload is found complete', async (t) => {
  let completions = 0;
  const port = await faultyS3(t, ({ method, url }) => {
    if (method !== 'POST' || !url!.includes('uploadId=')) return null;
    // As S3 answers if it knows the upload no more; the server behind does not.
    return completions++ === 0 ? 'cut answer' : { status: 404, code: 'NoSuchUpload' };
  });
  const blobs = await open(t, {}, port);
  await blobs.put('abc', LARGE);
  assert.equal(completions, 2);
  assert.ok(Buffer.from((await blobs.get('abc'))!).equals(LARGE));
});

test('s3 blobs: a part that is refused for good aborts the upload, and nothing is there', async (t) => {
  const aborted: string[] = [];
  const port = await faultyS3(t, (message) => {
    if (message.method === 'DELETE') aborted.push(message.url!);
    return isPart(message) ? { status: 403, code: 'AccessDenied' } : null;
  });
  const blobs = await open(t, {}, port);
  await assert.rejects(blobs.put('abc', LARGE), storageError(/AccessDenied/));
  assert.equal(await blobs.get('abc'), null);
  assert.equal(aborted.length, 1);
  assert.match(aborted[0]!, /uploadId=/);
});

test('s3 blobs: what does not pass is told, in time', async (t) => {
  const bytes = noise(4, 300_000);
  const busy = await faulty(t, { fault: { status: 503, code: 'SlowDown' }, times: 1e9 });
  await assert.rejects(busy.put('abc', bytes), storageError(/503 SlowDown/));
  const slow = await faulty(t, { fault: 'hang', times: 1e9 }, { tryMs: 100, requestMs: 300 });
  await assert.rejects(slow.put('abc', bytes), storageError(/does not answer in time/));
  await assert.rejects(slow.check(), storageError(/does not answer in time/));
  const closedPort = await freePort();
  const gone = await open(t, { requestMs: 300 }, closedPort);
  await assert.rejects(gone.put('abc', bytes), storageError(/cannot be reached \(ECONNREFUSED\)/));
  await assert.rejects(gone.get('abc'), StorageError);
  await assert.rejects(gone.usage(), StorageError);
  await assert.rejects(Array.fromAsync(gone.keys()), StorageError);
});

test('s3 blobs: wrong credentials and a missing bucket are told', async (t) => {
  // The server does not check signatures; Swift, in the full tests, does.
  const wrong = await faulty(t, { fault: { status: 403, code: 'SignatureDoesNotMatch' }, times: 2 });
  await assert.rejects(wrong.put('abc', new Uint8Array(1)), storageError(/secret access key.*wrong/));
  await assert.rejects(wrong.get('abc'), storageError(/SignatureDoesNotMatch/));
  const unknown = await open(t, { accessKeyId: 'wrong-secret' });
  await assert.rejects(unknown.check(), storageError(/access key is unknown/));
  const missing = await open(t, { bucket: 'missing-bucket' });
  await assert.rejects(missing.put('abc', new Uint8Array(1)), storageError(/does not exist/));
  await assert.rejects(missing.check(), storageError(/does not exist/));
});

test('s3 blobs: a wrong clock is corrected by that of S3', async (t) => {
  const blobs = await open(t, { now: () => Date.now() - 3_600_000 });
  await blobs.put('abc', Buffer.from('x'));
  assert.equal(Buffer.from((await blobs.get('abc'))!).toString(), 'x');
});

test('s3 blobs: a damaged object is a StorageError, not wrong bytes', async (t) => {
  const options = await s3Options();
  const blobs = openS3BlobStore(options);
  afterwards(t, () => blobs.close());
  await blobs.put('abc', noise(5, 300_000));
  const { S3Client } = await import('../../src/adapters/blobs/s3-client.ts');
  const client = new S3Client(options);
  const name = `${options.prefix}abc.zst`;
  const { body } = await client.send({ method: 'GET', name });
  await client.send({ method: 'PUT', name, body: Uint8Array.from(body.subarray(0, -5)) });
  await assert.rejects(blobs.get('abc'), storageError(/damaged/));
});

test('layered blobs: what the older store has is read and deleted; new ones go to the first', async (t) => {
  const first = await open(t);
  const older = await open(t);
  await older.put('aa', Buffer.from('old'));
  const blobs = layeredBlobStore(first, older);
  assert.equal(Buffer.from((await blobs.get('aa'))!).toString(), 'old');
  await blobs.put('bb', Buffer.from('new'));
  assert.equal(await older.get('bb'), null);
  assert.deepEqual((await Array.fromAsync(blobs.keys())).toSorted(), ['aa', 'bb']);
  assert.ok((await blobs.usage()) > (await first.usage()));
  await blobs.delete('aa');
  assert.equal(await blobs.get('aa'), null);
  assert.equal(await older.get('aa'), null);
});

blobStoreContract('layered', async (t) => layeredBlobStore(await open(t), await open(t)));
