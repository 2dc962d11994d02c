import assert from 'node:assert/strict';
import { runChild } from '../helpers/child.ts';
import { ROOT } from '../helpers/repository.ts';

/** Builds the dashboard if its sources changed. */
export async function buildDashboard(): Promise<void> {
  const { code, stdout, stderr } = await runChild(process.execPath, ['scripts/build-dashboard.ts'], {
    cwd: ROOT,
  });
  assert.equal(code, 0, stdout + stderr);
}
