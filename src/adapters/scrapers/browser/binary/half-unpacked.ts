import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkedAlive, OWN_MARK } from '../launch/own-process.ts';

const PREFIX = 'unpacking-';

/** The name of a folder that this process is filling. */
export function unpackingName(): string {
  return `${PREFIX}${OWN_MARK}-${randomBytes(6).toString('hex')}`;
}

/** Removes what killed processes left half unpacked. */
export async function removeHalfUnpacked(home: string): Promise<void> {
  for (const name of await readdir(home).catch(() => [])) {
    if (!name.startsWith(PREFIX) || isMarkedAlive(name.slice(PREFIX.length))) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}
