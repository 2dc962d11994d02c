import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dashboardPaths, hashSources } from '../../src/adapters/dashboard/dashboard-paths.ts';
import { runChild } from '../helpers/child.ts';
import { ROOT } from '../helpers/repository.ts';

/** Builds the dashboard if its sources changed. Starts a process only then: scripts/test.ts has mostly built it already. */
export async function buildDashboard(): Promise<void> {
  const places = dashboardPaths(ROOT);
  if ((await hashSources(places)) === builtFrom(places.hashFile)) return;
  const { code, stdout, stderr } = await runChild(process.execPath, ['scripts/build-dashboard.ts'], {
    cwd: ROOT,
  });
  assert.equal(code, 0, stdout + stderr);
}

/** The hash of the sources that were built; undefined: nothing was built yet. */
function builtFrom(hashFile: string): string | undefined {
  try {
    return readFileSync(hashFile, 'utf8');
  } catch {
    return undefined;
  }
}
