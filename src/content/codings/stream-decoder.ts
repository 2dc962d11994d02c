import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { freeBuffer } from '../../base/memory-budget.ts';
import { BodyBuffer, type BodyMemory } from './body-buffer.ts';
import {
  type Coding,
  type CodingFraming,
  type CodingProblem,
  corrupt,
  framingOf,
  HEADER_INCOMPLETE,
  missingSignature,
  tooManyMembers,
  truncated,
  ZSTD_OPTIONS,
  zlibProblem,
} from './content-codings.ts';

/** Takes decoded bytes; a promise is back-pressure. */
type DecodedSink = (bytes: Uint8Array) => Promise<void> | undefined;

/** What is unpacked between two looks at the sink; also the most that is lost where corrupt data begins. */
const CHUNK_BYTES = 32 * 1024;
const OPTIONS = { chunkSize: CHUNK_BYTES, highWaterMark: 1 };

function createDecompressor(engine: CodingFraming['engine']) {
  if (engine === 'inflate') return createInflateRaw(OPTIONS);
  if (engine === 'br') return createBrotliDecompress(OPTIONS);
  return createZstdDecompress({ ...OPTIONS, params: ZSTD_OPTIONS });
}

/**
 * One decompressor of node:zlib, driven piece by piece: it works on other threads, holds at most one chunk that the
 * sink has not taken, and loses nothing that it had given before an error.
 */
class Decompressor {
  problem: CodingProblem | null = null;
  readonly #stream: ReturnType<typeof createDecompressor>;
  #busy: Promise<void> | null = null;
  #wake: () => void = () => {};
  #ended = false;
  #closed = false;

  constructor(framing: CodingFraming, sink: DecodedSink) {
    const stream = createDecompressor(framing.engine);
    this.#stream = stream;
    stream.on('data', (bytes: Uint8Array) => {
      const busy = sink(bytes);
      if (busy === undefined) return;
      stream.pause();
      this.#busy = busy.then(() => {
        this.#busy = null;
        stream.resume();
      });
    });
    stream.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    stream.on('error', (error) => {
      this.problem ??= zlibProblem(framing.coding, error);
      this.#wake();
    });
    stream.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Resolves when the sink has taken all of it, with the number of bytes used: fewer than given, the data is over. */
  async write(bytes: Uint8Array): Promise<number> {
    if (this.#closed || this.problem !== null) return 0;
    const before = this.#stream.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#stream.write(bytes, () => resolve());
    });
    await this.#drained();
    return this.#stream.bytesWritten - before;
  }

  /** No more bytes come. `problem` tells whether the data was over. */
  async finish(): Promise<void> {
    while (!this.#ended && !this.#closed && this.problem === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#stream.end();
      });
    }
    await this.#drained();
    this.#stream.destroy();
  }

  async #drained(): Promise<void> {
    while (this.#busy !== null || (this.#stream.readableLength > 0 && !this.#closed)) {
      await (this.#busy ?? setImmediate());
    }
  }

  destroy(): void {
    this.#closed = true;
    this.#stream.destroy();
    this.#wake();
  }
}

const EMPTY = new Uint8Array(0);

/** Undoes one content coding, piece by piece. Calls must not overlap. */
class CodingDecoder {
  problem: CodingProblem | null = null;
  readonly #coding: Coding;
  readonly #sink: DecodedSink;
  #framing: CodingFraming | null = null;
  #engine: Decompressor | null = null;
  #phase: 'head' | 'data' | 'trailer' | 'over' = 'head';
  /** Bytes of a head or trailer that is not whole yet. */
  #held: Uint8Array = EMPTY;
  #members = 0;
  #size = 0;
  #memberSize = 0;
  #sum = 0;

  constructor(coding: Coding, sink: DecodedSink) {
    this.#coding = coding;
    this.#sink = sink;
  }

  /** True when further bytes change nothing. */
  get isDone(): boolean {
    return this.#phase === 'over' || this.problem !== null;
  }

  /** Resolves when the sink has taken what came of it. */
  async write(bytes: Uint8Array): Promise<void> {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = EMPTY;
    while (rest.length > 0 && !this.isDone) {
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
    if (this.isDone) return;
    if (this.#phase === 'head' && this.#held.length > 0 && this.#framing === null) {
      // A body of a single byte: now there is nothing to wait for.
      this.#framing = framingOf(this.#coding, this.#held);
      await this.write(EMPTY);
      if (this.isDone) return;
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

  #head(framing: CodingFraming, rest: Uint8Array): number | null {
    const head = framing.headerLength(rest);
    if (head === HEADER_INCOMPLETE) return null;
    if (head < 0) {
      if (this.#members === 0) this.problem = missingSignature(this.#coding);
      this.#phase = 'over';
      return rest.length;
    }
    this.#sum = framing.initialChecksum;
    this.#memberSize = 0;
    this.#engine = new Decompressor(framing, (bytes) => {
      this.#sum = framing.checksum(bytes, this.#sum);
      this.#memberSize += bytes.length;
      this.#size += bytes.length;
      return this.#sink(bytes);
    });
    this.#phase = 'data';
    return head;
  }

  #trailer(framing: CodingFraming, rest: Uint8Array): number | null {
    const length = framing.trailerLength;
    if (rest.length < length) return null;
    const wrong = framing.trailerProblem(rest.subarray(0, length), this.#sum, this.#memberSize);
    if (wrong !== null) this.problem = corrupt(this.#coding, wrong);
    else if (tooManyMembers(++this.#members, this.#size)) {
      this.problem = corrupt(this.#coding, 'too many members');
    }
    this.#phase = framing.multiMember ? 'head' : 'over';
    return length;
  }
}

/**
 * Undoes stacked codings, piece by piece, into at most `limit` bytes. A layer works only as far ahead as the next one
 * takes it, so that a bomb inside a bomb costs no more than one. Calls must not overlap.
 */
export class StackedDecoder {
  /** More than `limit` decoded bytes came. */
  overLimit = false;
  readonly #body: BodyBuffer;
  readonly #layers: CodingDecoder[] = [];
  readonly #limit: number;

  /** @param undo outermost coding first, at least one */
  constructor(undo: readonly Coding[], limit: number, where: BodyMemory | null) {
    this.#limit = limit;
    this.#body = new BodyBuffer(limit, where, null);
    const most = maxCodedBytes(limit);
    for (let n = undo.length - 1; n >= 0; n--) {
      const next = this.#layers[0];
      let given = 0;
      const layer = new CodingDecoder(undo[n]!, (bytes) => {
        if (next === undefined) return this.#take(bytes);
        given += bytes.length;
        if (given > most) this.#stop();
        if (!next.isDone) return next.write(bytes);
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
  get isSettled(): boolean {
    return this.overLimit || this.#layers.some((layer) => layer.problem !== null);
  }

  /** The first layer has its end: what still comes is ignored. */
  get inputEnded(): boolean {
    return this.#layers[0]!.isDone;
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
    if (waits === null && this.#body.isLarge) freeBuffer(bytes);
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
export function maxCodedBytes(limit: number): number {
  return 2 * limit + 1024 * 1024;
}
