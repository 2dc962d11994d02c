import type { InstalledBrowser } from '../../domain/system.ts';
import { browsersHome, removeLeftovers } from './browser-folders.ts';
import type { BrowserManagerDeps } from './browser-process.ts';
import { BrowserBinaries, type BrowserSearchOptions, findBrowsers } from './find-browsers.ts';
import { type FoundBrowser, isOutdated, isSupported, UNSUPPORTED } from './found-browser.ts';
import { launch } from './launch.ts';
import { browserUser } from './processes.ts';
import { Supervisor } from './supervisor.ts';
import { findXvfb } from './virtual-display.ts';

/**
 * The browsers of this machine as callers are told of them: without their paths, which are the operator's business.
 * @param running path of the one that runs for scrapes of a type; null: none runs
 * @param troubleOf why the one at a path does not start; null: it was not tried, or it does
 */
export function describeBrowsers(
  all: readonly FoundBrowser[],
  running: (type: FoundBrowser['type']) => string | null,
  troubleOf: (path: string) => string | null,
): readonly InstalledBrowser[] {
  const usedOf = (type: FoundBrowser['type']): FoundBrowser | undefined => {
    const able = all.filter((one) => one.type === type && isSupported(type) && one.headless);
    return (
      able.find(({ path }) => path === running(type)) ?? able.find(({ path }) => troubleOf(path) === null)
    );
  };
  return all.map((one) => {
    const { type, version, ageDays, source, headless, headed, path } = one;
    const preferred = usedOf(type);
    const used = preferred === one;
    const trouble = troubleOf(path);
    const why = !isSupported(type)
      ? UNSUPPORTED
      : used || !headless || preferred === undefined
        ? (trouble ?? one.reason)
        : (trouble ?? notPreferredReason(one, preferred));
    const able = isSupported(type) && trouble === null;
    return {
      type,
      version,
      ageDays,
      source: source,
      headless: able && headless,
      headed: able && headed,
      used,
      reason: why,
    };
  });
}

/** For `headless: true`. */
function notPreferredReason(one: FoundBrowser, preferred: FoundBrowser): string {
  const why =
    preferred.source === 'configured'
      ? 'SLUICE_BROWSER_PATH names it'
      : preferred.headlessShell && !one.headlessShell
        ? 'a headless shell is faster than a full browser'
        : isOutdated(one.ageDays) && !isOutdated(preferred.ageDays)
          ? `this build is ${one.ageDays} days old`
          : one.version === preferred.version
            ? 'it is the same version'
            : 'it is newer';
  const rest = one.headed ? ' (this one is used for headless: false)' : '';
  return `${preferred.version} (${preferred.source}) is preferred: ${why}${rest}`;
}

export interface BrowserEngineOptions {
  /** Absolute. */
  readonly dataDir: string;
  readonly configured: BrowserSearchOptions['configured'];
  readonly searchPath: readonly string[];
  readonly caches: BrowserSearchOptions['caches'];
  readonly slots: number;
  readonly sandbox: boolean;
  /** Where all that a browser does on its own, outside of a scrape, has to go through. */
  readonly proxyServer: string;
  /** Hash of a public key of this process, whose certificates Chromium takes; null: none. */
  readonly trustedKeyHash: string | null;
  readonly log: BrowserManagerDeps['log'];
}

interface BrowserEngine {
  readonly supervisor: Supervisor;
  /** All of this machine; the first who asks waits a second or two. Never rejects. */
  list(): Promise<readonly InstalledBrowser[]>;
  /** Removes what killed services left; for the time after the start. Never rejects. */
  removeLeftovers(): Promise<void>;
}

/** The browsers of a service. Nothing is looked for, loaded or started before somebody needs it. */
export function openBrowserEngine(parts: BrowserEngineOptions): BrowserEngine {
  const { dataDir, configured, searchPath, caches, slots, sandbox, proxyServer, trustedKeyHash, log } = parts;
  const user = browserUser();
  const folders = browsersHome(dataDir, user);
  const binaries = new BrowserBinaries(async () => {
    const { noDisplayReason } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders, user, noDisplayReason });
  });
  const supervisor = new Supervisor({
    binaries,
    launch: async (found, headless, lane) => {
      const { xvfb } = headless ? { xvfb: null } : await findXvfb(searchPath);
      return launch({ folders, user, sandbox, proxyServer, trustedKeyHash, xvfb }, found, headless, lane);
    },
    log,
    slots,
    sandbox,
  });
  return {
    supervisor,
    async list() {
      const all = await binaries.all();
      return describeBrowsers(
        all,
        (type) => supervisor.runningPath(type, true),
        (path) => supervisor.launchErrorOf(path),
      );
    },
    async removeLeftovers() {
      try {
        const removed = await removeLeftovers(folders);
        if (removed > 0) log('profiles of killed services were removed', { removed });
      } catch (error) {
        log('profiles of killed services cannot be removed', { why: (error as Error).message });
      }
    },
  };
}
