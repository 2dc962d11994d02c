import { BrowserBinaries } from '../../../src/browser/engine/find-browsers.ts';
import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import { type LaunchedBrowser, launch } from '../../../src/browser/engine/launch.ts';
import { LinuxPageGovernor } from '../../../src/browser/engine/linux-page-governor.ts';
import type { PageGovernor } from '../../../src/browser/engine/page-governor.ts';
import { type RecyclingLimits, Supervisor } from '../../../src/browser/engine/supervisor.ts';
import { findXvfb } from '../../../src/browser/engine/virtual-display.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import type { Failure } from '../../../src/domain/failure.ts';
import type { Driver } from '../../../src/domain/option.ts';
import { browsersOnMachine, FOLDERS, USER } from './stage.ts';

/** The proxy of the browsers. Nothing listens there, so they reach nothing. */
const DEAD_PROXY = 'http://127.0.0.1:9';

/** Starts a browser, driven by Playwright, with the sandbox and without network. */
export const start = (found: FoundBrowser, headless = true, folders = FOLDERS) =>
  startIn('playwright', found, headless, folders);

async function startIn<D extends Driver>(
  driver: D,
  found: FoundBrowser,
  headless: boolean,
  folders = FOLDERS,
) {
  const { xvfb } = await findXvfb(readMachinePaths().searchPath);
  return launch(
    { folders, user: USER, sandbox: true, proxyServer: DEAD_PROXY, trustedKeyHashes: [], xvfb },
    found,
    headless,
    driver,
  );
}

export function isLaunched<L extends Driver>(
  launched: LaunchedBrowser<L> | Failure,
): asserts launched is LaunchedBrowser<L> {
  if (!('browser' in launched)) throw new Error(launched.message);
}

export interface LogEntry {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function supervise(
  slots: number,
  logEntries: LogEntry[] = [],
  recycling?: RecyclingLimits,
  governor: PageGovernor = new LinuxPageGovernor(),
): Supervisor {
  return new Supervisor({
    binaries: new BrowserBinaries(() => browsersOnMachine()),
    launch: (found, headless, driver) => startIn(driver, found, headless),
    governor,
    log: (event, fields) => void logEntries.push({ event, fields }),
    slots,
    sandbox: true,
    ...(recycling === undefined ? {} : { recycling }),
  });
}
