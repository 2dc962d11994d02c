import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserPlace, BrowserType } from './found-browser.ts';
import { isProgram } from './installed.ts';

export interface CacheFolders {
  readonly homeDir: string;
  readonly cacheDir: string | null;
  readonly playwrightDir: string | null;
}

interface Kind {
  readonly type: BrowserType;
  readonly shell: boolean;
  /** Below the folder of the revision; the first that exists. */
  readonly paths: readonly string[];
}

const MAC_CHROMIUM = ['chrome-mac-arm64', 'chrome-mac-x64', 'chrome-mac'].flatMap((folder) =>
  ['Google Chrome for Testing', 'Chromium'].map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
);

/** Folder name (`<name>-<revision>`) → what is in it. */
const KINDS: Readonly<Record<string, Kind>> = {
  chromium: {
    type: 'chromium',
    shell: false,
    paths: ['chrome-linux64/chrome', 'chrome-linux/chrome', ...MAC_CHROMIUM],
  },
  chromium_headless_shell: {
    type: 'chromium',
    shell: true,
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
    shell: false,
    paths: ['firefox/firefox', 'firefox/Nightly.app/Contents/MacOS/firefox'],
  },
  webkit: { type: 'webkit', shell: false, paths: ['pw_run.sh'] },
};

/**
 * What `playwright install` has put into its cache. Firefox and WebKit are taken only in the revision that our
 * playwright-core speaks with: their protocol is of its own and changes with each.
 */
export async function playwrightBrowsers(
  platform: NodeJS.Platform,
  folders: CacheFolders,
): Promise<readonly BrowserPlace[]> {
  const cache = cacheFolder(platform, folders);
  const names = await readdir(cache).catch(() => []);
  const wanted = names.length === 0 ? new Map<string, string>() : await wantedRevisions();
  const found: BrowserPlace[] = [];
  for (const folder of names) {
    const [, name, revision] = /^([a-z_]+)-(\d+)$/.exec(folder) ?? [];
    const kind = name === undefined || !Object.hasOwn(KINDS, name) ? undefined : KINDS[name];
    if (kind === undefined) continue;
    const version = wanted.get(`${name}-${revision}`) ?? null;
    if (kind.type !== 'chromium' && version === null) continue;
    for (const below of kind.paths) {
      const path = join(cache, folder, below);
      if (!(await isProgram(path))) continue;
      found.push({ type: kind.type, path, from: 'playwright', shell: kind.shell, env: {}, version });
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

/** `firefox-1572` → `159.0`, as the file of playwright-core says. */
async function wantedRevisions(): Promise<ReadonlyMap<string, string>> {
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
