import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OsUser } from '../../base/unprivileged-user.ts';
import { isMarkedProcessAlive, killProcessGroup, listProcesses, PROCESS_MARK } from './processes.ts';

/** Used when the service runs as root: another user for browsers cannot enter the data folder, or root's home above it. */
const ROOT_HOME = '/var/lib/sluice/browsers';

export interface BrowsersHome {
  /** For unpacked browsers, and for `runDir`. */
  readonly home: string;
  /** In `home`, for the profiles of running browsers. */
  readonly runDir: string;
}

/** `<data>/browsers`; if browsers run as another user than the service, a folder that this user can enter. */
export function browsersHome(dataDir: string, user: OsUser | null): BrowsersHome {
  const home = user === null ? join(dataDir, 'browsers') : ROOT_HOME;
  return { home, runDir: join(home, 'run') };
}

/** Rejects with the error of the file system. */
export async function createBrowsersHome({ home, runDir }: BrowsersHome): Promise<void> {
  await mkdir(runDir, { recursive: true, mode: 0o755 });
  if (home === ROOT_HOME) await allowTraversal(dirname(home));
  // Set here because the umask may restrict `mkdir`. Browsers can enter both folders, but cannot list the profiles.
  await chmod(home, 0o755);
  await chmod(runDir, 0o711);
}

/** Allows others to enter the folder, but not to list it: it may be the data folder. */
async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o011) !== 0o011) await chmod(folder, (mode & 0o7777) | 0o011);
}

/** The folder of one running browser, which contains all files that it writes. It is removed when the browser has ended. */
export interface InstanceFolder {
  readonly path: string;
  readonly profileDir: string;
  /** The default profile. */
  readonly preferencesDir: string;
  readonly downloadsDir: string;
  readonly cacheDir: string;
  readonly tempDir: string;
  /** Writes a file that the user of the browser owns. */
  writeFile(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Folders of this process's running browsers. `removeLeftovers` skips them. */
const foldersInUse = new Set<string>();

/** Creates the folder for one browser; `user` owns it. The caller removes it when the browser has ended. */
export async function createInstanceFolder(runDir: string, user: OsUser | null): Promise<InstanceFolder> {
  const path = join(runDir, `${PROCESS_MARK}-${randomBytes(6).toString('hex')}`);
  const inFolder = (name: string) => join(path, name);
  const folder: InstanceFolder = {
    path,
    profileDir: inFolder('profile'),
    preferencesDir: inFolder('profile/Default'),
    downloadsDir: inFolder('downloads'),
    cacheDir: inFolder('cache'),
    tempDir: inFolder('tmp'),
    async writeFile(path, text) {
      await writeFile(path, text, { mode: 0o600 });
      if (user !== null) await chown(path, user.uid, user.gid);
    },
    async remove() {
      // Retries, because processes that are just ending may still write into it.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      foldersInUse.delete(path);
    },
  };
  foldersInUse.add(path);
  try {
    const { profileDir, preferencesDir, downloadsDir, cacheDir, tempDir } = folder;
    for (const dir of [path, profileDir, preferencesDir, downloadsDir, cacheDir, tempDir]) {
      await mkdir(dir, { mode: 0o700 });
      if (user !== null) await chown(dir, user.uid, user.gid);
    }
  } catch (error) {
    await folder.remove().catch(() => {});
    throw error;
  }
  return folder;
}

const UNPACKING_PREFIX = 'unpacking-';

/** A new name for a folder that this process unpacks into. */
export function unpackingName(): string {
  return `${UNPACKING_PREFIX}${PROCESS_MARK}-${randomBytes(6).toString('hex')}`;
}

/** Removes the folders of killed processes that did not finish unpacking. */
async function removeUnfinishedUnpacking(home: string): Promise<void> {
  for (const name of await readdir(home).catch(() => [])) {
    if (!name.startsWith(UNPACKING_PREFIX) || isMarkedProcessAlive(name.slice(UNPACKING_PREFIX.length)))
      continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

/**
 * Ends the browsers of service processes that were killed, and removes their profiles and unfinished unpacking. May take
 * seconds.
 * @returns the number of profiles
 */
export async function removeLeftovers({ home, runDir }: BrowsersHome): Promise<number> {
  await removeUnfinishedUnpacking(home);
  const names = await readdir(runDir).catch(() => []);
  const leftovers = names
    .filter((name) => !isMarkedProcessAlive(name))
    .map((name) => join(runDir, name))
    .filter((path) => !foldersInUse.has(path));
  if (leftovers.length === 0) return 0;
  for (const group of await processGroupsUsing(leftovers)) await killProcessGroup(group);
  for (const path of leftovers)
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return leftovers.length;
}

/** Process groups with a command line that names one of the folders; none without /proc. */
async function processGroupsUsing(folders: readonly string[]): Promise<ReadonlySet<number>> {
  const groups = new Set<number>();
  for (const { pid, group } of await listProcesses()) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (group > 1 && folders.some((folder) => commandLine.includes(`${folder}/`))) groups.add(group);
  }
  return groups;
}
