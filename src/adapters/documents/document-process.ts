import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { moduleFile, PACKAGE_ROOT } from '../../base/program-files.ts';
import { type OsUser, unprivilegedUser } from '../../base/unprivileged-user.ts';
import { sleep } from '../../base/wait.ts';
import type { DocumentKind, DocumentReading } from '../../domain/document.ts';

/** How to read a document. */
export interface DocumentOrder {
  readonly kind: DocumentKind;
  readonly maxPages: number;
  /** Limit of all memory of the process, in MiB. */
  readonly memoryMb: number;
  /** After this time the process stops where it can, and returns what it has read. */
  readonly ms: number;
}

/** What the process gets as its argument, as JSON. The document comes through its standard input. */
export interface ProcessOrder extends DocumentOrder {
  /** The user that the process becomes by itself, before it gets the document; null: it is not root. */
  readonly becomes: OsUser | null;
}

export type UnreadableReason = 'encrypted' | 'broken' | 'unsupported' | 'too_large';

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

/** Files and folders that the process may read. */
function programFiles(): string[] {
  const readable = ['src', 'dist', 'package.json'].map((name) => join(PACKAGE_ROOT, name));
  // As a package, Sluice lies in a folder `node_modules` itself, with the packages beside it.
  for (const folder of [join(PACKAGE_ROOT, 'node_modules'), dirname(PACKAGE_ROOT)])
    if (folder.endsWith('node_modules') && existsSync(folder)) readable.push(realpathSync(folder));
  return readable;
}

/**
 * Node's permission model: the process may read the program and its packages. It may not use the network, start processes, load
 * native code, or read or write any other file. It may not start threads either: theirs would have no such limits.
 */
export function processFlags(memoryMb: number): string[] {
  return [
    '--permission',
    ...programFiles().map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
}

/** Others may enter all folders above these files: the program may lie in the home of root. */
const othersMayRead = (paths: readonly string[]): boolean =>
  paths.filter(existsSync).every((path) => {
    const isReadable = (statSync(path).mode & 0o004) !== 0;
    for (let folder = path; folder !== dirname(folder); ) {
      folder = dirname(folder);
      if ((statSync(folder).mode & 0o001) === 0) return false;
    }
    return isReadable;
  });

let canStartAsOther: boolean | null = null;

/** The user to start the process as, and the one that it becomes when it has loaded the program. */
function processUsers(): { readonly starts: OsUser | null; readonly becomes: OsUser | null } {
  const user = unprivilegedUser();
  if (user === null) return { starts: null, becomes: null };
  canStartAsOther ??= othersMayRead([realpathSync(process.execPath), ...programFiles()]);
  return canStartAsOther ? { starts: user, becomes: null } : { starts: null, becomes: user };
}

const MEMORY_CHECK_MS = 20;
/** Without `/proc`, each check starts a program. */
const SLOW_MEMORY_CHECK_MS = 500;

/** Resident memory of a process, in KiB; null: it has ended. */
async function residentKib(pid: number): Promise<number | null> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? null : Number(kib);
  }
  const ps = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
  return ps === null ? null : Number(ps.stdout);
}

/**
 * Kills the process when it takes more memory: the limit of the heap does not include the buffers into which archives and streams are
 * unpacked. It is watched from outside, because what reads a document may no longer be our program.
 */
async function watchMemory(child: ChildProcess, memoryMb: number): Promise<void> {
  const ms = process.platform === 'linux' ? MEMORY_CHECK_MS : SLOW_MEMORY_CHECK_MS;
  while (child.exitCode === null && child.signalCode === null) {
    await sleep(ms);
    const kib = await residentKib(child.pid!);
    if (kib === null) continue;
    if (kib > memoryMb * (MIB / 1024)) child.kill('SIGKILL');
  }
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
  const { starts, becomes } = processUsers();
  const child = spawn(
    process.execPath,
    [
      ...processFlags(order.memoryMb),
      CHILD_FILE,
      JSON.stringify({ ...order, becomes } satisfies ProcessOrder),
    ],
    {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      ...starts,
    },
  );
  if (child.pid !== undefined) void watchMemory(child, order.memoryMb);
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
  // Who kills it besides `stop`: `watchMemory`, the limit of the output, or the kernel when memory is short.
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === ABORT_EXIT_CODE)
    return {
      kind: 'unreadable',
      reason: 'too_large',
      message: 'The document takes too much memory to read.',
    };
  return { kind: 'crashed', error: new Error(`The process ended with ${signal ?? `exit code ${code}`}.`) };
}
