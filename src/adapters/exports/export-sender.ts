import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import { portOf } from '../../base/url-patterns.ts';
import { failure, isFailure } from '../../domain/failure.ts';
import type { Egress } from '../../egress/egress.ts';
import { send } from '../../http-client/post.ts';
import { TlsContexts, TlsSessionCache } from '../../http-client/tls.ts';
import type { ExportSender } from '../../ports/exports.ts';
import { ContentsError } from '../../ports/store.ts';
import { S3Client, S3Error, type S3Fetch } from '../blobs/s3-client.ts';
import { MultipartUpload } from '../blobs/s3-upload.ts';

interface ExportSenderOptions {
  /** Judges addresses at each connection. */
  readonly guard: Pick<Egress, 'connect' | 'checkTarget'>;
  /** Certificates (PEM) trusted besides the authorities of Node; null: none. */
  readonly ca: readonly string[] | null;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  /** A target that takes no byte for so long, or does not answer, is given up. Default: a minute. */
  readonly stallMs?: number;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const SHOWN_ANSWER_CHARS = 500;
const STALL_MS = 60_000;
/** S3 takes parts from 5 MiB on, and at most 10,000. */
const PART_BYTES = 8 * 2 ** 20;
const S3_TRY_MS = 120_000;
const S3_REQUEST_MS = 180_000;

export function createExportSender({
  guard,
  ca,
  memory,
  clock,
  stallMs = STALL_MS,
}: ExportSenderOptions): ExportSender {
  const contexts = new TlsContexts(ca);
  const sessions = new TlsSessionCache();
  const closing = new AbortController();
  const deps = { egress: guard, contexts, sessions, memory, clock };
  /** Instead of `fetch`: connects through the guard. */
  const guardedFetch: S3Fetch = async (url, { method, headers, body, signal }) => {
    const response = await send(
      {
        method,
        url: new URL(url),
        headers: [...headers].filter(([name]) => name !== 'host' && name !== 'content-length'),
        body: typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()),
        maxBytes: MAX_ANSWER_BYTES,
        signal: AbortSignal.any([signal, closing.signal]),
      },
      deps,
    );
    if (isFailure(response)) throw new RefusedConnection(response);
    return {
      status: response.status,
      headers: new Headers(response.headers as [string, string][]),
      body: Buffer.from(response.body),
    };
  };
  return {
    check: (url, signal) => guard.checkTarget({ host: url.hostname, port: portOf(url), signal }),
    async upload({ method, url, headers, file }, signal) {
      const response = await send(
        {
          method,
          url,
          headers: [['content-type', file.type], ...headers],
          body: { bytes: file.bytes, pieces: file.read(), stallMs },
          maxBytes: MAX_ANSWER_BYTES,
          signal: AbortSignal.any([signal, closing.signal]),
        },
        deps,
      );
      if (isFailure(response)) return response;
      return { status: response.status, text: shown(response.body) };
    },
    async putObject(target, key, file, signal) {
      const client = new S3Client({
        ...target,
        tryMs: S3_TRY_MS,
        requestMs: S3_REQUEST_MS,
        now: clock.now,
        fetch: guardedFetch,
      });
      const name = key.split('/').map(encodeURIComponent).join('/');
      try {
        if (file.bytes < PART_BYTES) {
          const body = Buffer.concat(await Array.fromAsync(file.read()));
          await client.send({ method: 'PUT', name, body, contentType: file.type, signal });
          return null;
        }
        const upload = await MultipartUpload.start(client, name, file.type);
        try {
          // One part at a time, so that an upload has 8 MiB in memory.
          for (let from = 0; from < file.bytes; from += PART_BYTES) {
            const pieces = await Array.fromAsync(file.read(from, Math.min(file.bytes, from + PART_BYTES)));
            await upload.addNow(Buffer.concat(pieces), signal);
          }
          await upload.complete();
          return null;
        } catch (error) {
          await upload.abort();
          throw error;
        }
      } catch (error) {
        if (error instanceof S3Error) return { status: error.status, text: error.message };
        if (!(error instanceof ContentsError)) throw error;
        if (error.cause instanceof RefusedConnection) return error.cause.failure;
        return failure(signal.aborted ? 'timeout.total' : 'connect.unreachable', `${error.message}.`);
      }
    },
    close: () => closing.abort(),
  };
}

class RefusedConnection extends Error {
  readonly failure: Extract<Awaited<ReturnType<typeof send>>, { code: unknown }>;
  constructor(failure: RefusedConnection['failure']) {
    super(failure.message);
    this.failure = failure;
  }
}

const shown = (body: Uint8Array): string => Buffer.from(body).toString('utf8').slice(0, SHOWN_ANSWER_CHARS);
