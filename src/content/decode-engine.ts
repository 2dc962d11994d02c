import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Framing } from './coding-framing.ts';
import { type CodingProblem, engineProblem, ZSTD_OPTIONS } from './coding-problem.ts';

/** Takes decoded bytes; a promise is back-pressure. */
export type Sink = (bytes: Uint8Array) => Promise<void> | undefined;

/** What is unpacked between two looks at the sink; also the most that is lost where corrupt data begins. */
const CHUNK = 32 * 1024;
const OPTIONS = { chunkSize: CHUNK, highWaterMark: 1 };

function open(engine: Framing['engine']) {
  if (engine === 'inflate') return createInflateRaw(OPTIONS);
  if (engine === 'br') return createBrotliDecompress(OPTIONS);
  return createZstdDecompress({ ...OPTIONS, params: ZSTD_OPTIONS });
}

/**
 * One decompressor of node:zlib, driven piece by piece: it works on other threads, holds at most one chunk that the
 * sink has not taken, and loses nothing that it had given before an error.
 */
export class DecodeEngine {
  problem: CodingProblem | null = null;
  readonly #stream: ReturnType<typeof open>;
  #busy: Promise<void> | null = null;
  #wake: () => void = () => {};
  #ended = false;
  #closed = false;

  constructor(framing: Framing, sink: Sink) {
    const stream = open(framing.engine);
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
      this.problem ??= engineProblem(framing.coding, error);
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
