import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { type BodyMemory, freeBuffer } from '../../base/memory-budget.ts';
import { BodyBuffer } from './body-buffer.ts';
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

/** Receives decoded bytes. A returned promise is back-pressure. */
type DecodedSink = (bytes: Uint8Array) => Promise<void> | undefined;

/** How much is decompressed before the sink is called. At most so much is lost where corrupt data begins. */
const CHUNK_BYTES = 32 * 1024;
/** With a high-water mark of one byte, the stream holds no second chunk of output. */
const OPTIONS = { chunkSize: CHUNK_BYTES, highWaterMark: 1 };

function createDecompressor(engine: CodingFraming['engine']) {
  if (engine === 'inflate') return createInflateRaw(OPTIONS);
  if (engine === 'br') return createBrotliDecompress(OPTIONS);
  return createZstdDecompress({ ...OPTIONS, params: ZSTD_OPTIONS });
}

/**
 * A decompressor of node:zlib that is fed piece by piece. It works in other threads and holds at most one chunk that the
 * sink has not received. Output before an error is not lost.
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

  /**
   * Resolves when the sink has received all output.
   * @returns the number of bytes used; fewer than `bytes` has: the compressed data ended
   */
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

  /** Ends the input. If the compressed data was incomplete, `problem` is set. */
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

/** Decodes one content coding, piece by piece. Calls must not overlap. */
class CodingDecoder {
  problem: CodingProblem | null = null;
  readonly #coding: Coding;
  readonly #sink: DecodedSink;
  #framing: CodingFraming | null = null;
  #decompressor: Decompressor | null = null;
  #phase: 'header' | 'data' | 'trailer' | 'ended' = 'header';
  /** Bytes of an incomplete header or trailer. */
  #held: Uint8Array = EMPTY;
  #members = 0;
  #size = 0;
  #memberSize = 0;
  #checksum = 0;

  constructor(coding: Coding, sink: DecodedSink) {
    this.#coding = coding;
    this.#sink = sink;
  }

  /** Further bytes change nothing. */
  get isDone(): boolean {
    return this.#phase === 'ended' || this.problem !== null;
  }

  /** Resolves when the sink has received the decoded bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    /** Bytes that are not decoded yet. */
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

  /** Ends the input. */
  async finish(): Promise<void> {
    if (this.isDone) return;
    if (this.#phase === 'header' && this.#held.length > 0 && this.#framing === null) {
      // A body of a single byte: no second one follows.
      this.#framing = framingOf(this.#coding, this.#held);
      await this.write(EMPTY);
      if (this.isDone) return;
    }
    if (this.#phase === 'data') {
      await this.#decompressor?.finish();
      this.problem ??= this.#decompressor?.problem ?? null;
      if (this.problem === null && this.#framing!.trailerLength > 0) this.problem = truncated(this.#coding);
    } else if (this.#phase === 'trailer' || (this.#held.length > 0 && this.#members === 0)) {
      this.problem = truncated(this.#coding);
    }
    this.destroy();
  }

  destroy(): void {
    this.#phase = 'ended';
    this.#decompressor?.destroy();
    this.#decompressor = null;
  }

  /** @returns the number of bytes used; null: more bytes are needed */
  async #step(rest: Uint8Array): Promise<number | null> {
    if (this.#framing === null) {
      if (rest.length < 2) return null;
      this.#framing = framingOf(this.#coding, rest);
    }
    const framing = this.#framing;
    switch (this.#phase) {
      case 'header':
        return this.#readHeader(framing, rest);
      case 'data': {
        const decompressor = this.#decompressor!;
        const used = await decompressor.write(rest);
        if (decompressor.problem !== null) this.problem = decompressor.problem;
        else if (used < rest.length) {
          decompressor.destroy();
          if (this.#phase === 'data') this.#phase = 'trailer';
        }
        return used;
      }
      case 'trailer':
        return this.#readTrailer(framing, rest);
      case 'ended':
        return rest.length;
    }
  }

  #readHeader(framing: CodingFraming, rest: Uint8Array): number | null {
    const length = framing.headerLength(rest);
    if (length === HEADER_INCOMPLETE) return null;
    if (length < 0) {
      if (this.#members === 0) this.problem = missingSignature(this.#coding);
      this.#phase = 'ended';
      return rest.length;
    }
    this.#checksum = framing.initialChecksum;
    this.#memberSize = 0;
    this.#decompressor = new Decompressor(framing, (bytes) => {
      this.#checksum = framing.checksum(bytes, this.#checksum);
      this.#memberSize += bytes.length;
      this.#size += bytes.length;
      return this.#sink(bytes);
    });
    this.#phase = 'data';
    return length;
  }

  #readTrailer(framing: CodingFraming, rest: Uint8Array): number | null {
    const length = framing.trailerLength;
    if (rest.length < length) return null;
    const problem = framing.trailerProblem(rest.subarray(0, length), this.#checksum, this.#memberSize);
    if (problem !== null) this.problem = corrupt(this.#coding, problem);
    else if (tooManyMembers(++this.#members, this.#size)) {
      this.problem = corrupt(this.#coding, 'too many members');
    }
    this.#phase = framing.multiMember ? 'header' : 'ended';
    return length;
  }
}

/**
 * Decodes several codings, one after the other, piece by piece, into at most `limit` bytes. A layer waits until the next
 * one has received its output, so nested decompression bombs cost no more than a single one. Calls must not overlap.
 */
export class StackedDecoder {
  /** There are more than `limit` decoded bytes. */
  overLimit = false;
  readonly #body: BodyBuffer;
  readonly #layers: CodingDecoder[] = [];
  readonly #limit: number;

  /** @param codings in the order of decoding, at least one */
  constructor(codings: readonly Coding[], limit: number, memory: BodyMemory | null) {
    this.#limit = limit;
    this.#body = new BodyBuffer(limit, memory, null);
    const maxBetweenLayers = maxCodedBytes(limit);
    for (const coding of codings.toReversed()) {
      const next = this.#layers[0];
      let passedOn = 0;
      const layer = new CodingDecoder(coding, (bytes) => {
        if (next === undefined) return this.#addDecoded(bytes);
        passedOn += bytes.length;
        if (passedOn > maxBetweenLayers) this.#stop();
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

  /** Further bytes cannot change the result. */
  get isSettled(): boolean {
    return this.overLimit || this.#layers.some((layer) => layer.problem !== null);
  }

  /** The first layer has ended: further bytes are ignored. */
  get inputEnded(): boolean {
    return this.#layers[0]!.isDone;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#layers[0]!.write(bytes);
  }

  /** Ends the input, or ends decoding after a layer failed. Every layer passes on what it could decode. */
  async finish(): Promise<{ readonly bytes: Uint8Array; readonly problem: CodingProblem | null }> {
    const failed = Math.max(
      0,
      this.#layers.findIndex((layer) => layer.problem !== null),
    );
    // The layers before a failed one were stopped in the middle of their input: that is not a problem of the body.
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

  #addDecoded(bytes: Uint8Array): Promise<void> | undefined {
    if (this.overLimit) return undefined;
    const free = this.#limit - this.size;
    const wait = this.#body.add(bytes.length > free ? bytes.subarray(0, free) : bytes);
    if (bytes.length > free) this.#stop();
    if (wait === null && this.#body.isLarge) freeBuffer(bytes);
    // Decoding stops if no memory was granted; the deadline ends the scrape.
    return wait?.then((granted) => {
      if (!granted) this.#stop();
    });
  }

  #stop(): void {
    this.overLimit = true;
    this.destroy();
  }
}

/** No honest coding of `limit` bytes is longer than this. A longer one is an attack, such as endless empty blocks. */
export function maxCodedBytes(limit: number): number {
  return 2 * limit + 1024 * 1024;
}
