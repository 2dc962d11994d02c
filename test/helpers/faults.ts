import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Trouble on order in a process that is started with `env`. */
export interface Faults extends Disposable {
  readonly env: NodeJS.ProcessEnv;
  /**
   * From now on calls on files whose path contains `part` fail: w writes, s flushes, o opens for writing; or with h
   * writes and flushes hang.
   */
  fail(error: keyof typeof constants.errno, letters: string, part: string): void;
  heal(): void;
  /** The wall clock of the process is this much ahead of the true one. */
  clock(seconds: number): void;
}

/** Needs a C compiler; a text says why it is not to be had. */
export function makeFaults(): Faults | string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
  const library = join(folder, 'faults.so');
  const rule = join(folder, 'rule');
  const clock = join(folder, 'clock');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const source = join(import.meta.dirname, 'faults.c');
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  } catch (error) {
    remove();
    return `needs a C compiler (apt-get install gcc libc6-dev): ${String(error).slice(0, 200)}`;
  }
  writeFileSync(clock, Buffer.alloc(8));
  return {
    env: { LD_PRELOAD: library, FAULT_RULE: rule, FAULT_CLOCK: clock },
    fail(error, letters, part) {
      // In one step, so that no half rule is read.
      writeFileSync(`${rule}.new`, `${constants.errno[error]} ${letters} ${part}`);
      renameSync(`${rule}.new`, rule);
    },
    heal: () => rmSync(rule, { force: true }),
    clock(seconds) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(Math.round(seconds)));
      // In place, for it is mapped into the memory of the process.
      const file = openSync(clock, 'r+');
      writeSync(file, bytes, 0, 8, 0);
      closeSync(file);
    },
    [Symbol.dispose]: remove,
  };
}
