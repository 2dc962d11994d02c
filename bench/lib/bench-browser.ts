import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserUser } from '../../src/browser/engine/processes.ts';
import { find, USER } from '../../test/adapters/browser/stage.ts';
import { cleanEnvironment } from '../../test/helpers/repository.ts';

/** The one browser of all contenders: the Chromium of the package, as Sluice unpacks it. */
export interface BenchBrowser {
  /** A script that sets what the browser needs and starts it: the same for everybody. */
  readonly path: string;
  readonly version: string | null;
  /** Switches of Sluice's browser that others get too; see `switchesFor`. */
  switches: readonly string[];
  readonly user: BrowserUser | null;
  /** Environment and user for a program that starts it. */
  surroundings(): { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  remove(): void;
}

/** What belongs to one run, to a proxy, or to the way of the driver to its browser. */
const NOT_SHARED =
  /^--(user-data-dir|remote-debugging|no-startup-window|proxy-server|proxy-bypass-list|host-resolver-rules)/;

/** The switches that Sluice starts its browser with, without its way through the gateway, which is its own. */
export function sharedSwitches(commandLine: readonly string[]): readonly string[] {
  return commandLine.slice(1).filter((word) => word.startsWith('--') && !NOT_SHARED.test(word));
}

/** Whoever asks removes it. Rejects where there is no such browser. */
export async function benchBrowser(): Promise<BenchBrowser> {
  const found = (await find()).find((one) => one.source === 'package');
  if (found === undefined || !found.headless)
    throw new Error(
      `The Chromium of the package cannot be used here: ${found?.reason ?? 'it is not installed'}.`,
    );
  const home = mkdtempSync(join(tmpdir(), 'sluice-bench-browser-'));
  chmodSync(home, 0o755);
  // Sluice takes from the name that it has no windows.
  const path = join(home, 'headless-shell');
  const lines = Object.entries(found.env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(path, `#!/bin/sh\n${lines.join('')}exec '${found.path}' "$@"\n`, { mode: 0o755 });
  const own = join(home, 'own');
  mkdirSync(own, { mode: 0o700 });
  if (USER !== null) chownSync(own, USER.uid, USER.gid);
  const browser: BenchBrowser = {
    path,
    version: found.version,
    switches: [],
    user: USER,
    surroundings: () => ({
      env: {
        ...cleanEnvironment(),
        HOME: own,
        TMPDIR: own,
        BENCH_BROWSER: JSON.stringify([path, ...browser.switches]),
      },
      ...USER,
    }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
  return browser;
}
