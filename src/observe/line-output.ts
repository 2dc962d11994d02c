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

/** Limit of the text that waits for a slow reader. Lines beyond it are dropped and counted. */
const MAX_PENDING_CHARACTERS = 4 * 1024 * 1024;
/** A system call costs more than a line. Lines are gathered up to this size, but none waits longer than `FLUSH_MS`. */
const BATCH_CHARACTERS = 64 * 1024;
const FLUSH_MS = 50;
/** Pauses before a write is tried again. The first are short, because a pipe (64 KiB on Linux) is emptied fast. */
const RETRY_MS = 2;
const MAX_RETRY_MS = 100;

/**
 * Writes lines to a descriptor without blocking the event loop: a thread of libuv's pool writes one chunk at a time. Pending
 * lines are written when the process exits, unless a write is still in progress: then the reader may be stuck, and must not
 * keep the process alive.
 */
export function openLineOutput(descriptor: number): LineOutput {
  const { fd, write } = nonBlockingTarget(descriptor);
  let pending = '';
  let inFlight: Buffer | null = null;
  let droppedLines = 0;
  let writeTimer: NodeJS.Timeout | undefined;
  let retryMs = RETRY_MS;
  /** A write failed, perhaps in the middle of a line: the next one must begin on a new line. */
  let needsLineBreak = false;
  const flushWaiters = new Set<() => void>();

  const scheduleWrite = (): void => {
    writeTimer ??= setTimeout(writePending, FLUSH_MS).unref();
  };

  const writePending = (): void => {
    clearTimeout(writeTimer);
    writeTimer = undefined;
    if (inFlight !== null || pending === '') return;
    inFlight = Buffer.from(needsLineBreak ? `\n${pending}` : pending);
    pending = '';
    needsLineBreak = false;
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
      // A full disk or a closed pipe. Drop these lines; the next write may succeed.
      droppedLines += countLines(inFlight!);
      needsLineBreak = true;
    }
    inFlight = null;
    if (pending.length >= BATCH_CHARACTERS || (pending !== '' && flushWaiters.size > 0)) writePending();
    else if (pending !== '') scheduleWrite();
    else for (const resolve of [...flushWaiters]) resolve();
  };

  process.once('exit', () => {
    if (inFlight !== null || pending === '') return;
    try {
      writeSync(fd, needsLineBreak ? `\n${pending}` : pending);
    } catch {
      // The process ends, and there is no other output to report the error to.
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
  /** For the synchronous write at exit. */
  readonly fd: number;
  write(chunk: Buffer, written: WriteCallback): void;
}

/**
 * Writes in such a way that a stuck reader cannot block: a thread that hangs in a write would keep the process from exiting.
 * A pipe is opened again as non-blocking, because O_NONBLOCK on the given descriptor would apply to all processes that share
 * it. A socket (systemd) is written by the event loop. Writes to files and terminals do not block for long.
 */
function nonBlockingTarget(fd: number): OutputTarget {
  const kind = kindOf(fd);
  if (kind === 'socket') {
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => {}).unref();
    return { fd, write: (chunk, written) => socket.write(chunk, (e) => written(e ?? null, chunk.length)) };
  }
  const target = kind === 'pipe' ? reopenNonBlocking(fd) : fd;
  return { fd: target, write: (chunk, written) => write(target, chunk, written) };
}

function kindOf(fd: number): 'pipe' | 'socket' | 'other' {
  try {
    const info = fstatSync(fd);
    return info.isFIFO() ? 'pipe' : info.isSocket() ? 'socket' : 'other';
  } catch {
    return 'other';
  }
}

/** Returns the given descriptor if the pipe cannot be opened again (no `/proc`). */
function reopenNonBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let lf = chunk.indexOf('\n'); lf !== -1; lf = chunk.indexOf('\n', lf + 1)) lines++;
  return lines;
}
