import type { DecodedBody } from '../../../content/body-decoder.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';

/**
 * Why a body is not whole; null: it is. A body that broke off on the wire explains coded data that ends early, but not
 * coded data that is wrong.
 * @param wire what happened on the wire; null: all of it came
 */
export function cutOf(body: DecodedBody, wire: Failure | null, limit: number): Failure | null {
  switch (body.state) {
    case 'whole':
      return wire;
    case 'over_limit':
      return failure('content.truncated', `The content was cut after ${limit} bytes.`, {
        details: { limit },
      });
    case 'decode_failed':
      return wire?.code === 'timeout.total' ? wire : undecodable(body);
    case 'decode_truncated':
      return wire ?? undecodable(body);
  }
}

function undecodable(body: DecodedBody): Failure {
  const detail = body.detail ?? 'The coded data ends too early.';
  return failure('content.decode_failed', `The body cannot be decoded. ${detail}`);
}
