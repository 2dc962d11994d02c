import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type BrowserUser,
  isMarkedProcessAlive,
  killProcessGroup,
  listProcesses,
  PROCESS_MARK,
} from './processes.ts';

/** Where root keeps browsers: other users cannot enter the data folder, or the home of root above it. */
const ROOT_HOME = '/var/lib/sluice/browsers';

/** Folder for binaries and profiles, and the one below it for profiles. */
export interface BrowsersHome {
  readonly home: string;
  readonly runDir: string;
}

/** `<data>/browsers`; when browsers run as another user than the service, a folder that this user can enter. */
export function browsersHome(dataDir: string, user: BrowserUser | null): BrowsersHome {
  const home = user === null ? join(dataDir, 'browsers') : ROOT_HOME;
  return { home, runDir: join(home, 'run') };
}

/** Rejects when the disk does not let it. */
export async function createBrowsersHome({ home, runDir }: BrowsersHome): Promise<void> {
  await mkdir(runDir, { recursive: true, mode: 0o755 });
  if (home === ROOT_HOME) await allowTraversal(dirname(home));
  // Whatever the umask says: a browser that runs as another user goes through both, and lists neither profiles.
  await chmod(home, 0o755);
  await chmod(runDir, 0o711);
}

/** Others may go through it, and see no more of it than before: it may be the data folder. */
async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o011) !== 0o011) await chmod(folder, (mode & 0o7777) | 0o011);
}

/** All that one run of a browser writes; nothing of it outlives the run. */
export interface InstanceFolder {
  readonly path: string;
  readonly profileDir: string;
  /** Within it: of the profile that a browser begins with. */
  readonly preferencesDir: string;
  readonly downloadsDir: string;
  readonly cacheDir: string;
  readonly tempDir: string;
  /** Writes a file that belongs to the user of the browser. */
  writeFile(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Folders that this process uses now: the sweeper leaves them alone. */
const foldersInUse = new Set<string>();

function isFolderInUse(path: string): boolean {
  return foldersInUse.has(path);
}

/** Whoever makes it removes it, when the browser has ended. Belongs to the user of the browser. */
export async function createInstanceFolder(
  runDir: string,
  user: BrowserUser | null,
): Promise<InstanceFolder> {
  const path = join(runDir, `${PROCESS_MARK}-${randomBytes(6).toString('hex')}`);
  const below = (name: string) => join(path, name);
  const folder: InstanceFolder = {
    path,
    profileDir: below('profile'),
    preferencesDir: below('profile/Default'),
    downloadsDir: below('downloads'),
    cacheDir: below('cache'),
    tempDir: below('tmp'),
    async writeFile(path, text) {
      await writeFile(path, text, { mode: 0o600 });
      if (user !== null) await chown(path, user.uid, user.gid);
    },
    async remove() {
      // What is just ending may still write into it.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      foldersInUse.delete(path);
    },
  };
  foldersInUse.add(path);
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

const UNPACKING_PREFIX = 'unpacking-';

/** The name of a folder that this process is filling. */
export function unpackingName(): string {
  return `${UNPACKING_PREFIX}${PROCESS_MARK}-${randomBytes(6).toString('hex')}`;
}

/** Removes what killed processes left half unpacked. */
async function removeUnfinishedUnpacking(home: string): Promise<void> {
  for (const name of await readdir(home).catch(() => [])) {
    if (!name.startsWith(UNPACKING_PREFIX) || isMarkedProcessAlive(name.slice(UNPACKING_PREFIX.length)))
      continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

/**
 * Ends the browsers and removes the profiles of processes that are no more (`kill -9`, loss of power), and what they
 * left half unpacked. Returns the number of profiles. For the time after the start: it may take seconds.
 */
export async function removeLeftovers({ home, runDir }: BrowsersHome): Promise<number> {
  await removeUnfinishedUnpacking(home);
  const names = await readdir(runDir).catch(() => []);
  const left = names
    .map((name) => join(runDir, name))
    .filter((path, at) => !isFolderInUse(path) && !isMarkedProcessAlive(names[at]!));
  if (left.length === 0) return 0;
  for (const group of await processGroupsUsing(left)) await killProcessGroup(group);
  for (const path of left) await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return left.length;
}

/** Process groups with a member that was started on one of the folders; none where there is no /proc. */
async function processGroupsUsing(folders: readonly string[]): Promise<ReadonlySet<number>> {
  const groups = new Set<number>();
  for (const { pid, group } of await listProcesses()) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (group > 1 && folders.some((folder) => line.includes(`${folder}/`))) groups.add(group);
  }
  return groups;
}
