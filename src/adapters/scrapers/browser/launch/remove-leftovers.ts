import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowsersHome } from '../binary/browsers-home.ts';
import { removeHalfUnpacked } from '../binary/half-unpacked.ts';
import { isMarkedAlive } from './own-process.ts';
import { endGroup, processes } from './process-group.ts';
import { isInUse } from './run-folder.ts';

/**
 * Ends the browsers and removes the profiles of processes that are no more (`kill -9`, loss of power), and what they
 * left half unpacked. Returns the number of profiles. For the time after the start: it may take seconds.
 */
export async function removeLeftovers({ home, runDir }: BrowsersHome): Promise<number> {
  await removeHalfUnpacked(home);
  const names = await readdir(runDir).catch(() => []);
  const left = names
    .map((name) => join(runDir, name))
    .filter((path, at) => !isInUse(path) && !isMarkedAlive(names[at]!));
  if (left.length === 0) return 0;
  for (const group of await groupsUsing(left)) await endGroup(group);
  for (const path of left) await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return left.length;
}

/** Process groups with a member that was started on one of the folders; none where there is no /proc. */
async function groupsUsing(folders: readonly string[]): Promise<ReadonlySet<number>> {
  const groups = new Set<number>();
  for (const { pid, group } of await processes()) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (group > 1 && folders.some((folder) => line.includes(`${folder}/`))) groups.add(group);
  }
  return groups;
}
