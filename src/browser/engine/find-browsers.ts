import type { Failure } from '../../domain/failure.ts';
import { type BrowsersHome, createBrowsersHome } from './browser-folders.ts';
import {
  BROWSER_SOURCES,
  type BrowserCandidate,
  type BrowserType,
  buildAgeDays,
  compareNewestFirst,
  type FoundBrowser,
  isOutdated,
} from './found-browser.ts';
import { type CacheFolders, installedBrowsers, playwrightBrowsers } from './installed-browsers.ts';
import { type BrowserUser, killProcessGroup, startProcess } from './processes.ts';
import { findBundledChromium, unpackChromium } from './unpack-chromium.ts';

const VERSION_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_CHARACTERS = 10_000;

type VersionResult =
  | { readonly version: string; readonly trouble: null }
  | { readonly version: null; readonly trouble: string };

const versionFailure = (text: string): VersionResult => ({ version: null, trouble: text });

/**
 * Asks a program for its version, with `--version`, in a process group of its own and an empty environment; it has ten
 * seconds. Never rejects.
 */
async function readVersion(
  path: string,
  env: Readonly<Record<string, string>>,
  user: BrowserUser | null,
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
  let out = '';
  let err = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    out = (out + text).slice(0, MAX_OUTPUT_CHARACTERS);
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-MAX_OUTPUT_CHARACTERS);
  });
  const late = AbortSignal.timeout(VERSION_TIMEOUT_MS);
  const read = Promise.all(
    [stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))),
  );
  const how = await Promise.race([
    read.then(() => exited),
    new Promise<null>((resolve) => {
      late.onabort = () => resolve(null);
    }),
  ]);
  // With whatever it has started.
  await killProcessGroup(pid);
  closeStreams();
  if (how === null) return versionFailure('it did not respond to --version within 10 s');
  const version = /\d+(?:\.\d+)+/.exec(out)?.[0];
  if (version !== undefined && how === 'it ended with exit code 0') return { version, trouble: null };
  return versionFailure(`it did not report its version: ${err.trim().split('\n').at(-1) || how}`);
}

export interface BrowserSearchOptions {
  /** What the operator names: preferred to all else. */
  readonly configured: readonly { readonly type: BrowserType; readonly path: string }[];
  readonly searchPath: readonly string[];
  readonly caches: CacheFolders;
  readonly folders: BrowsersHome;
  readonly user: BrowserUser | null;
  /** Why no window can be opened here; null: one can. */
  readonly noDisplayReason: string | null;
}

/**
 * All browsers of this machine, the preferred ones first: what the operator names in the order given, then headless
 * shells before full browsers, builds of the last 90 days before older ones, and the newer version before the older. Unpacks the Chromium that comes along. Takes a second or two; never rejects.
 */
export async function findBrowsers(parts: BrowserSearchOptions): Promise<readonly FoundBrowser[]> {
  const platform = process.platform;
  const configured = parts.configured.map(
    ({ type, path }): BrowserCandidate => ({
      type,
      path,
      source: 'configured',
      headlessShell: /headless.shell/i.test(path),
      env: {},
      version: null,
    }),
  );
  const [installed, playwright, own] = await Promise.all([
    installedBrowsers(platform, parts.searchPath),
    playwrightBrowsers(platform, parts.caches),
    prepareBundledChromium(parts.folders),
  ]);
  const places = [...configured, ...installed, ...playwright];
  const looked = await Promise.all(places.map((place) => checkBrowser(place, parts)));
  if (own !== null) looked.push('reason' in own ? own : await checkBrowser(own, parts));
  return looked
    .map((browser, at) => ({ browser, at }))
    .sort((a, b) => compareBrowsers(a.browser, b.browser) || a.at - b.at)
    .map(({ browser }) => browser);
}

function compareBrowsers(a: FoundBrowser, b: FoundBrowser): number {
  const [named, alsoNamed] = [a.source === 'configured', b.source === 'configured'];
  if (named || alsoNamed) return Number(alsoNamed) - Number(named);
  if (a.headlessShell !== b.headlessShell) return Number(b.headlessShell) - Number(a.headlessShell);
  const [old, alsoOld] = [isOutdated(a.ageDays), isOutdated(b.ageDays)];
  if (old !== alsoOld) return Number(old) - Number(alsoOld);
  return (
    compareNewestFirst(a.version, b.version) ||
    BROWSER_SOURCES.indexOf(a.source) - BROWSER_SOURCES.indexOf(b.source)
  );
}

async function checkBrowser(
  place: BrowserCandidate,
  { user, noDisplayReason }: BrowserSearchOptions,
): Promise<FoundBrowser> {
  const { type, path, source, headlessShell, env } = place;
  const [asked, ageDays] = await Promise.all([
    place.version === null ? readVersion(path, env, user) : { version: place.version, trouble: null },
    buildAgeDays(path, Date.now()),
  ]);
  const trouble = asked.trouble ?? userRestriction(user, type);
  return {
    type,
    path,
    source,
    headlessShell,
    version: asked.version,
    ageDays,
    headless: trouble === null,
    headed: trouble === null && !headlessShell && noDisplayReason === null,
    reason: trouble ?? (headlessShell ? 'it is a headless-only build' : noDisplayReason),
    env,
  };
}

/** Only Chromium is started by us; Playwright, which starts the other two, cannot start them as another user. */
function userRestriction(user: BrowserUser | null, type: BrowserType): string | null {
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

/** Whoever asks in vain makes us look again, but not more often than this. */
const SEARCH_INTERVAL_MS = 30_000;

/** The browsers of this machine, looked for when somebody first asks; what is installed later is found, too. */
export class BrowserBinaries {
  /** By path: those that did not start when they were last tried. */
  readonly launchFailures = new Map<string, Failure>();
  readonly #find: () => Promise<readonly FoundBrowser[]>;
  #found: Promise<readonly FoundBrowser[]> | null = null;
  #searchedAt = 0;

  constructor(find: () => Promise<readonly FoundBrowser[]>) {
    this.#find = find;
  }

  /** The preferred ones first. The first who asks waits a second or two. */
  all(): Promise<readonly FoundBrowser[]> {
    if (this.#found === null) {
      this.#searchedAt = performance.now();
      this.#found = this.#find();
    }
    return this.#found;
  }

  /** Those of this type that can do this, the preferred one first. */
  async matching(type: BrowserType, headless: boolean): Promise<readonly FoundBrowser[]> {
    const fits = (one: FoundBrowser) => one.type === type && (headless ? one.headless : one.headed);
    const found = (await this.all()).filter(fits);
    if (found.length > 0 || performance.now() - this.#searchedAt < SEARCH_INTERVAL_MS) return found;
    this.invalidate();
    return (await this.all()).filter(fits);
  }

  /** Something was wrong with one of them: the next who asks has them looked for, and checked, again. */
  invalidate(): void {
    this.#found = null;
  }
}
