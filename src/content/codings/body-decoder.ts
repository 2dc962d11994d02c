import type { BodyMemory } from '../../base/memory-budget.ts';
import { BodyBuffer } from './body-buffer.ts';
import { type Coding, type CodingProblem, parseContentCodings } from './content-codings.ts';
import { maxCodedBytes, StackedDecoder } from './stream-decoder.ts';
import { decodeSync } from './sync-decoder.ts';

export interface DecodedBody {
  /** At most `limit` bytes. */
  readonly bytes: Uint8Array;
  /**
   * `over_limit`: cut at the limit. `decode_truncated`: the coded data ends too early; the caller knows whether the
   * connection was lost. In these states and in `decode_failed`, `bytes` are what could be decoded.
   */
  readonly state: 'whole' | 'over_limit' | 'decode_failed' | 'decode_truncated';
  /** Nothing could be decoded: `bytes` are the coded bytes. */
  readonly undecoded: boolean;
  /** The problem, as a message for people; null if `state` says all. */
  readonly detail: string | null;
}

/** Receives a response body from the wire and decodes its content codings. Calls of `push` must not overlap. */
export interface BodyDecoder {
  /** The memory of pieces can be reused when their `push` has settled. */
  readonly copiesInput: boolean;
  /** Whether a piece of this length would be copied before `push` returns. */
  copiesImmediately(length: number): boolean;
  /**
   * Adds a piece, which is kept and must not change afterwards. `full`: further bytes cannot change the result (the limit is
   * reached, or decoding failed), so the caller should stop reading. A promise is back-pressure.
   */
  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'>;
  /** Ends the input. Never rejects. */
  end(): DecodedBody | Promise<DecodedBody>;
  /** Frees all memory if the result is not needed. A pending `push` or `end` then settles soon. */
  destroy(): void;
}

/** Collects a body without coding, or with one that cannot be decoded. Copies only to join pieces. */
class PlainBodyDecoder implements BodyDecoder {
  readonly #limit: number;
  readonly #problem: string | null;
  readonly #body: BodyBuffer;
  #overLimit = false;

  /** @param problem why the body cannot be decoded; null: it has no coding */
  constructor(limit: number, problem: string | null, body: BodyBuffer) {
    this.#limit = limit;
    this.#problem = problem;
    this.#body = body;
  }

  get copiesInput(): boolean {
    return this.#body.isLarge;
  }

  copiesImmediately(length: number): boolean {
    return this.#body.copiesImmediately(Math.min(length, this.#limit - this.#body.size));
  }

  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    const free = this.#limit - this.#body.size;
    this.#overLimit = piece.length > free;
    const state = this.#overLimit ? 'full' : 'more';
    const wait = this.#body.add(this.#overLimit ? piece.subarray(0, free) : piece);
    return wait === null ? state : wait.then((granted) => (granted ? state : 'full'));
  }

  end(): DecodedBody {
    const bytes = this.#body.bytes();
    if (this.#problem !== null && bytes.length > 0) {
      return { bytes, state: 'decode_failed', undecoded: true, detail: this.#problem };
    }
    return { bytes, state: this.#overLimit ? 'over_limit' : 'whole', undecoded: false, detail: null };
  }

  destroy(): void {
    this.#body.drop();
  }
}

/** Bodies up to this coded size are decoded synchronously when they are complete (measured: 64 KiB take 0.7 ms). */
const SYNC_CODED_BYTES = 64 * 1024;
/** Limit of the decoded size of each coding when decoding synchronously (about 1.5 ms). */
const SYNC_DECODED_BYTES = 512 * 1024;
/** Larger bodies are decompressed in pieces of this size, so that the result does not depend on how they were received. */
const SLICE_BYTES = 16 * 1024;
/** The last bytes are decompressed alone: if the checksum of zstd is wrong, the block written with it is lost. */
const CHECKSUM_BYTES = 4;

const EMPTY = new Uint8Array(0);

/** Decodes a body with content codings: a small one when it is complete, a large one while it is received. */
class CodedBodyDecoder implements BodyDecoder {
  readonly copiesInput = false;
  readonly #codings: readonly Coding[];
  readonly #limit: number;
  readonly #memory: BodyMemory | null;
  /** Pieces not yet written to the stack; while the body is small, all of it. */
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #size = 0;
  #stack: StackedDecoder | null = null;
  /** The coded bytes, kept until something has been decoded; null afterwards. */
  #raw: PlainBodyDecoder | null = null;
  /** More coded bytes were received than a body within the limit can have. */
  #tooMuchInput = false;
  #destroyed = false;

  constructor(codings: readonly Coding[], limit: number, memory: BodyMemory | null) {
    this.#codings = codings;
    this.#memory = memory;
    this.#limit = limit;
  }

  copiesImmediately(): boolean {
    return false;
  }

  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    if (this.#destroyed) return 'full';
    this.#size += piece.length;
    if (this.#stack?.isSettled === true) return this.#pushAfterEnd(piece);
    if (piece.length > 0) this.#pending.push(piece);
    this.#pendingSize += piece.length;
    if (this.#stack === null && this.#pendingSize <= SYNC_CODED_BYTES) return 'more';
    return this.#pushLarge(piece);
  }

  async #pushLarge(piece: Uint8Array): Promise<'more' | 'full'> {
    if (this.#stack === null) {
      await this.#startStack();
    } else await this.#raw?.push(piece);
    const stack = this.#stack!;
    while (this.#pendingSize > SLICE_BYTES && !stack.isSettled && !this.#destroyed)
      await stack.write(this.#take(SLICE_BYTES));
    if (stack.size > 0) {
      this.#raw?.destroy();
      this.#raw = null;
    }
    if (this.#size > maxCodedBytes(this.#limit)) this.#tooMuchInput = true;
    return this.#destroyed || this.#tooMuchInput ? 'full' : this.#stateAfter(stack);
  }

  /** Adds a piece after the stack has failed or is full: it is only needed if the body is returned undecoded. */
  #pushAfterEnd(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    const state = this.#raw?.push(piece);
    return this.#stateAfter(this.#stack!) === 'full' ? 'full' : (state ?? 'full');
  }

  #stateAfter(stack: StackedDecoder): 'more' | 'full' {
    if (stack.overLimit) return 'full';
    return stack.isSettled && this.#raw === null ? 'full' : 'more';
  }

  end(): DecodedBody | Promise<DecodedBody> {
    if (this.#stack !== null) return this.#endLarge(this.#stack);
    const bytes = this.#take(this.#pendingSize);
    const result = decodeSync(this.#codings, bytes, SYNC_DECODED_BYTES);
    if (result instanceof Promise) return result.then((result) => this.#endSmall(bytes, result));
    return this.#endSmall(bytes, result);
  }

  #endSmall(
    raw: Uint8Array,
    result: { readonly bytes: Uint8Array; readonly problem: CodingProblem | null } | null,
  ): DecodedBody | Promise<DecodedBody> {
    if (result === null) {
      this.#pending = [raw];
      this.#pendingSize = raw.length;
      return this.#startStack().then((stack) => this.#endLarge(stack));
    }
    if (result.bytes.length > this.#limit) {
      const bytes = result.bytes.subarray(0, this.#limit);
      return { bytes, state: 'over_limit', undecoded: false, detail: null };
    }
    return this.#result(result.bytes, result.problem, raw);
  }

  /** Starts a stack for a body that is not small, and keeps the coded bytes until something has been decoded. */
  async #startStack(): Promise<StackedDecoder> {
    const raw = new PlainBodyDecoder(this.#limit, null, new BodyBuffer(this.#limit, this.#memory, null));
    this.#raw = raw;
    this.#stack = new StackedDecoder(this.#codings, this.#limit, this.#memory);
    for (const piece of this.#pending) await raw.push(piece);
    return this.#stack;
  }

  async #endLarge(stack: StackedDecoder): Promise<DecodedBody> {
    while (this.#pendingSize > 0 && !stack.isSettled && !this.#destroyed) {
      const rest = this.#pendingSize;
      await stack.write(
        this.#take(rest > SLICE_BYTES ? SLICE_BYTES : rest > CHECKSUM_BYTES ? rest - CHECKSUM_BYTES : rest),
      );
    }
    const truncated = this.#tooMuchInput && !stack.inputEnded && !stack.isSettled;
    const { bytes, problem } = await stack.finish();
    if (stack.overLimit || truncated) return { bytes, state: 'over_limit', undecoded: false, detail: null };
    return this.#result(bytes, problem, this.#raw?.end().bytes ?? EMPTY);
  }

  #result(bytes: Uint8Array, problem: CodingProblem | null, raw: Uint8Array): DecodedBody {
    if (problem === null) return { bytes, state: 'whole', undecoded: false, detail: null };
    const state = problem.truncated ? 'decode_truncated' : 'decode_failed';
    const undecoded = bytes.length === 0;
    return {
      bytes: undecoded ? raw.subarray(0, this.#limit) : bytes,
      state,
      undecoded,
      detail: problem.detail,
    };
  }

  destroy(): void {
    this.#destroyed = true;
    this.#stack?.destroy();
    this.#pending = [];
    this.#pendingSize = 0;
    this.#raw?.destroy();
    this.#raw = null;
  }

  /** Removes the first `size` pending bytes and returns them as one piece. */
  #take(size: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    let missing = Math.min(size, this.#pendingSize);
    this.#pendingSize -= missing;
    let used = 0;
    for (; missing > 0; used++) {
      const piece = this.#pending[used]!;
      if (piece.length > missing) {
        pieces.push(piece.subarray(0, missing));
        this.#pending[used] = piece.subarray(missing);
        break;
      }
      pieces.push(piece);
      missing -= piece.length;
    }
    if (used > 0) this.#pending.splice(0, used);
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}

/**
 * @param contentEncoding all field lines joined with `, `; null if there are none. gzip, deflate (also raw), br, zstd; at
 *   most five of them (contract §4). With any other name the body is returned undecoded.
 * @param limit of the decoded body, in bytes
 * @param memory where a large body reserves memory; null: it does not
 * @param length of the body as declared by the sender; null: not known
 */
export function createBodyDecoder(
  contentEncoding: string | null,
  limit: number,
  memory: BodyMemory | null = null,
  length: number | null = null,
): BodyDecoder {
  if (contentEncoding === null) return plain(null);
  const { codings, problem } = parseContentCodings(contentEncoding);
  if (codings === null) return plain(problem);
  if (codings.length === 0) return plain(null);
  return new CodedBodyDecoder(codings, limit, memory);

  function plain(problem: string | null): BodyDecoder {
    return new PlainBodyDecoder(limit, problem, new BodyBuffer(limit, memory, length));
  }
}
