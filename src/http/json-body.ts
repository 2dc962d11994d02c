import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../domain/failure.ts';
import { hasLongNumbers, parseExactly } from '../wire/request/exact-numbers.ts';
import { Refusal } from './refusal.ts';

/** Contract §10, `request.too_large`. */
export const BODY_LIMIT = 5 * 1024 * 1024;

/** One parser for the one media type: strict UTF-8 JSON, nothing removed, nothing made up. */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      try {
        done(null, parseJson(body as Buffer));
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  );
}

/**
 * The JSON of a body whose head has been looked at, past the framework, whose way to it costs more than all the rest that
 * it does for a request. Rejects with `Refusal`, or with the error of the connection.
 */
export function readJson(raw: IncomingMessage, limit: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    raw.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= limit) pieces.push(piece);
      else reject(tooLargeRefusal(limit));
    });
    raw.on('end', () => {
      if (size > limit) return;
      try {
        resolve(parseJson(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)));
      } catch (error) {
        reject(error);
      }
    });
    raw.on('error', reject);
  });
}

/** @throws Refusal request.invalid_json */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw invalidJsonRefusal('it is not valid UTF-8');
  // RFC 8259 §8.1: a byte order mark may be ignored.
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  if (body.length === start) throw invalidJsonRefusal('it is empty');
  const text = body.toString('utf8', start);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidJsonRefusal(syntaxErrorReason((error as Error).message));
  }
  return hasLongNumbers(text) ? parseExactly(text) : value;
}

/** From the words of V8, which gives the place or, in short texts, the character. */
function syntaxErrorReason(said: string): string {
  const place = /position \d+(?: \(line \d+ column \d+\))?/.exec(said)?.[0];
  if (place !== undefined) return `unexpected character at ${place}`;
  const token = /^Unexpected token '(.+?)', /su.exec(said)?.[1];
  return token === undefined ? 'it ends too early' : `unexpected character ${JSON.stringify(token)}`;
}

const invalidJsonRefusal = (why: string): Refusal =>
  new Refusal([failure('request.invalid_json', `The request body must be one JSON object: ${why}.`)]);

/** What can be told from the head alone, before any of the body is read (415, 413); null when nothing speaks against it. */
export function bodyRefusal(request: FastifyRequest, limit: number): Refusal | null {
  const { headers } = request.raw;
  const type = headers['content-type'];
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type))
    return new Refusal([
      failure(
        'request.media_type',
        `The body must be sent with Content-Type: application/json, got ${type === undefined ? 'none' : `"${type.slice(0, 100)}"`}.`,
      ),
    ]);
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return new Refusal([
      failure(
        'request.media_type',
        `The body must be sent without Content-Encoding, got "${coding.slice(0, 100)}".`,
      ),
    ]);
  const length = headers['content-length'];
  if (length !== undefined && Number(length) > limit) return tooLargeRefusal(limit, length);
  return null;
}

export const tooLargeRefusal = (limit: number, length?: string): Refusal =>
  new Refusal([
    failure(
      'request.too_large',
      `The body may have at most ${limit} bytes${length === undefined ? '' : `, got ${length}`}.`,
    ),
  ]);
