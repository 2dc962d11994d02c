import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browsersHome } from '../../../src/browser/engine/browser-folders.ts';
import { BrowserBinaries, findBrowsers } from '../../../src/browser/engine/find-browsers.ts';
import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import type { LaunchedBrowser } from '../../../src/browser/engine/launch.ts';
import { launch } from '../../../src/browser/engine/launch.ts';
import { LinuxPageGovernor } from '../../../src/browser/engine/linux-page-governor.ts';
import type { PageGovernor } from '../../../src/browser/engine/page-governor.ts';
import { browserUser } from '../../../src/browser/engine/processes.ts';
import { type RecyclingLimits, Supervisor } from '../../../src/browser/engine/supervisor.ts';
import { findXvfb } from '../../../src/browser/engine/virtual-display.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import type { Failure } from '../../../src/domain/failure.ts';
import type { Driver } from '../../../src/domain/option.ts';
import { ROOT } from '../../helpers/repository.ts';

export const USER = browserUser();
/** The folders of the browsers. The bundled Chromium is unpacked there once for all tests. */
export const FOLDERS = browsersHome(join(ROOT, 'node_modules/.cache/sluice'), USER);

/** The proxy of the browsers. Nothing listens there, so they reach nothing. */
const DEAD_PROXY = 'http://127.0.0.1:9';

/** All browsers of this machine, as the service finds them. @param change other folders to search */
export function browsersOnMachine(
  configured: readonly { type: 'chromium' | 'chrome'; path: string }[] = [],
  change: Partial<ReturnType<typeof readMachinePaths>> = {},
) {
  return (async () => {
    const { searchPath, ...caches } = { ...readMachinePaths(), ...change };
    const { noDisplayReason } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders: FOLDERS, user: USER, noDisplayReason });
  })();
}

/** Every Chromium, Chrome and Edge of this machine. */
export async function chromiums(): Promise<readonly FoundBrowser[]> {
  return (await browsersOnMachine()).filter(
    (one) => one.headless && one.type !== 'firefox' && one.type !== 'webkit',
  );
}

/** Starts a browser, driven by Playwright, with the sandbox and without network. */
export const start = (found: FoundBrowser, headless = true) => startIn('playwright', found, headless);

async function startIn<D extends Driver>(driver: D, found: FoundBrowser, headless: boolean) {
  const { xvfb } = await findXvfb(readMachinePaths().searchPath);
  return launch(
    { folders: FOLDERS, user: USER, sandbox: true, proxyServer: DEAD_PROXY, trustedKeyHash: null, xvfb },
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

export interface Process {
  readonly pid: number;
  /** One letter, as in `/proc/…/stat`. */
  readonly state: string;
  readonly group: number;
  /** The command line. */
  readonly line: string;
}

/** All processes that have not ended. */
export function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return state === 'Z' ? [] : [{ pid: Number(name), state: state!, group: Number(group), line }];
      } catch {
        return [];
      }
    });
}

export const processesOfGroup = (group: number): readonly Process[] =>
  processes().filter((one) => one.group === group);

/**
 * All processes of the browsers that the process `pid` has started. Only some of them name its folder in their command line;
 * the others are found by their process group.
 */
export function browserProcessesOf(pid: number): readonly Process[] {
  const all = processes();
  const started = all.filter(({ line }) => line.includes(`${FOLDERS.runDir}/${pid}-`));
  const groups = new Set(started.map(({ group }) => group));
  return all.filter((one) => groups.has(one.group));
}

/** The profile folders of the browsers that the process `pid` has started. */
export const foldersOf = (pid: number): readonly string[] =>
  readdirSync(FOLDERS.runDir).filter((name) => name.startsWith(`${pid}-`));

/** A script that starts the browser with the environment that it needs, so that its path alone is enough. */
export function wrapped({ path, env }: FoundBrowser): { readonly path: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'sluice-test-browser-'));
  chmodSync(home, 0o755);
  const program = join(home, 'headless-shell');
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(program, `#!/bin/sh\n${lines.join('')}exec '${path}' "$@"\n`, { mode: 0o755 });
  return { path: program, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
}
