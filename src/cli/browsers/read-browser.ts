import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { configHome } from '../../config/login-file.ts';
import { CommandError } from '../core/command.ts';
import { BY_FILE, type ReadCookies } from './browser-cookie.ts';
import { readChromeCookies } from './chrome-cookies.ts';
import type { ChromeNames } from './chrome-key.ts';
import { readFirefoxCookies } from './firefox-cookies.ts';
import { filterOfDomains } from './site-filter.ts';

/** Browsers whose cookies can be read. */
export const BROWSERS = ['chrome', 'chromium', 'firefox'] as const;
export type BrowserName = (typeof BROWSERS)[number];

export interface BrowserChoice {
  readonly browser: BrowserName;
  /** Such as `Default`, `Profile 1`, or a path; null: the one that the browser used last. */
  readonly profile: string | null;
  /** Not empty. */
  readonly domains: readonly string[];
}

/** Whose machine it is. */
export interface Home {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** See `configHome`. */
  readonly config: string;
}

const thisHome = (): Home => ({
  platform: process.platform,
  home: homedir(),
  config: configHome(),
});

/**
 * The cookies that the user's own browser has for some domains, also while it runs. Those that have expired are left out.
 * @throws CommandError
 */
export async function readBrowserCookies(
  { browser, profile, domains }: BrowserChoice,
  at: Home = thisHome(),
): Promise<ReadCookies> {
  const filter = filterOfDomains(domains);
  if (at.platform !== 'linux' && at.platform !== 'darwin')
    throw new CommandError(`the cookies of browsers can be read on Linux and macOS alone: ${BY_FILE}`);
  const { cookies, unreadable } =
    browser === 'firefox'
      ? { cookies: await readFirefoxCookies(firefoxFile(profile, at), filter), unreadable: 0 }
      : await readChromeCookies(chromeFile(browser, profile, at), NAMES[browser], filter, at.platform);
  const now = Date.now() / 1_000;
  const fresh = cookies.filter(({ expires }) => expires === -1 || expires > now);
  if (fresh.length === 0 && unreadable > 0)
    throw new CommandError(
      `none of the ${unreadable} cookies could be decrypted: this ${NAMES[browser as keyof typeof NAMES].title} keeps its key elsewhere; ${BY_FILE}`,
    );
  if (fresh.length === 0)
    throw new CommandError(
      `the browser has no cookies of ${domains.join(', ')}: log in there with it, wait half a minute, and try again`,
    );
  return { cookies: fresh, unreadable };
}

const NAMES = {
  chrome: { title: 'Chrome', application: 'chrome' },
  chromium: { title: 'Chromium', application: 'chromium' },
} as const satisfies Record<Exclude<BrowserName, 'firefox'>, ChromeNames>;

/** Where a browser keeps its data: from Debian and the like, from a snap, from Flathub, on macOS. */
function foldersOf(browser: BrowserName, { platform, home, config }: Home): readonly string[] {
  if (platform === 'darwin') {
    const support = join(home, 'Library/Application Support');
    return [join(support, { chrome: 'Google/Chrome', chromium: 'Chromium', firefox: 'Firefox' }[browser])];
  }
  const flat = (id: string) => join(home, '.var/app', id);
  switch (browser) {
    case 'chrome':
      return [join(config, 'google-chrome'), join(flat('com.google.Chrome'), 'config/google-chrome')];
    case 'chromium':
      return [
        join(config, 'chromium'),
        join(home, 'snap/chromium/common/chromium'),
        join(flat('org.chromium.Chromium'), 'config/chromium'),
      ];
    case 'firefox':
      return [
        join(home, '.mozilla/firefox'),
        join(config, 'mozilla/firefox'),
        join(home, 'snap/firefox/common/.mozilla/firefox'),
        join(flat('org.mozilla.firefox'), '.mozilla/firefox'),
      ];
  }
}

/** `Network/Cookies` since the network service is sandboxed. */
const CHROME_FILES = ['Network/Cookies', 'Cookies'];

function chromeFile(browser: 'chrome' | 'chromium', profile: string | null, at: Home): string {
  const folders = profile !== null && isAbsolute(profile) ? [profile] : foldersOf(browser, at);
  const files = folders.flatMap((folder) => {
    const name = isAbsolute(profile ?? '') ? '' : (profile ?? lastChromeProfile(folder));
    return CHROME_FILES.map((file) => join(folder, name, file));
  });
  return newestOf(files, NAMES[browser].title, profile);
}

function lastChromeProfile(folder: string): string {
  try {
    const state = JSON.parse(readFileSync(join(folder, 'Local State'), 'utf8'));
    const last: unknown = state?.profile?.last_used;
    return typeof last === 'string' && last !== '' ? last : 'Default';
  } catch {
    return 'Default';
  }
}

function firefoxFile(profile: string | null, at: Home): string {
  const folders =
    profile !== null && isAbsolute(profile)
      ? [profile]
      : foldersOf('firefox', at).flatMap((folder) => firefoxProfiles(folder, profile));
  return newestOf(
    folders.map((folder) => join(folder, 'cookies.sqlite')),
    'Firefox',
    profile,
  );
}

interface IniSection {
  readonly title: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Folders of profiles: that of this name, or those that Firefox starts with, as `profiles.ini` has it. */
function firefoxProfiles(folder: string, name: string | null): readonly string[] {
  const file = join(folder, 'profiles.ini');
  if (!existsSync(file)) return [];
  const sections = iniSections(readFileSync(file, 'utf8'));
  const profiles = sections.filter(({ title }) => title.startsWith('Profile'));
  const pathOf = ({ values }: IniSection) => values.get('Path') ?? '';
  // An installed Firefox has its own default; the flag of the profile is that of versions before 67.
  const paths =
    name === null
      ? (sections.find(({ title }) => title.startsWith('Install'))?.values.get('Default') ??
        profiles.filter(({ values }) => values.get('Default') === '1').map(pathOf))
      : profiles
          .filter((section) => section.values.get('Name') === name || pathOf(section) === name)
          .map(pathOf);
  return [paths].flat().map((path) => (isAbsolute(path) ? path : join(folder, path)));
}

function iniSections(text: string): readonly IniSection[] {
  return text
    .split(/^\[/m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.split(/\r?\n/);
      const pairs = lines.flatMap((line) => {
        const at = line.indexOf('=');
        return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
      });
      return { title: head.replace(/\].*/, ''), values: new Map(pairs) };
    });
}

function newestOf(files: readonly string[], title: string, profile: string | null): string {
  const found = files.filter((file) => existsSync(file)).toSorted((a, b) => changedAt(b) - changedAt(a));
  if (found[0] !== undefined) return found[0];
  throw new CommandError(
    profile === null
      ? `no cookies of ${title} were found: name the folder of its profile by --browser-profile, or ${BY_FILE}`
      : `there is no profile "${profile}" of ${title} with cookies`,
  );
}

const changedAt = (file: string): number => statSync(file).mtimeMs;
