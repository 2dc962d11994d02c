import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserUser } from './browser-user.ts';
import { OWN_MARK } from './own-process.ts';

/** All that one run of a browser writes; nothing of it outlives the run. */
export interface RunFolder {
  readonly path: string;
  readonly profileDir: string;
  /** Within it: of the profile that a browser begins with. */
  readonly preferencesDir: string;
  readonly downloadsDir: string;
  readonly cacheDir: string;
  readonly tempDir: string;
  /** Writes a file that belongs to the user of the browser. */
  put(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Folders that this process uses now: the sweeper leaves them alone. */
const inUse = new Set<string>();

export function isInUse(path: string): boolean {
  return inUse.has(path);
}

/** Whoever makes it removes it, when the browser has ended. Belongs to the user of the browser. */
export async function makeRunFolder(runDir: string, user: BrowserUser | null): Promise<RunFolder> {
  const path = join(runDir, `${OWN_MARK}-${randomBytes(6).toString('hex')}`);
  const below = (name: string) => join(path, name);
  const folder: RunFolder = {
    path,
    profileDir: below('profile'),
    preferencesDir: below('profile/Default'),
    downloadsDir: below('downloads'),
    cacheDir: below('cache'),
    tempDir: below('tmp'),
    async put(path, text) {
      await writeFile(path, text, { mode: 0o600 });
      if (user !== null) await chown(path, user.uid, user.gid);
    },
    async remove() {
      // What is just ending may still write into it.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      inUse.delete(path);
    },
  };
  inUse.add(path);
  try {
    const { profileDir, preferencesDir, downloadsDir, cacheDir, tempDir } = folder;
    for (const made of [path, profileDir, preferencesDir, downloadsDir, cacheDir, tempDir]) {
      await mkdir(made, { mode: 0o700 });
      if (user !== null) await chown(made, user.uid, user.gid);
    }
  } catch (error) {
    await folder.remove().catch(() => {});
    throw error;
  }
  return folder;
}
