import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../../../../domain/failure.ts';
import { registerIsolated } from '../actions/isolated.ts';
import type { FoundBrowser } from '../binary/found-browser.ts';
import { FastBrowser } from '../fast/fast-browser.ts';
import { type BrowserIdentity, identityOf } from '../user-agent.ts';
import type { BrowserUser } from './browser-user.ts';
import { chromiumArguments } from './chromium-arguments.ts';
import type { Drivers, Lane } from './lane.ts';
import { launchTrouble } from './launch-trouble.ts';
import type { LaunchedBrowser } from './launched-browser.ts';
import { type PipeTransport, pipeTransport } from './pipe-transport.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { makeRunFolder, type RunFolder } from './run-folder.ts';
import { type StartedProcess, startProcess } from './start-process.ts';
import type { Display } from './virtual-display.ts';
import { withIdentity } from './with-identity.ts';
import { withLimits } from './with-limits.ts';

/** A browser that has not answered by then hangs. */
const STARTING_MS = 20_000;
/** How long it may take to end by itself, before it is killed. */
const ENDING_MS = 1_000;
const TELLING_MS = 100;
/** Below it, pages with large pictures crash. */
const SHM_BYTES = 512 * 2 ** 20;
const LAST_CHARACTERS = 4_000;
/**
 * Chromium with windows, and without them too, asks a person when a server wants a name and password; nobody would
 * answer, and the page would hang. With no scheme allowed, the 401 is what the page gets.
 */
const LOCAL_STATE = JSON.stringify({ auth: { schemes: 'none' } });
/**
 * Without this, Chromium asks a server of Google's whether there is a portal to log on to, by the way out of the page,
 * whenever a certificate is not taken.
 */
const PREFERENCES = JSON.stringify({ alternate_error_pages: { enabled: false } });

export interface LaunchAsk<L extends Lane> {
  readonly found: FoundBrowser;
  readonly headless: boolean;
  readonly lane: L;
  readonly sandbox: boolean;
  readonly proxyServer: string;
  readonly ownKeyHash: string | null;
  readonly runDir: string;
  readonly user: BrowserUser | null;
  /** Where windows are drawn; null: the browser has none. Closed with the browser. */
  readonly display: Display | null;
}

/**
 * Starts a Chromium, Chrome or Edge: as the leader of a process group, without rights of the service or its environment,
 * and speaks to it over two pipes that nobody else can reach. With the last pipe the browser ends, also when
 * the service is killed. Never rejects.
 */
export async function launchChromium<L extends Lane>(
  ask: LaunchAsk<L>,
): Promise<LaunchedBrowser<L> | Failure> {
  const { found, lane, sandbox } = ask;
  // Without its path: callers are told, too.
  const name = `${found.type} ${found.version ?? ''}`.trimEnd();
  let folder: RunFolder;
  try {
    folder = await makeRunFolder(ask.runDir, ask.user);
  } catch (error) {
    await ask.display?.close();
    return launchTrouble(name, sandbox, '', `no profile can be made: ${(error as Error).message}`);
  }
  const smallShm = (await freeBytes('/dev/shm')) < SHM_BYTES;
  const started = await start(ask, folder, smallShm);
  if (started instanceof Error) {
    await ask.display?.close();
    await folder.remove().catch(() => {});
    return launchTrouble(name, sandbox, '', started.message);
  }
  const { pid, stdout, stderr, pipes, ended: gone, release } = started;
  let lastWords = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_CHARACTERS);
  });
  stdout.resume();
  const close = once(async () => {
    pipes[0]!.destroy();
    await Promise.race([gone, pause(ENDING_MS, undefined, { ref: false })]);
    // Also when it ended by itself: a process of it that hangs would stay.
    await endGroup(pid);
    await Promise.race([gone, pause(ENDING_MS, undefined, { ref: false })]);
    release();
    await ask.display?.close();
    // What cannot be removed now is, at the next start.
    await folder.remove().catch(() => {});
  });
  // When the leader has ended, the others of its group have nothing left to do.
  void gone.then(() => signalGroup(pid, 'SIGKILL'));
  try {
    const browser = await Promise.race([
      connect(ask, pipes, folder),
      gone.then((why) => Promise.reject(new Error(why))),
    ]);
    const { downloadsDir } = folder;
    return { lane, browser, found, headless: ask.headless, pid, smallShm, downloadsDir, gone, close };
  } catch (error) {
    // Its pipe may be closed a moment before its end is told, and the end says more.
    const how = await Promise.race([gone, pause(TELLING_MS, null, { ref: false })]);
    const cause = how ?? (error as Error).message.split('\n', 1)[0]!;
    await close();
    return launchTrouble(name, sandbox, lastWords, cause);
  }
}

async function start(
  ask: LaunchAsk<Lane>,
  folder: RunFolder,
  smallShm: boolean,
): Promise<StartedProcess | Error> {
  const { found, headless, sandbox, proxyServer, ownKeyHash, user, display } = ask;
  const { profileDir } = folder;
  await folder.put(join(profileDir, 'Local State'), LOCAL_STATE);
  await folder.put(join(folder.preferencesDir, 'Preferences'), PREFERENCES);
  const { userAgent } = identityOf(found.type, found.version ?? '');
  const args = chromiumArguments({
    profileDir,
    headless,
    sandbox,
    proxyServer,
    smallShm,
    ownKeyHash,
    userAgent,
  });
  const words = await withLimits({ path: found.path, args }).catch((error: Error) => error);
  if (words instanceof Error) return words;
  return startProcess({
    ...words,
    cwd: folder.path,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'en_US.UTF-8',
      HOME: folder.path,
      TMPDIR: folder.tempDir,
      XDG_CACHE_HOME: folder.cacheDir,
      XDG_CONFIG_HOME: folder.path,
      XDG_RUNTIME_DIR: folder.tempDir,
      ...found.env,
      ...display?.env,
    },
    user,
    pipes: 2,
  });
}

/** Rejects when the browser does not answer in time. */
function connect<L extends Lane>(
  { lane, found, headless }: LaunchAsk<L>,
  pipes: StartedProcess['pipes'],
  folder: RunFolder,
): Promise<Drivers[L]> {
  const transport = pipeTransport(pipes[0]!, pipes[1]!);
  return CONNECT[lane](transport, folder, identityOf(found.type, found.version ?? ''), headless);
}

type Connect<L extends Lane> = (
  transport: PipeTransport,
  folder: RunFolder,
  identity: BrowserIdentity,
  headless: boolean,
) => Promise<Drivers[L]>;

const CONNECT: { readonly [L in Lane]: Connect<L> } = {
  async full(transport, folder, identity, headless) {
    const told = withIdentity(transport, identity, headless);
    // Loading it takes a while; the browser uses the time to start.
    const { chromium, selectors } = await import('playwright-core');
    await registerIsolated(selectors);
    return chromium.connectOverCDP(told, { artifactsDir: folder.downloadsDir, timeout: STARTING_MS });
  },
  async fast(transport, _folder, identity) {
    const late = pause(STARTING_MS, null, { ref: false });
    const browser = await Promise.race([FastBrowser.over(transport, identity), late]);
    if (browser === null) throw new Error(`it did not respond within ${STARTING_MS / 1000} s`);
    return browser;
  },
};

/** 0 where there is no such file system. */
async function freeBytes(path: string): Promise<number> {
  const found = await statfs(path).catch(() => null);
  return found === null ? 0 : found.bavail * found.bsize;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
