import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs after the test, the last registered first (`t.after` runs the first one first), all of them whatever fails. */
export function afterwards(t: TestContext, cleanup: () => unknown): void {
  let list = cleanups.get(t);
  if (list === undefined) {
    const mine: (() => unknown)[] = [];
    list = mine;
    cleanups.set(t, mine);
    t.after(async () => {
      const errors: unknown[] = [];
      for (const one of mine.toReversed()) {
        try {
          await one();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors);
    });
  }
  list.push(cleanup);
}

/** A folder of the test's own, removed after it. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Bytes that do not compress, the same for the same seed. */
export function noise(seed: number, length: number): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest();
}
