import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserUser } from '../launch/browser-user.ts';

/** Where root keeps browsers: other users cannot enter the data folder, or the home of root above it. */
const OF_ROOT = '/var/lib/sluice/browsers';

/** Folder for binaries and profiles, and the one below it for profiles. */
export interface BrowsersHome {
  readonly home: string;
  readonly runDir: string;
}

/** `<data>/browsers`; when browsers run as another user than the service, a folder that this user can enter. */
export function browsersHome(dataDir: string, user: BrowserUser | null): BrowsersHome {
  const home = user === null ? join(dataDir, 'browsers') : OF_ROOT;
  return { home, runDir: join(home, 'run') };
}

/** Rejects when the disk does not let it. */
export async function makeHome({ home, runDir }: BrowsersHome): Promise<void> {
  await mkdir(runDir, { recursive: true, mode: 0o755 });
  if (home === OF_ROOT) await letThrough(dirname(home));
  // Whatever the umask says: a browser that runs as another user goes through both, and lists neither profiles.
  await chmod(home, 0o755);
  await chmod(runDir, 0o711);
}

/** Others may go through it, and see no more of it than before: it may be the data folder. */
async function letThrough(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o011) !== 0o011) await chmod(folder, (mode & 0o7777) | 0o011);
}
