import type { Readable } from 'node:stream';
import { type Failure, failure } from '../../domain/failure.ts';
import { BODY_LIMIT, parseJson, tooLargeRefusal } from './json-body.ts';
import { Refusal } from './refusal.ts';

/** A line of the body: its value, or why it is not JSON. */
export type JsonLine = { readonly line: number } & (
  | { readonly value: unknown; readonly failure: null }
  | { readonly failure: Failure }
);

const NEW_LINE = 0x0a;
/** Such as a JSON body. */
const MAX_LINE_BYTES = BODY_LIMIT;

/**
 * The lines of a body of JSON lines, as they arrive. Empty lines are left out, but counted.
 * @throws Refusal request.too_large; the error of the connection if the caller hangs up
 */
export async function* jsonLines(stream: Readable, maxBytes: number): AsyncGenerator<JsonLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let bytes = 0;
  let line = 0;
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLargeRefusal(maxBytes);
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      rest.push(chunk.subarray(from, end));
      from = end + 1;
      line++;
      const parsed = parseLine(rest.length === 1 ? rest[0]! : Buffer.concat(rest), line);
      if (parsed !== null) yield parsed;
      rest = [];
      restBytes = 0;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > MAX_LINE_BYTES) throw tooLargeRefusal(MAX_LINE_BYTES);
  }
  const parsed = parseLine(Buffer.concat(rest), line + 1);
  if (parsed !== null) yield parsed;
}

/** The caller still gets the response if reading ends early, so the connection stays open then. */
const chunksOf = (stream: Readable) => stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

/** null: the line is empty. */
function parseLine(bytes: Buffer, line: number): JsonLine | null {
  if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return null;
  try {
    return { line, value: parseJson(bytes), failure: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { line, failure: lineFailure(line, error.errors[0]!) };
  }
}

/** What is wrong with a line: of members that it has twice the pointer is kept. */
const lineFailure = (line: number, problem: Failure): Failure =>
  problem.pointer === undefined
    ? failure('request.invalid_json', `Line ${line} must be one JSON object.`, {})
    : problem;
