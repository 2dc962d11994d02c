import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of the test's own, removed after it. Ask for it before opening what lies in it: hooks run in that order. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
