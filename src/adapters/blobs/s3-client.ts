import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { sleep } from '../../base/wait.ts';
import { ContentsError } from '../../ports/store.ts';

/** The bucket of the operator, and how to reach it. */
export interface S3Options {
  /** Base URL of the service, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket is in the path, instead of the host name. */
  readonly pathStyle: boolean;
  /** Time that one try of a request may take, ms; default: 10 s. */
  readonly tryMs?: number;
  /** Time that a request may take with all its tries, ms; default: 20 s. */
  readonly requestMs?: number;
  /** ms since the epoch; default: the clock of this machine. */
  readonly now?: () => number;
  /** Sends a request without following redirects; default: by `fetch`, without address policy. */
  readonly fetch?: S3Fetch;
}

export type S3Fetch = (
  url: string,
  request: {
    readonly method: S3Request['method'];
    readonly headers: Headers;
    readonly body: S3Request['body'];
    readonly signal: AbortSignal;
  },
) => Promise<S3Reply>;

const plainFetch: S3Fetch = async (url, { method, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    // Only the endpoint that the operator configured is called.
    redirect: 'manual',
    signal,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body: bytes };
};

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Name of the object; '' for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** Media type of `body`; default: bytes. */
  readonly contentType?: string;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

export interface S3Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** An error that S3 answered with. `code` is its name, such as `NoSuchKey`, or the status. */
export class S3Error extends ContentsError {
  readonly status: number;
  readonly code: string;
  constructor(message: string, status: number, code: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const BYTES = 'application/octet-stream';
const TRY_MS = 10_000;
const REQUEST_MS = 20_000;
const MAX_TRIES = 5;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;
const MAX_ERROR_BYTES = 4_096;
/** Errors with other statuses than 429 and 5xx that pass. */
const PASSING_CODES: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown', 'OperationAborted']);
/** In words that say what to do. The others are told by their code. */
const CODE_MESSAGES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'it does not exist',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret access key, or the region, is wrong',
  AccessDenied: 'the access key may not do this',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  AuthorizationHeaderMalformed: 'it is in another region',
  PermanentRedirect: 'it is in another region, or at another endpoint',
};

/**
 * Sends requests to one bucket (REST API of Amazon S3, version 2006-03-01), signed with Signature Version 4. The bucket
 * belongs to the operator and is no target: it is called directly, without address policy and proxies. Those of users are called by
 * another `fetch`.
 */
export class S3Client {
  readonly bucket: string;
  readonly #options: S3Options;
  readonly #base: string;
  /** Keys for signing, by day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** What the clock of S3 is ahead of ours, ms. */
  #clockOffset = 0;

  constructor(options: S3Options) {
    this.#options = options;
    this.bucket = options.bucket;
    const url = new URL(options.endpoint);
    const path = url.pathname.replace(/\/+$/, '');
    this.#base = options.pathStyle
      ? `${url.origin}${path}/${options.bucket}`
      : `${url.protocol}//${options.bucket}.${url.host}${path}`;
  }

  /**
   * The reply to a request, which is repeated while S3 fails or is busy. Rejects with S3Error if S3 refuses it, and with
   * ContentsError if S3 cannot be reached or does not answer in time.
   */
  async send(request: S3Request): Promise<S3Reply> {
    const { tryMs = TRY_MS, requestMs = REQUEST_MS } = this.#options;
    const end = performance.now() + requestMs;
    let before: ContentsError | null = null;
    for (let tries = 1; ; tries++) {
      let problem: ContentsError;
      let wait = Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const left = end - performance.now();
      try {
        const reply = await this.#trySend(request, Math.min(tryMs, left));
        if (reply.status < 300) return reply;
        const refusal = this.#refusal(request, reply);
        if (!this.#mayPass(refusal, reply, tries)) throw refusal;
        problem = refusal;
        wait = Math.max(wait, Math.min(MAX_WAIT_MS, Number(reply.headers.get('retry-after')) * 1000 || 0));
      } catch (error) {
        if (error instanceof ContentsError) throw error;
        problem = this.#unreachable(error);
        // The last try had no time of its own, so what ended the one before says more.
        if (left < tryMs && before !== null) throw before;
      }
      before = problem;
      if (request.signal?.aborted || tries === MAX_TRIES || performance.now() + wait >= end) throw problem;
      await sleep(wait, request.signal);
    }
  }

  /** An error about the bucket. It never contains what S3 answered, which can contain keys. */
  error(reason: string, cause?: unknown): ContentsError {
    return new ContentsError(`the S3 bucket ${JSON.stringify(this.bucket)}: ${reason}`, { cause });
  }

  async #trySend(
    { method, name, query = {}, body, contentType = BYTES, signal }: S3Request,
    ms: number,
  ): Promise<S3Reply> {
    const { region, accessKeyId, secretAccessKey, now = Date.now } = this.#options;
    const { fetch: sendSigned = plainFetch } = this.#options;
    const url = new URL(name === '' ? this.#base : `${this.#base}/${name}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        // Proves that the body arrived as it was sent, also without TLS.
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      cache: this.#signingKeys,
      datetime: new Date(now() + this.#clockOffset).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
    return await sendSigned(signed.url.href, {
      method,
      headers: signed.headers,
      body,
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
  }

  /** Whether another try may succeed. A wrong clock is corrected for it. */
  #mayPass({ code, status }: S3Error, reply: S3Reply, tries: number): boolean {
    if (code === 'RequestTimeTooSkewed' && tries === 1) {
      const { now = Date.now } = this.#options;
      const theirs = Date.parse(reply.headers.get('date') ?? '');
      if (Number.isNaN(theirs)) return false;
      this.#clockOffset = theirs - now();
      return true;
    }
    return status === 429 || (status >= 500 && status !== 501) || PASSING_CODES.has(code);
  }

  #refusal({ method }: S3Request, { status, body }: S3Reply): S3Error {
    const code = s3Code(body) ?? (method === 'HEAD' && status === 404 ? 'NotFound' : String(status));
    const said = `S3 answered with ${status}${code === String(status) ? '' : ` ${code}`}`;
    const known = CODE_MESSAGES[code];
    const reason = known === undefined ? said : `${known} (${said})`;
    return new S3Error(this.error(reason).message, status, code);
  }

  #unreachable(error: unknown): ContentsError {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return this.error('S3 does not answer in time', error);
    const { code, message } = (cause ?? error) as { code?: string; message?: string };
    return this.error(`S3 cannot be reached (${code ?? message})`, error);
  }
}

/** The code of an error document; null: it is none. */
export function s3Code(body: Buffer): string | null {
  const start = body.subarray(0, MAX_ERROR_BYTES).toString();
  return /<Error>.*?<Code>([A-Za-z0-9.]{1,100})<\/Code>/s.exec(start)?.[1] ?? null;
}

/** The texts of all elements of this name. S3's answers are not nested so deep that names would repeat in other meanings. */
export function xmlTexts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    unescapeXml(text!),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole;
    return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16));
  });
}
