import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binaries } from '../../../src/adapters/scrapers/browser/binary/binaries.ts';
import { browsersHome } from '../../../src/adapters/scrapers/browser/binary/browsers-home.ts';
import { findBrowsers } from '../../../src/adapters/scrapers/browser/binary/find-browsers.ts';
import type { FoundBrowser } from '../../../src/adapters/scrapers/browser/binary/found-browser.ts';
import { browserUser } from '../../../src/adapters/scrapers/browser/launch/browser-user.ts';
import type { Lane } from '../../../src/adapters/scrapers/browser/launch/lane.ts';
import { launch } from '../../../src/adapters/scrapers/browser/launch/launch.ts';
import type { LaunchedBrowser } from '../../../src/adapters/scrapers/browser/launch/launched-browser.ts';
import { findXvfb } from '../../../src/adapters/scrapers/browser/launch/virtual-display.ts';
import { Supervisor } from '../../../src/adapters/scrapers/browser/supervisor/supervisor.ts';
import type { WearLimits } from '../../../src/adapters/scrapers/browser/supervisor/wear.ts';
import { readSurroundings } from '../../../src/config/surroundings.ts';
import type { Failure } from '../../../src/domain/failure.ts';
import { ROOT } from '../../helpers/repository.ts';

export const USER = browserUser();
/** The Chromium that comes along is unpacked here once for all tests. */
export const FOLDERS = browsersHome(join(ROOT, 'node_modules/.cache/sluice'), USER);

/** Nothing listens there: the browser reaches nothing. */
const NOWHERE = 'http://127.0.0.1:9';

export function find(
  configured: readonly { type: 'chromium' | 'chrome'; path: string }[] = [],
  change: Partial<ReturnType<typeof readSurroundings>> = {},
) {
  return (async () => {
    const { searchPath, ...caches } = { ...readSurroundings(), ...change };
    const { noDisplay } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders: FOLDERS, user: USER, noDisplay });
  })();
}

/** Every Chromium, Chrome and Edge of this machine. */
export async function chromiums(): Promise<readonly FoundBrowser[]> {
  return (await find()).filter((one) => one.headless && one.type !== 'firefox' && one.type !== 'webkit');
}

export const start = (found: FoundBrowser, headless = true) => startIn('full', found, headless);

async function startIn<L extends Lane>(lane: L, found: FoundBrowser, headless: boolean) {
  const { xvfb } = await findXvfb(readSurroundings().searchPath);
  return launch(
    { folders: FOLDERS, user: USER, sandbox: true, proxyServer: NOWHERE, ownKeyHash: null, xvfb },
    found,
    headless,
    lane,
  );
}

export function isLaunched<L extends Lane>(
  launched: LaunchedBrowser<L> | Failure,
): asserts launched is LaunchedBrowser<L> {
  if (!('browser' in launched)) throw new Error(launched.message);
}

export interface Line {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function supervise(slots: number, lines: Line[] = [], wear?: WearLimits): Supervisor {
  return new Supervisor({
    binaries: new Binaries(() => find()),
    launch: (found, headless, lane) => startIn(lane, found, headless),
    log: (event, fields) => void lines.push({ event, fields }),
    slots,
    sandbox: true,
    ...(wear === undefined ? {} : { wear }),
  });
}

export interface Process {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
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

export const ofGroup = (group: number): readonly Process[] =>
  processes().filter((one) => one.group === group);

/** Those of the browsers that were started on a folder of this process: only some of theirs name it, so all of their groups. */
export function leftBy(pid: number): readonly Process[] {
  const all = processes();
  const started = all.filter(({ line }) => line.includes(`${FOLDERS.runDir}/${pid}-`));
  const groups = new Set(started.map(({ group }) => group));
  return all.filter((one) => groups.has(one.group));
}

export const foldersOf = (pid: number): readonly string[] =>
  readdirSync(FOLDERS.runDir).filter((name) => name.startsWith(`${pid}-`));

/** A program that starts it as it wants to be started: to be named by a path alone. */
export function wrapped({ path, env }: FoundBrowser): { readonly path: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'sluice-test-browser-'));
  chmodSync(home, 0o755);
  const program = join(home, 'headless-shell');
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(program, `#!/bin/sh\n${lines.join('')}exec '${path}' "$@"\n`, { mode: 0o755 });
  return { path: program, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
}
