import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLarge, turnFor } from '../../base/turns.ts';
import { hasLongNumbers, parseExactly } from '../../wire/request/exact-numbers.ts';
import { readJson } from '../../wire/schema/read-json.ts';
import { Refusal } from './refusal.ts';

/** Contract §10, `request.too_large`. */
export const BODY_LIMIT = 5 * 1024 * 1024;

/** Whether the headers say that there is no body. */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Whether there is no body, or perhaps none: a body in chunks without a type may be empty. */
export const mayHaveNoBody = (raw: IncomingMessage): boolean =>
  hasNoBody(raw) ||
  (raw.headers['content-type'] === undefined && raw.headers['content-length'] === undefined);

/**
 * Replaces Fastify's parsers: only JSON in valid UTF-8 is accepted. An empty body is no body, whatever its type: `undefined`. Many
 * clients send a Content-Type with each request.
 */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (_request: FastifyRequest, body: Buffer) => (body.length === 0 ? undefined : parseInTurns(body)),
  );
  // Of other types, or of none, only an empty body is accepted.
  app.addContentTypeParser('*', (_request, payload, done) => {
    const onEnd = () => done(null, undefined);
    payload.once('end', onEnd);
    payload.once('error', done);
    payload.once('data', () => {
      // The rest of the body may still be drained, and must not call the handler.
      payload
        .off('end', onEnd)
        .off('error', done)
        .on('error', () => {});
      payload.pause();
      done(Refusal.of('request.media_type', 'The body must be sent with Content-Type: application/json.'));
    });
  });
  // Fastify refuses a type that it cannot read, before it asks for a parser.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasNoBody(request.raw)) delete request.raw.headers['content-type'];
    done(null, payload);
  });
}

/**
 * Reads a JSON body directly from the connection, because Fastify's body handling takes longer than all its other work on a
 * request. `bodyRefusal` must have checked the headers. Rejects with a Refusal, or with the error of the connection.
 */
export function readJsonBody(raw: IncomingMessage, limit: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const length = Number(raw.headers['content-length'] ?? 0);
    // Copied piece by piece: to copy a large body at its end would keep others waiting.
    const whole = isLarge(length) ? Buffer.allocUnsafe(length) : null;
    const pieces: Buffer[] = [];
    let size = 0;
    raw.on('data', (piece: Buffer) => {
      whole?.set(piece, size);
      size += piece.length;
      if (size > limit) reject(tooLargeRefusal(limit));
      else if (whole === null) pieces.push(piece);
    });
    raw.on('end', () => {
      // Rejected already.
      if (size > limit) return;
      resolve(parseInTurns(whole ?? (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size))));
    });
    raw.on('error', reject);
  });
}

/** Like `parseJson`. A large body is decoded, read and used in turns of the event loop, so that others are answered between them. */
async function parseInTurns(body: Buffer): Promise<unknown> {
  if (!isLarge(body.length)) return parseJson(body);
  await turnFor(body.length);
  const text = decode(body);
  await turnFor(body.length);
  const value = parseText(text);
  await turnFor(body.length);
  return value;
}

/** @throws Refusal request.invalid_json, or request.validation if an object has a member twice */
export const parseJson = (body: Buffer): unknown => parseText(decode(body));

function decode(body: Buffer): string {
  if (!isUtf8(body)) throw invalidJsonRefusal('it is not valid UTF-8');
  // RFC 8259 §8.1: a byte order mark may be ignored.
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  if (body.length === start) throw emptyBodyRefusal();
  return body.toString('utf8', start);
}

function parseText(text: string): unknown {
  const read = readJson(text);
  if (read.problems !== null) throw new Refusal(read.problems);
  return hasLongNumbers(text) ? parseExactly(text) : read.value;
}

/** Of an endpoint that needs a body. */
export const emptyBodyRefusal = (): Refusal => invalidJsonRefusal('it is empty');

const invalidJsonRefusal = (why: string): Refusal =>
  Refusal.of('request.invalid_json', `The request body must be one JSON object: ${why}.`);

/** The media type of bodies of lines: a JSON value in each. */
export const LINES_TYPE = 'application/x-ndjson';

/** Whether the body is one of lines, by its headers. */
export const hasLines = ({ raw }: FastifyRequest): boolean =>
  /^application\/x-ndjson\s*(?:;|$)/i.test(raw.headers['content-type'] ?? '');

/** Bodies of lines are not read by Fastify: the handler gets the stream. Only endpoints that accept them get any. */
export function addLinesParser(app: FastifyInstance): void {
  app.addContentTypeParser(LINES_TYPE, (_request, payload, done) => done(null, payload));
}

/**
 * Why the body must be refused by its headers alone (415, 413), before it is read; null if it may be read.
 * @param linesLimit of a body of lines; null: it is not accepted
 */
export function bodyRefusal(
  request: FastifyRequest,
  jsonLimit: number,
  linesLimit: number | null = null,
): Refusal | null {
  const isLines = linesLimit !== null && hasLines(request);
  const limit = isLines ? linesLimit : jsonLimit;
  const { headers } = request.raw;
  const type = headers['content-type'];
  if (!isLines && (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)))
    return Refusal.of(
      'request.media_type',
      `The body must be sent with Content-Type: application/json${linesLimit === null ? '' : ` or ${LINES_TYPE}`}, got ${type === undefined ? 'none' : `"${type.slice(0, 100)}"`}.`,
    );
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return Refusal.of(
      'request.media_type',
      `The body must be sent without Content-Encoding, got "${coding.slice(0, 100)}".`,
    );
  const length = headers['content-length'];
  if (length !== undefined && Number(length) > limit) return tooLargeRefusal(limit, length);
  return null;
}

export const tooLargeRefusal = (limit: number, length?: string): Refusal =>
  Refusal.of(
    'request.too_large',
    `The body may have at most ${limit} bytes${length === undefined ? '' : `, got ${length}`}.`,
  );
