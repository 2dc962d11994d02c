import { execFileSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { afterwards, tempFolder } from './temp.ts';

/** A small file system in memory. Where mounting is not allowed, skips the test with the reason and returns null. */
export function smallDisk(t: TestContext, size: string) {
  const folder = tempFolder(t);
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder);
  } catch (error) {
    t.skip(
      `no small disk can be mounted here: ${String((error as Error).message)
        .split('\n')
        .at(-2)}`,
    );
    return null;
  }
  afterwards(t, () => execFileSync('umount', ['-l', folder]));
  // `mode` makes the file system read-only or writable.
  return { folder, mode: (mode: 'ro' | 'rw') => void mount('-o', `remount,${mode}`, folder) };
}
