import { availableParallelism } from 'node:os';
import type { PageReader } from '../../ports/page-reader.ts';
import { Lane } from './lane.ts';
import { Turn } from './turn.ts';

export interface PageReaderOrder {
  /** Of the budget for contents: bounds the memory of a thread. */
  readonly memoryBytes: number;
  /** Told of what should not happen. */
  readonly onTrouble: (error: unknown) => void;
}

const MIB = 2 ** 20;
/** Texts up to this size have threads of their own, so that a large one holds up none of them. */
const SMALL_TEXT = MIB;
const MOST_THREADS = 4;
const SMALL_HEAP_MB = 256;
const MOST_HEAP_MB = 2048;

/** Reads pages in threads. Nothing is started before the first page comes, and threads end when they have long rested. */
export function createPageReader({ memoryBytes, onTrouble }: PageReaderOrder): PageReader {
  const threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1));
  const heapMb = Math.min(MOST_HEAP_MB, Math.max(SMALL_HEAP_MB, Math.floor(memoryBytes / MIB)));
  const small = new Lane({ threads, heapMb: SMALL_HEAP_MB, onTrouble });
  const large = new Lane({ threads: 1, heapMb, onTrouble });
  return {
    read(text, ask, limits) {
      const turn = new Turn(text, ask, limits);
      (text.length <= SMALL_TEXT ? small : large).add(turn);
      return turn.result;
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}
