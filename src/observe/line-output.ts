import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { orTimeout } from '../base/wait.ts';

/** The destination of log lines. */
export interface LineOutput {
  write(line: string): void;
  /** How many lines were dropped, because the reader is too slow or writing failed. */
  dropped(): number;
  /** Resolves when everything is written, at the latest after `ms`. */
  flush(ms: number): Promise<void>;
}

/** Limit of what waits for a slow reader; lines beyond it are dropped and counted. */
const MAX_PENDING_CHARACTERS = 4 * 1024 * 1024;
/** A write costs more than a line: lines are gathered up to this size, but none waits longer than `FLUSH_MS`. */
const BATCH_CHARACTERS = 64 * 1024;
const FLUSH_MS = 50;
/** Pauses before another try while the reader is slow. A pipe holds only 64 KiB, so the first pauses are short. */
const RETRY_MS = 2;
const MAX_RETRY_MS = 100;

/**
 * Writes lines to a descriptor without blocking the event loop: a thread of the pool writes one chunk at a time. Lines that
 * are left when the process exits are written then, unless a write is still under way: the reader may be stuck, and must
 * not keep the process alive.
 */
export function openLineOutput(descriptor: number): LineOutput {
  const { fd, write } = nonBlockingTarget(descriptor);
  let pending = '';
  let inFlight: Buffer | null = null;
  let droppedLines = 0;
  let writeTimer: NodeJS.Timeout | undefined;
  let retryMs = RETRY_MS;
  /** A chunk was written in part: the next one must begin on a new line. */
  let lineCut = false;
  const flushWaiters = new Set<() => void>();

  const scheduleWrite = (): void => {
    writeTimer ??= setTimeout(writePending, FLUSH_MS).unref();
  };

  const writePending = (): void => {
    clearTimeout(writeTimer);
    writeTimer = undefined;
    if (inFlight !== null || pending === '') return;
    inFlight = Buffer.from(lineCut ? `\n${pending}` : pending);
    pending = '';
    lineCut = false;
    write(inFlight, onWritten);
  };

  const onWritten = (error: NodeJS.ErrnoException | null, bytes: number): void => {
    if (error?.code === 'EAGAIN' || error?.code === 'EINTR') {
      setTimeout(() => write(inFlight!, onWritten), retryMs).unref();
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
      return;
    }
    retryMs = RETRY_MS;
    if (error === null && bytes < inFlight!.length) {
      inFlight = inFlight!.subarray(bytes);
      write(inFlight, onWritten);
      return;
    }
    if (error !== null) {
      // A full disk or a closed pipe. These lines are dropped; the next ones are tried.
      droppedLines += countLines(inFlight!);
      lineCut = true;
    }
    inFlight = null;
    if (pending.length >= BATCH_CHARACTERS || (pending !== '' && flushWaiters.size > 0)) writePending();
    else if (pending !== '') scheduleWrite();
    else for (const resolve of [...flushWaiters]) resolve();
  };

  process.once('exit', () => {
    if (inFlight !== null || pending === '') return;
    try {
      writeSync(fd, lineCut ? `\n${pending}` : pending);
    } catch {
      // The process ends: there is nowhere left to report it.
    }
  });

  return {
    write(line) {
      if (pending.length > MAX_PENDING_CHARACTERS) {
        droppedLines++;
        return;
      }
      pending += line;
      if (inFlight !== null) return;
      if (pending.length >= BATCH_CHARACTERS) writePending();
      else scheduleWrite();
    },
    dropped: () => droppedLines,
    async flush(ms) {
      writePending();
      if (inFlight === null) return;
      const { promise: flushed, resolve } = Promise.withResolvers<void>();
      flushWaiters.add(resolve);
      await orTimeout(flushed, ms, undefined);
      flushWaiters.delete(resolve);
    },
  };
}

type WriteCallback = (error: NodeJS.ErrnoException | null, bytes: number) => void;

interface OutputTarget {
  readonly fd: number;
  write(chunk: Buffer, written: WriteCallback): void;
}

/**
 * A way of writing that a stuck reader cannot block: a thread of the pool that hangs in a write would also keep the process
 * from exiting. A pipe is opened again as non-blocking, because setting the flag on the given descriptor would change it
 * for all processes that share it. A socket (systemd) is written by the event loop. Files and terminals do not block long.
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
