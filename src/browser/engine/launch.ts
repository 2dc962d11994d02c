import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { OsUser } from '../../base/unprivileged-user.ts';
import { orTimeout } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Driver } from '../../domain/option.ts';
import {
  type BrowsersHome,
  createBrowsersHome,
  createInstanceFolder,
  type InstanceFolder,
} from './browser-folders.ts';
import { CdpBrowser } from './cdp-browser.ts';
import { chromiumArguments } from './chromium-arguments.ts';
import type { DriverBrowsers } from './driver.ts';
import type { FoundBrowser } from './found-browser.ts';
import { createPipeTransport, type PipeTransport } from './pipe-transport.ts';
import {
  killProcessGroup,
  type StartedProcess,
  signalProcessGroup,
  startProcess,
  withResourceLimits,
} from './processes.ts';
import { type BrowserIdentity, identityOf, withIdentity } from './user-agent.ts';
import { startVirtualDisplay, type VirtualDisplay } from './virtual-display.ts';

/** Of the last output of a browser in a message. */
const MAX_SHOWN_CHARACTERS = 300;

/**
 * Why a browser did not start. `browser.unavailable`: it cannot start until somebody changes the machine or the settings;
 * `browser.down`: a later start may succeed.
 * @param name of the browser, for the message
 * @param stderr the last output of the browser
 * @param cause why the start failed, without the output
 */
export function explainLaunchFailure(name: string, sandbox: boolean, stderr: string, cause: string): Failure {
  if (sandbox && /No usable sandbox|SUID sandbox helper|FATAL:.*zygote_host_impl_linux/.test(stderr)) {
    return failure(
      'browser.unavailable',
      `${name} cannot use its sandbox: this machine forbids user namespaces to it. Allow them (sysctl ` +
        'user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or the seccomp profile of the ' +
        'container), or set SLUICE_BROWSER_SANDBOX=off.',
    );
  }
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(stderr)?.[1];
  if (library !== undefined) {
    return failure(
      'browser.unavailable',
      `${name} cannot be loaded: the library ${library} is not installed.`,
    );
  }
  const shortage = resourceShortage(`${cause}\n${stderr}`);
  if (shortage !== null) return failure('browser.down', `${name} did not start: ${shortage}`);
  const lastLine = stderr.trim().split('\n').at(-1)?.slice(-MAX_SHOWN_CHARACTERS) ?? '';
  return failure(
    'browser.down',
    `${name} did not start: ${cause}${lastLine === '' ? '' : ` (${lastLine})`}.`,
  );
}

/** Which resource the machine lacks, and what to do about it; null: the output mentions none. */
function resourceShortage(output: string): string | null {
  if (/\b(?:EMFILE|ENFILE)\b|Too many open files/.test(output))
    return 'there are no file descriptors left: raise the limit of open files (ulimit -n, LimitNOFILE).';
  if (/\b(?:EAGAIN|ENOMEM)\b|Resource temporarily unavailable|Cannot allocate memory/.test(output))
    return 'the machine is out of memory or processes: raise the limits of the container or the user (pids, memory).';
  if (/dev\/shm/.test(output) && /No space left on device|Permission denied|ENOSPC/.test(output))
    return 'there is no shared memory left: give /dev/shm 512 MB or more (shm_size).';
  if (/\bENOSPC\b|No space left on device/.test(output))
    return 'the disk with the folder for browser profiles is full.';
  return null;
}

/** Starts a browser with this driver. Never rejects. */
export type LaunchBrowser = <D extends Driver>(
  found: FoundBrowser,
  headless: boolean,
  driver: D,
) => Promise<LaunchedBrowser<D> | Failure>;

/** A running browser. Its launcher closes it. */
export interface LaunchedBrowser<D extends Driver = 'playwright'> {
  readonly driver: D;
  readonly browser: DriverBrowsers[D];
  readonly found: FoundBrowser;
  readonly headless: boolean;
  /** Leader of its process group. */
  readonly pid: number;
  /** Where it saves downloads. */
  readonly downloadsDir: string;
  /** The browser uses files instead of shared memory, because /dev/shm had too little space when it was started. */
  readonly smallShm: boolean;
  /** Resolves when the browser has ended, with a text such as `it ended with SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends all its processes, even if it hangs, and removes its files. Never rejects. May be called again. */
  close(): Promise<void>;
}

/** A browser that does not respond within this time hangs. */
const START_TIMEOUT_MS = 20_000;
/** How long a browser may take to end after its pipe was closed. Then it is killed. */
const EXIT_TIMEOUT_MS = 1_000;
/** How long to wait for the exit of a process whose pipe is closed. */
const EXIT_REASON_MS = 100;
/** With less free space in /dev/shm, pages with large images crash. */
const MIN_SHM_BYTES = 512 * 2 ** 20;
const MAX_STDERR_CHARACTERS = 4_000;
/**
 * Chromium, even headless, asks the user for a name and password if a server requests them, and the page hangs. If no
 * authentication scheme is allowed, the page gets the 401 instead.
 */
const LOCAL_STATE = JSON.stringify({ auth: { schemes: 'none' } });
/** Without this setting Chromium contacts a server of Google, to detect a captive portal, whenever it rejects a certificate. */
const PREFERENCES = JSON.stringify({ alternate_error_pages: { enabled: false } });

interface ChromiumLaunchOptions<D extends Driver> {
  readonly found: FoundBrowser;
  readonly headless: boolean;
  readonly driver: D;
  readonly sandbox: boolean;
  readonly proxyServer: string;
  readonly trustedKeyHashes: readonly string[];
  readonly runDir: string;
  readonly user: OsUser | null;
  /** The display for windows, closed with the browser; null: headless, or the system has a display of its own. */
  readonly display: VirtualDisplay | null;
}

/**
 * Starts a Chromium, Chrome or Edge as the leader of a process group, without the rights and the environment of the service. It
 * is controlled over two pipes, which no other process can use. The browser ends when they are closed, so also when the
 * service is killed. Never rejects.
 */
async function launchChromium<D extends Driver>(
  options: ChromiumLaunchOptions<D>,
): Promise<LaunchedBrowser<D> | Failure> {
  const { found, driver, sandbox } = options;
  // Without its path, because callers see the message.
  const name = `${found.type} ${found.version ?? ''}`.trimEnd();
  let folder: InstanceFolder;
  try {
    folder = await createInstanceFolder(options.runDir, options.user);
  } catch (error) {
    await options.display?.close();
    return explainLaunchFailure(
      name,
      sandbox,
      '',
      `the folder for its profile cannot be created: ${(error as Error).message}`,
    );
  }
  const smallShm = (await freeBytes('/dev/shm')) < MIN_SHM_BYTES;
  const started = await startChromium(options, folder, smallShm);
  if (started instanceof Error) {
    await options.display?.close();
    await folder.remove().catch(() => {});
    return explainLaunchFailure(name, sandbox, '', started.message);
  }
  const { pid, stdout, stderr, pipes, exited, closeStreams } = started;
  let lastOutput = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-MAX_STDERR_CHARACTERS);
  });
  stdout.resume();
  const close = once(async () => {
    pipes[0]!.destroy();
    await orTimeout(exited, EXIT_TIMEOUT_MS, null);
    // Needed even if the main process has ended by itself: another process of the browser may hang.
    await killProcessGroup(pid);
    await orTimeout(exited, EXIT_TIMEOUT_MS, null);
    closeStreams();
    await options.display?.close();
    // What cannot be removed now is removed at the next start.
    await folder.remove().catch(() => {});
  });
  // Without the main process, the other processes of the browser have no use.
  void exited.then(() => signalProcessGroup(pid, 'SIGKILL'));
  try {
    const browser = await Promise.race([
      connectDriver(options, pipes, folder),
      exited.then((reason) => Promise.reject(new Error(reason))),
    ]);
    const { downloadsDir } = folder;
    return { driver, browser, found, headless: options.headless, pid, downloadsDir, smallShm, exited, close };
  } catch (error) {
    // The pipe may be closed a moment before the exit is reported. The exit reason tells more than the error of the pipe.
    const exitReason = await orTimeout(exited, EXIT_REASON_MS, null);
    const cause = exitReason ?? (error as Error).message.split('\n', 1)[0]!;
    await close();
    return explainLaunchFailure(name, sandbox, lastOutput, cause);
  }
}

async function startChromium(
  options: ChromiumLaunchOptions<Driver>,
  folder: InstanceFolder,
  smallShm: boolean,
): Promise<StartedProcess | Error> {
  const { found, headless, sandbox, proxyServer, trustedKeyHashes, user, display } = options;
  const { profileDir } = folder;
  await folder.writeFile(join(profileDir, 'Local State'), LOCAL_STATE);
  await folder.writeFile(join(folder.preferencesDir, 'Preferences'), PREFERENCES);
  const { userAgent } = identityOf(found, headless);
  const args = chromiumArguments({
    profileDir,
    headless,
    sandbox,
    proxyServer,
    smallShm,
    trustedKeyHashes,
    userAgent,
  });
  const command = await withResourceLimits({ path: found.path, args }).catch((error: Error) => error);
  if (command instanceof Error) return command;
  return startProcess({
    ...command,
    cwd: folder.path,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'en_US.UTF-8',
      // Not every system has the locale above, and without UTF-8 browsers lose names of files beyond ASCII. It is the language of
      // pages, too, until theirs is set (user-agent.ts).
      LC_ALL: 'C.UTF-8',
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

/** Rejects when the browser does not respond in time. */
function connectDriver<D extends Driver>(
  { driver, found, headless }: ChromiumLaunchOptions<D>,
  pipes: StartedProcess['pipes'],
  folder: InstanceFolder,
): Promise<DriverBrowsers[D]> {
  const transport = createPipeTransport(pipes[0]!, pipes[1]!);
  return CONNECT_BY_DRIVER[driver](transport, folder, identityOf(found, headless), headless);
}

type ConnectDriver<D extends Driver> = (
  transport: PipeTransport,
  folder: InstanceFolder,
  identity: BrowserIdentity,
  headless: boolean,
) => Promise<DriverBrowsers[D]>;

const CONNECT_BY_DRIVER: { readonly [D in Driver]: ConnectDriver<D> } = {
  async playwright(transport, folder, identity, headless) {
    const identityTransport = withIdentity(transport, identity, headless);
    // Imported here, so that it loads while the browser starts.
    const { chromium } = await import('playwright-core');
    return chromium.connectOverCDP(identityTransport, {
      artifactsDir: folder.downloadsDir,
      timeout: START_TIMEOUT_MS,
    });
  },
  async cdp(transport, _folder, identity) {
    const browser = await orTimeout(CdpBrowser.connect(transport, identity), START_TIMEOUT_MS, null);
    if (browser === null) throw new Error(`it did not respond within ${START_TIMEOUT_MS / 1000} s`);
    return browser;
  },
};

/** 0 if there is no such file system. */
async function freeBytes(path: string): Promise<number> {
  const stats = await statfs(path).catch(() => null);
  return stats === null ? 0 : stats.bavail * stats.bsize;
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
  readonly user: OsUser | null;
  readonly sandbox: boolean;
  /** `http://127.0.0.1:1234`. */
  readonly proxyServer: string;
  /** Hash of a public key of this process, whose certificates the browser accepts; null: none. */
  readonly trustedKeyHashes: readonly string[];
  /** Path of Xvfb; null: it is not needed, or not installed. */
  readonly xvfb: string | null;
}

/** Starts a browser; the caller closes it. Never rejects. */
export async function launch<D extends Driver>(
  options: LaunchOptions,
  found: FoundBrowser,
  headless: boolean,
  driver: D,
): Promise<LaunchedBrowser<D> | Failure> {
  const { folders, user, sandbox, proxyServer, trustedKeyHashes, xvfb } = options;
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
    driver,
    sandbox,
    proxyServer,
    trustedKeyHashes,
    runDir,
    user,
    display,
  });
}
