import { type BlobStore, StorageError } from '../../ports/store.ts';
import { assertBlobKey, isBlobKey } from './blob-key.ts';
import { compressToParts, decompressBlob } from './compress-blob.ts';
import { S3Client, type S3Options, xmlTexts } from './s3-client.ts';
import { MultipartUpload, nullIfMissing, sizeOf } from './s3-upload.ts';
import { UsageCount } from './usage-count.ts';

/** S3 takes parts from 5 MiB on. */
const PART_BYTES = 8 * 2 ** 20;
/** Parts of all uploads in memory, so that they take 64 MiB at most. */
const MAX_PARTS = 8;
/** Time that an upload may take, ms. */
const PUT_TIMEOUT_MS = 30_000;
/** How long a good result of `check` holds: a check writes an object, which operators of S3 charge for. */
const CHECK_FRESH_MS = 60_000;
/** All objects are counted again after this time, for the changes of other processes. */
const COUNT_FRESH_MS = 3_600_000;
const SUFFIX = '.zst';
const CHECK_NAME = 'check';

export interface S3BlobOptions extends S3Options {
  /** Of the names of all objects: empty, or with `/` at its end. */
  readonly prefix: string;
}

/**
 * Stores blobs as zstd-compressed objects `<prefix><key>.zst`. Those above 8 MiB are uploaded in parts, several at once; a
 * failed upload is aborted. Several processes may use the same bucket and prefix. Opens no connection yet.
 */
export function openS3BlobStore(options: S3BlobOptions): BlobStore {
  const client = new S3Client(options);
  const parts = new PartSlots();
  const writing = new Set<Promise<void>>();
  let closed = false;
  /** When an object was last written, monotonic; after a failure -Infinity. */
  let worksAt = Number.NEGATIVE_INFINITY;
  const count = new UsageCount(countAll, COUNT_FRESH_MS);

  function nameOf(key: string): string {
    if (closed) throw new StorageError('the blob store is closed');
    assertBlobKey(key);
    return `${options.prefix}${key}${SUFFIX}`;
  }

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      count.add(await putObject(client, parts, name, bytes));
      worksAt = performance.now();
    } catch (error) {
      worksAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  async function countAll(): Promise<number> {
    let total = 0;
    for await (const { size } of listObjects(client, options.prefix)) total += size;
    return total;
  }

  return {
    putTimeoutMs: PUT_TIMEOUT_MS,
    isApart: true,
    async put(key, bytes) {
      const done = write(nameOf(key), bytes);
      writing.add(done);
      try {
        await done;
      } finally {
        writing.delete(done);
      }
    },
    async get(key) {
      const reply = await nullIfMissing(client.send({ method: 'GET', name: nameOf(key) }));
      if (reply === null) return null;
      return decompressBlob(reply.body).catch((error: unknown) => {
        throw client.error('an object is damaged', error);
      });
    },
    async delete(key) {
      const name = nameOf(key);
      const size = count.isCounted ? await sizeOf(client, name) : 0;
      await nullIfMissing(client.send({ method: 'DELETE', name }));
      count.add(-size);
    },
    async *keys() {
      if (closed) throw new StorageError('the blob store is closed');
      for await (const { name } of listObjects(client, options.prefix)) {
        const key = name.slice(options.prefix.length, -SUFFIX.length);
        if (name.endsWith(SUFFIX) && isBlobKey(key)) yield key;
      }
    },
    async usage() {
      if (closed) throw new StorageError('the blob store is closed');
      return count.read();
    },
    async check() {
      if (closed) throw new StorageError('the blob store is closed');
      if (performance.now() - worksAt < CHECK_FRESH_MS) return;
      const name = `${options.prefix}${CHECK_NAME}`;
      await client.send({ method: 'PUT', name, body: 'x' });
      await nullIfMissing(client.send({ method: 'DELETE', name }));
      worksAt = performance.now();
    },
    async close() {
      closed = true;
      await Promise.allSettled(writing);
    },
  };
}

/** @returns number of bytes stored */
async function putObject(
  client: S3Client,
  slots: PartSlots,
  name: string,
  bytes: Uint8Array,
): Promise<number> {
  let upload: MultipartUpload | null = null;
  const parts = compressToParts(bytes, PART_BYTES);
  // Of the part that is being filled. Smaller blobs have only one, and less memory than they were read into.
  let release = bytes.length < PART_BYTES ? () => {} : await slots.take();
  try {
    for await (const part of parts) {
      if (upload === null && part.length < PART_BYTES) {
        await client.send({ method: 'PUT', name, body: part });
        return part.length;
      }
      upload ??= await MultipartUpload.start(client, name);
      upload.add(part, release);
      release = await slots.take();
      upload.throwIfFailed();
    }
    return await upload!.complete();
  } catch (error) {
    await upload?.abort();
    throw error;
  } finally {
    release();
  }
}

/** Limits the parts in memory. An upload holds one while it compresses, and one for each part that is being sent. */
class PartSlots {
  #free = MAX_PARTS;
  readonly #waiting: (() => void)[] = [];

  /** @returns call it once to give the slot back */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}

async function* listObjects(client: S3Client, prefix: string) {
  let token: string | undefined;
  do {
    const query = {
      'list-type': '2',
      prefix,
      ...(token === undefined ? {} : { 'continuation-token': token }),
    };
    const { body } = await client.send({ method: 'GET', name: '', query });
    const xml = body.toString();
    const names = xmlTexts(xml, 'Key');
    const sizes = xmlTexts(xml, 'Size');
    for (const [i, name] of names.entries()) yield { name, size: Number(sizes[i]) };
    token =
      xmlTexts(xml, 'IsTruncated')[0] === 'true' ? xmlTexts(xml, 'NextContinuationToken')[0] : undefined;
  } while (token !== undefined);
}
