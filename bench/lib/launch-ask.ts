import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Options for `launch` of Playwright and of Puppeteer, which have these names in common. */
export interface LaunchOptions {
  readonly executablePath: string;
  readonly args: string[];
  /** The browser gets no switches but `args`. */
  readonly ignoreDefaultArgs: true;
}

/**
 * The browser that `startContender` has put into the environment, with the switches that all contenders share, a new
 * profile, and the switches that this driver needs to connect to the browser.
 */
export function launchOptions(...driverSwitches: readonly string[]): LaunchOptions {
  const [executablePath, ...switches] = JSON.parse(process.env.BENCH_BROWSER!) as [string, ...string[]];
  const profile = mkdtempSync(join(tmpdir(), 'profile-'));
  return {
    executablePath,
    args: [...switches, `--user-data-dir=${profile}`, ...driverSwitches],
    ignoreDefaultArgs: true,
  };
}
