import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { moduleFile, PACKAGE_ROOT } from '../../base/program-files.ts';
import type { DocumentKind, DocumentReading } from '../../domain/document.ts';

/** What the process gets as its argument, as JSON. The document comes through its standard input. */
export interface DocumentOrder {
  readonly kind: DocumentKind;
  readonly maxPages: number;
  /** Limit of all memory of the process, in MiB. The process watches it itself. */
  readonly memoryMb: number;
  /** After this time the process stops where it can, and returns what it has read. */
  readonly ms: number;
}

export type UnreadableReason = 'encrypted' | 'broken' | 'too_large';

/** What the process writes to its standard output, as JSON. */
export type ProcessResult =
  | { readonly kind: 'read'; readonly reading: DocumentReading }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason; readonly message: string };

export type ProcessOutcome =
  | ProcessResult
  | { readonly kind: 'stopped' }
  | { readonly kind: 'crashed'; readonly error: Error };

const MIB = 2 ** 20;
/** Number of bytes copied at once, so that other work of the event loop gets its turn. */
const SLICE_BYTES = MIB;
/** The process writes less; more means that it is out of control. */
const MAX_OUTPUT_BYTES = 64 * MIB;
/** V8 ends a process whose heap is full with SIGABRT, on some systems as an exit code. */
const ABORT_EXIT_CODE = 134;
/** Share of the memory that the heap may take. The rest is the text and the program itself. */
const HEAP_SHARE = 0.7;

const CHILD_FILE = moduleFile('adapters/documents/document-child');

/**
 * Node's permission model: the process may read the program and its packages, and start its thread. It may not use the
 * network, start processes, load native code, or read or write any other file.
 */
function processFlags(memoryMb: number): string[] {
  const readable = ['src', 'dist', 'package.json'].map((name) => join(PACKAGE_ROOT, name));
  // As a package, Sluice lies in a folder `node_modules` itself, with the packages beside it.
  for (const folder of [join(PACKAGE_ROOT, 'node_modules'), dirname(PACKAGE_ROOT)])
    if (folder.endsWith('node_modules') && existsSync(folder)) readable.push(realpathSync(folder));
  return [
    '--permission',
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
}

/**
 * Reads one document in a process of its own.
 * @param stop ends the process; `result` then is `stopped` at once
 * @returns `ended` settles when the process has ended. `bytes` is not accessed after `result` has settled.
 */
export function readInProcess(
  bytes: Uint8Array,
  order: DocumentOrder,
  stop: AbortSignal,
): { readonly result: Promise<ProcessOutcome>; readonly ended: Promise<void> } {
  const { promise: result, resolve: settle } = Promise.withResolvers<ProcessOutcome>();
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
  const settled = new AbortController();
  const finish = (outcome: ProcessOutcome) => {
    settled.abort();
    settle(outcome);
  };
  const child = spawn(
    process.execPath,
    [...processFlags(order.memoryMb), CHILD_FILE, JSON.stringify(order)],
    {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const onStop = () => {
    child.kill('SIGKILL');
    finish({ kind: 'stopped' });
  };
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  child.once('error', (error) => {
    finish({ kind: 'crashed', error });
    onEnded();
  });
  child.once('close', (code, signal) => {
    stop.removeEventListener('abort', onStop);
    finish(outcomeOf(code, signal, chunks));
    onEnded();
  });
  // The process may end before it has read everything.
  child.stdin.on('error', () => {});
  void feed(child.stdin, bytes, settled.signal);
  return { result, ended };
}

/** Writes copies of the bytes, because a write may still be pending when the bytes must not be accessed any more. */
async function feed(stdin: Writable, bytes: Uint8Array, settled: AbortSignal): Promise<void> {
  try {
    for (let offset = 0; offset < bytes.length && !settled.aborted; offset += SLICE_BYTES) {
      const slice = Buffer.from(bytes.subarray(offset, offset + SLICE_BYTES));
      if (!stdin.write(slice)) await once(stdin, 'drain', { signal: settled });
    }
    stdin.end();
  } catch {
    stdin.destroy();
  }
}

function outcomeOf(code: number | null, signal: string | null, chunks: readonly Buffer[]): ProcessOutcome {
  if (code === 0) return JSON.parse(Buffer.concat(chunks).toString()) as ProcessResult;
  // Who kills it besides `stop`: its own memory guard, the limit of the output, or the kernel when memory is short.
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === ABORT_EXIT_CODE)
    return {
      kind: 'unreadable',
      reason: 'too_large',
      message: 'The document takes too much memory to read.',
    };
  return { kind: 'crashed', error: new Error(`The process ended with ${signal ?? `exit code ${code}`}.`) };
}
