import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lets every user read and run what its owner may read and run: the service writes nothing that others may see, unless
 * it says so, and the browser may be another user.
 */
export async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  // The folder at last: when it lets others in, all that is in it does.
  for (const path of [...paths, folder]) {
    const { mode } = await stat(path);
    const owner = (mode >> 6) & 0o5;
    await chmod(path, (mode & 0o7777) | (owner << 3) | owner);
  }
}

export async function isOpenToAll(folder: string): Promise<boolean> {
  return ((await stat(folder)).mode & 0o055) === 0o055;
}
