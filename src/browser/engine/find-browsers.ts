import type { OsUser } from '../../base/unprivileged-user.ts';
import { orTimeout } from '../../base/wait.ts';
import type { BrowserType } from '../../domain/browser-options.ts';
import type { Failure } from '../../domain/failure.ts';
import { type BrowsersHome, createBrowsersHome } from './browser-folders.ts';
import {
  BROWSER_SOURCES,
  type BrowserCandidate,
  buildAgeDays,
  compareNewestFirst,
  type FoundBrowser,
  isOutdated,
} from './found-browser.ts';
import { type CacheFolders, installedBrowsers, playwrightBrowsers } from './installed-browsers.ts';
import { killProcessGroup, startProcess } from './processes.ts';
import { findBundledChromium, unpackChromium } from './unpack-chromium.ts';

const VERSION_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_CHARACTERS = 10_000;

type VersionResult =
  | { readonly version: string; readonly trouble: null }
  | { readonly version: null; readonly trouble: string };

const versionFailure = (text: string): VersionResult => ({ version: null, trouble: text });

/** Runs a program with `--version`, in its own process group and with a minimal environment. Never rejects. */
async function readVersion(
  path: string,
  env: Readonly<Record<string, string>>,
  user: OsUser | null,
): Promise<VersionResult> {
  const started = await startProcess({
    path,
    args: ['--version'],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', ...env },
    user,
    pipes: 0,
  });
  if (started instanceof Error) return versionFailure(`it cannot be started: ${started.message}`);
  const { pid, stdout, stderr, exited, closeStreams } = started;
  let output = '';
  let errorOutput = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(0, MAX_OUTPUT_CHARACTERS);
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_OUTPUT_CHARACTERS);
  });
  const streamsClosed = Promise.all(
    [stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))),
  );
  const exitReason = await orTimeout(
    streamsClosed.then(() => exited),
    VERSION_TIMEOUT_MS,
    null,
  );
  // Also ends the processes that the program has started.
  await killProcessGroup(pid);
  closeStreams();
  if (exitReason === null) return versionFailure('it did not respond to --version within 10 s');
  const version = /\d+(?:\.\d+)+/.exec(output)?.[0];
  if (version !== undefined && exitReason === 'it ended with exit code 0') return { version, trouble: null };
  return versionFailure(
    `it did not report its version: ${errorOutput.trim().split('\n').at(-1) || exitReason}`,
  );
}

export interface BrowserSearchOptions {
  /** Browsers that the operator has configured: preferred to all others. */
  readonly configured: readonly { readonly type: BrowserType; readonly path: string }[];
  readonly searchPath: readonly string[];
  readonly caches: CacheFolders;
  readonly folders: BrowsersHome;
  readonly user: OsUser | null;
  /** Why no window can be opened on this machine; null: one can. */
  readonly noDisplayReason: string | null;
}

/**
 * All browsers of this machine, the preferred ones first: those that the operator has configured, then headless shells before
 * full browsers, builds of the last 90 days before older ones, and newer versions before older ones. Unpacks the bundled
 * Chromium. Takes a second or two; never rejects.
 */
export async function findBrowsers(options: BrowserSearchOptions): Promise<readonly FoundBrowser[]> {
  const platform = process.platform;
  const configured = options.configured.map(
    ({ type, path }): BrowserCandidate => ({
      type,
      path,
      source: 'configured',
      headlessShell: /headless.shell/i.test(path),
      env: {},
      version: null,
    }),
  );
  const [installed, playwright, bundled] = await Promise.all([
    installedBrowsers(platform, options.searchPath),
    playwrightBrowsers(platform, options.caches),
    prepareBundledChromium(options.folders),
  ]);
  const candidates = [...configured, ...installed, ...playwright];
  const browsers = await Promise.all(candidates.map((candidate) => checkBrowser(candidate, options)));
  if (bundled !== null) browsers.push('reason' in bundled ? bundled : await checkBrowser(bundled, options));
  return browsers.toSorted(compareBrowsers);
}

function compareBrowsers(a: FoundBrowser, b: FoundBrowser): number {
  const [aConfigured, bConfigured] = [a.source === 'configured', b.source === 'configured'];
  if (aConfigured || bConfigured) return Number(bConfigured) - Number(aConfigured);
  if (a.headlessShell !== b.headlessShell) return Number(b.headlessShell) - Number(a.headlessShell);
  const [aOutdated, bOutdated] = [isOutdated(a.ageDays), isOutdated(b.ageDays)];
  if (aOutdated !== bOutdated) return Number(aOutdated) - Number(bOutdated);
  return (
    compareNewestFirst(a.version, b.version) ||
    BROWSER_SOURCES.indexOf(a.source) - BROWSER_SOURCES.indexOf(b.source)
  );
}

async function checkBrowser(
  candidate: BrowserCandidate,
  { user, noDisplayReason }: BrowserSearchOptions,
): Promise<FoundBrowser> {
  const { type, path, source, headlessShell, env } = candidate;
  const [{ version, trouble: versionTrouble }, ageDays] = await Promise.all([
    candidate.version === null ? readVersion(path, env, user) : { version: candidate.version, trouble: null },
    buildAgeDays(path, Date.now()),
  ]);
  const trouble = versionTrouble ?? userRestriction(user, type);
  return {
    type,
    path,
    source,
    headlessShell,
    version,
    ageDays,
    headless: trouble === null,
    headed: trouble === null && !headlessShell && noDisplayReason === null,
    reason: trouble ?? (headlessShell ? 'it is a headless-only build' : noDisplayReason),
    env,
  };
}

/** Firefox and WebKit are started by Playwright, which cannot start them as another user. */
function userRestriction(user: OsUser | null, type: BrowserType): string | null {
  return user === null || (type !== 'firefox' && type !== 'webkit')
    ? null
    : 'it cannot run as a separate user: run Sluice as a user other than root';
}

async function prepareBundledChromium(
  folders: BrowsersHome,
): Promise<BrowserCandidate | FoundBrowser | null> {
  const found = await findBundledChromium();
  if (found === null) return null;
  const common = { type: 'chromium', source: 'package', headlessShell: true } as const;
  try {
    await createBrowsersHome(folders);
    const { path, env } = await unpackChromium(found, folders.home);
    return { ...common, path, env, version: null };
  } catch (error) {
    const reason = `it cannot be unpacked: ${(error as Error).message}`;
    return {
      ...common,
      path: found.binDir,
      version: null,
      ageDays: null,
      headless: false,
      headed: false,
      reason,
      env: {},
    };
  }
}

/** If no browser matches, the machine is searched again, but not more often than this. */
const SEARCH_INTERVAL_MS = 30_000;

/** The browsers of this machine. The search happens at the first use, and again if no browser matches. */
export class BrowserBinaries {
  /** By path: browsers that did not start when they were last tried. */
  readonly launchFailures = new Map<string, Failure>();
  readonly #find: () => Promise<readonly FoundBrowser[]>;
  #found: Promise<readonly FoundBrowser[]> | null = null;
  #searchedAt = 0;

  constructor(find: () => Promise<readonly FoundBrowser[]>) {
    this.#find = find;
  }

  /** The preferred ones first. The first call takes a second or two. */
  all(): Promise<readonly FoundBrowser[]> {
    if (this.#found === null) {
      this.#searchedAt = performance.now();
      this.#found = this.#find();
    }
    return this.#found;
  }

  /** Browsers of this type that can run headless, or with windows if `headless` is false. The preferred one is first. */
  async matching(type: BrowserType, headless: boolean): Promise<readonly FoundBrowser[]> {
    const matches = (browser: FoundBrowser) =>
      browser.type === type && (headless ? browser.headless : browser.headed);
    const found = (await this.all()).filter(matches);
    if (found.length > 0 || performance.now() - this.#searchedAt < SEARCH_INTERVAL_MS) return found;
    this.invalidate();
    return (await this.all()).filter(matches);
  }

  /** Call it if a browser may be damaged: the next call searches for all browsers and checks them again. */
  invalidate(): void {
    this.#found = null;
  }
}
