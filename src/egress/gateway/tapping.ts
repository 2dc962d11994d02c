import type { Duplex } from 'node:stream';
import type { AnswerTap, OpenTap, TapHandle } from './gateway.ts';

/** Of a diverted answer an engine still gets so much: it looks at the beginning before it tells that there is a head. */
const FOR_ENGINE = 16 * 1024;

/** An answer that somebody reads beside the engine, or in its place. */
export class Tapping implements TapHandle {
  readonly #target: Duplex;
  #tap: AnswerTap | null;
  #diverted = false;
  #passed = 0;
  #paused = false;

  constructor(target: Duplex, open: OpenTap) {
    this.#target = target;
    this.#tap = open(this);
  }

  /** The engine has no say any more in how fast the target is read, or for how long. */
  get diverted(): boolean {
    return this.#diverted;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** @returns the part that goes on to the engine */
  feed(piece: Buffer): Buffer {
    const before = this.#diverted;
    this.#tap?.feed(piece);
    if (!before) return piece;
    const part = piece.subarray(0, Math.max(0, FOR_ENGINE - this.#passed));
    this.#passed += part.length;
    return part;
  }

  /** The target says nothing more. @param broken it was lost */
  end(broken: boolean): void {
    const tap = this.#tap;
    this.#tap = null;
    tap?.end(broken);
  }

  readonly divert = (): void => {
    this.#diverted = true;
  };

  readonly release = (): void => {
    this.#tap = null;
    if (this.#paused) this.resume();
  };

  readonly pause = (): void => {
    this.#paused = true;
    this.#target.pause();
  };

  readonly resume = (): void => {
    this.#paused = false;
    this.#target.resume();
  };
}
