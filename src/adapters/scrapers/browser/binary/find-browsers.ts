import type { BrowserUser } from '../launch/browser-user.ts';
import { askVersion } from './ask-version.ts';
import { type BrowsersHome, makeHome } from './browsers-home.ts';
import { buildAgeDays, isOld } from './build-age.ts';
import { type BrowserPlace, type BrowserType, type FoundBrowser, SOURCES } from './found-browser.ts';
import { installedBrowsers } from './installed.ts';
import { packageChromium } from './package-chromium.ts';
import { type CacheFolders, playwrightBrowsers } from './playwright-cache.ts';
import { unpackChromium } from './unpack-chromium.ts';
import { newerFirst } from './version-order.ts';

export interface SearchParts {
  /** What the operator names: preferred to all else. */
  readonly configured: readonly { readonly type: BrowserType; readonly path: string }[];
  readonly searchPath: readonly string[];
  readonly caches: CacheFolders;
  readonly folders: BrowsersHome;
  readonly user: BrowserUser | null;
  /** Why no window can be opened here; null: one can. */
  readonly noDisplay: string | null;
}

/**
 * All browsers of this machine, the preferred ones first: what the operator names in the order given, then headless
 * shells before full browsers, builds of the last 90 days before older ones, and the newer version before the older. Unpacks the Chromium that comes along. Takes a second or two; never rejects.
 */
export async function findBrowsers(parts: SearchParts): Promise<readonly FoundBrowser[]> {
  const platform = process.platform;
  const configured = parts.configured.map(
    ({ type, path }): BrowserPlace => ({
      type,
      path,
      from: 'configured',
      shell: /headless.shell/i.test(path),
      env: {},
      version: null,
    }),
  );
  const [installed, playwright, own] = await Promise.all([
    installedBrowsers(platform, parts.searchPath),
    playwrightBrowsers(platform, parts.caches),
    fromPackage(parts.folders),
  ]);
  const places = [...configured, ...installed, ...playwright];
  const looked = await Promise.all(places.map((place) => look(place, parts)));
  if (own !== null) looked.push('reason' in own ? own : await look(own, parts));
  return looked
    .map((browser, at) => ({ browser, at }))
    .sort((a, b) => before(a.browser, b.browser) || a.at - b.at)
    .map(({ browser }) => browser);
}

function before(a: FoundBrowser, b: FoundBrowser): number {
  const [named, alsoNamed] = [a.from === 'configured', b.from === 'configured'];
  if (named || alsoNamed) return Number(alsoNamed) - Number(named);
  if (a.shell !== b.shell) return Number(b.shell) - Number(a.shell);
  const [old, alsoOld] = [isOld(a.ageDays), isOld(b.ageDays)];
  if (old !== alsoOld) return Number(old) - Number(alsoOld);
  return newerFirst(a.version, b.version) || SOURCES.indexOf(a.from) - SOURCES.indexOf(b.from);
}

async function look(place: BrowserPlace, { user, noDisplay }: SearchParts): Promise<FoundBrowser> {
  const { type, path, from, shell, env } = place;
  const [asked, ageDays] = await Promise.all([
    place.version === null ? askVersion(path, env, user) : { version: place.version, trouble: null },
    buildAgeDays(path, Date.now()),
  ]);
  const trouble = asked.trouble ?? whyNotAs(user, type);
  return {
    type,
    path,
    from,
    shell,
    version: asked.version,
    ageDays,
    headless: trouble === null,
    headed: trouble === null && !shell && noDisplay === null,
    reason: trouble ?? (shell ? 'it is a headless-only build' : noDisplay),
    env,
  };
}

/** Only Chromium is started by us; Playwright, which starts the other two, cannot start them as another user. */
function whyNotAs(user: BrowserUser | null, type: BrowserType): string | null {
  return user === null || (type !== 'firefox' && type !== 'webkit')
    ? null
    : 'it cannot run as a separate user: run Sluice as a user other than root';
}

async function fromPackage(folders: BrowsersHome): Promise<BrowserPlace | FoundBrowser | null> {
  const found = await packageChromium();
  if (found === null) return null;
  const common = { type: 'chromium', from: 'package', shell: true } as const;
  try {
    await makeHome(folders);
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
