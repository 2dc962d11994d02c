import { access, constants, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserType } from '../../domain/browser-options.ts';
import type { BrowserCandidate } from './found-browser.ts';

/**
 * Where a browser may be installed. The first path that exists is used, or else the first of the names that is found in `PATH`.
 */
interface InstallLocation {
  readonly type: BrowserType;
  /** A build without windows. */
  readonly headlessShell: boolean;
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

// The programs come before the shell scripts that start them, because the scripts add switches.
const LINUX_LOCATIONS: readonly InstallLocation[] = [
  {
    type: 'chromium',
    headlessShell: true,
    paths: [
      '/usr/lib/chromium/chromium-headless-shell',
      '/usr/lib/chromium/headless_shell',
      '/usr/lib64/chromium-browser/headless_shell',
    ],
    names: ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'],
  },
  {
    type: 'chromium',
    headlessShell: false,
    paths: [
      '/usr/lib/chromium/chromium',
      '/usr/lib64/chromium-browser/chromium-browser',
      '/usr/lib/chromium-browser/chromium-browser',
    ],
    names: ['chromium', 'chromium-browser'],
  },
  {
    type: 'chrome',
    headlessShell: false,
    paths: ['/opt/google/chrome/chrome'],
    names: ['google-chrome-stable', 'google-chrome'],
  },
  {
    type: 'msedge',
    headlessShell: false,
    paths: ['/opt/microsoft/msedge/msedge'],
    names: ['microsoft-edge-stable', 'microsoft-edge'],
  },
];

const macApplication = (name: string): string => `/Applications/${name}.app/Contents/MacOS/${name}`;

const MAC_LOCATIONS: readonly InstallLocation[] = [
  { type: 'chromium', headlessShell: false, paths: [macApplication('Chromium')], names: ['chromium'] },
  { type: 'chrome', headlessShell: false, paths: [macApplication('Google Chrome')], names: [] },
  { type: 'msedge', headlessShell: false, paths: [macApplication('Microsoft Edge')], names: [] },
];

/** Where packages of vendors and distributions install browsers. */
function installLocations(platform: NodeJS.Platform): readonly InstallLocation[] {
  return platform === 'linux' ? LINUX_LOCATIONS : platform === 'darwin' ? MAC_LOCATIONS : [];
}

/** Installed browsers, at most one of each kind. */
export async function installedBrowsers(
  platform: NodeJS.Platform,
  searchPath: readonly string[],
): Promise<readonly BrowserCandidate[]> {
  const found: BrowserCandidate[] = [];
  for (const { type, headlessShell, paths, names } of installLocations(platform)) {
    const inPath = searchPath.flatMap((folder) => names.map((name) => join(folder, name)));
    for (const path of [...paths, ...inPath]) {
      if (!(await isExecutable(path))) continue;
      found.push({ type, path, source: 'installed', headlessShell, env: {}, version: null });
      break;
    }
  }
  return found;
}

export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export interface CacheFolders {
  readonly homeDir: string;
  /** `XDG_CACHE_HOME`. */
  readonly cacheDir: string | null;
  /** `PLAYWRIGHT_BROWSERS_PATH`; `0` stands for a folder in the package, which is not searched. */
  readonly playwrightDir: string | null;
}

interface CachedBrowser {
  readonly type: BrowserType;
  readonly headlessShell: boolean;
  /** Relative to the folder of the revision. */
  readonly paths: readonly string[];
}

const MAC_CHROMIUM = ['chrome-mac-arm64', 'chrome-mac-x64', 'chrome-mac'].flatMap((folder) =>
  ['Google Chrome for Testing', 'Chromium'].map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
);

/** By the first part of the folder's name, `<name>-<revision>`. */
const CACHED_BROWSERS: Readonly<Record<string, CachedBrowser>> = {
  chromium: {
    type: 'chromium',
    headlessShell: false,
    paths: ['chrome-linux64/chrome', 'chrome-linux/chrome', ...MAC_CHROMIUM],
  },
  chromium_headless_shell: {
    type: 'chromium',
    headlessShell: true,
    paths: [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-linux/headless_shell',
      'chrome-headless-shell-mac-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
      'chrome-mac/headless_shell',
    ],
  },
  firefox: {
    type: 'firefox',
    headlessShell: false,
    paths: ['firefox/firefox', 'firefox/Nightly.app/Contents/MacOS/firefox'],
  },
  webkit: { type: 'webkit', headlessShell: false, paths: ['pw_run.sh'] },
};

/**
 * Browsers in Playwright's cache. Firefox and WebKit are included only in the revision that this version of playwright-core
 * supports, because their protocol changes with each revision.
 */
export async function playwrightBrowsers(
  platform: NodeJS.Platform,
  folders: CacheFolders,
): Promise<readonly BrowserCandidate[]> {
  const cache = cacheFolder(platform, folders);
  const names = await readdir(cache).catch(() => []);
  const versions = names.length === 0 ? new Map<string, string>() : await supportedRevisions();
  const found: BrowserCandidate[] = [];
  for (const folder of names) {
    const [, name, revision] = /^([a-z_]+)-(\d+)$/.exec(folder) ?? [];
    const kind =
      name === undefined || !Object.hasOwn(CACHED_BROWSERS, name) ? undefined : CACHED_BROWSERS[name];
    if (kind === undefined) continue;
    const version = versions.get(`${name}-${revision}`) ?? null;
    if (kind.type !== 'chromium' && version === null) continue;
    for (const relativePath of kind.paths) {
      const path = join(cache, folder, relativePath);
      if (!(await isExecutable(path))) continue;
      found.push({
        type: kind.type,
        path,
        source: 'playwright',
        headlessShell: kind.headlessShell,
        env: {},
        version,
      });
      break;
    }
  }
  return found;
}

function cacheFolder(platform: NodeJS.Platform, { homeDir, cacheDir, playwrightDir }: CacheFolders): string {
  if (playwrightDir !== null && playwrightDir !== '0') return playwrightDir;
  const caches =
    platform === 'darwin' ? join(homeDir, 'Library/Caches') : (cacheDir ?? join(homeDir, '.cache'));
  return join(caches, 'ms-playwright');
}

/** The versions of the revisions that playwright-core supports, by folder name: `firefox-1572` → `159.0`. */
async function supportedRevisions(): Promise<ReadonlyMap<string, string>> {
  const file = join(
    dirname(fileURLToPath(import.meta.resolve('playwright-core/package.json'))),
    'browsers.json',
  );
  const { browsers } = JSON.parse(await readFile(file, 'utf8')) as {
    browsers: readonly { name: string; revision: string; browserVersion?: string }[];
  };
  return new Map(
    browsers.flatMap(({ name, revision, browserVersion }) =>
      browserVersion === undefined ? [] : [[`${name.replaceAll('-', '_')}-${revision}`, browserVersion]],
    ),
  );
}
