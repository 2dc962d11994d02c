import { BodyBuffer, type BodyMemory } from './body-buffer.ts';
import { type Coding, type CodingProblem, parseContentCodings } from './content-codings.ts';
import { maxCodedBytes, StackedDecoder } from './stream-decoder.ts';
import { decodeSync } from './sync-decoder.ts';

export interface DecodedBody {
  /** At most `limit`. */
  readonly bytes: Uint8Array;
  /**
   * `over_limit`: cut at the limit. `decode_truncated`: the coded data ended too early (of a body that broke off on the
   * wire the caller knows better). In both, and in `decode_failed`, `bytes` are what could be decoded.
   */
  readonly state: 'whole' | 'over_limit' | 'decode_failed' | 'decode_truncated';
  /** Nothing could be decoded: `bytes` are the bytes as they came. */
  readonly undecoded: boolean;
  /** What is wrong, for people; null when `state` says all. */
  readonly detail: string | null;
}

/** Takes a response body as it comes from the wire and undoes its content codings. One push at a time. */
export interface BodyDecoder {
  /** Nothing of the pieces pushed so far is needed any more, except of one that is still being taken. */
  readonly copiesInput: boolean;
  /** Whether a piece of this length would be copied by the time that `push` returns. */
  copiesImmediately(length: number): boolean;
  /**
   * `full`: nothing that may still come changes the result (the limit is reached, or decoding failed for good): stop
   * reading. A promise is back-pressure. The piece is kept: it must not change afterwards.
   */
  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'>;
  /** No more pieces come. Settles always, never rejects. */
  end(): DecodedBody | Promise<DecodedBody>;
  /** Frees everything when the result is no longer wanted; a pending `push` or `end` then settles soon. */
  destroy(): void;
}

/** A body without coding, or with one that cannot be undone. Copies only to join pieces. */
class PlainBodyDecoder implements BodyDecoder {
  readonly #limit: number;
  readonly #problem: string | null;
  readonly #body: BodyBuffer;
  #over = false;

  /** @param problem why the body is given undecoded; null: it is as it should be */
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
    const room = this.#limit - this.#body.size;
    this.#over = piece.length > room;
    const state = this.#over ? 'full' : 'more';
    const waits = this.#body.add(this.#over ? piece.subarray(0, room) : piece);
    return waits === null ? state : waits.then((granted) => (granted ? state : 'full'));
  }

  end(): DecodedBody {
    const bytes = this.#body.bytes();
    if (this.#problem !== null && bytes.length > 0) {
      return { bytes, state: 'decode_failed', undecoded: true, detail: this.#problem };
    }
    return { bytes, state: this.#over ? 'over_limit' : 'whole', undecoded: false, detail: null };
  }

  destroy(): void {
    this.#body.drop();
  }
}

/** Coded bytes up to which a body is decoded at once when it is whole (measured: 64 KiB take some 0.7 ms). */
const SYNC_CODED_BYTES = 64 * 1024;
/** Decoded bytes of one layer up to which this is done: about 1.5 ms. */
const SYNC_DECODED_BYTES = 512 * 1024;
/** Larger bodies go to the decompressor in pieces of this size, however they came: the result does not depend on it. */
const SLICE_BYTES = 16 * 1024;
/** The last bytes go alone: a wrong check sum of zstd would take the block before it along. */
const CHECKSUM_BYTES = 4;

const EMPTY = new Uint8Array(0);

/** A body with content codings. Small ones are decoded when they are whole, large ones as they come. */
class CodedBodyDecoder implements BodyDecoder {
  readonly copiesInput = false;
  readonly #undo: readonly Coding[];
  readonly #limit: number;
  readonly #where: BodyMemory | null;
  /** Not yet given to the stack; all of it while the body is small. */
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #size = 0;
  #stack: StackedDecoder | null = null;
  /** The bytes as they came, while nothing has been decoded; null afterwards. */
  #raw: PlainBodyDecoder | null = null;
  /** More coded bytes came than a body within the limit can have. */
  #tooMuch = false;
  #destroyed = false;

  constructor(undo: readonly Coding[], limit: number, where: BodyMemory | null) {
    this.#undo = undo;
    this.#where = where;
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
      await this.#grow();
    } else await this.#raw?.push(piece);
    const stack = this.#stack!;
    while (this.#pendingSize > SLICE_BYTES && !stack.isSettled && !this.#destroyed)
      await stack.write(this.#take(SLICE_BYTES));
    if (stack.size > 0) {
      this.#raw?.destroy();
      this.#raw = null;
    }
    if (this.#size > maxCodedBytes(this.#limit)) this.#tooMuch = true;
    return this.#destroyed || this.#tooMuch ? 'full' : this.#fullAfter(stack);
  }

  /** The stack has failed or is full: only bytes that are to be given undecoded still count. */
  #pushAfterEnd(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    const room = this.#raw?.push(piece);
    return this.#fullAfter(this.#stack!) === 'full' ? 'full' : (room ?? 'full');
  }

  #fullAfter(stack: StackedDecoder): 'more' | 'full' {
    if (stack.overLimit) return 'full';
    return stack.isSettled && this.#raw === null ? 'full' : 'more';
  }

  end(): DecodedBody | Promise<DecodedBody> {
    if (this.#stack !== null) return this.#endLarge(this.#stack);
    const bytes = this.#take(this.#pendingSize);
    const small = decodeSync(this.#undo, bytes, SYNC_DECODED_BYTES);
    if (small instanceof Promise) return small.then((result) => this.#endSmall(bytes, result));
    return this.#endSmall(bytes, small);
  }

  #endSmall(
    raw: Uint8Array,
    small: { readonly bytes: Uint8Array; readonly problem: CodingProblem | null } | null,
  ): DecodedBody | Promise<DecodedBody> {
    if (small === null) {
      this.#pending = [raw];
      this.#pendingSize = raw.length;
      return this.#grow().then((stack) => this.#endLarge(stack));
    }
    if (small.bytes.length > this.#limit) {
      const bytes = small.bytes.subarray(0, this.#limit);
      return { bytes, state: 'over_limit', undecoded: false, detail: null };
    }
    return this.#result(small.bytes, small.problem, raw);
  }

  /** The body is not small: what has come goes to a stack, and is kept as it came until something is decoded. */
  async #grow(): Promise<StackedDecoder> {
    const raw = new PlainBodyDecoder(this.#limit, null, new BodyBuffer(this.#limit, this.#where, null));
    this.#raw = raw;
    this.#stack = new StackedDecoder(this.#undo, this.#limit, this.#where);
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
    const cut = this.#tooMuch && !stack.inputEnded && !stack.isSettled;
    const { bytes, problem } = await stack.finish();
    if (stack.overLimit || cut) return { bytes, state: 'over_limit', undecoded: false, detail: null };
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

  /** The first `size` pending bytes, as one. */
  #take(size: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let missing = Math.min(size, this.#pendingSize);
    this.#pendingSize -= missing;
    let used = 0;
    for (; missing > 0; used++) {
      const piece = this.#pending[used]!;
      if (piece.length > missing) {
        parts.push(piece.subarray(0, missing));
        this.#pending[used] = piece.subarray(missing);
        break;
      }
      parts.push(piece);
      missing -= piece.length;
    }
    if (used > 0) this.#pending.splice(0, used);
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

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
  where: BodyMemory | null = null,
  length: number | null = null,
): BodyDecoder {
  if (contentEncoding === null) return plain(null);
  const codings = parseContentCodings(contentEncoding);
  if (codings.problem !== null) return plain(codings.problem);
  if (codings.undo.length === 0) return plain(null);
  return new CodedBodyDecoder(codings.undo, limit, where);

  function plain(problem: string | null): BodyDecoder {
    return new PlainBodyDecoder(limit, problem, new BodyBuffer(limit, where, length));
  }
}
