import { BodyBytes, type BodyRoom } from './body-bytes.ts';
import { CodedBodyDecoder } from './coded-body-decoder.ts';
import { parseContentCodings } from './content-codings.ts';
import type { BodyDecoder } from './decoded-body.ts';
import { PlainBodyDecoder } from './plain-body-decoder.ts';

export type { BodyRoom } from './body-bytes.ts';
export type { BodyDecoder, DecodedBody } from './decoded-body.ts';

/**
 * @param contentEncoding all field lines joined with `, `; null when there are none. gzip, deflate (also raw), br,
 *   zstd, at most five stacked (contract §4). With any other name the body is given undecoded.
 * @param limit most decoded bytes
 * @param where whom a large body asks for room; null: nobody
 * @param length of the body as it is announced; null: it is not
 */
export function createBodyDecoder(
  contentEncoding: string | null,
  limit: number,
  where: BodyRoom | null = null,
  length: number | null = null,
): BodyDecoder {
  if (contentEncoding === null) return plain(null);
  const codings = parseContentCodings(contentEncoding);
  if (codings.problem !== null) return plain(codings.problem);
  if (codings.undo.length === 0) return plain(null);
  return new CodedBodyDecoder(codings.undo, limit, where);

  function plain(problem: string | null): BodyDecoder {
    return new PlainBodyDecoder(limit, problem, new BodyBytes(limit, where, length));
  }
}
