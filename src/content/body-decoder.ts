import { CodedBodyDecoder } from './coded-body-decoder.ts';
import { parseContentCodings } from './content-codings.ts';
import type { BodyDecoder } from './decoded-body.ts';
import { PlainBodyDecoder } from './plain-body-decoder.ts';

export type { BodyDecoder, DecodedBody } from './decoded-body.ts';

/**
 * @param contentEncoding all field lines joined with `, `; null when there are none. gzip, deflate (also raw), br,
 *   zstd, at most five stacked (contract §4). With any other name the body is given undecoded.
 * @param limit most decoded bytes
 */
export function createBodyDecoder(contentEncoding: string | null, limit: number): BodyDecoder {
  if (contentEncoding === null) return new PlainBodyDecoder(limit, null);
  const codings = parseContentCodings(contentEncoding);
  if (codings.problem !== null) return new PlainBodyDecoder(limit, codings.problem);
  if (codings.undo.length === 0) return new PlainBodyDecoder(limit, null);
  return new CodedBodyDecoder(codings.undo, limit);
}
