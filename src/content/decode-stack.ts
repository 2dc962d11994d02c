import { freeWhole } from '../base/free-whole.ts';
import { BodyBytes, type BodyRoom } from './body-bytes.ts';
import type { CodingProblem } from './coding-problem.ts';
import type { Coding } from './content-codings.ts';
import { DecodeLayer } from './decode-layer.ts';

/**
 * Undoes stacked codings, piece by piece, into at most `limit` bytes. A layer works only as far ahead as the next one
 * takes it, so that a bomb inside a bomb costs no more than one. Calls must not overlap.
 */
export class DecodeStack {
  /** More than `limit` decoded bytes came. */
  overLimit = false;
  readonly #body: BodyBytes;
  readonly #layers: DecodeLayer[] = [];
  readonly #limit: number;

  /** @param undo outermost coding first, at least one */
  constructor(undo: readonly Coding[], limit: number, where: BodyRoom | null) {
    this.#limit = limit;
    this.#body = new BodyBytes(limit, where, null);
    const most = mostCoded(limit);
    for (let n = undo.length - 1; n >= 0; n--) {
      const next = this.#layers[0];
      let given = 0;
      const layer = new DecodeLayer(undo[n]!, (bytes) => {
        if (next === undefined) return this.#take(bytes);
        given += bytes.length;
        if (given > most) this.#stop();
        if (!next.over) return next.write(bytes);
        layer.destroy();
        return undefined;
      });
      this.#layers.unshift(layer);
    }
  }

  get size(): number {
    return this.#body.size;
  }

  /** Nothing that may still come changes the result. */
  get over(): boolean {
    return this.overLimit || this.#layers.some((layer) => layer.problem !== null);
  }

  /** The first layer has its end: what still comes is ignored. */
  get ended(): boolean {
    return this.#layers[0]!.over;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#layers[0]!.write(bytes);
  }

  /** No more bytes come (or a layer failed): every layer gives what it can. */
  async finish(): Promise<{ readonly bytes: Uint8Array; readonly problem: CodingProblem | null }> {
    const failed = Math.max(
      0,
      this.#layers.findIndex((layer) => layer.problem !== null),
    );
    // Before a layer that failed, the others stopped in the middle: that is no fault of theirs.
    for (const layer of this.#layers.slice(0, failed)) layer.destroy();
    let problem: CodingProblem | null = null;
    for (const layer of this.#layers.slice(failed)) {
      await layer.finish();
      problem ??= layer.problem;
    }
    this.destroy();
    return { bytes: this.#body.bytes(), problem };
  }

  destroy(): void {
    for (const layer of this.#layers) layer.destroy();
  }

  #take(bytes: Uint8Array): Promise<void> | undefined {
    if (this.overLimit) return undefined;
    const room = this.#limit - this.size;
    const waits = this.#body.add(bytes.length > room ? bytes.subarray(0, room) : bytes);
    if (bytes.length > room) this.#stop();
    if (waits === null && this.#body.large) freeWhole(bytes);
    // No room, and none to come: the deadline ends the scrape.
    return waits?.then((granted) => {
      if (!granted) this.#stop();
    });
  }

  #stop(): void {
    this.overLimit = true;
    this.destroy();
  }
}

/** More coded bytes than any honest coding of `limit` bytes has: endless empty blocks are no body. */
export function mostCoded(limit: number): number {
  return 2 * limit + 1024 * 1024;
}
