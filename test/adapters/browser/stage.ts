import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unprivilegedUser } from '../../../src/base/unprivileged-user.ts';
import { browsersHome } from '../../../src/browser/engine/browser-folders.ts';
import { findBrowsers } from '../../../src/browser/engine/find-browsers.ts';
import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import { installedBrowsers, playwrightBrowsers } from '../../../src/browser/engine/installed-browsers.ts';
import { findBundledChromium } from '../../../src/browser/engine/unpack-chromium.ts';
import { findXvfb } from '../../../src/browser/engine/virtual-display.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import { ROOT } from '../../helpers/repository.ts';

export const USER = unprivilegedUser();
/** The folders of the browsers. The bundled Chromium is unpacked there once for all tests. */
export const FOLDERS = browsersHome(join(ROOT, 'node_modules/.cache/sluice'), USER);

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

/**
 * Every Chromium, Chrome and Edge of this machine. The search starts each browser, so its result is kept in a file, and is valid
 * for a day while the same files are there.
 */
export async function chromiums(): Promise<readonly FoundBrowser[]> {
  const state = await installedState();
  const kept = readKept();
  if (
    kept !== null &&
    kept.state === state &&
    kept.browsers.every(({ path }, index) => fileState(path) === kept.files[index])
  )
    return kept.browsers;
  const all = await browsersOnMachine();
  const browsers = all.filter((one) => one.headless && isChromium(one));
  // A browser that does not work now may work in a minute, when its libraries are installed.
  if (browsers.length > 0 && browsers.length === all.filter(isChromium).length) {
    const files = browsers.map(({ path }) => fileState(path));
    const own = `${KEPT}-${process.pid}`;
    mkdirSync(dirname(KEPT), { recursive: true });
    writeFileSync(own, JSON.stringify({ state, browsers, files } satisfies Kept));
    renameSync(own, KEPT);
  }
  return browsers;
}

const isChromium = ({ type }: FoundBrowser) => type !== 'firefox' && type !== 'webkit';

/** Browsers that were found, and what the machine was like. */
interface Kept {
  readonly state: string;
  readonly browsers: readonly FoundBrowser[];
  /** Of the same indices. */
  readonly files: readonly string[];
}

const KEPT = join(ROOT, 'node_modules/.cache/sluice/chromiums.json');

function readKept(): Kept | null {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as Kept;
  } catch {
    return null;
  }
}

/** All that decides which browsers are found, without starting them. */
async function installedState(): Promise<string> {
  const { searchPath, ...caches } = readMachinePaths();
  const [xvfb, bundled, ...candidates] = await Promise.all([
    findXvfb(searchPath),
    findBundledChromium(),
    installedBrowsers(process.platform, searchPath),
    playwrightBrowsers(process.platform, caches),
  ]);
  const files = candidates.flat().map(({ path }) => [path, fileState(path)]);
  const day = new Date().toISOString().slice(0, 10);
  return JSON.stringify([day, USER, FOLDERS, xvfb, bundled, files]);
}

/** The size and the times of a file. They change when another version is installed. */
function fileState(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'missing' : [found.size, found.mtimeMs, found.ctimeMs].join(' ');
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
export const foldersOf = (pid: number, { runDir } = FOLDERS): readonly string[] =>
  readdirSync(runDir).filter((name) => name.startsWith(`${pid}-`));

/** A script that starts the browser with the environment that it needs, so that its path alone is enough. */
export function wrapped({ path, env }: FoundBrowser): { readonly path: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'sluice-test-browser-'));
  chmodSync(home, 0o755);
  const program = join(home, 'headless-shell');
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(program, `#!/bin/sh\n${lines.join('')}exec '${path}' "$@"\n`, { mode: 0o755 });
  return { path: program, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
}
