import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes calls on files fail in a process that is started with `env`, and moves its clock. */
export interface Faults extends Disposable {
  readonly env: NodeJS.ProcessEnv;
  /**
   * From now on calls on files whose path contains `pathPart` fail with this error. Each letter of `operations` selects
   * one kind: `w` writes, `s` flushes, `o` opening for writing; with `h` writes and flushes hang instead.
   */
  fail(error: keyof typeof constants.errno, operations: string, pathPart: string): void;
  /** Ends the failures that `fail` started. */
  heal(): void;
  /** Sets the wall clock of the process so many seconds ahead of the true time. */
  clock(seconds: number): void;
}

/** Compiles faults.c. Returns a reason for skipping the test if there is no C compiler. */
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
    fail(error, operations, pathPart) {
      // Written to a second file and renamed, so that the process never reads half a rule.
      writeFileSync(`${rule}.new`, `${constants.errno[error]} ${operations} ${pathPart}`);
      renameSync(`${rule}.new`, rule);
    },
    heal: () => rmSync(rule, { force: true }),
    clock(seconds) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(Math.round(seconds)));
      // Overwritten in place, because the process has mapped the file into its memory.
      const file = openSync(clock, 'r+');
      writeSync(file, bytes, 0, 8, 0);
      closeSync(file);
    },
    [Symbol.dispose]: remove,
  };
}
