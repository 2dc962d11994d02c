import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** Where the logger's lines go. */
export interface LineOutput {
  write(line: string): void;
  /** Lines thrown away because nobody reads them, or the medium failed. */
  dropped(): number;
  /** Resolves when all is written, at the latest after `ms`. */
  flush(ms: number): Promise<void>;
}

/** Characters that wait for a slow reader; beyond it lines are dropped and counted. */
const MAX_WAITING = 4 * 1024 * 1024;
/** So much is gathered before a write, but no line waits longer than `FLUSH_MS`: a write costs more than a line. */
const BATCH = 64 * 1024;
const FLUSH_MS = 50;
/** Pauses while the reader is slow: a pipe holds 64 KiB, so the first ones are short. */
const RETRY_MS = 2;
const MAX_RETRY_MS = 100;

/**
 * Writes lines to a descriptor without ever waiting for it: a thread of the pool does the writing, one chunk at a time.
 * What is left when the process exits is written then, unless the reader is stuck, which must not keep the process.
 */
export function openLineOutput(descriptor: number): LineOutput {
  const { fd, write } = nonBlockingTarget(descriptor);
  let waiting = '';
  let writing: Buffer | null = null;
  let lost = 0;
  let armed = false;
  let pause = RETRY_MS;
  /** A chunk was cut: the next one begins on a new line. */
  let cut = false;
  const idle = new Set<() => void>();

  const soon = (): void => {
    if (armed) return;
    armed = true;
    setTimeout(() => {
      armed = false;
      start();
    }, FLUSH_MS).unref();
  };

  const start = (): void => {
    if (writing !== null || waiting === '') return;
    writing = Buffer.from(cut ? `\n${waiting}` : waiting);
    waiting = '';
    cut = false;
    write(writing, written);
  };

  const written = (error: NodeJS.ErrnoException | null, bytes: number): void => {
    if (error?.code === 'EAGAIN' || error?.code === 'EINTR') {
      setTimeout(() => write(writing!, written), pause).unref();
      pause = Math.min(MAX_RETRY_MS, pause * 2);
      return;
    }
    pause = RETRY_MS;
    if (error === null && bytes < writing!.length) {
      writing = writing!.subarray(bytes);
      write(writing, written);
      return;
    }
    if (error !== null) {
      // A full disk or a closed pipe: these lines are gone, the next ones are tried again.
      lost += countLines(writing!);
      cut = true;
    }
    writing = null;
    if (waiting.length >= BATCH || (waiting !== '' && idle.size > 0)) start();
    else if (waiting !== '') soon();
    else for (const resolve of [...idle]) resolve();
  };

  process.once('exit', () => {
    if (writing !== null || waiting === '') return;
    try {
      writeSync(fd, cut ? `\n${waiting}` : waiting);
    } catch {
      // Nobody is left to be told.
    }
  });

  return {
    write(line) {
      if (waiting.length > MAX_WAITING) {
        lost++;
        return;
      }
      waiting += line;
      if (writing !== null) return;
      if (waiting.length >= BATCH) start();
      else soon();
    },
    dropped: () => lost,
    flush(ms) {
      start();
      if (writing === null) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          idle.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        idle.add(end);
      });
    },
  };
}

type WriteCallback = (error: NodeJS.ErrnoException | null, bytes: number) => void;

interface OutputTarget {
  readonly fd: number;
  write(chunk: Buffer, written: WriteCallback): void;
}

/**
 * Ways of writing that a reader who does not read cannot hold up: a thread of the pool that hangs in a write would
 * also hold the exit of the process. A pipe is opened once more, as the flag on the given one would change it for
 * everybody who shares it; a socket (systemd) is handed to the event loop; files and terminals are as they are.
 */
function nonBlockingTarget(fd: number): OutputTarget {
  const kind = kindOf(fd);
  if (kind === 'socket') {
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => {}).unref();
    return { fd, write: (chunk, written) => socket.write(chunk, (e) => written(e ?? null, chunk.length)) };
  }
  const own = kind === 'pipe' ? reopenNonBlocking(fd) : fd;
  return { fd: own, write: (chunk, written) => write(own, chunk, written) };
}

function kindOf(fd: number): 'pipe' | 'socket' | 'other' {
  try {
    const info = fstatSync(fd);
    return info.isFIFO() ? 'pipe' : info.isSocket() ? 'socket' : 'other';
  } catch {
    return 'other';
  }
}

function reopenNonBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  return lines;
}
