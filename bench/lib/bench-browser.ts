import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OsUser } from '../../src/base/unprivileged-user.ts';
import { browsersOnMachine, USER } from '../../test/adapters/browser/stage.ts';
import { cleanEnvironment } from '../../test/helpers/repository.ts';

/** The browser that all contenders use: the Chromium of the package, as Sluice unpacks it. */
export interface BenchBrowser {
  /** A script that sets the environment of the browser and starts it. */
  readonly path: string;
  readonly version: string | null;
  /** Switches of Sluice's browser that the others get too; see `sharedSwitches`. */
  switches: readonly string[];
  /** The unprivileged user of browsers; null: that of this process. */
  readonly user: OsUser | null;
  /** Environment and user for a program that starts the browser. */
  spawnOptions(): { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** Deletes the files that `benchBrowser` made. */
  remove(): void;
}

/** Switches that belong to one run, to Sluice's gateway, or to the connection between driver and browser. */
const NOT_SHARED =
  /^--(user-data-dir|remote-debugging|no-startup-window|proxy-server|proxy-bypass-list|host-resolver-rules)/;

/** The switches of Sluice's browser, without those that only make sense for Sluice. */
export function sharedSwitches(commandLine: readonly string[]): readonly string[] {
  return commandLine.slice(1).filter((word) => word.startsWith('--') && !NOT_SHARED.test(word));
}

/** The caller must call `remove`. Rejects where the Chromium of the package cannot be used. */
export async function benchBrowser(): Promise<BenchBrowser> {
  const found = (await browsersOnMachine()).find((one) => one.source === 'package');
  if (found === undefined || !found.headless)
    throw new Error(
      `The Chromium of the package cannot be used here: ${found?.reason ?? 'it is not installed'}.`,
    );
  const home = mkdtempSync(join(tmpdir(), 'sluice-bench-browser-'));
  chmodSync(home, 0o755);
  // Sluice knows a browser without windows by this file name.
  const path = join(home, 'headless-shell');
  const lines = Object.entries(found.env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(path, `#!/bin/sh\n${lines.join('')}exec '${found.path}' "$@"\n`, { mode: 0o755 });
  const userHome = join(home, 'user');
  mkdirSync(userHome, { mode: 0o700 });
  if (USER !== null) chownSync(userHome, USER.uid, USER.gid);
  const browser: BenchBrowser = {
    path,
    version: found.version,
    switches: [],
    user: USER,
    spawnOptions: () => ({
      env: {
        ...cleanEnvironment(),
        HOME: userHome,
        TMPDIR: userHome,
        BENCH_BROWSER: JSON.stringify([path, ...browser.switches]),
      },
      ...USER,
    }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
  return browser;
}
