import type { IncomingMessage } from 'node:http';
import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { type Failure, failure } from '../domain/failure.ts';

const tooLarge = (limit: number): Failure =>
  failure(
    'request.too_large',
    `With this scraper, a request through the proxy port may have at most ${limit} bytes.`,
  );
const BROKEN = failure('request.invalid_json', 'The connection ended before the whole body was received.');
const NO_MEMORY = failure(
  'service.unavailable',
  'There is not enough memory for the body of this request now; retry soon.',
);

/** First memory for a large body of unknown length. */
const FIRST_GROWTH_BYTES = 2 ** 20;

/**
 * Reads the body of a request into memory of the reservation, which is kept until that is closed.
 * @param signal ends a wait for memory
 * @returns null: the request has no body
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  reservation: MemoryReservation,
  signal: AbortSignal,
): Promise<Uint8Array | null | Failure> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return null;
  const declared = length === undefined ? null : Number(length);
  if (declared !== null && declared > limit) return tooLarge(limit);
  const body = new GrowingBody(declared, limit, reservation, signal);
  try {
    // Leaving the loop must not destroy the request, because the refusal is sent on its connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const problem = body.add(chunk as Buffer);
      const refusal = problem instanceof Promise ? await problem : problem;
      if (refusal !== null) return refusal;
    }
  } catch {
    return BROKEN;
  }
  // An empty body is no body. Where a length is expected, a request without one has `Content-Length: 0` (RFC 9110 §8.6).
  return body.size === 0 ? null : body.bytes();
}

class GrowingBody {
  readonly #declared: number | null;
  readonly #limit: number;
  readonly #reservation: MemoryReservation;
  readonly #signal: AbortSignal;
  #pieces: Buffer[] = [];
  #size = 0;
  #reserved = 0;
  /** Of a large body. */
  #buffer: ArrayBuffer | null = null;

  constructor(declared: number | null, limit: number, reservation: MemoryReservation, signal: AbortSignal) {
    this.#declared = declared;
    this.#limit = limit;
    this.#reservation = reservation;
    this.#signal = signal;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): Failure | null | Promise<Failure | null> {
    const size = this.#size + piece.length;
    if (size > this.#limit) return tooLarge(this.#limit);
    if (size <= SMALL_BYTES) {
      this.#pieces.push(piece);
      this.#size = size;
      return null;
    }
    if (size > this.#reserved) return this.#grow(size).then((refusal) => refusal ?? this.#write(piece));
    return this.#write(piece);
  }

  async #grow(size: number): Promise<Failure | null> {
    const wanted = this.#declared ?? Math.max(FIRST_GROWTH_BYTES, 2 * this.#reserved);
    const bytes = Math.min(this.#limit, Math.max(size, wanted));
    if (!(await this.#reservation.keep(bytes - this.#reserved, this.#limit - bytes, this.#signal)))
      return NO_MEMORY;
    this.#reserved = bytes;
    this.#buffer ??= this.#reservation.allocate(this.#limit);
    this.#buffer.resize(bytes);
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#size -= pieces.reduce((sum, { length }) => sum + length, 0);
    for (const piece of pieces) this.#write(piece);
    return null;
  }

  #write(piece: Buffer): null {
    new Uint8Array(this.#buffer!).set(piece, this.#size);
    this.#size += piece.length;
    return null;
  }

  bytes(): Uint8Array {
    if (this.#buffer !== null) return new Uint8Array(this.#buffer, 0, this.#size);
    this.#reservation.countUnreserved(this.#size);
    return Buffer.concat(this.#pieces, this.#size);
  }
}
