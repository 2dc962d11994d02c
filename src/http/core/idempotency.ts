import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rawNumberText } from '../../base/numbers.ts';
import { uuid7 } from '../../base/uuid7.ts';
import { failure } from '../../domain/failure.ts';
import type { IdempotencyKey, IdempotencyStore } from '../../ports/idempotency.ts';
import type { EndpointDeps } from './deps.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The run that this request began with its `Idempotency-Key`; null: it has none. */
    idempotentRun: RunningKey | null;
  }
}

const DAY_MS = 86_400_000;
/** A run that has not ended after this time has died. No request takes as long. */
const MAX_RUN_MS = 15 * 60_000;
/** Larger responses are not kept. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const CONFLICT_RETRY_AFTER_S = '1';
/** Headers that belong to a response, and not to the request that caused it. */
const KEPT_HEADERS = ['content-type', 'location', 'preference-applied', 'x-scrape-id', 'cache-control'];

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type IdempotencyDeps = Pick<EndpointDeps, 'store' | 'sealer' | 'clock'>;

interface KeptHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A run that has a key. One of its methods is called when it has ended. */
export interface RunningKey {
  /** Id of the run. A scrape uses it as its own. */
  readonly id: string;
  /** Whether the request may run again if its response is lost. */
  readonly isRepeatable: boolean;
  /** Keeps the response for a day; one that is too large is lost. */
  keep(head: KeptHead, body: Uint8Array): Promise<void>;
  /** The response is not kept, although the request had an effect. */
  lose(): Promise<void>;
  /** The request had no effect, so that the key can be used again. */
  release(): Promise<void>;
}

const header = ({ headers }: FastifyRequest): string | undefined =>
  headers['idempotency-key'] as string | undefined;

export const hasIdempotencyKey = (request: FastifyRequest): boolean => header(request) !== undefined;

/** For endpoints that do not support the header: a caller must not rely on it. @throws Refusal */
export function refuseIdempotencyKey(request: FastifyRequest): void {
  if (header(request) !== undefined)
    throw Refusal.of('request.validation', 'This request does not support `Idempotency-Key`.');
}

/** SHA-256 of JSON. The order of members and white space make no difference. */
function requestHash(body: unknown): Uint8Array {
  const text = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && rawNumberText(value) === null
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return hash('sha256', text ?? '', 'buffer');
}

/** @throws Refusal if the header is not 1 to 255 visible ASCII characters */
function readKey(text: string, userId: string, path: string): IdempotencyKey {
  // Node joins several fields with a comma and a blank.
  if (!/^[\x21-\x7e]{1,255}$/.test(text))
    throw Refusal.of(
      'request.validation',
      '`Idempotency-Key` must be 1 to 255 visible ASCII characters, once.',
    );
  return { userId, path, hash: hash('sha256', text, 'buffer') };
}

/**
 * Begins a request with an `Idempotency-Key` (contract §8).
 * @param options.path of the endpoint
 * @param options.body the request, as JSON values
 * @param options.isRepeatable whether it may run again if its response is lost
 * @returns false: the response to the first request with this key was sent. Otherwise the request runs; if it has a key,
 *   `request.idempotentRun` is set
 * @throws Refusal
 */
export async function beginIdempotent(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { readonly path: string; readonly body: unknown; readonly isRepeatable: boolean },
): Promise<boolean> {
  const text = header(request);
  if (text === undefined) return true;
  const keys = deps.store.idempotency;
  const key = readKey(text, request.principal!.userId, options.path);
  const now = deps.clock.now();
  const run = { id: uuid7(now), requestHash: requestHash(options.body) };
  const times = { now, runsUntil: now + MAX_RUN_MS, expiresAt: now + DAY_MS };
  const used = await keys.begin(key, run, times);
  if (used !== null) {
    if (!Buffer.from(used.run.requestHash).equals(run.requestHash)) throw new Refusal([MISMATCH]);
    if (used.state === 'running') throw conflict();
    if (used.state === 'answered' && (await replay(deps, key, reply))) return false;
    if (!options.isRepeatable) throw new Refusal([unknownResult(used.run.id)]);
    if (!(await keys.takeOver(key, used.run.id, run, times))) throw conflict();
  }
  request.idempotentRun = runningKey(deps, keys, key, run.id, options.isRepeatable);
  return true;
}

function runningKey(
  { sealer, clock }: IdempotencyDeps,
  keys: IdempotencyStore,
  key: IdempotencyKey,
  id: string,
  isRepeatable: boolean,
): RunningKey {
  return {
    id,
    isRepeatable,
    async keep(head, body) {
      if (body.length > MAX_KEPT_BYTES) return keys.lose(key, id);
      const line = Buffer.from(`${JSON.stringify(head)}\n`);
      const packed = await compress(Buffer.concat([line, body]), FAST);
      const sealed = sealer.seal('idempotency', key.userId, packed);
      await keys.answer(key, id, sealed, clock.now() + DAY_MS);
    },
    lose: () => keys.lose(key, id),
    release: () => keys.release(key, id),
  };
}

/** Sends the first response again. @returns false: it is no longer there */
async function replay(
  { store, sealer }: IdempotencyDeps,
  key: IdempotencyKey,
  reply: FastifyReply,
): Promise<boolean> {
  const sealed = await store.idempotency.answerOf(key);
  if (sealed === null) return false;
  const bytes = await decompress(sealer.open('idempotency', key.userId, sealed));
  const end = bytes.indexOf(10);
  const { status, headers } = JSON.parse(bytes.subarray(0, end).toString()) as KeptHead;
  reply.code(status).headers(headers).header('idempotent-replayed', 'true');
  void reply.send(bytes.subarray(end + 1));
  return true;
}

/** What is kept of a reply besides its body. */
export function keptHead(reply: FastifyReply): KeptHead {
  const headers = reply.getHeaders();
  const kept = KEPT_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return { status: reply.statusCode, headers: Object.fromEntries(kept) };
}

/** Keeps the response to requests that `beginIdempotent` began, when it is sent with `reply.send`. */
export function addIdempotencyHook(app: FastifyInstance): void {
  app.decorateRequest('idempotentRun', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    const run = request.idempotentRun;
    if (run === null) return done(null, payload);
    request.idempotentRun = null;
    endRun(run, reply, payload).then(() => done(null, payload), done);
  });
}

async function endRun(run: RunningKey, reply: FastifyReply, payload: unknown): Promise<void> {
  if (reply.statusCode < 300 && (typeof payload === 'string' || Buffer.isBuffer(payload)))
    return await run.keep(keptHead(reply), Buffer.from(payload as string));
  // It was refused before it had an effect.
  if (reply.statusCode < 500 || run.isRepeatable) return await run.release();
  await run.lose();
}

const MISMATCH = failure(
  'idempotency.mismatch',
  'This `Idempotency-Key` was used with another request in the last 24 hours. Use a new key for each request.',
);

const conflict = (): Refusal =>
  new Refusal(
    [failure('idempotency.conflict', 'The first request with this `Idempotency-Key` is still running.')],
    { headers: { 'retry-after': CONFLICT_RETRY_AFTER_S } },
  );

const unknownResult = (id: string) =>
  failure(
    'idempotency.unknown',
    'A request with this `Idempotency-Key` was begun, and may have had its effect, but its response is not known. Look at `details.id` before you send it with a new key.',
    { details: { id } },
  );
