import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ABANDONED_MS = 3_600_000;
/** Temp files that this process is writing now. */
const inUse = new Set<string>();

/** A name in `dir` that nobody else has, or had (in containers pids come again); give it back with `leaveTemp`. */
export function takeTemp(dir: string): string {
  const path = join(dir, `${process.pid}.${randomBytes(8).toString('hex')}.tmp`);
  inUse.add(path);
  return path;
}

export function leaveTemp(path: string): void {
  inUse.delete(path);
}

/**
 * Removes what killed writers left. Another process (a backup, say) may be writing here right now: its files stay
 * while it lives, for an hour at most.
 */
export async function removeLeftovers(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (!name.endsWith('.tmp') || inUse.has(path)) continue;
    const pid = Number.parseInt(name, 10);
    if (pid !== process.pid && isAlive(pid)) {
      const found = await stat(path).catch(() => null);
      if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
    }
    await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
