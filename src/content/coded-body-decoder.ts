import { BodyBytes, type BodyRoom } from './body-bytes.ts';
import type { CodingProblem } from './coding-problem.ts';
import type { Coding } from './content-codings.ts';
import { decodeSmall } from './decode-small.ts';
import { DecodeStack, mostCoded } from './decode-stack.ts';
import type { BodyDecoder, DecodedBody } from './decoded-body.ts';
import { PlainBodyDecoder } from './plain-body-decoder.ts';

/** Coded bytes up to which a body is decoded at once when it is whole (measured: 64 KiB take some 0.7 ms). */
const SMALL_CODED = 64 * 1024;
/** Decoded bytes of one layer up to which this is done: about 1.5 ms. */
const SMALL_DECODED = 512 * 1024;
/** Larger bodies go to the decompressor in pieces of this size, however they came: the result does not depend on it. */
const SLICE = 16 * 1024;
/** The last bytes go alone: a wrong check sum of zstd would take the block before it along. */
const SUM = 4;

const EMPTY = new Uint8Array(0);

/** A body with content codings. Small ones are decoded when they are whole, large ones as they come. */
export class CodedBodyDecoder implements BodyDecoder {
  readonly copies = false;
  readonly #undo: readonly Coding[];
  readonly #limit: number;
  readonly #where: BodyRoom | null;
  /** Not yet given to the stack; all of it while the body is small. */
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #size = 0;
  #stack: DecodeStack | null = null;
  /** The bytes as they came, while nothing has been decoded; null afterwards. */
  #raw: PlainBodyDecoder | null = null;
  /** More coded bytes came than a body within the limit can have. */
  #tooMuch = false;
  #destroyed = false;

  constructor(undo: readonly Coding[], limit: number, where: BodyRoom | null) {
    this.#undo = undo;
    this.#where = where;
    this.#limit = limit;
  }

  copiesNow(): boolean {
    return false;
  }

  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    if (this.#destroyed) return 'full';
    this.#size += piece.length;
    if (this.#stack?.over === true) return this.#pushAfterEnd(piece);
    if (piece.length > 0) this.#pending.push(piece);
    this.#pendingSize += piece.length;
    if (this.#stack === null && this.#pendingSize <= SMALL_CODED) return 'more';
    return this.#pushLarge(piece);
  }

  async #pushLarge(piece: Uint8Array): Promise<'more' | 'full'> {
    if (this.#stack === null) {
      await this.#grow();
    } else await this.#raw?.push(piece);
    const stack = this.#stack!;
    while (this.#pendingSize > SLICE && !stack.over && !this.#destroyed) await stack.write(this.#take(SLICE));
    if (stack.size > 0) {
      this.#raw?.destroy();
      this.#raw = null;
    }
    if (this.#size > mostCoded(this.#limit)) this.#tooMuch = true;
    return this.#destroyed || this.#tooMuch ? 'full' : this.#fullAfter(stack);
  }

  /** The stack has failed or is full: only bytes that are to be given undecoded still count. */
  #pushAfterEnd(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    const room = this.#raw?.push(piece);
    return this.#fullAfter(this.#stack!) === 'full' ? 'full' : (room ?? 'full');
  }

  #fullAfter(stack: DecodeStack): 'more' | 'full' {
    if (stack.overLimit) return 'full';
    return stack.over && this.#raw === null ? 'full' : 'more';
  }

  end(): DecodedBody | Promise<DecodedBody> {
    if (this.#stack !== null) return this.#endLarge(this.#stack);
    const bytes = this.#take(this.#pendingSize);
    const small = decodeSmall(this.#undo, bytes, SMALL_DECODED);
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
  async #grow(): Promise<DecodeStack> {
    const raw = new PlainBodyDecoder(this.#limit, null, new BodyBytes(this.#limit, this.#where, null));
    this.#raw = raw;
    this.#stack = new DecodeStack(this.#undo, this.#limit, this.#where);
    for (const piece of this.#pending) await raw.push(piece);
    return this.#stack;
  }

  async #endLarge(stack: DecodeStack): Promise<DecodedBody> {
    while (this.#pendingSize > 0 && !stack.over && !this.#destroyed) {
      const rest = this.#pendingSize;
      await stack.write(this.#take(rest > SLICE ? SLICE : rest > SUM ? rest - SUM : rest));
    }
    const cut = this.#tooMuch && !stack.ended && !stack.over;
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
