import { type Framing, framingOf, HEAD_MORE } from './coding-framing.ts';
import { type CodingProblem, corrupt, notBegun, tooManyMembers, truncated } from './coding-problem.ts';
import type { Coding } from './content-codings.ts';
import { DecodeEngine, type Sink } from './decode-engine.ts';

const EMPTY = new Uint8Array(0);

/** Undoes one content coding, piece by piece. Calls must not overlap. */
export class DecodeLayer {
  problem: CodingProblem | null = null;
  readonly #coding: Coding;
  readonly #sink: Sink;
  #framing: Framing | null = null;
  #engine: DecodeEngine | null = null;
  #phase: 'head' | 'data' | 'trailer' | 'over' = 'head';
  /** Bytes of a head or trailer that is not whole yet. */
  #held: Uint8Array = EMPTY;
  #members = 0;
  #size = 0;
  #memberSize = 0;
  #sum = 0;

  constructor(coding: Coding, sink: Sink) {
    this.#coding = coding;
    this.#sink = sink;
  }

  /** True when further bytes change nothing. */
  get over(): boolean {
    return this.#phase === 'over' || this.problem !== null;
  }

  /** Resolves when the sink has taken what came of it. */
  async write(bytes: Uint8Array): Promise<void> {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = EMPTY;
    while (rest.length > 0 && !this.over) {
      const used = await this.#step(rest);
      if (used === null) {
        this.#held = rest;
        return;
      }
      rest = rest.subarray(used);
    }
  }

  /** No more bytes come. */
  async finish(): Promise<void> {
    if (this.over) return;
    if (this.#phase === 'head' && this.#held.length > 0 && this.#framing === null) {
      // A body of a single byte: now there is nothing to wait for.
      this.#framing = framingOf(this.#coding, this.#held);
      await this.write(EMPTY);
      if (this.over) return;
    }
    if (this.#phase === 'data') {
      await this.#engine?.finish();
      this.problem ??= this.#engine?.problem ?? null;
      if (this.problem === null && this.#framing!.trailerLength > 0) this.problem = truncated(this.#coding);
    } else if (this.#phase === 'trailer' || (this.#held.length > 0 && this.#members === 0)) {
      this.problem = truncated(this.#coding);
    }
    this.destroy();
  }

  destroy(): void {
    this.#phase = 'over';
    this.#engine?.destroy();
    this.#engine = null;
  }

  /** Uses up some bytes, or gives null when it needs more of them. */
  async #step(rest: Uint8Array): Promise<number | null> {
    if (this.#framing === null) {
      if (rest.length < 2) return null;
      this.#framing = framingOf(this.#coding, rest);
    }
    const framing = this.#framing;
    switch (this.#phase) {
      case 'head':
        return this.#head(framing, rest);
      case 'data': {
        const engine = this.#engine!;
        const used = await engine.write(rest);
        if (engine.problem !== null) this.problem = engine.problem;
        else if (used < rest.length) {
          engine.destroy();
          if (this.#phase === 'data') this.#phase = 'trailer';
        }
        return used;
      }
      case 'trailer':
        return this.#trailer(framing, rest);
      case 'over':
        return rest.length;
    }
  }

  #head(framing: Framing, rest: Uint8Array): number | null {
    const head = framing.head(rest);
    if (head === HEAD_MORE) return null;
    if (head < 0) {
      if (this.#members === 0) this.problem = notBegun(this.#coding);
      this.#phase = 'over';
      return rest.length;
    }
    this.#sum = framing.sum0;
    this.#memberSize = 0;
    this.#engine = new DecodeEngine(framing, (bytes) => {
      this.#sum = framing.sum(bytes, this.#sum);
      this.#memberSize += bytes.length;
      this.#size += bytes.length;
      return this.#sink(bytes);
    });
    this.#phase = 'data';
    return head;
  }

  #trailer(framing: Framing, rest: Uint8Array): number | null {
    const length = framing.trailerLength;
    if (rest.length < length) return null;
    const wrong = framing.trailerProblem(rest.subarray(0, length), this.#sum, this.#memberSize);
    if (wrong !== null) this.problem = corrupt(this.#coding, wrong);
    else if (tooManyMembers(++this.#members, this.#size)) {
      this.problem = corrupt(this.#coding, 'too many members');
    }
    this.#phase = framing.many ? 'head' : 'over';
    return length;
  }
}
