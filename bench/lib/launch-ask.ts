import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LaunchAsk {
  readonly executablePath: string;
  readonly args: string[];
  /** None but `args`. Playwright and Puppeteer know the member under the same name. */
  readonly ignoreDefaultArgs: true;
}

/**
 * What `startContender` told this process of the browser: the binary and the switches of Sluice's own, with a
 * profile of its own and what this driver needs to reach it.
 */
export function launchAsk(...own: readonly string[]): LaunchAsk {
  const [executablePath, ...switches] = JSON.parse(process.env.BENCH_BROWSER!) as [string, ...string[]];
  const profile = mkdtempSync(join(tmpdir(), 'profile-'));
  return {
    executablePath,
    args: [...switches, `--user-data-dir=${profile}`, ...own],
    ignoreDefaultArgs: true,
  };
}
