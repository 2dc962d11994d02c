import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { orTimeout } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import {
  type BrowsersHome,
  createBrowsersHome,
  createInstanceFolder,
  type InstanceFolder,
} from './browser-folders.ts';
import { CdpBrowser } from './cdp-browser.ts';
import { chromiumArguments } from './chromium-arguments.ts';
import type { Driver, DriverBrowsers } from './driver.ts';
import type { FoundBrowser } from './found-browser.ts';
import { createPipeTransport, type PipeTransport } from './pipe-transport.ts';
import {
  type BrowserUser,
  killProcessGroup,
  type StartedProcess,
  signalProcessGroup,
  startProcess,
  withResourceLimits,
} from './processes.ts';
import { type BrowserIdentity, browserIdentity, withIdentity } from './user-agent.ts';
import { startVirtualDisplay, type VirtualDisplay } from './virtual-display.ts';

const MAX_SHOWN_CHARACTERS = 300;

/**
 * What kept a browser from starting, from its last words. `browser.unavailable` is what stays so until somebody changes
 * the machine or the settings; all else is `browser.down`.
 */
export function explainLaunchFailure(
  name: string,
  sandbox: boolean,
  lastWords: string,
  cause: string,
): Failure {
  if (sandbox && /No usable sandbox|SUID sandbox helper|FATAL:.*zygote_host_impl_linux/.test(lastWords)) {
    return failure(
      'browser.unavailable',
      `${name} cannot use its sandbox: this machine forbids user namespaces to it. Allow them (sysctl ` +
        'user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or the seccomp profile of the ' +
        'container), or set SLUICE_BROWSER_SANDBOX=off.',
    );
  }
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(lastWords)?.[1];
  if (library !== undefined) {
    return failure(
      'browser.unavailable',
      `${name} cannot be loaded: the library ${library} is not installed.`,
    );
  }
  const short = resourceShortage(`${cause}\n${lastWords}`);
  if (short !== null) return failure('browser.down', `${name} did not start: ${short}`);
  const last = lastWords.trim().split('\n').at(-1)?.slice(-MAX_SHOWN_CHARACTERS) ?? '';
  return failure('browser.down', `${name} did not start: ${cause}${last === '' ? '' : ` (${last})`}.`);
}

/** What the machine has not enough of, and what to do; null: nothing of the kind is said. */
function resourceShortage(words: string): string | null {
  if (/\b(?:EMFILE|ENFILE)\b|Too many open files/.test(words))
    return 'there are no file descriptors left: raise the limit of open files (ulimit -n, LimitNOFILE).';
  if (/\b(?:EAGAIN|ENOMEM)\b|Resource temporarily unavailable|Cannot allocate memory/.test(words))
    return 'out of memory or processes: raise the limits of the container or the user (pids, memory).';
  if (/dev\/shm/.test(words) && /No space left on device|Permission denied|ENOSPC/.test(words))
    return 'there is no shared memory left: give /dev/shm 512 MB or more (shm_size).';
  if (/\bENOSPC\b|No space left on device/.test(words)) return 'the disk with its profile is full.';
  return null;
}

/** Starts a browser with this driver. Never rejects. */
export type LaunchBrowser = <D extends Driver>(
  found: FoundBrowser,
  headless: boolean,
  driver: D,
) => Promise<LaunchedBrowser<D> | Failure>;

/** A browser that runs. Whoever launched it closes it. */
export interface LaunchedBrowser<L extends Driver = 'playwright'> {
  readonly driver: L;
  readonly browser: DriverBrowsers[L];
  readonly found: FoundBrowser;
  readonly headless: boolean;
  /** Leader of its process group. */
  readonly pid: number;
  /** It draws in files of its temp folder, because there was too little shared memory when it was started. */
  readonly smallShm: boolean;
  /** Where it puts downloads; gone when it is closed. */
  readonly downloadsDir: string;
  /** Settles when it has ended, for whatever reason, with that reason in words. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends it, hung or not, with all its processes, and removes what it wrote. Never rejects; again: the same. */
  close(): Promise<void>;
}

/** A browser that has not answered by then hangs. */
const START_TIMEOUT_MS = 20_000;
/** How long it may take to end by itself, before it is killed. */
const EXIT_TIMEOUT_MS = 1_000;
const EXIT_REASON_MS = 100;
/** Below it, pages with large pictures crash. */
const MIN_SHM_BYTES = 512 * 2 ** 20;
const MAX_STDERR_CHARACTERS = 4_000;
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

interface ChromiumLaunchOptions<L extends Driver> {
  readonly found: FoundBrowser;
  readonly headless: boolean;
  readonly driver: L;
  readonly sandbox: boolean;
  readonly proxyServer: string;
  readonly trustedKeyHash: string | null;
  readonly runDir: string;
  readonly user: BrowserUser | null;
  /** Where windows are drawn; null: the browser has none. Closed with the browser. */
  readonly display: VirtualDisplay | null;
}

/**
 * Starts a Chromium, Chrome or Edge: as the leader of a process group, without rights of the service or its environment,
 * and speaks to it over two pipes that nobody else can reach. With the last pipe the browser ends, also when
 * the service is killed. Never rejects.
 */
async function launchChromium<L extends Driver>(
  ask: ChromiumLaunchOptions<L>,
): Promise<LaunchedBrowser<L> | Failure> {
  const { found, driver, sandbox } = ask;
  // Without its path: callers are told, too.
  const name = `${found.type} ${found.version ?? ''}`.trimEnd();
  let folder: InstanceFolder;
  try {
    folder = await createInstanceFolder(ask.runDir, ask.user);
  } catch (error) {
    await ask.display?.close();
    return explainLaunchFailure(name, sandbox, '', `no profile can be made: ${(error as Error).message}`);
  }
  const smallShm = (await freeBytes('/dev/shm')) < MIN_SHM_BYTES;
  const started = await startChromium(ask, folder, smallShm);
  if (started instanceof Error) {
    await ask.display?.close();
    await folder.remove().catch(() => {});
    return explainLaunchFailure(name, sandbox, '', started.message);
  }
  const { pid, stdout, stderr, pipes, exited: gone, closeStreams } = started;
  let lastWords = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_STDERR_CHARACTERS);
  });
  stdout.resume();
  const close = once(async () => {
    pipes[0]!.destroy();
    await orTimeout(gone, EXIT_TIMEOUT_MS, null);
    // Also when it ended by itself: a process of it that hangs would stay.
    await killProcessGroup(pid);
    await orTimeout(gone, EXIT_TIMEOUT_MS, null);
    closeStreams();
    await ask.display?.close();
    // What cannot be removed now is, at the next start.
    await folder.remove().catch(() => {});
  });
  // When the leader has ended, the others of its group have nothing left to do.
  void gone.then(() => signalProcessGroup(pid, 'SIGKILL'));
  try {
    const browser = await Promise.race([
      connectDriver(ask, pipes, folder),
      gone.then((why) => Promise.reject(new Error(why))),
    ]);
    const { downloadsDir } = folder;
    return {
      driver,
      browser,
      found,
      headless: ask.headless,
      pid,
      smallShm,
      downloadsDir,
      exited: gone,
      close,
    };
  } catch (error) {
    // Its pipe may be closed a moment before its end is told, and the end says more.
    const how = await orTimeout(gone, EXIT_REASON_MS, null);
    const cause = how ?? (error as Error).message.split('\n', 1)[0]!;
    await close();
    return explainLaunchFailure(name, sandbox, lastWords, cause);
  }
}

async function startChromium(
  ask: ChromiumLaunchOptions<Driver>,
  folder: InstanceFolder,
  smallShm: boolean,
): Promise<StartedProcess | Error> {
  const { found, headless, sandbox, proxyServer, trustedKeyHash, user, display } = ask;
  const { profileDir } = folder;
  await folder.writeFile(join(profileDir, 'Local State'), LOCAL_STATE);
  await folder.writeFile(join(folder.preferencesDir, 'Preferences'), PREFERENCES);
  const { userAgent } = browserIdentity(found.type, found.version ?? '');
  const args = chromiumArguments({
    profileDir,
    headless,
    sandbox,
    proxyServer,
    smallShm,
    trustedKeyHash,
    userAgent,
  });
  const words = await withResourceLimits({ path: found.path, args }).catch((error: Error) => error);
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
function connectDriver<L extends Driver>(
  { driver, found, headless }: ChromiumLaunchOptions<L>,
  pipes: StartedProcess['pipes'],
  folder: InstanceFolder,
): Promise<DriverBrowsers[L]> {
  const transport = createPipeTransport(pipes[0]!, pipes[1]!);
  return CONNECT_BY_DRIVER[driver](
    transport,
    folder,
    browserIdentity(found.type, found.version ?? ''),
    headless,
  );
}

type ConnectDriver<L extends Driver> = (
  transport: PipeTransport,
  folder: InstanceFolder,
  identity: BrowserIdentity,
  headless: boolean,
) => Promise<DriverBrowsers[L]>;

const CONNECT_BY_DRIVER: { readonly [L in Driver]: ConnectDriver<L> } = {
  async playwright(transport, folder, identity, headless) {
    const told = withIdentity(transport, identity, headless);
    // Loading it takes a while; the browser uses the time to start.
    const { chromium } = await import('playwright-core');
    return chromium.connectOverCDP(told, { artifactsDir: folder.downloadsDir, timeout: START_TIMEOUT_MS });
  },
  async cdp(transport, _folder, identity) {
    const browser = await orTimeout(CdpBrowser.connect(transport, identity), START_TIMEOUT_MS, null);
    if (browser === null) throw new Error(`it did not respond within ${START_TIMEOUT_MS / 1000} s`);
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

interface LaunchOptions {
  readonly folders: BrowsersHome;
  readonly user: BrowserUser | null;
  readonly sandbox: boolean;
  /** `http://127.0.0.1:1234`. */
  readonly proxyServer: string;
  /** Hash of a public key of this process, whose certificates Chromium takes; null: none. */
  readonly trustedKeyHash: string | null;
  /** The program Xvfb; null: windows need none here, or cannot be had. */
  readonly xvfb: string | null;
}

/** Starts a browser; whoever calls closes it. Never rejects. */
export async function launch<L extends Driver>(
  parts: LaunchOptions,
  found: FoundBrowser,
  headless: boolean,
  lane: L,
): Promise<LaunchedBrowser<L> | Failure> {
  const { folders, user, sandbox, proxyServer, trustedKeyHash, xvfb } = parts;
  const { runDir } = folders;
  let display: VirtualDisplay | null = null;
  try {
    await createBrowsersHome(folders);
    if (!headless && xvfb !== null) display = await startVirtualDisplay(xvfb, runDir, user);
  } catch (error) {
    return failure('browser.down', `${found.type} did not start: ${(error as Error).message}.`);
  }
  return launchChromium({
    found,
    headless,
    driver: lane,
    sandbox,
    proxyServer,
    trustedKeyHash,
    runDir,
    user,
    display,
  });
}
