import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { moduleFile, PACKAGE_ROOT } from '../../base/program-files.ts';
import { type OsUser, unprivilegedUser } from '../../base/unprivileged-user.ts';
import { sleep } from '../../base/wait.ts';
import type { DocumentKind } from '../../domain/document.ts';
import { type DocumentOrder, frameHead, type ProcessResult, type ProcessStart } from './document-frame.ts';

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

/** A process that reads documents of one kind, one after another. */
export class DocumentProcess {
  readonly kind: DocumentKind;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #memoryMb: number;
  #onOutcome: (outcome: ProcessOutcome) => void = () => {};
  #output: Buffer[] = [];

  /** @param memoryMb limit of all memory of the process, in MiB */
  constructor(kind: DocumentKind, memoryMb: number) {
    this.kind = kind;
    this.#memoryMb = memoryMb;
    const { promise, resolve: onEnded } = Promise.withResolvers<void>();
    this.ended = promise;
    const { starts, becomes } = processUsers();
    const start: ProcessStart = { kind, becomes };
    const child = spawn(process.execPath, [...processFlags(memoryMb), CHILD_FILE, JSON.stringify(start)], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      ...starts,
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#onOutput(chunk));
    child.once('error', (error) => {
      this.#onOutcome({ kind: 'crashed', error });
      onEnded();
    });
    child.once('close', (code, signal) => {
      this.#onOutcome(outcomeOfEnd(code, signal));
      onEnded();
    });
    // The process may end before it has read everything.
    child.stdin.on('error', () => {});
  }

  /**
   * Reads a document. No other may be read meanwhile.
   * @param stop ends the process; the outcome then is `stopped` at once
   * @returns `bytes` is not accessed after it has settled
   */
  async read(bytes: Uint8Array, order: DocumentOrder, stop: AbortSignal): Promise<ProcessOutcome> {
    const { promise, resolve } = Promise.withResolvers<ProcessOutcome>();
    this.#onOutcome = resolve;
    this.#output = [];
    const onStop = () => {
      this.kill();
      resolve({ kind: 'stopped' });
    };
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
    const settled = new AbortController();
    void this.#watchMemory(settled.signal);
    void this.#feed(bytes, order, settled.signal);
    const outcome = await promise;
    settled.abort();
    stop.removeEventListener('abort', onStop);
    return outcome;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resident memory in MiB; null: the process has ended. */
  async residentMb(): Promise<number | null> {
    const { exitCode, signalCode, pid } = this.#child;
    const kib = exitCode === null && signalCode === null ? await residentKib(pid!) : null;
    return kib === null ? null : kib / 1024;
  }

  #onOutput(chunk: Buffer): void {
    this.#output.push(chunk);
    const length = this.#output.reduce((sum, { length }) => sum + length, 0);
    if (length > MAX_OUTPUT_BYTES) this.kill();
    else if (chunk.at(-1) === NEWLINE) this.#onOutcome(outcomeOfLine(Buffer.concat(this.#output).toString()));
  }

  /**
   * Kills the process when it takes more memory: the limit of the heap does not include the buffers into which archives and streams
   * are unpacked. It is watched from outside, because what reads a document may no longer be our program.
   */
  async #watchMemory(settled: AbortSignal): Promise<void> {
    if (this.#child.pid === undefined) return;
    const ms = process.platform === 'linux' ? MEMORY_CHECK_MS : SLOW_MEMORY_CHECK_MS;
    while (!settled.aborted) {
      await sleep(ms);
      const mb = await this.residentMb();
      if (mb !== null && mb > this.#memoryMb) this.kill();
    }
  }

  /** Writes copies of the bytes, because a write may still be pending when the bytes must not be accessed any more. */
  async #feed(bytes: Uint8Array, order: DocumentOrder, settled: AbortSignal): Promise<void> {
    const { stdin } = this.#child;
    stdin.write(frameHead(order, bytes.length));
    try {
      for (let offset = 0; offset < bytes.length && !settled.aborted; offset += SLICE_BYTES) {
        const slice = Buffer.from(bytes.subarray(offset, offset + SLICE_BYTES));
        if (!stdin.write(slice)) await once(stdin, 'drain', { signal: settled });
      }
    } catch {
      // It was stopped, or has ended.
    }
  }
}

const NEWLINE = 0x0a;

/** What is not JSON comes from a process that is no longer our program. */
function outcomeOfLine(line: string): ProcessOutcome {
  try {
    return JSON.parse(line) as ProcessResult;
  } catch (error) {
    return { kind: 'crashed', error: error as Error };
  }
}

function outcomeOfEnd(code: number | null, signal: string | null): ProcessOutcome {
  // Who kills it besides `stop`: the watch over its memory, the limit of the output, or the kernel when memory is short.
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === ABORT_EXIT_CODE)
    return {
      kind: 'unreadable',
      reason: 'too_large',
      message: 'The document takes too much memory to read.',
    };
  return { kind: 'crashed', error: new Error(`The process ended with ${signal ?? `exit code ${code}`}.`) };
}
