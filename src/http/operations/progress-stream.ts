import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/time.ts';
import type { ReportProgress } from '../../domain/progress.ts';
import { progressJson } from '../../wire/answer/progress-json.ts';
import { hasIdempotencyKey } from '../core/idempotency.ts';
import { Refusal } from '../core/refusal.ts';
import { writePieces } from '../core/streaming.ts';
import { prefersAsync } from './async-scrape.ts';
import type { PreparedScrape } from './send-scrape.ts';

export const EVENTS_TYPE = 'text/event-stream';

/** Proxies close connections on which nothing is sent. */
const HEARTBEAT_MS = 15_000;

/** Whether the caller accepts events alone. */
const acceptsEvents = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept !== undefined && /^\s*text\/event-stream\s*(?:;[^,]*)?$/i.test(accept);

/** Whether the response to the scrape is a stream of events. @throws Refusal if another header asks for something else */
export function streamsProgress(request: FastifyRequest): boolean {
  if (!acceptsEvents(request)) return false;
  const other = hasIdempotencyKey(request)
    ? 'Idempotency-Key'
    : prefersAsync(request)
      ? 'Prefer: respond-async'
      : null;
  if (other === null) return true;
  throw Refusal.of(
    'request.validation',
    `\`Accept: ${EVENTS_TYPE}\` cannot be used together with \`${other}\`.`,
  );
}

/** The response to a scrape as Server-Sent Events (HTML Living Standard §9.2): what it does, and at last its result. */
export class ProgressStream {
  readonly #raw: FastifyReply['raw'];
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #heartbeat: NodeJS.Timeout;

  /** Sends the head of the response. @param startedAt when the request had been received (monotonic, ms) */
  constructor(reply: FastifyReply, clock: Clock, startedAt: number) {
    this.#raw = reply.raw;
    this.#clock = clock;
    this.#startedAt = startedAt;
    reply.hijack();
    reply.headers({
      'content-type': EVENTS_TYPE,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    // A failed write closes the response. Without a listener, the error would end the process.
    this.#raw.on('error', () => {});
    this.#raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    this.#raw.flushHeaders();
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), HEARTBEAT_MS);
    this.#raw.once('close', () => clearInterval(this.#heartbeat));
  }

  readonly report: ReportProgress = (step, attempt) => {
    const progress = progressJson(step, attempt, this.#clock.monotonic() - this.#startedAt);
    this.#write(`event: progress\ndata: ${JSON.stringify(progress)}\n\n`);
  };

  /** Sends the result, and ends the response. */
  end({ answered, body }: PreparedScrape): void {
    clearInterval(this.#heartbeat);
    const type = answered.scrape.httpStatus === 200 ? 'result' : 'problem';
    writePieces(this.#raw, eventPieces(type, body));
  }

  /** A caller who reads too slowly misses events: each one says everything. */
  #write(text: string): void {
    if (!this.#raw.destroyed && !this.#raw.writableNeedDrain) this.#raw.write(text);
  }
}

/** An event with JSON as its data. It has no line breaks, as `JSON.stringify` wrote it. */
function* eventPieces(type: string, body: PreparedScrape['body']): Generator<string | Uint8Array> {
  yield `event: ${type}\ndata: `;
  if (typeof body === 'string' || Buffer.isBuffer(body)) yield body;
  else for (let piece = body.next(); piece.done !== true; piece = body.next()) yield piece.value;
  yield '\n\n';
}
