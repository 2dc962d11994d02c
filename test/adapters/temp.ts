import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/**
 * Registers a cleanup to run after the test. The last one registered runs first (`t.after` runs the first one first). All run,
 * even if some fail.
 */
export function afterwards(t: TestContext, cleanup: () => unknown): void {
  let list = cleanups.get(t);
  if (list === undefined) {
    const ofTest: (() => unknown)[] = [];
    list = ofTest;
    cleanups.set(t, ofTest);
    t.after(async () => {
      const errors: unknown[] = [];
      for (const cleanup of ofTest.toReversed()) {
        try {
          await cleanup();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors);
    });
  }
  list.push(cleanup);
}

/** A new folder, which is removed after the test. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Bytes that do not compress, the same for the same seed. */
export function noise(seed: number, length: number): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest();
}
