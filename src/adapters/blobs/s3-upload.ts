import { type S3Client, S3Error, s3Code, xmlTexts } from './s3-client.ts';

/** An upload in parts (CreateMultipartUpload, UploadPart, CompleteMultipartUpload, AbortMultipartUpload). */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #name: string;
  readonly #id: string;
  readonly #tags: Promise<string>[] = [];
  readonly #ended = new AbortController();
  #failure: unknown = null;
  #bytes = 0;

  private constructor(client: S3Client, name: string, id: string) {
    this.#client = client;
    this.#name = name;
    this.#id = id;
  }

  /** @param contentType media type of the object; absent: bytes */
  static async start(client: S3Client, name: string, contentType?: string): Promise<MultipartUpload> {
    const type = contentType === undefined ? {} : { contentType, body: '' };
    const { body } = await client.send({ method: 'POST', name, query: { uploads: '' }, ...type });
    const [id] = xmlTexts(body.toString(), 'UploadId');
    if (id === undefined) throw client.error('S3 answered without the id of an upload');
    return new MultipartUpload(client, name, id);
  }

  /** Starts to send the next part. @param release called when its memory is free */
  add(part: Buffer<ArrayBuffer>, release: () => void): void {
    this.#bytes += part.length;
    const sent = this.#send(part, this.#tags.length + 1).finally(release);
    sent.catch((error: unknown) => {
      this.#failure ??= error;
      this.#ended.abort();
    });
    this.#tags.push(sent);
  }

  /** Sends the next part, and waits for it. */
  async addNow(part: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    this.add(part, () => {});
    const onAbort = () => this.#ended.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) onAbort();
      await this.#tags.at(-1);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async complete(): Promise<number> {
    const tags = await Promise.all(this.#tags);
    const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    try {
      const reply = await this.#client.send({ ...this.#request('POST'), body });
      // S3 may begin its answer before it knows how the upload ends, so an error can have the status 200.
      const code = s3Code(reply.body);
      if (code !== null) throw this.#client.error(`S3 answered with ${code}`);
    } catch (error) {
      // After a lost answer, the next try finds no upload, because the first one completed it.
      if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error;
      if ((await sizeOf(this.#client, this.#name)) !== this.#bytes) throw error;
    }
    return this.#bytes;
  }

  /** What cannot be aborted is left to the lifecycle rule of the bucket. */
  async abort(): Promise<void> {
    this.#ended.abort();
    // A part that arrives after the abort would stay.
    await Promise.allSettled(this.#tags);
    await this.#client.send(this.#request('DELETE')).catch(() => {});
  }

  async #send(part: Buffer<ArrayBuffer>, number: number): Promise<string> {
    const { headers } = await this.#client.send({
      ...this.#request('PUT', { partNumber: String(number) }),
      body: part,
      signal: this.#ended.signal,
    });
    const tag = headers.get('etag');
    if (tag === null) throw this.#client.error('S3 answered without the ETag of a part');
    return tag;
  }

  #request<M extends string>(method: M, query: Readonly<Record<string, string>> = {}) {
    return { method, name: this.#name, query: { ...query, uploadId: this.#id } };
  }
}

/** 0: there is no such object. */
export async function sizeOf(client: S3Client, name: string): Promise<number> {
  const reply = await nullIfMissing(client.send({ method: 'HEAD', name }));
  return Number(reply?.headers.get('content-length') ?? 0);
}

/** null: there is no such object. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound')) return null;
    throw error;
  }
}
